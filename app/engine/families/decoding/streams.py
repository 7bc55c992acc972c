"""Generation of several texts at once: streams that run at the same time share every pass over the weights.

Reading the weights is what a pass costs, so eight sequences cost little more than one. One thread per model runs the
passes while there are streams and ends with the last one; it draws each stream's token with the stream's own generator,
so a seed gives the same text alone and among others.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from app.engine.base import Step
from app.engine.families.decoding.decoder import Cache, Decoder, Row
from app.engine.families.decoding.sampling import adjust, draw
from app.results_prompting import Sampling

# A long prompt is read in parts, so that it does not hold up the streams that are writing.
PROMPT_TOKENS_PER_PASS = 256
# Streams in one pass; further ones wait for their turn.
STREAMS_PER_PASS = 16


@dataclass(eq=False)
class Stream:
    """One text being written. `pending` are ids not yet run: the prompt, then the last token."""

    pending: list[int]
    left: int
    sampling: Sampling
    end_ids: frozenset[int]
    cache: Cache
    seen: Tensor  # ids of the text so far
    generator: torch.Generator
    drawn: queue.SimpleQueue[Step | BaseException | None] = field(default_factory=queue.SimpleQueue)
    stopped: bool = False  # by its reader


class Streams:
    """The streams of one model.

    Args:
        decoder: the model.
        lock: held during each pass, and only then.
        several: the same model for passes of several texts, where that is another one.
    """

    def __init__(self, decoder: Decoder, lock: threading.Lock, several: Decoder | None = None) -> None:
        self._decoder, self._several, self._lock = decoder, several or decoder, lock
        self._guard = threading.Lock()
        self._streams: list[Stream] = []

    def write(
        self, input_ids: Sequence[int], max_new_tokens: int, sampling: Sampling, end_ids: frozenset[int]
    ) -> Iterator[Step]:
        """Draw tokens behind a prompt, one by one; closing the iterator takes the stream out of the next pass."""
        stream = Stream(
            pending=list(input_ids),
            left=max_new_tokens,
            sampling=sampling,
            end_ids=end_ids,
            cache=self._decoder.cache(),
            seen=torch.tensor(input_ids, device=self._decoder.like.device),
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
        rows, writing, room = [], [], PROMPT_TOKENS_PER_PASS
        for stream in streams:
            part = stream.pending[: 1 if len(stream.pending) == 1 else room]
            if not part:
                continue
            if len(part) > 1:
                room -= len(part)
            stream.pending = stream.pending[len(part) :]
            rows.append(Row(part, stream.cache))
            writing.append(None if stream.pending else stream)
        decoder = self._several if len(rows) > 1 else self._decoder
        with self._lock:
            hidden = decoder.run(rows)
            ends, at = [], -1
            for row, stream in zip(rows, writing, strict=True):
                at += len(row.input_ids)
                ends += [at] if stream else []
            if ends:
                logits = decoder.head(hidden[ends]).float().cpu()  # [stream, vocabulary]
                _draw_each([stream for stream in writing if stream], logits)


def _draw_each(streams: Sequence[Stream], logits: Tensor) -> None:
    for stream, its_logits, scale in zip(streams, logits, logits.logsumexp(dim=-1), strict=True):
        _draw(stream, its_logits, scale)


def _draw(stream: Stream, logits: Tensor, scale: Tensor) -> None:
    adjusted = adjust(logits, stream.sampling, stream.seen)
    greedy = stream.sampling.temperature == 0
    token_id = int(adjusted.argmax()) if greedy else draw(adjusted, stream.generator)
    chosen = logits[token_id]
    step = Step(
        token_id=token_id,
        probability=float((chosen - scale).exp()),
        adjusted_probability=float(adjusted[token_id]),
        rank=1 + int((logits > chosen).sum()),
    )
    stream.seen = torch.cat([stream.seen, stream.seen.new_tensor([token_id])])
    stream.pending = [token_id]
    stream.left = 0 if token_id in stream.end_ids else stream.left - 1
    stream.drawn.put(step)
