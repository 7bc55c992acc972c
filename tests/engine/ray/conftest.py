"""One small cluster for all tests of this folder: two families over tiny checkpoints, in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

FAMILIES = ("bert", "gpt2")
# So little that a machine of two cores has room for a replica more while another is replaced.
SHARE_OF_A_CORE = "0.1"


@pytest.fixture(scope="session")
def cluster(tiny_models: Path) -> Iterator[str]:
    """Its address. The test is skipped where Ray is not installed."""
    ray = pytest.importorskip("ray", reason="needs Ray (requirements-ray.txt)")
    from app.settings import settings

    with pytest.MonkeyPatch.context() as patched:
        for name, value in (
            *(("MODELS", str(tiny_models)), ("RAY_CPUS", SHARE_OF_A_CORE)),
            *(("RAY_LEAST_REPLICAS", "1"), ("RAY_MOST_REPLICAS", "1"), ("RAY_ONGOING", "4"), ("RAY_WAITING", "4")),
        ):
            patched.setenv(f"PLAYGROUND_{name}", value)
        patched.setenv("RAY_USAGE_STATS_ENABLED", "0")
        settings.cache_clear()
        begun = ray.init(
            num_cpus=2, include_dashboard=False, object_store_memory=200_000_000, log_to_driver=False,
            logging_level="error",
        )  # fmt: skip
        from app.engine.ray.deployment import deploy

        deploy(FAMILIES)
        yield begun.address_info["gcs_address"]
        ray.shutdown()  # with everything that it started


@pytest.fixture
def on_cluster(cluster: str, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What this test asks is answered by the cluster, from the same tiny checkpoints."""
    from app.engine.ray.remote import cluster as engine
    from app.settings import settings

    monkeypatch.setenv("PLAYGROUND_ENGINE", "ray")
    settings.cache_clear()
    engine.cache_clear()
    yield
    engine.cache_clear()
