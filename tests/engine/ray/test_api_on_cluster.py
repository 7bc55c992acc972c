"""The tests of the public API, unchanged, on a page whose models run on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running_app import run_app
from tests.test_api import *  # noqa: F403


@pytest.fixture(scope="module")
def server(cluster: str, models: Path) -> Iterator[str]:
    """The app as a process of its own, on the cluster; in place of the one that runs its models itself."""
    yield from run_app(models, PLAYGROUND_ENGINE="ray", PLAYGROUND_RAY_ADDRESS=cluster)
