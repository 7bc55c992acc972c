"""What crosses to a replica: a question about one checkpoint."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from typing import Any

from app.engine.heads import Head
from app.engine.ray.surface import ATTRIBUTES
from app.engine.runtime.loaded import Loaded
from app.engine.text.text_tokenizer import TextTokenizer
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint


def reading_of(loaded: Loaded) -> int:
    """A number of how a checkpoint reads texts: ids that another tokenizer made would be other words to it."""

    def made() -> int:
        text = loaded.text
        written = text.tokenizer.backend_tokenizer.to_str() if isinstance(text, TextTokenizer) else repr(type(text))
        return zlib.crc32(written.encode("utf-8", "surrogatepass"))

    return loaded.derive("reading", made)


@dataclass(frozen=True)
class Described:
    """A checkpoint that a replica has in memory."""

    checkpoint: Checkpoint  # with the revision that was loaded
    heads: frozenset[str]
    reads: int  # see `reading_of`
    version: int


@dataclass(frozen=True)
class Question:
    """What is asked of a checkpoint's head: a method with its arguments; for an empty one the head's attributes."""

    checkpoint: Checkpoint
    head: str
    reads: int
    method: str = ""
    arguments: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)

    def of(self, method: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Question:
        """A question to one of the head's methods."""
        return replace(self, method=method, arguments=arguments, named=named)

    def answer(self, loaded: Loaded) -> Any:
        """The answer of a loaded checkpoint.

        Raises:
            PlaygroundError: `missing_head`, and whatever the adapter refuses; `busy`, another vocabulary came with an
                update, and whoever asks has not noticed yet.
        """
        if self.reads != reading_of(loaded):
            raise PlaygroundError("busy")
        adapter: Any = loaded.head(Head(self.head))
        if self.method:
            return getattr(adapter, self.method)(*self.arguments, **self.named)
        return {name: getattr(adapter, name) for name in ATTRIBUTES if hasattr(adapter, name)}
