"""What the page is told of models that are here, not here, unknown, or cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.registry.lookup import BY_NAME, _stranger, may_be_named
from app.settings import settings
from app.tasks.downloads import cancel_downloads, download_states, start_downloads
from tests.conftest import serve
from tests.local_hub import LocalHub


def statuses(models: list[str]) -> list[str]:
    return [state.status for state in download_states(models)]


def test_states(hub: LocalHub, tiny_models: Path) -> None:
    _stranger.cache_clear()
    assert statuses(["bert-mini", "roberta-base", "my-own-model", "nobody/nope"]) == [
        "ready", "absent", "ready", "failed",
    ]  # fmt: skip
    assert download_states(["roberta-base"])[0].total_bytes == BY_NAME["roberta-base"].download_bytes


def test_start_and_cancel(hub: LocalHub, tiny_models: Path) -> None:
    serve(hub, "roberta-base", tiny_models / "roberta-base")
    hub.fault("/cdn/", rate=30_000)
    assert start_downloads(["roberta-base", "bert-mini"], "me")[0].status in ("waiting", "running")
    assert cancel_downloads(["roberta-base"], "somebody else")[0].status in ("waiting", "running")
    assert cancel_downloads(["roberta-base"], "me")[0].status == "absent"


def test_what_the_host_forbids_is_said(hub: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    assert may_be_named("owner/name") and not may_be_named("../name")
    monkeypatch.setenv("PLAYGROUND_ANY_CHECKPOINT", "0")
    settings.cache_clear()
    _stranger.cache_clear()
    assert not may_be_named("owner/name")
    (state,) = download_states(["owner/name"])
    assert state.error.key == "model_unavailable.catalog_only"
