"""`python -m app.doctor`: what would stop a lesson on this machine, in plain words. Exit code 1 if something would.

Every check returns its findings; the last but one loads the default checkpoint and asks it a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.doctor.checkpoints import (
    check_answer,
    check_checkpoints,
    check_commits,
    check_downloaded,
    check_first,
    check_models_folder,
)
from app.doctor.finding import Finding
from app.doctor.machine import (
    check_device,
    check_disk,
    check_memory,
    check_packages,
    check_port,
    check_python,
    check_settings,
)
from app.doctor.network import check_hub, check_proxies
from app.engine.answer_registry import answer_registry
from app.settings import settings

CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    check_python, check_packages, check_settings, check_device, check_memory, check_disk, check_proxies, check_hub,
    check_models_folder, check_first, check_checkpoints, check_commits, check_downloaded, check_answer, check_port,
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
    """A check's findings; a check that fails is a finding too."""
    try:
        yield from check()
    except Exception as error:  # whatever it is, later checks can still find something
        what = (check.__doc__ or check.__name__).strip().splitlines()[0]
        yield Finding("stop", f"{what} This could not be found out: {type(error).__name__}: {error}")
