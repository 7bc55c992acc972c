"""`make fast-test` leaves out exactly what it claims, and its two marks are set."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[1]


def collected(folder: str, expression: str) -> set[str]:
    """Files of which some test is chosen by this expression of marks."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-m", expression]
    told = subprocess.run([*command, folder], cwd=ROOT, capture_output=True, text=True).stdout
    return set(re.findall(r"^(tests/\S+?\.py)", told, re.MULTILINE))


@pytest.mark.parametrize(("folder", "mark"), [("tests/browser", "browser"), ("tests/load", "slow")])
def test_whole_folders_are_marked(folder: str, mark: str) -> None:
    files = {str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("test_*.py")}
    assert collected(folder, mark) == files and not collected(folder, f"not {mark}")


def test_the_fast_tests_are_neither() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert 'fast-test: $(VENV)/.dev\n\t$(BIN)/python -m pytest -m "not slow and not browser"\n' in makefile
    chosen = collected("tests/test_space.py", "slow")
    assert chosen == {"tests/test_space.py"}, "a test that starts a server of its own"
