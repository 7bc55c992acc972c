"""The page's address: the requested one is used, or the program ends with a message that says what to set."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from app.ui.address import FIRST_PORT, PORTS, AddressError, free_address
from tests.conftest import ROOT


@pytest.fixture
def taken() -> Iterator[str]:
    """A port on which something listens."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield str(listening.getsockname()[1])


def refusal(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> str:
    monkeypatch.setenv(name, value)
    with pytest.raises(AddressError) as caught:
        free_address()
    return str(caught.value)


def test_without_a_wish_the_first_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRADIO_SERVER_PORT", raising=False)
    monkeypatch.delenv("GRADIO_SERVER_NAME", raising=False)
    host, port = free_address()
    assert host == "127.0.0.1" and FIRST_PORT <= port < FIRST_PORT + PORTS


def test_a_taken_port_is_refused(taken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"Port {taken} is taken" in refusal(monkeypatch, "GRADIO_SERVER_PORT", taken)


@pytest.mark.parametrize("port", ["abc", "0", "65536", "-1", "78.60"])
def test_what_is_no_port(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "from 1 to 65535" in refusal(monkeypatch, "GRADIO_SERVER_PORT", port)


def test_a_name_that_is_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "0.0.0.0" in refusal(monkeypatch, "GRADIO_SERVER_NAME", "school.invalid")
    assert "0.0.0.0" in refusal(monkeypatch, "GRADIO_SERVER_NAME", "192.0.2.1")


def test_a_port_for_administrators(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    assert "above 1023" in refusal(monkeypatch, "GRADIO_SERVER_PORT", "80")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, "is taken on 127.0.0.1; set GRADIO_SERVER_PORT to a free one."),
        ({"PLAYGROUND_MODELS": "/no/such/folder"}, "PLAYGROUND_MODELS must be a folder; there is none at"),
    ],
)
def test_the_program_ends_with_the_sentence_alone(taken: str, wrong: dict[str, str], said: str) -> None:
    environment = {**os.environ, "GRADIO_SERVER_PORT": taken, **wrong}
    run = [sys.executable, "-m", "demos.fill_mask"]
    ended = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 1 and said in ended.stderr and "Traceback" not in ended.stderr
