"""A cluster of this machine only: one process that holds all of Ray's processes and ends them when it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from app.settings import cache_folder

STARTING_SECONDS, ENDING_SECONDS, REACHING_SECONDS = 300, 60, 5
AUTO = "auto"
COMMAND = (
    *(sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"),
    *("--include-dashboard=false", "--disable-usage-stats"),
)


def start() -> None:
    """Start it, unless it is running; it continues when this program ends.

    Raises:
        RuntimeError: it did not start; the message says where its output is.
    """
    if running() is not None:
        return
    printed = cache_folder() / "cluster.log"
    with printed.open("wb") as log:
        process = subprocess.Popen(COMMAND, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
    _number().write_text(str(process.pid), encoding="utf-8")
    until = time.monotonic() + STARTING_SECONDS
    while "Ray runtime started" not in printed.read_text(encoding="utf-8", errors="replace"):
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"Ray did not start; what it printed is in {printed}.")
        time.sleep(0.2)


def stop() -> bool:
    """End it and everything it started; returns whether it was running."""
    process = running()
    _number().unlink(missing_ok=True)
    if process is None:
        return False
    os.kill(process, signal.SIGTERM)
    until = time.monotonic() + ENDING_SECONDS
    while _is_ours(process) and time.monotonic() < until:
        time.sleep(0.2)
    address_file().unlink(missing_ok=True)
    return True


def address_file() -> Path:
    """The file in which Ray notes the address of this machine's cluster, and which it leaves behind at its end."""
    return Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray" / "ray_current_cluster"


def check_reachable(address: str) -> None:
    """Check that something listens at a cluster's address; for a dead cluster, Ray itself waits many minutes.

    Args:
        address: `host:port`, or `auto` for the one noted by Ray.

    Raises:
        ConnectionError: nothing listens there.
    """
    noted = address_file()
    if address == AUTO:
        address = noted.read_text(encoding="utf-8").strip() if noted.is_file() else ""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return  # leave the judgement to Ray
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACHING_SECONDS).close()
    except OSError as error:
        raise ConnectionError(f"No cluster answers at {address}.") from error


def running() -> int | None:
    """Its process id; None if it is not running, or was not started by this program."""
    try:
        process = int(_number().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return process if _is_ours(process) else None


def _number() -> Path:
    return cache_folder() / "cluster.pid"


def _is_ours(process: int) -> bool:
    """Whether a process with that id runs and is Ray's; after a restart, the id may belong to another program."""
    try:
        return b"ray.scripts" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
