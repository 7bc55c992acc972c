"""What crosses to a replica: a question about one checkpoint."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from app.engine.heads import Head
from app.engine.ray.surface import ATTRIBUTES
from app.engine.runtime.loaded import Loaded
from app.registry.checkpoint import Checkpoint


@dataclass(frozen=True)
class Described:
    """A checkpoint that a replica has in memory."""

    checkpoint: Checkpoint  # with the revision that was loaded
    heads: frozenset[str]
    version: int


@dataclass(frozen=True)
class Question:
    """What is asked of a checkpoint's head: a method with its arguments; for an empty one the head's attributes."""

    checkpoint: Checkpoint
    head: str
    method: str = ""
    arguments: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)

    def of(self, method: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Question:
        """A question to one of the head's methods."""
        return replace(self, method=method, arguments=arguments, named=named)

    def answer(self, loaded: Loaded) -> Any:
        """The answer of a loaded checkpoint.

        Raises:
            PlaygroundError: `missing_head`, and whatever the adapter refuses.
        """
        adapter: Any = loaded.head(Head(self.head))
        if self.method:
            return getattr(adapter, self.method)(*self.arguments, **self.named)
        return {name: getattr(adapter, name) for name in ATTRIBUTES if hasattr(adapter, name)}
