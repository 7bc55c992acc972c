"""One small cluster for all tests of this folder: two families with tiny checkpoints, in separate processes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import torch
from transformers import PreTrainedTokenizerFast

from tests.checkpoints import build, save, tiny_tokenizers

FAMILIES = ("bert", "gpt2")
# A checkpoint that one test replaces, and no other asks.
REPLACED = "bert-large-cased"
HOST = {
    # So little that there is room for one replica more while another is replaced, however few cores there are.
    "PLAYGROUND_RAY_CPUS": "0.1",
    "PLAYGROUND_RAY_LEAST_REPLICAS": "1",
    "PLAYGROUND_RAY_MOST_REPLICAS": "1",
    "PLAYGROUND_RAY_ONGOING": "4",
    "PLAYGROUND_RAY_WAITING": "4",
}


@cache
def tokenizer_of_replaced() -> PreTrainedTokenizerFast:
    """Trained once: its numbers come out differently each time."""
    return tiny_tokenizers()["bert"]


def save_replaced(models: Path, seed: int) -> None:
    """Put random weights in place of that checkpoint, as a host would: the old files stay with who has them open."""
    torch.manual_seed(seed)
    tokenizer = tokenizer_of_replaced()
    save(models / "coming", build("bert", tokenizer), tokenizer)
    if (models / REPLACED).exists():
        (models / REPLACED).rename(models / f"{REPLACED} before {seed}")
    (models / "coming").rename(models / REPLACED)


@pytest.fixture(scope="session")
def models(tiny_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny checkpoints that the cluster serves."""
    folder = tmp_path_factory.mktemp("served") / "models"
    shutil.copytree(tiny_models, folder)
    save_replaced(folder, seed=1)
    return folder


@pytest.fixture(scope="session")
def cluster(models: Path) -> Iterator[str]:
    """Its address. The test is skipped where Ray is not installed."""
    ray = pytest.importorskip("ray", reason="needs Ray (requirements-ray.txt)")
    from app.engine.ray.deployment import deploy
    from app.settings import settings

    with pytest.MonkeyPatch.context() as patched:
        for name, value in {**HOST, "PLAYGROUND_MODELS": str(models), "RAY_USAGE_STATS_ENABLED": "0"}.items():
            patched.setenv(name, value)
        settings.cache_clear()
        started = ray.init(
            address="local",  # never one that a stopped cluster left the address of
            num_cpus=2,
            include_dashboard=False,
            object_store_memory=200_000_000,
            log_to_driver=False,
            logging_level="error",
        )
        deploy(FAMILIES)
        yield started.address_info["gcs_address"]
        ray.shutdown()  # with everything that it started


@pytest.fixture
def on_cluster(cluster: str, models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What this test asks is answered by the cluster."""
    from app.engine.ray.remote import cluster as engine
    from app.engine.runtime.loader import loader
    from app.engine.runtime.visitor_models import visitor_models
    from app.engine.visitors.shared import shared
    from app.settings import settings

    for name, value in {**HOST, "PLAYGROUND_MODELS": str(models), "PLAYGROUND_ENGINE": "ray"}.items():
        monkeypatch.setenv(name, value)
    kept = (settings, loader, engine, visitor_models, shared)
    for one in kept:
        one.cache_clear()
    yield
    for one in kept:
        one.cache_clear()
