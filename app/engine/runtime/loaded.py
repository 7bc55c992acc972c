"""A checkpoint in memory, with everything that is derived from its weights."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from app.engine.heads import Head
from app.engine.runtime.batcher import Batcher
from app.engine.runtime.device import RunLock
from app.errors import PlaygroundError
from app.fork_lock import ForkLock
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import for_task

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor, nn

    from app.engine.family import Family

Answers = TypeVar("Answers")
Derived = TypeVar("Derived")
Tokenizer = TypeVar("Tokenizer")
Row = TypeVar("Row")
Answer = TypeVar("Answer")
_versions = itertools.count(1)


@dataclass(eq=False)
class Loaded:
    """A checkpoint in memory.

    Attributes:
        text: what reads its texts, asked for by `tokenizer`: a TextTokenizer, unless the family has its own `read`.
        heads: those whose weights were all in the file.
        lock: held while the model runs.
        lacks: per head that is not there, why, where more is known.
        has_run: whether there was a pass that could have had the second copy.
        second: the same model with a second copy of weights, of `second_bytes`; whoever runs it holds the lock.
        version: a number of its own for each load and each move: cache keys hold it, as an object's `id` is used again.
    """

    checkpoint: Checkpoint
    family: Family
    model: nn.Module
    text: object
    heads: frozenset[str]
    bytes: int
    lock: RunLock
    lacks: Mapping[str, str] = field(default_factory=dict)
    has_run: bool = False
    second: nn.Module | None = None
    second_bytes: int = 0
    version: int = field(default_factory=lambda: next(_versions))

    def __post_init__(self) -> None:
        self._derived: dict[str, Any] = {}
        self._derived_at = (0, 0)
        self._deriving = ForkLock()

    def head(self, head: Head[Answers]) -> Answers:
        """The adapter that serves a head.

        Raises:
            PlaygroundError: `missing_head`, the checkpoint was saved without these weights.
        """
        if head not in self.heads:
            having = [c.name for c in for_task("") if head in c.heads and c.name != self.checkpoint.name]
            reason = self.lacks.get(head, head)
            raise PlaygroundError("missing_head", reason, model=self.checkpoint.name, names=", ".join(having) or "—")
        return self.family.adapters[head](self)

    def tokenizer(self, kind: type[Tokenizer]) -> Tokenizer:
        """What reads this checkpoint's texts, of the kind that its family has.

        Raises:
            TypeError: the family has another one.
        """
        if not isinstance(self.text, kind):
            raise TypeError(f"{self.checkpoint.name} has a {type(self.text).__name__}, no {kind.__name__}")
        return self.text

    def to_numpy(self, output: Tensor) -> np.ndarray:
        """What the model computed, as float32 on the CPU.

        Raises:
            PlaygroundError: as `check`.
        """
        return self.check(output).float().cpu().numpy()

    def check(self, output: Tensor) -> Tensor:
        """The same, if all of it are numbers. Log-probabilities may be minus infinity.

        Raises:
            PlaygroundError: `model_unavailable`, with the reason: damaged weights, or too small a number format.
        """
        if bool(output.isnan().any()) or bool(output.isposinf().any()):
            raise PlaygroundError("model_unavailable", "not_a_number", model=self.checkpoint.name)
        return output

    def derive(self, name: str, make: Callable[[], Derived]) -> Derived:
        """Objects derived from the weights once and used again: views, second copies, threads that run them.

        It is rebuilt after the model has moved, and in a fork, where its threads do not exist.
        """
        with self._deriving:
            here = (os.getpid(), self.version)
            if self._derived_at != here:
                self._derived, self._derived_at = {}, here
            if name not in self._derived:
                self._derived[name] = make()
            return self._derived[name]

    def batcher(
        self,
        name: str,
        run: Callable[[list[Row]], Sequence[Answer]],
        length: Callable[[Row], int],
        key: Callable[[Row], Hashable],
        pads: bool = True,
    ) -> Batcher[Row, Answer]:
        """What runs requests of one kind together; see `Batcher`. All requests for this model share it."""
        return self.derive(f"{name} batcher", lambda: Batcher(run, self.lock, length, key, pads))

    def renamed(self, name: str) -> Loaded:
        """The same weights under another name; what is kept of answers under the old one does not count for it."""
        return replace(self, checkpoint=replace(self.checkpoint, name=name), version=next(_versions))

    def moved(self) -> None:
        """The weights have moved or changed their number format: everything derived from the old ones is discarded."""
        self.version = next(_versions)
        self.drop_second()

    def drop_second(self) -> None:
        """Leave the memory of the second copy to others, as soon as nobody runs it any more."""
        self.second, self.second_bytes = None, 0

    @property
    def all_bytes(self) -> int:
        """What it takes in memory now."""
        return self.bytes + self.second_bytes


def serves(head: Head[Answers], adapter: Callable[[Loaded], Answers]) -> dict[str, Callable[[Loaded], object]]:
    """One entry of `Family.adapters`: a type checker holds the adapter to the protocol of its head."""
    return {head: adapter}
