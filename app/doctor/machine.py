"""Whether this machine can run the page: Python, packages, settings, device, memory, disk, port."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from app.doctor.finding import Finding
from app.engine.storage.hub_cache import caches
from app.settings import ROOT, settings, unknown_settings
from app.ui.address import HERE, AddressError, free_address

OLDEST_PYTHON = (3, 11)
# What the process needs besides the weights: libraries, page, one request's activations. Measured, see SPACES.md.
BASE_MB = 1_000


def check_python() -> Iterator[Finding]:
    """Is Python new enough?"""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        yield Finding("stop", f"Python {version} is too old; install 3.11 or newer.")
    else:
        yield Finding("ok", f"Python {version}.")


def check_packages(requirements: Path = ROOT / "requirements.txt") -> Iterator[Finding]:
    """Are the pinned packages installed, in their versions?"""
    missing, other = [], []
    pins = re.findall(r"^([\w-]+)(?:\[\w+\])?==([\w.]+)", requirements.read_text(encoding="utf-8"), re.MULTILINE)
    for name, pinned in pins:
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
            continue
        if found.split("+")[0] != pinned:
            other.append(f"{name} {found} instead of {pinned}")
    if missing:
        yield Finding("stop", f"Not installed: {', '.join(missing)}. Run: pip install -r requirements.txt")
    if other:
        yield Finding("note", f"Other versions than tested: {'; '.join(other)}.")
    if not missing and not other:
        yield Finding("ok", f"All {len(pins)} packages of {requirements.name} are here in their versions.")


def check_settings() -> Iterator[Finding]:
    """Is each PLAYGROUND_* variable one that is read?"""
    for name, meant in unknown_settings().items():
        hint = f"; did you mean {meant}?" if meant else "; README.md lists the settings."
        yield Finding("note", f"{name} is not a setting and has no effect{hint}")


def check_device() -> Iterator[Finding]:
    """What do models run on?"""
    import torch

    from app.engine.runtime.device import choose_device, choose_dtype

    wanted = settings().device
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        yield Finding("stop", f"PLAYGROUND_DEVICE is {wanted}, and there is no CUDA device; set it to auto or cpu.")
        return
    number, count = int(wanted.partition(":")[2] or 0), torch.cuda.device_count()
    if wanted.startswith("cuda") and number >= count:
        yield Finding("stop", f"PLAYGROUND_DEVICE is {wanted}, and the last CUDA device is cuda:{count - 1}.")
        return
    device = choose_device()
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else f"the CPU, {os.cpu_count()} cores"
    yield Finding("ok", f"Models run on {name}, in {str(choose_dtype(device)).removeprefix('torch.')}.")


def check_memory(available_mb: int | None = None) -> Iterator[Finding]:
    """Is there memory for the page and for as many models as the host allows?"""
    free = available_memory_mb() if available_mb is None else available_mb
    if not free:
        yield Finding("note", "How much memory is free could not be read on this system.")
    elif free < BASE_MB:
        yield Finding("stop", f"{free} MB of memory are free and about {BASE_MB} MB are needed; close other programs.")
    elif free < BASE_MB + settings().memory_mb:
        fitting = free - BASE_MB
        yield Finding(
            "note",
            f"{free} MB of memory are free; models may take {settings().memory_mb} MB. Set PLAYGROUND_MEMORY_MB to "
            f"{fitting} or less, or the system may end the app.",
        )
    else:
        yield Finding("ok", f"{free} MB of memory are free; models may take {settings().memory_mb} MB of them.")


def available_memory_mb() -> int:
    """Free memory in MB, considering a container's limit; 0 if it cannot be read."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="utf-8")
        free = int(re.search(r"MemAvailable:\s+(\d+) kB", lines)[1]) * 1_024
    except (OSError, TypeError):
        return 0
    try:
        limit = int(Path("/sys/fs/cgroup/memory.max").read_text())
        free = min(free, limit - int(Path("/sys/fs/cgroup/memory.current").read_text()))
    except (OSError, ValueError):
        pass  # no limit
    return free // 1_000_000


def check_disk() -> Iterator[Finding]:
    """Is there room for downloads?"""
    folder = caches()[0]
    place = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(place).free // 1_000_000
    if not place.is_dir() or not os.access(place, os.W_OK):
        yield Finding("note", f"{folder} cannot be written to: no checkpoint can be downloaded.")
    elif free < 1_000:
        yield Finding("note", f"{free} MB are free for downloads in {folder}: too little for most checkpoints.")
    else:
        yield Finding("ok", f"{free} MB are free for downloads, which are kept in {folder}.")


def check_port() -> Iterator[Finding]:
    """Is the address free?"""
    try:
        host, port = free_address()
    except AddressError as error:
        yield Finding("stop", str(error))
        return
    who = "this machine only" if host in (HERE, "localhost") else "everyone in this network"
    yield Finding("ok", f"The page will be at http://{host}:{port}, for {who}.")
