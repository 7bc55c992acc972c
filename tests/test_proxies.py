"""The app starts behind any proxy, and uses none for its own address."""

from __future__ import annotations

import http.server
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from app.proxies import prepare_proxies, without_password
from tests.conftest import ROOT

# Imports all tabs, as app.py does, and starts the server.
PROGRAM = """
import demos
from app.ui.shell import discover, launch, playground
page = launch(playground(discover(demos)[:1]))
print("started")
page.close()
"""


@pytest.fixture
def refusing_proxy() -> Iterator[tuple[int, list[str]]]:
    """A proxy that answers 403 to everything: its port, and what it was asked for."""
    asked: list[str] = []

    class Refuse(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(403)

        do_HEAD = do_CONNECT = do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Nothing on the error stream."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refuse)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, asked
    server.shutdown()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("HTTP_PROXY", "http"), ("ALL_PROXY", "socks5"), ("all_proxy", "socks"), ("ALL_PROXY", "socks4")],
)
def test_it_starts_behind(name: str, scheme: str, refusing_proxy: tuple[int, list[str]]) -> None:
    port, asked = refusing_proxy
    clear = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    environment = {**clear, name: f"{scheme}://127.0.0.1:{port}", "PLAYGROUND_WARM": "0", "HF_HUB_OFFLINE": "1"}
    environment["GRADIO_SERVER_PORT"] = str(free_port())
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240
    )
    assert "started" in ran.stdout, ran.stderr[-2000:]
    assert "Traceback" not in ran.stderr
    assert not asked, "its own address is none of a proxy's business"
    assert ("socks4" in ran.stderr) == (scheme == "socks4")


def test_own_addresses_are_added_to_what_is_spared_already() -> None:
    environment = {"HTTPS_PROXY": "http://proxy:3128", "no_proxy": ".school.example", "GRADIO_SERVER_NAME": "10.0.0.5"}
    assert prepare_proxies(environment) == []
    assert environment["no_proxy"] == environment["NO_PROXY"]
    assert environment["no_proxy"].split(",") == [".school.example", "127.0.0.1", "localhost", "::1", "10.0.0.5"]
    assert environment["HTTPS_PROXY"] == "http://proxy:3128"


def test_without_a_proxy_nothing_changes() -> None:
    environment = {"HOME": "/", "http_proxy": ""}
    assert prepare_proxies(environment) == [] and environment == {"HOME": "/", "http_proxy": ""}


@pytest.mark.parametrize("value", ["proxy:3128", "http://proxy:3128", "https://u:p@proxy:3128", "socks5h://proxy:3128"])
def test_what_can_be_used_stays_and_shows_no_password(value: str) -> None:
    environment = {"ALL_PROXY": value}
    assert prepare_proxies(environment) == [] and environment["ALL_PROXY"] == value
    assert without_password(value) == "proxy:3128"


@pytest.mark.parametrize("value", ["socks4://proxy:1", "socks4a://proxy:1", "ftp://proxy:1"])
def test_what_cannot_be_used_is_dropped_and_said(value: str) -> None:
    environment = {"ALL_PROXY": value}
    (sentence,) = prepare_proxies(environment)
    assert "ALL_PROXY" in sentence and value.split(":")[0] in sentence and "ALL_PROXY" not in environment
