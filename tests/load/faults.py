"""What goes wrong on a real machine, on purpose: `python -m tests.load.faults`, or `make faults`.

The server is ended or killed in the middle of writing, training and converting; a checkpoint, a converted package or a
download is damaged; nothing more can be written; clients connect and do nothing, or do not read what they asked for.
Each time the program must end as it should, start again, and answer. `--only sigkill` tries some.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx

from app.settings import BUNDLED
from tests.conftest import hub_environment, serve
from tests.load import lesson
from tests.load.served import API, SECONDS_TO_END, Answer, Served, bundled_environment, served

ASKED = ["The dog ran to the [MASK].", "bert-mini", 3, []]
LONG_TEXT = ["Once upon a time", "gpt2-mini", 200, 0.8, 0, 1.0, 1.0, 1]
TRAINING = [lesson.TUNED_ROWS * 20, "bert-mini", 20, 2e-4, 0, 0.2]
IDLE_CONNECTIONS, SLOW_CLIENTS = 1_000, 50
# Room in a pipe and two sockets: a server that waits for a client to read must be kept waiting.
SMALL_BUFFER = 4_096
Fault = Callable[["Bench"], None]
FAULTS: dict[str, Fault] = {}


def fault(made: Fault) -> Fault:
    """Register a fault under its name."""
    FAULTS[made.__name__] = made
    return made


class Bench:
    """Where a fault is tried.

    Args:
        folder: for files, its alone.
        models: checkpoints that stand in place of the bundled ones; None for these.
    """

    def __init__(self, folder: Path, models: Path | None = None) -> None:
        self.folder, self.models = folder, models
        self.temporary, self.cache, self.log = folder / "tmp", folder / "cache", folder / "log"
        for path in (self.temporary, self.cache):
            path.mkdir(parents=True)

    @contextmanager
    def app(self, models: Path | None = None, **environment: str) -> Iterator[Served]:
        """The app over this bench's folders."""
        own = {"TMPDIR": str(self.temporary), "PLAYGROUND_CACHE": str(self.cache), "PLAYGROUND_WARM": "0"}
        folder = models or self.models
        given = {**bundled_environment(), **own, **environment}
        if folder is not None:
            given.pop("PLAYGROUND_MODELS")
        with served(self.log, folder, ready=False, **given) as app:
            yield app

    def must_start_again(self) -> None:
        """The next start answers, without a traceback, and deletes what the one before left behind."""
        with self.app() as app:
            must_answer(app)
            assert "Traceback" not in app.said(), app.said()[-3_000:]
            left = {path.name for path in self.temporary.glob("plm-playground-*")}
            left -= {name for name in left if str(app.process.pid) in name}
            assert not left, f"left behind: {left}"


def must_answer(app: Served, arguments: list[object] = ASKED) -> None:
    """An ordinary question is answered."""
    with app.client() as client:
        answer = app.call(client, "fill_mask", list(arguments))
    assert not answer.told, answer.told


def in_background(app: Served, endpoint: str, arguments: list[object], session: str = "") -> threading.Thread:
    """A call whose end nobody waits for."""

    def ask() -> None:
        with suppress(httpx.HTTPError), app.client() as client:
            app.call(client, endpoint, arguments, session)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    return asking


def wait_until_running(app: Served, task: str) -> None:
    """Return once the server works on it."""
    while f'playground_running{{task="{task}"}} 1.0' not in httpx.get(f"{app.url}/metrics", trust_env=False).text:
        time.sleep(0.02)


def _ended_amid(bench: Bench, number: int, endpoint: str, arguments: list[object]) -> None:
    with bench.app() as app:
        in_background(app, endpoint, arguments, session="amid")
        wait_until_running(app, f"/{endpoint}")
        began = time.monotonic()
        code = app.end(number)
        seconds = time.monotonic() - began
    assert code == (0 if number == signal.SIGTERM else -number), f"exit code {code}"
    assert seconds < SECONDS_TO_END + 1, f"took {seconds:.1f} s to end"
    bench.must_start_again()


@fault
def sigterm_amid_writing(bench: Bench) -> None:
    """A text is being written."""
    _ended_amid(bench, signal.SIGTERM, "generate", LONG_TEXT)


