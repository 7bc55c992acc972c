"""What the attention component requests: opening a text, then parts of it by name, as plain JSON both ways."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from app.tasks.attention.heads import (
    all_heads,
    exact_row,
    exact_weights,
    one_layer,
    open_attention,
    roles_of,
    rolled_out,
)

Asked = dict[str, Any]


def layer(asked: Asked) -> Asked:
    """All heads of one layer."""
    return asdict(one_layer(*_source(asked), asked.get("layer")))


def all_heads_pictures(asked: Asked) -> Asked:
    """A small picture of every head."""
    return asdict(all_heads(*_source(asked)))


def rollout(asked: Asked) -> Asked:
    """The rollout through a layer."""
    return asdict(rolled_out(*_source(asked), asked.get("layer")))


def roles(asked: Asked) -> Asked:
    """How strongly each head plays each role."""
    return {"roles": roles_of(*_source(asked))}


def row(asked: Asked) -> Asked:
    """The exact weights of one query token."""
    weights = exact_row(*_source(asked), asked.get("layer"), asked.get("heads"), asked.get("query"))
    return {"weights": weights.astype(float).tolist()}


def table(asked: Asked) -> Asked:
    """The exact weights of what is shown."""
    weights = exact_weights(*_source(asked), asked.get("layer"), asked.get("heads"))
    return {"weights": weights.astype(float).round(8).tolist()}


def _source(asked: Asked) -> tuple[Any, Any, Any]:
    """Both texts and the model as the browser sent them, unchecked."""
    return asked.get("text"), asked.get("second"), asked.get("model")


__all__ = ["ANSWERS", "open_attention"]

ANSWERS = (layer, all_heads_pictures, rollout, roles, row, table)
