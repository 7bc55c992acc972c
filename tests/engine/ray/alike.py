"""Compares the results of two engines."""

from __future__ import annotations

from typing import Any

import pytest

from app.results.text import as_json

TOLERANCE = 1e-5
# Of numbers far above one, such as perplexities: float32 has seven digits.
SHARE = 1e-6


def differences(ours: Any, theirs: Any) -> list[str]:
    """Where two results differ, numbers by more than the tolerance; none where they are alike."""
    return list(_between(as_json(ours), as_json(theirs), "result"))


def _between(ours: Any, theirs: Any, place: str) -> list[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        return [found for key in ours for found in _between(ours[key], theirs[key], f"{place}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [found for index, pair in pairs for found in _between(*pair, f"{place}[{index}]")]
    wrong = f"{place}: {ours}, {theirs}"
    if isinstance(ours, float) and isinstance(theirs, float):
        return [] if ours == pytest.approx(theirs, rel=SHARE, abs=TOLERANCE, nan_ok=True) else [wrong]
    return [] if type(ours) is type(theirs) and ours == theirs else [wrong]