@fault
def sigkill_amid_writing(bench: Bench) -> None:
    """The same without a warning."""
    _ended_amid(bench, signal.SIGKILL, "generate", LONG_TEXT)


@fault
def sigterm_amid_training(bench: Bench) -> None:
    """A model is being trained."""
    _ended_amid(bench, signal.SIGTERM, "fine_tune", TRAINING)


@fault
def sigkill_amid_training(bench: Bench) -> None:
    """The same without a warning."""
    _ended_amid(bench, signal.SIGKILL, "fine_tune", TRAINING)


def _converted(cache: Path) -> list[Path]:
    return [path for path in cache.iterdir() if (path / "config.json").is_file()]


@fault
def sigkill_amid_converting(bench: Bench) -> None:
    """A checkpoint is being made from its base and its change: half of it is never taken for the whole."""
    for seconds in (0.0, 0.05, 0.2):
        with bench.app() as app:
            in_background(app, "classify", [["A good film."], "bert-mini-sst2", []])
            while not any(bench.cache.iterdir()):
                time.sleep(0.005)
            time.sleep(seconds)
            app.end(signal.SIGKILL)
    with bench.app() as app, app.client() as client:
        answer = app.call(client, "classify", [["A good film."], "bert-mini-sst2", []])
        assert not answer.told, answer.told
        whole = _converted(bench.cache)
        left = [path.name for path in bench.cache.iterdir() if path.is_dir() and path not in whole]
        assert not left, f"half of a conversion was left behind: {left}"


def _answers_of(bench: Bench, app: Served, endpoint: str, arguments: list[object]) -> Answer:
    """A refusal in the contract's words; and others are answered."""
    with app.client() as client:
        answer = app.call(client, endpoint, arguments)
    assert answer.code == "model_unavailable", answer.told or "answered with a damaged file"
    with app.client() as client:
        other = app.call(client, "tokenize", ["The dog", "gpt2-mini"])
    assert not other.told, other.told
    assert "Traceback" not in app.said(), app.said()[-3_000:]
    return answer


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


# What happens to which file of a checkpoint.
HARMS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "cut": ("model.safetensors", _cut),
    "zeros": ("model.safetensors", lambda path: path.write_bytes(bytes(path.stat().st_size))),
    "empty": ("model.safetensors", lambda path: path.write_bytes(b"")),
    "no-json": ("config.json", lambda path: path.write_text("{")),
    "tokenizer": ("tokenizer.json", _cut),
}


@fault
def corrupt_bundle(bench: Bench, harms: Sequence[str] = tuple(HARMS)) -> None:
    """A checkpoint's files are cut off, of zeros, empty, or not what they say."""
    for name in harms:
        folder = bench.folder / name
        shutil.copytree((bench.models or BUNDLED) / "bert-mini", folder / "bert-mini")
        file, harm = HARMS[name]
        harm(folder / "bert-mini" / file)
        with bench.app(folder) as app:
            _answers_of(bench, app, "fill_mask", ASKED)


