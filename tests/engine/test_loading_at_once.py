"""Different checkpoints requested at the same moment all load completely."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app.engine.runtime.loader import load
from app.registry.lookup import BY_NAME

NAMES = ("bert-base-uncased", "roberta-base", "albert-base-v2", "gpt2")


def test_four_checkpoints_in_four_threads(tiny: Path) -> None:
    with ThreadPoolExecutor(len(NAMES)) as threads:
        for _ in range(3):
            for loaded in threads.map(load, [BY_NAME[name] for name in NAMES]):
                assert loaded.heads and not any(weight.is_meta for weight in loaded.model.parameters())
