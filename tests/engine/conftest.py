"""Shared by several tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.runtime.loader import loader
from app.engine.storage import transfer
from tests.conftest import SetSetting, serve
from tests.local_hub import LocalHub


@pytest.fixture
def host(tmp_path: Path, set_setting: SetSetting) -> Iterator[Path]:
    """The host's own folder, empty."""
    set_setting(models=str(tmp_path))
    loader.cache_clear()
    yield tmp_path
    loader.cache_clear()


@pytest.fixture
def roberta(hub: LocalHub, tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> LocalHub:
    """A local Hub with RoBERTa, small; waiting is short."""
    serve(hub, "roberta-base", tiny_models / "roberta-base")
    monkeypatch.setattr(transfer, "PAUSE_SECONDS", 0.01)
    return hub
