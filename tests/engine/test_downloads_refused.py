"""What cannot be downloaded from a local Hub is refused in one sentence; moved repositories are followed."""

from __future__ import annotations

import errno
import shutil
import time
from collections import namedtuple
from pathlib import Path

import pytest

from app.engine.storage import hub as hub_module
from app.engine.storage import transfer
from app.engine.storage.downloads import downloads
from app.engine.storage.locate import local_folder, status
from app.tasks.fill_mask.fill import fill_mask
from tests.conftest import SetVariables, serve
from tests.engine.downloading import ROBERTA, refused
from tests.local_hub import LocalHub


@pytest.mark.parametrize(
    ("where", "fault", "key"),
    [
        ("/api/", {"status": 401, "headers": {"X-Error-Code": "RepoNotFound"}}, "not_found"),
        ("/api/", {"status": 401, "headers": {"X-Error-Code": "GatedRepo"}}, "gated"),
        ("/api/", {"status": 403}, "gated"),
        ("/api/", {"status": 404, "headers": {"X-Error-Code": "RevisionNotFound"}}, "not_found"),
        ("/api/", {"status": 429}, "crowded"),
        ("/api/", {"status": 503}, "unreachable"),
        ("/api/", {"delay": 1.0}, "slow"),
        ("/resolve/", {"status": 401, "headers": {"X-Error-Code": "GatedRepo"}}, "gated"),
        ("/resolve/", {"status": 403}, "gated"),
        ("/resolve/", {"status": 429}, "crowded"),
        ("/resolve/", {"delay": 1.0}, "slow"),
        ("/cdn/", {"status": 403}, "gated"),
        ("/cdn/", {"status": 500}, "unreachable"),
        ("/cdn/", {"delay": 1.0}, "slow"),
    ],
)
def test_each_refusal_has_its_sentence(
    roberta: LocalHub, monkeypatch: pytest.MonkeyPatch, where: str, fault: dict, key: str
) -> None:
    monkeypatch.setattr(hub_module, "TIMEOUT_SECONDS", 0.3)
    monkeypatch.setattr(transfer, "TIMEOUT_SECONDS", 0.3)
    roberta.fault(where, **fault)
    started = time.monotonic()
    assert refused().key == f"model_unavailable.{key}"
    assert time.monotonic() - started < 5


def test_nobody_listens(roberta: LocalHub) -> None:
    roberta._server.shutdown()
    roberta._server.server_close()
    assert refused().key == "model_unavailable.unreachable"


def test_a_name_that_moved_is_followed(roberta: LocalHub) -> None:
    roberta.repos["FacebookAI/roberta-moved"] = roberta.repos.pop(ROBERTA.repo_id)
    roberta.moved[ROBERTA.repo_id] = "FacebookAI/roberta-moved"
    assert fill_mask("The <mask> ran.", "roberta-base").masks


def test_a_repository_with_only_a_pickle_is_refused(hub: LocalHub, tiny_models: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_models / "roberta-base", tmp_path / "pickle")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    serve(hub, "roberta-base", folder)
    assert refused().key == "model_unavailable.no_safetensors"
    assert not hub.asked("/cdn/")


def test_a_pickle_beside_the_weights_is_not_fetched(roberta: LocalHub, tiny_models: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_models / "roberta-base", tmp_path / "both")
    (folder / "pytorch_model.bin").write_bytes(b"x" * 1000)
    serve(roberta, "roberta-base", folder)
    downloads().fetch(ROBERTA)
    assert not roberta.asked("pytorch_model") and not (local_folder(ROBERTA) / "pytorch_model.bin").exists()


def test_a_model_in_parts(hub: LocalHub, tiny_models: Path, tmp_path: Path) -> None:
    from transformers import RobertaForMaskedLM

    folder = shutil.copytree(tiny_models / "roberta-base", tmp_path / "parts")
    model = RobertaForMaskedLM.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder, max_shard_size="100KB")
    assert len(list(folder.glob("model-*.safetensors"))) > 1
    serve(hub, "roberta-base", folder)
    downloads().fetch(ROBERTA)
    next(local_folder(ROBERTA).glob("model-00002-*")).unlink()
    assert status(ROBERTA, []) == "not downloaded"
    assert fill_mask("The <mask> ran.", "roberta-base").masks


def test_a_full_disk_is_said_before(roberta: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10**9, 10**9, 1_000_000))
    error = refused()
    assert error.key == "model_unavailable.no_space" and (error.values["needed"], error.values["free"]) == (300, 1)
    assert not roberta.asked("/resolve/")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS])
def test_a_disk_that_is_full_or_must_not_be_written_to_is_said(
    roberta: LocalHub, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    key = "disk_full" if number in (errno.ENOSPC, errno.EDQUOT) else "not_allowed"

    def refuse(*_: object) -> None:
        raise OSError(number, "as the system says it")

    monkeypatch.setattr(transfer, "_append", refuse)
    assert refused().key == f"model_unavailable.{key}"


@pytest.mark.parametrize(
    ("variable", "value", "key"),
    [
        ("PLAYGROUND_OFFLINE", "1", "offline"),
        ("HF_HUB_OFFLINE", "1", "offline"),
        ("PLAYGROUND_DOWNLOADS", "0", "closed"),
        ("PLAYGROUND_MAX_DOWNLOAD_MB", "0", "too_large"),
    ],
)
def test_what_a_host_forbids(
    roberta: LocalHub, set_variables: SetVariables, variable: str, value: str, key: str
) -> None:
    set_variables(**{variable: value})
    assert refused().key == f"model_unavailable.{key}"
    assert not roberta.asked("/resolve/")