@fault
def corrupt_converted(bench: Bench) -> None:
    """What was made of a package or a base, once, is damaged on the disk."""
    asked = [["A good film."], "bert-mini-sst2", []]
    with bench.app() as app, app.client() as client:
        assert not (answer := app.call(client, "classify", asked)).told, answer.told
    (folder,) = _converted(bench.cache)
    weights = folder / "model.safetensors"
    os.truncate(weights, weights.stat().st_size // 2)
    with bench.app() as app:
        _answers_of(bench, app, "classify", asked)
    shutil.rmtree(folder)
    with bench.app() as app, app.client() as client:
        assert not (answer := app.call(client, "classify", asked)).told, answer.told


@fault
def corrupt_download(bench: Bench) -> None:
    """What comes from the Hub is not what it announced, or breaks off; then it comes whole."""
    from tests.local_hub import LocalHub

    source = (bench.models or BUNDLED) / "bert-mini"
    asked = [ASKED[0], "bert-base-uncased", 3, []]
    with LocalHub() as hub:
        serve(hub, "bert-base-uncased", source)
        given = {**hub_environment(hub.url, bench.folder / "hub"), "PLAYGROUND_CACHE": ""}
        for harm in ({"flip": True}, {"cut_after": 0}):
            hub.faults.clear()
            hub.fault("/cdn/", **harm)
            with bench.app(bench.folder / "tmp", **given) as app:
                _answers_of(bench, app, "fill_mask", asked)
        hub.faults.clear()
        with bench.app(bench.folder / "tmp", **given) as app:
            must_answer(app, asked)


@fault
def nothing_can_be_written(bench: Bench) -> None:
    """No file may get longer than 4 kB, as on a full disk: what needs no file is answered, the rest is refused."""
    with bench.app() as app:
        resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, (4_096, 4_096))
        must_answer(app)
        with app.client() as client:
            refused = app.call(client, "classify", [["A good film."], "bert-mini-sst2", []])
            assert refused.code == "model_unavailable", refused.told or "answered"
            sent = client.post(f"{API}/upload", files={"files": ("rows.csv", b"a,b\n" * 5_000)})
            assert sent.status_code == 507 and "(busy)" in sent.text, f"{sent.status_code} {sent.text}"
        must_answer(app)
        assert app.end() == 0
    bench.must_start_again()


def _connect(app: Served) -> socket.socket:
    host, port = app.url.removeprefix("http://").split(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
    made.connect((host, int(port)))
    return made


def hold_idle(app: Served, count: int) -> None:
    """So many connect and say nothing; others are answered."""
    with ExitStack() as held:
        for _ in range(count):
            held.enter_context(_connect(app))
        must_answer(app)
        with app.client() as client:
            client.get("/").raise_for_status()


def hold_half(app: Served, count: int) -> None:
    """So many begin a request and do not go on; others are answered."""
    line = f"POST {API}/call/fill_mask HTTP/1.1"
    head = "\r\n".join([line, "Host: here", "Content-Type: application/json", "Content-Length: 90", ""])
    with ExitStack() as held:
        for number in range(count):
            made = held.enter_context(_connect(app))
            made.sendall((head + "\r\n{" if number % 2 else head).encode())
        must_answer(app)


def hold_unread(app: Served, count: int) -> None:
    """So many ask for much and read nothing of it; others are answered, and nothing is left of them when they go."""
    with ExitStack() as held, app.client() as client:
        for number in range(count):
            name, arguments = ("generate", LONG_TEXT) if number % 2 else ("models", [""])
            asked = {"data": arguments, "session_hash": f"never{number}"}
            taken = client.post(f"{API}/call/{name}", json=asked).raise_for_status()
            path = f"{API}/call/{name}/{taken.json()['event_id']}"
            for wanted in (path, "/"):
                made = held.enter_context(_connect(app))
                made.sendall(f"GET {wanted} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        must_answer(app)
    while app.health()["running"]:
        time.sleep(0.1)
    must_answer(app)


@fault
def idle_connections(bench: Bench) -> None:
    """A thousand clients connect and say nothing."""
    with bench.app() as app:
        hold_idle(app, IDLE_CONNECTIONS)
        assert app.end() == 0


@fault
def slow_clients(bench: Bench) -> None:
    """Fifty begin a request and do not go on."""
    with bench.app() as app:
        hold_half(app, SLOW_CLIENTS)
        assert app.end() == 0


@fault
def clients_that_never_read(bench: Bench) -> None:
    """Fifty ask for much and read nothing of it."""
    with bench.app() as app:
        hold_unread(app, SLOW_CLIENTS)
        assert app.end() == 0


def run(name: str, models: Path | None = None) -> str:
    """Try one; what went wrong, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            FAULTS[name](Bench(Path(folder), models))
        except Exception:  # whatever it is, the others are tried too
            return traceback.format_exc()
    return ""


def main() -> int:
    """Try all of them, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.faults", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="part of a name")
    given = parser.parse_args()
    failed = 0
    for name in FAULTS:
        if given.only in name:
            began = time.monotonic()
            wrong = run(name)
            print(f"{'holds' if not wrong else 'FAILS':6}{name:28}{time.monotonic() - began:6.1f} s", flush=True)
            print(wrong, end="", flush=True)
            failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
