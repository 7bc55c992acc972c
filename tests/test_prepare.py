"""After `python -m app.prepare`, the first visitor waits for no conversion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import prepare
from app.engine.storage import converted
from app.registry.lookup import BY_NAME
from tests.conftest import ROOT, SetSetting


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting) -> None:
    set_setting(cache=str(tmp_path), packs="0")
    yield
    monkeypatch.undo()


@pytest.mark.slow
def test_what_is_bundled_as_a_change_is_merged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert prepare.main() == 0
    made = {folder.name.rpartition("-")[0] for folder in tmp_path.iterdir()}
    assert made == {name for name, one in BY_NAME.items() if one.base and one.source == "bundled"}
    monkeypatch.setattr(converted, "_fill", lambda *_: pytest.fail("made again"))
    assert prepare.main() == 0


def test_what_cannot_be_converted_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(converted, "_fill", full)
    assert prepare.main() == 1
    assert "bert-mini-sst2 could not be converted: No space left on device" in capsys.readouterr().err


@pytest.mark.slow
def test_what_the_tabs_open_with_is_answered_for_another_process(tmp_path: Path) -> None:
    environment = {**os.environ, "PLAYGROUND_PACKS": "0", "PLAYGROUND_CACHE": str(tmp_path), "OMP_NUM_THREADS": "1"}
    run = [sys.executable, "app.py", "--prepare"]
    subprocess.run(run, cwd=ROOT, env=environment, check=True, timeout=1200)
    answered = {path: path.stat().st_mtime_ns for path in (tmp_path / "first-answers").glob("*.json")}
    tabs = {tuple(path.name.split("-")[:2]) for path in answered}
    assert {("fill_mask", "en"), ("fill_mask", "zh"), ("attention", "en"), ("word_sense", "zh")} <= tabs
    # A server with a password finds the same ones.
    subprocess.run(run, cwd=ROOT, env=environment | {"PLAYGROUND_AUTH": "a:b"}, check=True, timeout=1200)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "first-answers").glob("*.json")} == answered
