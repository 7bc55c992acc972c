"""Compares the results of two engines."""

from __future__ import annotations

from typing import Any

import pytest

from app.results.text import as_json

TOLERANCE = 1e-5


def differences(ours: Any, theirs: Any) -> list[str]:
    """Where two results differ, numbers by more than the tolerance; none where they are alike."""
    return list(_between(as_json(ours), as_json(theirs), "result"))


def _between(ours: Any, theirs: Any, place: str) -> list[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        return [found for key in ours for found in _between(ours[key], theirs[key], f"{place}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [found for index, pair in pairs for found in _between(*pair, f"{place}[{index}]")]
    if isinstance(ours, float) and isinstance(theirs, float):
        return [] if ours == pytest.approx(theirs, abs=TOLERANCE, nan_ok=True) else [f"{place}: {ours}, {theirs}"]
    return [] if type(ours) is type(theirs) and ours == theirs else [f"{place}: {ours}, {theirs}"]
