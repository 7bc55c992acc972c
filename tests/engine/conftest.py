"""What several tests of the engine share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.runtime.loader import loader
from tests.conftest import SetSetting


@pytest.fixture
def host(tmp_path: Path, set_setting: SetSetting) -> Iterator[Path]:
    """The host's own folder, empty."""
    set_setting(models=str(tmp_path))
    loader.cache_clear()
    yield tmp_path
    loader.cache_clear()
