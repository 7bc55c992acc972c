"""`python -m app.doctor`: what would stop a lesson on this machine, in plain words. Exit code 1 if something would.

Every check returns its findings; the last one loads the default checkpoint and asks it something.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from app.engine.answer_registry import answer_registry
from app.engine.storage.folder_check import fault_of
from app.engine.storage.hub_cache import caches
from app.engine.storage.locate import problem, status
from app.errors import PlaygroundError
from app.proxies import prepare_proxies, proxies, without_password
from app.registry.checkpoint import UNPINNED
from app.registry.hub_reach import ask_hub
from app.registry.lookup import for_task, known
from app.settings import ROOT, settings, unknown_settings
from app.ui.address import HERE, AddressError, free_address

OLDEST_PYTHON = (3, 11)
# What the process needs beside the weights: libraries, page, one request's activations. Measured, see SPACES.md.
BASE_MB = 1_000
# Any trained model of English knows it.
QUESTION, RIGHT_ANSWER = "He moved to New [MASK] City.", "York"


@dataclass(frozen=True)
class Finding:
    """One line: `ok`, `note` (worth knowing) or `stop` (no lesson like this), and a sentence."""

    level: str
    sentence: str


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
    """Free memory in MB, a container's limit included; 0 where it cannot be read."""
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
    if not os.access(place, os.W_OK):
        yield Finding("note", f"{folder} cannot be written to: no checkpoint can be downloaded.")
    elif free < 1_000:
        yield Finding("note", f"{free} MB are free for downloads in {folder}: too little for most checkpoints.")
    else:
        yield Finding("ok", f"{free} MB are free for downloads, which are kept in {folder}.")


def check_settings() -> Iterator[Finding]:
    """Is each PLAYGROUND_* variable one that is read?"""
    for name, meant in unknown_settings().items():
        hint = f"; did you mean {meant}?" if meant else "; README.md lists the settings."
        yield Finding("note", f"{name} is not a setting and has no effect{hint}")


def check_proxies() -> Iterator[Finding]:
    """Which proxies are in the way?"""
    for dropped in prepare_proxies():
        yield Finding("note", dropped)
    for name, value in proxies().items():
        where = without_password(value)
        yield Finding("ok", f"{name}: downloads go through the proxy {where}; this machine's own addresses do not.")


def check_hub() -> Iterator[Finding]:
    """Could a checkpoint be downloaded?"""
    from huggingface_hub import constants

    if settings().offline or not settings().downloads:
        yield Finding("ok", "Nothing is downloaded, as this machine is set up (offline, or downloads switched off).")
    elif ask_hub():
        yield Finding("ok", f"{constants.ENDPOINT} answers: checkpoints can be downloaded.")
    else:
        yield Finding(
            "note",
            f"{constants.ENDPOINT} does not answer: only what is on this machine can be used. A mirror is named in "
            "HF_ENDPOINT; PLAYGROUND_OFFLINE=1 spares visitors the wait.",
        )


def check_checkpoints() -> Iterator[Finding]:
    """Which checkpoints are here?"""
    ready = [checkpoint.name for checkpoint in for_task("") if status(checkpoint, []) == "ready"]
    fetched = [checkpoint for checkpoint in for_task("") if checkpoint.source == "hub" and checkpoint.repo_id]
    absent = [checkpoint.name for checkpoint in fetched if checkpoint.name not in ready]
    yield Finding("ok" if ready else "stop", f"On this machine: {', '.join(ready) or 'no checkpoint at all'}.")
    if not absent:
        return
    if settings().offline or not settings().downloads or not ask_hub():
        yield Finding("note", f"Not on this machine and not to be had now: {', '.join(absent)}.")
        return
    yield Finding("ok", f"To be downloaded when they are chosen: {', '.join(absent)}.")


