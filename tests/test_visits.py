"""README's promises about a visit: its data go when it ends, in any program, when it is idle, and at exit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from app.visits import PREFIX, Visit, Visits, own_prefix, remove_leftovers
from tests.conftest import ROOT


def test_what_a_visit_owns_goes_with_it_and_what_comes_later_is_not_taken() -> None:
    visits, dropped, taken = Visits(60.0), [], []
    visit = visits.get("anna")
    file = visit.new_file("labels.csv")
    file.write_text("text")
    assert visit.own("models", lambda: dropped.append("models"), lambda: taken.append("first"))
    assert visits.get("anna") is visit and visits.get("ben") is not visit
    visits.end("anna")
    assert dropped == ["models"] and not file.parent.exists()
    assert not visit.own("models", lambda: dropped.append("late"), lambda: taken.append("late"))
    assert taken == ["first"] and dropped == ["models"]
    assert visits.get("anna") is not visit
    visits.end_all()


def test_calls_without_a_session_do_not_share_files() -> None:
    visits = Visits(60.0)
    one, other = visits.get("").new_file("labels.csv"), visits.get("").new_file("labels.csv")
    one.write_text("one")
    assert one != other and one.exists()
    visits.end_all()
    assert not one.parent.exists() and not other.parent.exists()


def test_an_idle_visit_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.visits.SECONDS_BETWEEN_SWEEPS", 0.05)
    visits, dropped = Visits(0.2), threading.Event()
    visits.get("anna").own("models", dropped.set)
    assert dropped.wait(20)


def test_use_keeps_a_visit() -> None:
    now = [0.0]
    visits, dropped = Visits(10.0, clock=lambda: now[0]), []
    visits.get("anna").own("models", lambda: dropped.append(1))
    now[0] = 9.0
    visits.touch("anna")
    now[0] = 18.0
    visits.sweep()
    assert dropped == []
    now[0] = 19.0
    visits.sweep()
    assert dropped == [1]


def test_two_threads_neither_lose_nor_keep_a_thing() -> None:
    for _ in range(50):
        visit, kept = Visit("anna"), set()
        ending = threading.Thread(target=visit.end)
        ending.start()
        visit.own("models", kept.clear, lambda kept=kept: kept.add(1))
        ending.join()
        assert not kept


def test_files_of_a_process_that_was_killed_are_removed_at_the_next_start(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    old, own = tmp_path / f"{PREFIX}{gone.pid}-x", tmp_path / f"{PREFIX}{os.getpid()}-y"
    for folder in (old, own, tmp_path / "other"):
        folder.mkdir()
    half = tmp_path / f"{PREFIX}{gone.pid}-z.half"
    half.touch()
    remove_leftovers(tmp_path)
    assert not old.exists() and not half.exists() and own.exists() and (tmp_path / "other").exists()
    assert own.name.startswith(own_prefix())


# One tab alone, whose page knows nothing of fine-tuning; a file is made for each visit.
PROGRAM = """
import time
from app.ui.serving import wait_until_stopped
from app.ui.shell import launch, standalone
from app.visits import visits
from app.tasks.classification.page import save_file
from demos import tokenization
page = launch(standalone(tokenization.TAB))
for visitor in ("stays", "leaves"):
    print(save_file(visitor, "labels.csv", "a visitor's text"), flush=True)
print(page.local_url, flush=True)
wait_until_stopped(visits().end_all)
"""


def test_closing_the_page_of_any_program_and_the_programs_end_delete_files(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PLAYGROUND_WARM": "0"}
    environment.pop("GRADIO_SERVER_PORT", None)
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    said: list[str] = []
    while not said or not said[-1].startswith("http"):
        line = program.stdout.readline()
        assert line, "the program ended"
        said.append(line.strip())
    stays, leaves = (Path(line) for line in said if PREFIX in line)
    with httpx.stream("GET", f"{said[-1]}gradio_api/heartbeat/leaves", timeout=30) as heartbeat:
        next(heartbeat.iter_lines())
    assert gone(leaves) and stays.exists()
    program.send_signal(signal.SIGTERM)
    program.wait(60)
    assert gone(stays)
    assert not list(tmp_path.glob(f"{PREFIX}*"))


def gone(path: Path) -> bool:
    """Whether it is deleted within a while."""
    deadline = time.monotonic() + 30
    while path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not path.exists()
