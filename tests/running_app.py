"""The whole app in its own process."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
SECONDS_TO_PREPARE = 600


def start_app(
    models: Path | None,
    *,
    arguments: tuple[str, ...] = ("app.py",),
    cwd: Path = ROOT,
    printed: IO[bytes] | None = None,
    **extra: str,
) -> tuple[subprocess.Popen, str]:
    """The app as a process of its own, and its address; it may not answer yet. `printed` takes what it prints."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port), **extra}
    if models is not None:
        environment["PLAYGROUND_MODELS"] = str(models)
    command = [sys.executable, *arguments]
    process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=printed, stderr=printed)
    return process, f"http://127.0.0.1:{port}"


def run_app(models: Path | None, *, arguments: tuple[str, ...] = ("app.py",), **extra: str) -> Iterator[str]:
    """Start the app, wait until it answers, stop it at the end."""
    process, url = start_app(models, arguments=arguments, **extra)
    try:
        wait_for_answer(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for_answer(url: str, process: subprocess.Popen) -> None:
    """Return once the server answers."""
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with exit code {process.returncode}")
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the app did not answer within two minutes")


def wait_until_ready(url: str) -> None:
    """Return once the server has answered its examples in advance."""
    for _ in range(2 * SECONDS_TO_PREPARE):
        with urllib.request.urlopen(f"{url}/healthz", timeout=30) as answer:
            if json.load(answer)["ready"]:
                return
        time.sleep(0.5)
    raise RuntimeError("the server did not get ready")
