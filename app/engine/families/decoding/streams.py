"""Generation of several texts at once: streams that run at the same time share every pass over the weights.

Reading the weights is what a pass costs, so eight sequences cost little more than one, and so do four tokens of one
sequence: where a text repeats itself, the next ones are guessed and checked in the same pass (`lookup`). One thread
per model runs the passes while there are streams and ends with the last one; it draws each stream's tokens with the
stream's own generator, so a seed gives the same text alone and among others.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from app.engine.base import Step
from app.engine.families.decoding.decoder import Cache, Decoder, Row
from app.engine.families.decoding.layers import MOST_TOKENS
from app.engine.families.decoding.prompt_lookup import Lookup
from app.engine.families.decoding.sampling import adjust, pick
from app.fork_lock import ForkLock
from app.results.prompting import Sampling

# A long prompt is read in parts, so that it does not hold up the streams that are writing.
PROMPT_TOKENS_PER_PASS = 256
# Streams in one pass; further ones wait for their turn.
STREAMS_PER_PASS = MOST_TOKENS
# Tokens guessed of one stream. Of SmolLM2's texts (10 prompts, 80 tokens each) passes became 1.56 times fewer at
# temperature 0, 1.14 times at 0.8 with top-p 0.9.
GUESSES = 3


@dataclass(eq=False)
class Stream:
    """One text being written. `pending` are ids not yet run: the prompt, then the last token."""

    pending: list[int]
    left: int
    sampling: Sampling
    end_ids: frozenset[int]
    cache: Cache
    lookup: Lookup  # the text so far
    generator: torch.Generator
    drawn: queue.SimpleQueue[Step | BaseException | None] = field(default_factory=queue.SimpleQueue)
    stopped: bool = False  # by its reader


class Part(NamedTuple):
    """What one stream adds in a pass."""

    stream: Stream
    input_ids: list[int]
    guessed: list[int]  # behind these
    writes: bool  # whether its next token is drawn; not before the prompt's end


class Streams:
    """The streams of one model.

    Args:
        decoder: the model.
        lock: held during each pass, and only then.
        several: the same model for passes of several texts or tokens, where these cost little more than one; without it
            no tokens are guessed.
        check: raises an error where logits are no numbers.
    """

    def __init__(
        self,
        decoder: Decoder,
        lock: AbstractContextManager,
        several: Decoder | None = None,
        check: Callable[[Tensor], Tensor] = lambda logits: logits,
    ) -> None:
        self._decoder, self._several, self._lock, self._check = decoder, several, lock, check
        self._guard = ForkLock()
        self._streams: list[Stream] = []

    def write(
        self, input_ids: Sequence[int], max_new_tokens: int, sampling: Sampling, end_ids: frozenset[int]
    ) -> Generator[Step, None, None]:
        """Draw tokens behind a prompt, one by one; closing the iterator takes the stream out of the next pass."""
        stream = Stream(
            pending=list(input_ids),
            left=max_new_tokens,
            sampling=sampling,
            end_ids=end_ids,
            cache=self._decoder.cache(),
            lookup=Lookup(input_ids),
            generator=torch.Generator().manual_seed(sampling.seed),
        )
        self._add(stream)
        try:
            while (drawn := stream.drawn.get()) is not None:
                if isinstance(drawn, BaseException):
                    raise drawn
                yield drawn
        finally:
            stream.stopped = True

    def running(self) -> int:
        """How many streams there are."""
        with self._guard:
            return len(self._streams)

    def _add(self, stream: Stream) -> None:
        with self._guard:
            self._streams.append(stream)
            if len(self._streams) == 1:
                threading.Thread(target=self._run, name="streams", daemon=True).start()

    def _run(self) -> None:
        while streams := self._remaining():
            try:
                with torch.inference_mode():
                    self._advance(streams)
            except Exception as error:  # must reach the readers, who wait for it
                for stream in streams:
                    stream.left = 0
                    stream.drawn.put(error)

    def _remaining(self) -> list[Stream]:
        """Those of the next pass; the others' turn comes when these are done."""
        with self._guard:
            for stream in self._streams:
                if stream.stopped or stream.left == 0:
                    stream.drawn.put(None)
            self._streams = [stream for stream in self._streams if not stream.stopped and stream.left > 0]
            return self._streams[:STREAMS_PER_PASS]

    def _advance(self, streams: list[Stream]) -> None:
        parts = self._parts(streams)
        rows = [Row([*part.input_ids, *part.guessed], part.stream.cache) for part in parts]
        alone = len(parts) == 1 and not parts[0].guessed
        decoder = self._decoder if alone or self._several is None else self._several
        with self._lock:
            hidden = decoder.run(rows)
            asked: list[int] = []
            start = 0
            for part, row in zip(parts, rows, strict=True):
                end = start + len(row.input_ids)
                asked += range(end - 1 - len(part.guessed), end) if part.writes else ()
                start = end
            if asked:
                logits = self._check(decoder.head(hidden[asked])).float().cpu()  # [asked, vocabulary]
                _draw_each([part for part in parts if part.writes], logits)

    def _parts(self, streams: list[Stream]) -> list[Part]:
        parts, room = [], PROMPT_TOKENS_PER_PASS
        guesses = min(GUESSES, MOST_TOKENS // len(streams) - 1) if self._several else 0
        for stream in streams:
            if len(stream.pending) == 1:
                guessed = stream.lookup.guess(min(guesses, stream.left - 1))
                parts.append(Part(stream, stream.pending, guessed, writes=True))
            elif room:
                part, stream.pending = stream.pending[:room], stream.pending[room:]
                room -= len(part)
                parts.append(Part(stream, part, [], writes=not stream.pending))
        return parts


def _draw_each(parts: Sequence[Part], logits: Tensor) -> None:
    """Draw of each stream one token, and one more for each guess that was right; forget the wrong ones."""
    scales, start = logits.logsumexp(dim=-1), 0
    for part in parts:
        stream, right = part.stream, 0
        while _draw(stream, logits[start + right], scales[start + right]) in part.guessed[right : right + 1]:
            right += 1
            if stream.left == 0:  # an end mark was guessed
                break
        start += 1 + len(part.guessed)
        stream.cache.cut(stream.cache.length - len(part.guessed) + right)


def _draw(stream: Stream, logits: Tensor, scale: Tensor) -> int:
    adjusted = adjust(logits, stream.sampling, stream.lookup.input_ids)
    token_id = pick(adjusted, stream.sampling, stream.generator)
    values, chosen = logits.numpy(), logits[token_id]
    step = Step(
        token_id=token_id,
        probability=float((chosen - scale).exp()),
        adjusted_probability=float(adjusted[token_id]),
        rank=1 + int(np.count_nonzero(values > values[token_id])),
    )
    stream.lookup.add(token_id)
    stream.pending = [token_id]
    stream.left = 0 if token_id in stream.end_ids else stream.left - 1
    stream.drawn.put(step)
    return token_id
