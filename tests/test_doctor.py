"""What `python -m app.doctor` finds, and its exit code."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import doctor
from app.doctor import Finding, checkpoints, machine
from tests.conftest import ROOT, SetSetting
from tests.local_hub import LocalHub


def levels(findings) -> list[str]:
    return [finding.level for finding in findings]


@pytest.mark.slow
def test_as_a_program_it_finds_the_bundled_model_and_a_taken_port() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        environment = {**os.environ, "PLAYGROUND_PACKS": "0", "GRADIO_SERVER_PORT": port}
        run = [sys.executable, "-m", "app.doctor"]
        ended = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.returncode == 1
    assert f"stop  Port {port} is taken on 127.0.0.1" in ended.stdout
    assert "ok    roberta-mini answers: He moved to New ___ City. York" in ended.stdout
    assert ended.stdout.count("stop  ") == 1 and ended.stdout.endswith("see above.\n")


def test_exit_code_and_last_line(capsys: pytest.CaptureFixture) -> None:
    assert doctor.main((lambda: [Finding("ok", "fine."), Finding("note", "hm.")],)) == 0
    assert "Nothing stands in the way" in capsys.readouterr().out
    assert doctor.main((lambda: [Finding("stop", "no.")], lambda: [Finding("ok", "fine.")])) == 1


def test_a_wrong_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting, capsys: pytest.CaptureFixture
) -> None:
    set_setting(memory_mb="lots")
    assert doctor.main(()) == 1 and "PLAYGROUND_MEMORY_MB" in capsys.readouterr().out
    monkeypatch.undo()


def test_packages(tmp_path: Path) -> None:
    pins = tmp_path / "requirements.txt"
    pins.write_text("numpy==0.0.1  # old\nno-such-package-here==1.0\n")
    missing, other = doctor.check_packages(pins)
    assert missing.level == "stop" and "no-such-package-here" in missing.sentence
    assert other.level == "note" and "numpy" in other.sentence and "instead of 0.0.1" in other.sentence


@pytest.mark.parametrize(("free", "level"), [(500, "stop"), (3_000, "note"), (50_000, "ok"), (0, "note")])
def test_memory(free: int, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available_memory_mb", lambda: 0)
    (found,) = doctor.check_memory(free or None)
    assert found.level == level
    if free == 3_000:
        assert f"{3_000 - machine.BASE_MB} or less" in found.sentence


def test_memory_is_read_where_linux_tells() -> None:
    if sys.platform == "linux":
        assert 100 < machine.available_memory_mb() < 100_000_000


@pytest.mark.parametrize("device", ["cuda", "cuda:1"])
@pytest.mark.parametrize("cards", [0, 1])
def test_cuda_that_is_not_there(
    device: str, cards: int, monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting
) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: bool(cards))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: cards)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "a card")
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    set_setting(device=device)
    assert levels(doctor.check_device()) == ["ok" if cards and device == "cuda" else "stop"]
    monkeypatch.undo()


def test_a_check_that_breaks_is_a_finding_and_the_others_go_on(capsys: pytest.CaptureFixture) -> None:
    def broken() -> Iterator[Finding]:
        """Is the disk there?"""
        yield Finding("ok", "first.")
        raise ZeroDivisionError("no disk")

    assert doctor.main((broken, lambda: iter([Finding("ok", "last.")]))) == 1
    said = capsys.readouterr().out
    assert "stop  Is the disk there? This could not be found out: ZeroDivisionError: no disk" in said
    assert "ok    last." in said


def test_a_misspelt_setting_is_named_with_what_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_MEMROY_MB", "1")
    monkeypatch.setenv("PLAYGROUND_ZEBRA", "1")
    typo, other = doctor.check_settings()
    assert typo.level == other.level == "note"
    assert "PLAYGROUND_MEMROY_MB" in typo.sentence and "PLAYGROUND_MEMORY_MB" in typo.sentence
    assert "README" in other.sentence


def test_who_shall_answer_first_and_is_not_in_the_catalog(set_setting: SetSetting) -> None:
    set_setting(first="bert-base-uncased, gpt2-mimi,zzz")
    typo, other = doctor.check_first()
    assert typo.level == other.level == "note" and "did you mean gpt2-mini?" in typo.sentence
    assert "names zzz" in other.sentence and "mean" not in other.sentence
    set_setting(first="")
    assert levels(doctor.check_first()) == []


def test_a_place_for_downloads_that_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "file" / "hub"))
    (found,) = doctor.check_disk()
    assert found.level == "note" and "cannot be written to" in found.sentence


def test_an_address_of_the_hub_that_is_none(monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE")
    set_setting(offline="0", downloads="1")
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "mirror.example")
    (found,) = doctor.check_hub()
    assert found.level == "note" and "must begin with http" in found.sentence


def test_proxies_are_named_without_their_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    assert levels(doctor.check_proxies()) == []
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("HTTPS_PROXY", "http://anna:secret@proxy.school:3128")
    monkeypatch.setenv("ALL_PROXY", "socks4://proxy.school:1080")
    note, used = doctor.check_proxies()
    assert note.level == "note" and "socks4" in note.sentence
    assert "proxy.school:3128" in used.sentence and "secret" not in used.sentence


def test_an_untrained_model_is_not_called_fine(tiny: Path) -> None:
    (found,) = doctor.check_answer()
    assert found.level == "note" and "York is expected" in found.sentence


def test_the_hub_is_asked_only_where_it_may(hub: LocalHub, set_setting: SetSetting) -> None:
    assert "answers" in next(doctor.check_hub()).sentence and len(hub.requests) == 1
    hub._server.shutdown()
    hub._server.server_close()
    assert levels(doctor.check_hub()) == ["note"]
    set_setting(offline="1")
    assert levels(doctor.check_hub()) == ["ok"]


def test_a_model_that_does_not_answer_stops_the_lesson(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.errors import PlaygroundError
    from app.tasks.fill_mask import fill as fill_mask

    def fail(*_: object) -> None:
        raise PlaygroundError("model_unavailable", "damaged", model="bert-mini", names="—")

    monkeypatch.setattr(fill_mask, "load_head", fail)
    (found,) = doctor.check_answer()
    assert found.level == "stop" and "damaged" in found.sentence


def test_the_hosts_own_folder(
    tmp_path: Path, tiny_models: Path, monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting
) -> None:
    set_setting(models=str(tmp_path))
    (nothing,) = doctor.check_models_folder()
    assert nothing.level == "note" and str(tmp_path) in nothing.sentence
    shutil.copytree(tiny_models / "gpt2", tmp_path / "gpt2")
    for name in ("roberta-base", "my-bert"):
        (tmp_path / name).mkdir()
    used, bare, other = doctor.check_models_folder()
    assert used.level == "ok" and used.sentence.endswith(": gpt2.")
    assert "roberta-base lacks config.json" in bare.sentence and "my-bert" in other.sentence
    monkeypatch.undo()


def test_checkpoints_without_a_commit_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from app.registry.checkpoint import UNPINNED
    from app.registry.lookup import for_task

    (found,) = doctor.check_commits()
    assert found.level == "note" and "python -m app.registry pin" in found.sentence
    for checkpoint in for_task(""):
        named = f" {checkpoint.name}," in found.sentence or f" {checkpoint.name}." in found.sentence
        assert named == (checkpoint.revision == UNPINNED), checkpoint.name
    pinned = [checkpoint for checkpoint in for_task("") if checkpoint.revision != UNPINNED]
    monkeypatch.setattr(checkpoints, "for_task", lambda task: pinned)
    assert levels(doctor.check_commits()) == ["ok"]


def test_what_is_here_and_what_is_not(tiny: Path) -> None:
    here, absent = doctor.check_checkpoints()
    assert absent.level == "note" and "not to be had now" in absent.sentence
    assert "roberta-base" in here.sentence and "bert-base-chinese" in absent.sentence
    assert "elmo-small" not in absent.sentence  # nobody can download it
