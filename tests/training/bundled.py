"""What tests of bundled checkpoints share: loading one, or skipping without its package; how alike two texts are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.settings import BUNDLED
from tests.conftest import SetSetting


def loadable(name: str, set_setting: SetSetting) -> Iterator[str]:
    """The name of a bundled checkpoint, loaded; the test is skipped where that is impossible."""
    set_setting(packs="1")
    loader.cache_clear()
    try:
        loader().get(BY_NAME[name])
    except PlaygroundError as error:
        pytest.skip(f"needs its package: {error}")
    yield name
    loader.cache_clear()


def alike(one: str, other: str) -> float:
    """The share of words, in Chinese of pairs of characters, that two texts have in common."""
    first, second = (
        set(re.findall(r"\w+", text.lower())) if " " in text else {text[at : at + 2] for at in range(len(text) - 1)}
        for text in (one, other)
    )
    return len(first & second) / len(first | second)


def written(name: str, file: str) -> Any:
    """What a JSON file of a bundle says."""
    return json.loads((BUNDLED / name / file).read_text(encoding="utf-8"))


def card_of(name: str) -> str:
    """A bundle's card."""
    return (BUNDLED / name / "README.md").read_text(encoding="utf-8")


def weights_of(name: str) -> int:
    """Bytes of a bundle's weights."""
    return sum(Path(path).stat().st_size for path in (BUNDLED / name).glob("*.safetensors"))
