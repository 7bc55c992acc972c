"""The server around the page: health, figures, headers, a password, and an orderly end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from gradio_client import Client

from app import metrics, top
from app.errors import PlaygroundError
from app.settings import Settings
from app.ui.serving.headers import policy
from tests.conftest import ROOT
from tests.running_app import run_app, start_app, wait_for_answer

pytestmark = pytest.mark.slow

# A tab whose endpoint says when it began and ends when it may.
PROGRAM = """
import time
from pathlib import Path
import gradio as gr
from app.ui.events import endpoint
from app.ui.shell import serve, standalone
from app.ui.serving import closing
from app.ui.tab import Tab

closing.SECONDS_TO_FINISH = 100.0

def slow(text: str) -> list[dict]:
    \"\"\"Answer when there is a file `go`.\"\"\"
    Path("begun").touch()
    while not Path("go").exists():
        time.sleep(0.02)
    return []

def build(page):
    endpoint(page, slow, api_name="slow")

serve(standalone(Tab(slug="fill_mask", order=1, build=build)))
"""


@pytest.fixture(scope="module")
def locked(tiny_models: Path) -> Iterator[str]:
    """The app behind a password."""
    yield from run_app(tiny_models, PLAYGROUND_AUTH="teacher:chalk", PLAYGROUND_WARM="0")


def test_a_link_to_the_page_is_shown_with_a_picture_of_it(server: str) -> None:
    page = httpx.get(f"{server}/?tab=fill_mask").text
    (address,) = re.findall(r'property="og:image" content="(.*?)"', page)
    assert page.count("og:title") == 1 and "@teamGradio" not in page
    assert httpx.get(address).headers["content-type"] == "image/png"


def test_health_and_figures(server: str) -> None:
    health = httpx.get(f"{server}/healthz").json()
    assert health["live"] and not health["closing"]
    assert health.keys() >= {"ready", "running", "waiting", "checkpoints", "checkpoint_bytes", "cache_bytes"}
    client = Client(server, verbose=False)
    client.predict("A secret [MASK].", "bert-mini", api_name="/fill_mask")
    with pytest.raises(Exception, match="no_mask"):
        client.predict("A secret.", "bert-mini", api_name="/fill_mask")
    text = httpx.get(f"{server}/metrics").text
    task = top.read_metrics(text)["/fill_mask"]
    assert task.outcomes["ok"] >= 1 and task.outcomes["no_mask"] >= 1 and task.seconds > 0
    assert "playground_batch_requests_count" in text and "process_resident_memory_bytes" in text
    assert "secret" not in text
    assert httpx.get(f"{server}/healthz").json()["checkpoint_bytes"] > 0


def test_top_prints_the_same(server: str, capsys: pytest.CaptureFixture) -> None:
    Client(server, verbose=False).predict("A [MASK].", "bert-mini", api_name="/fill_mask")
    top.main([server, "--once"])
    printed = capsys.readouterr().out
    assert "waiting for a model" in printed and "/fill_mask" in printed
    with pytest.raises(SystemExit, match="No server answers"):
        top.main(["http://127.0.0.1:9", "--once"])


def test_every_answer_has_the_headers(server: str) -> None:
    for path in ("/", "/healthz", "/config", "/no-such-page"):
        headers = httpx.get(server + path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'self'" in headers["content-security-policy"]
        assert "http" not in headers["content-security-policy"], "no foreign host"


def test_who_may_frame_the_page() -> None:
    assert policy("", {}).endswith("frame-ancestors 'self'")
    assert policy("https://school.example", {}).endswith("frame-ancestors 'self' https://school.example")
    assert "https://huggingface.co" in policy("", {"SPACE_ID": "a/b"})


def test_a_password_is_asked_for(locked: str) -> None:
    assert httpx.get(f"{locked}/config").status_code == 401
    assert httpx.post(f"{locked}/gradio_api/call/fill_mask", json={"data": ["A [MASK]."]}).status_code == 401
    assert httpx.post(f"{locked}/login", data={"username": "teacher", "password": "ink"}).status_code == 400
    assert httpx.get(f"{locked}/healthz/ready").status_code == 200
    client = Client(locked, auth=("teacher", "chalk"), verbose=False)
    assert client.predict("A [MASK].", "bert-mini", api_name="/fill_mask")["model"] == "bert-mini"


@pytest.mark.parametrize("auth", ["teacher", ":", "teacher:", ":chalk"])
def test_half_a_password_is_refused(auth: str) -> None:
    with pytest.raises(ValueError, match="user:password"):
        Settings.from_env({"PLAYGROUND_AUTH": auth})


def test_what_runs_may_finish_and_what_is_new_is_refused(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(PROGRAM)
    process, url = start_app(None, arguments=("slow.py",), cwd=tmp_path, PYTHONPATH=str(ROOT))
    wait_for_answer(url, process)
    answers: list[object] = []
    asking = threading.Thread(
        target=lambda: answers.append(Client(url, verbose=False).predict("a", api_name="/slow")), daemon=True
    )
    asking.start()
    _wait_for(tmp_path / "begun")
    assert httpx.get(f"{url}/healthz").json()["running"] == 1
    process.send_signal(signal.SIGTERM)
    while not httpx.get(f"{url}/healthz").json()["closing"]:
        time.sleep(0.02)
    refused = httpx.post(f"{url}/gradio_api/call/slow", json={"data": ["b"]})
    assert refused.status_code == 503 and "try again in a minute" in refused.text
    (tmp_path / "go").touch()
    asking.join(60)
    assert answers == [[]]
    assert process.wait(60) == 0


def test_an_idle_server_ends_without_an_error(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ENDS], cwd=ROOT, env={**os.environ, "GRADIO_SERVER_PORT": "0"})
    assert process.wait(120) == 0


ENDS = """
import os, signal, threading
from app.ui.serving import wait_until_stopped
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=False).start()  # would keep the process for ever
wait_until_stopped()
"""


HANGING = """
import os, signal, threading
from app.ui.serving import closing
closing.SECONDS_AT_MOST = 0.5
closing.value_of = lambda figure: threading.Event().wait() or 0.0
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
closing.wait_until_stopped()
"""


ELSEWHERE = """
import signal, threading
from app.ui.serving import wait_until_stopped
def told():
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
threading.Timer(0.5, told).start()
wait_until_stopped()
"""


def test_it_ends_where_the_system_hands_the_signal_to_another_thread() -> None:
    """Seen on a busy machine: the first thread slept on, and the server had to be killed."""
    ended = subprocess.run([sys.executable, "-c", ELSEWHERE], cwd=ROOT, timeout=120, check=False)
    assert ended.returncode == 0


def test_an_end_that_stands_still_says_where_and_ends() -> None:
    ended = subprocess.run([sys.executable, "-c", HANGING], capture_output=True, timeout=120, check=False)
    assert ended.returncode == 1
    assert b"_finish" in ended.stderr


def test_outcomes_are_counted() -> None:
    def ends(error: BaseException | None) -> None:
        with metrics.measured("test"):
            if error is not None:
                raise error

    for error in (None, PlaygroundError("too_long"), KeyError("x"), GeneratorExit()):
        with suppress(BaseException):  # looked at below
            ends(error)
    metrics.settle()
    counted = {
        sample.labels["outcome"]: sample.value
        for family in metrics.REQUESTS.collect()
        for sample in family.samples
        if sample.labels["task"] == "test" and sample.name.endswith("_total")
    }
    assert counted == {"ok": 1, "too_long": 1, "failed": 1, "stopped": 1}
    assert metrics.RUNNING.labels("test")._value.get() == 0


def _wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(0.02)