def check_commits() -> Iterator[Finding]:
    """Does the catalog name a commit of each checkpoint on the Hub?"""
    fetched = [checkpoint for checkpoint in for_task("") if checkpoint.source == "hub" and checkpoint.repo_id]
    moving = [checkpoint.name for checkpoint in fetched if checkpoint.revision == UNPINNED]
    if moving:
        yield Finding(
            "note",
            f"The newest commit is taken, as the catalog names none: {', '.join(moving)}. "
            "Where the Hub can be reached, `python -m app.registry pin` writes commits into the catalog.",
        )
    else:
        yield Finding("ok", f"The catalog names a commit of each of its {len(fetched)} checkpoints on the Hub.")


def check_models_folder() -> Iterator[Finding]:
    """Is something in the host's own folder that will be used?"""
    if not settings().models:
        return
    folder, names = Path(settings().models), {checkpoint.name for checkpoint in for_task("")}
    inside = sorted(path for path in folder.iterdir() if path.is_dir())
    named = [path for path in inside if path.name in names]
    faults = {path.name: found for path in named if (found := fault_of(known(path.name), path)) is not None}
    used = [path.name for path in named if path.name not in faults]
    other = [path.name for path in inside if path.name not in names]
    if used:
        yield Finding("ok", f"Taken from {folder}: {', '.join(used)}.")
    else:
        yield Finding("note", f"Nothing in {folder} is used: its sub-folders need names of the catalog.")
    for error in faults.values():
        yield Finding("note", _sentence(error))
    if other:
        yield Finding("note", f"Not names of the catalog, so not used: {', '.join(other)}.")


def check_downloaded() -> Iterator[Finding]:
    """Can what was downloaded be loaded, as far as its files tell?"""
    for checkpoint in for_task(""):
        if checkpoint.source == "hub" and (error := problem(checkpoint)) is not None:
            yield Finding("note", _sentence(error))


def _sentence(error: PlaygroundError) -> str:
    # Gradio is imported here, after the proxies were seen to.
    from app.ui.events import sentence
    from app.ui.texts import DEFAULT

    return sentence(error, DEFAULT)


def check_answer() -> Iterator[Finding]:
    """Does the default checkpoint answer?"""
    from app.tasks.fill_mask.fill import fill_mask

    try:
        answer = fill_mask(QUESTION)
    except PlaygroundError as error:
        yield Finding("stop", f"The default checkpoint does not answer: {_sentence(error)}")
        return
    words = [candidate.token.strip() for candidate in answer.masks[0].candidates[:3]]
    said = f"{answer.model} answers: {QUESTION.replace('[MASK]', '___')} {', '.join(words)}."
    if RIGHT_ANSWER.lower() in map(str.lower, words):
        yield Finding("ok", said)
    else:
        yield Finding("note", f"{said} {RIGHT_ANSWER} is expected: are its files those of a trained model?")


def check_port() -> Iterator[Finding]:
    """Is the address free?"""
    try:
        host, port = free_address()
    except AddressError as error:
        yield Finding("stop", str(error))
        return
    who = "this machine only" if host in (HERE, "localhost") else "everyone in this network"
    yield Finding("ok", f"The page will be at http://{host}:{port}, for {who}.")


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    check_python, check_packages, check_settings, check_device, check_memory, check_disk, check_proxies, check_hub,
    check_models_folder, check_checkpoints, check_commits, check_downloaded, check_answer, check_port,
)  # fmt: skip


def main(checks: tuple[Callable[[], Iterator[Finding]], ...] = CHECKS) -> int:
    """Run all checks and print their findings; 1 if a lesson would be stopped."""
    stopped = False
    answer_registry()
    try:
        settings()
    except SystemExit as error:
        print(f"stop  {error}")
        return 1
    for check in checks:
        for finding in _findings(check):
            stopped |= finding.level == "stop"
            print(f"{finding.level:<5} {finding.sentence}", flush=True)
    print("Something would stop a lesson: see above." if stopped else "Nothing stands in the way of a lesson.")
    return int(stopped)


def _findings(check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """A check's findings; one that fails itself is a finding, too."""
    try:
        yield from check()
    except Exception as error:  # whatever it is, the checks after it still tell something
        what = (check.__doc__ or check.__name__).strip().splitlines()[0]
        yield Finding("stop", f"{what} This could not be found out: {type(error).__name__}: {error}")


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    sys.exit(main())
