"""Reads a plot as a handler returns it and as the page receives it."""

from __future__ import annotations

import json
from typing import Any


def sent(plot: object) -> dict[str, Any] | None:
    """What the page gets of a `gr.Plot`: `data`, `layout`, `config`; None where nothing is shown."""
    if not plot.visible:
        return None
    value = plot.value
    return json.loads(value["plot"] if isinstance(value, dict) else value.plot)


def told(plot: object) -> str:
    """The sentence below it."""
    return sent(plot)["layout"]["meta"]["told"]
