"""What answers as everything above the engine sees it: this process's own loader, or a cluster."""

from __future__ import annotations

from collections.abc import Container
from typing import Protocol, TypeVar

from app.engine.heads import Head
from app.registry.checkpoint import Checkpoint

Answers = TypeVar("Answers")


class Served(Protocol):
    """A checkpoint that can be asked, wherever its weights lie."""

    checkpoint: Checkpoint

    @property
    def heads(self) -> Container[str]:
        """Those whose weights were all in the file."""
        ...

    @property
    def version(self) -> int:
        """Another number once other weights answer: cache keys hold it."""
        ...

    def head(self, head: Head[Answers]) -> Answers:
        """What serves a head.

        Raises:
            PlaygroundError: `missing_head`, the checkpoint was saved without these weights.
        """
        ...


class Engine(Protocol):
    """Who runs the checkpoints."""

    def get(self, checkpoint: Checkpoint) -> Served:
        """The checkpoint, loaded if need be.

        Raises:
            PlaygroundError: `model_unavailable`, it cannot be had, with the reason.
        """
        ...

    def names(self) -> list[str]:
        """What is in memory, as far as this process knows."""
        ...
