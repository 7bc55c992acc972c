"""Language modelling from the left for every causal family: a family only names the parts of its model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.adapters.adapter import TransformerAdapter
from app.engine.adapters.blocks import has_blocks
from app.engine.base import MaskedRow, Step
from app.engine.families.decoding.decoder import Cache, Decoder, Row
from app.engine.families.decoding.fp16_linear import halved
from app.engine.families.decoding.packed_linear import blocked
from app.engine.families.decoding.sampling import adjust
from app.engine.families.decoding.streams import Streams
from app.engine.runtime.memory import fits_twice
from app.results.prompting import Sampling
from app.settings import FLOAT16, settings

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded

# Rows of logits turned into log-probabilities at a time: 64 x 50,257 floats are 13 MB.
ROWS = 64


@dataclass(frozen=True)
class Choice:
    """A prompt and what may follow it."""

    prompt: tuple[int, ...]
    continuations: tuple[tuple[int, ...], ...]


class DecoderCausalLM(TransformerAdapter, ABC):
    """Answers `CausalLM` with a decoder."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        # A decoder with BERT's vocabulary keeps GPT-2's end token in its configuration, which that vocabulary lacks.
        closing = self.text.end_id if self.text.kind == "wordpiece" else None
        self.end_ids = end_ids(loaded.model) or frozenset(_as_list(closing))
        self._decoder, self._streams, self.precision = loaded.derive("decoder", self._derive)
        self._scoring = loaded.batcher("scores", self._score, _count, lambda ids: ids, pads=False)
        self._choosing = loaded.batcher("continuations", self._choose, _length, lambda asked: asked, pads=False)

    @abstractmethod
    def decoder(self) -> Decoder:
        """The parts of transformers' model."""

    def _derive(self) -> tuple[Decoder, Streams, str]:
        model, lock = self.loaded.model, self.loaded.lock
        decoder = self.decoder()
        writer, precision = _writer(decoder)
        return decoder, Streams(writer, lock, _several(decoder, writer, model), self.loaded.check), precision

    def token_scores(self, input_ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """See `app.engine.base.CausalLM`."""
        return self._scoring.answers([tuple(input_ids)])[0]

    def _score(self, texts: list[tuple[int, ...]]) -> list[tuple[np.ndarray, np.ndarray]]:
        with torch.inference_mode():
            hidden = self._decoder.run([Row(ids, self._decoder.cache()) for ids in texts])  # [all tokens, hidden]
            before = torch.cat([part[:-1] for part in hidden.split([len(ids) for ids in texts])])
            found = self._scores(before, [token for ids in texts for token in ids[1:]])
        scores, ranks = (one.split([len(ids) - 1 for ids in texts]) for one in found)
        return [(mine.numpy(), rank.numpy()) for mine, rank in zip(scores, ranks, strict=True)]

    def next_probabilities(self, input_ids: list[int], sampling: Sampling) -> tuple[np.ndarray, np.ndarray]:
        """See `app.engine.base.CausalLM`."""
        with self.loaded.lock, torch.inference_mode():
            hidden = self._decoder.run([Row(input_ids, self._decoder.cache())])
            logits = self.loaded.check(self._decoder.head(hidden[-1:])[0]).float().cpu()
            adjusted = adjust(logits, sampling, input_ids)
            return logits.softmax(dim=-1).numpy(), adjusted.numpy()

    def generate(self, input_ids: list[int], max_new_tokens: int, sampling: Sampling) -> Generator[Step, None, None]:
        """See `app.engine.base.CausalLM`."""
        return self._streams.write(input_ids, max_new_tokens, sampling, self.end_ids)

    def continuation_scores(self, input_ids: list[int], continuations: list[list[int]]) -> list[np.ndarray]:
        """See `app.engine.base.CausalLM`.

        All continuations run in one pass after the prompt, none seeing the others: a token sees the prompt and what
        stands before it in its own continuation.
        """
        return self._choosing.answers([Choice(tuple(input_ids), tuple(map(tuple, continuations)))])[0]

    def _choose(self, choices: list[Choice]) -> list[list[np.ndarray]]:
        caches = [self._decoder.cache() for _ in choices]
        # No prediction is needed after the last token.
        bodies = [[continuation[:-1] for continuation in choice.continuations] for choice in choices]
        with torch.inference_mode():
            prompts = self._decoder.run([Row(c.prompt, cache) for c, cache in zip(choices, caches, strict=True)])
            behind = self._behind(caches, bodies).split([len(body) for one in bodies for body in one])
            rest, states = iter(behind), []
            for prompt, one in zip(prompts.split([len(choice.prompt) for choice in choices]), bodies, strict=True):
                states += [part for _ in one for part in (prompt[-1:], next(rest))]
            tokens = [tokens for choice in choices for tokens in choice.continuations]
            scores, _ = self._scores(torch.cat(states), [token for one in tokens for token in one])
        found = iter(scores.split([len(one) for one in tokens]))
        return [[next(found).numpy() for _ in one] for one in bodies]

    def layer_log_probabilities(self, row: MaskedRow) -> Iterator[np.ndarray]:
        """See `app.engine.base.Layered`. Below the last layer the final norm comes first too ("logit lens")."""
        kept: list[Tensor] = []
        with self.loaded.lock, torch.inference_mode():
            cache = self._decoder.cache()
            self._decoder.run([Row(row.input_ids, cache)], lambda hidden: kept.append(hidden[row.positions]))
        for states in reversed(kept):  # [position, hidden]
            with self.loaded.lock, torch.inference_mode():
                logits = self._decoder.head(self._decoder.final_norm(states))
                log_probabilities = self.loaded.to_numpy(logits.float().log_softmax(dim=-1))
            yield log_probabilities

    def _behind(self, caches: list[Cache], bodies: list[list[tuple[int, ...]]]) -> Tensor:
        """States [all tokens, hidden] of the continuations of what is in each cache, which do not see each other."""
        rows = [_side_by_side(cache, one) for cache, one in zip(caches, bodies, strict=True) if any(one)]
        return self._decoder.run(rows) if rows else self._decoder.like.new_empty(0, self._decoder.like.shape[-1])

    def _scores(self, hidden: Tensor, token_ids: list[int]) -> tuple[Tensor, Tensor]:
        """Log-probabilities and ranks [token] of tokens, given the states [token, hidden] that predict them."""
        ids = torch.tensor(token_ids, device=hidden.device)
        scores, ranks = [], []
        for start in range(0, len(hidden), ROWS):
            logits = self.loaded.check(self._decoder.head(hidden[start : start + ROWS])).float()  # [row, vocabulary]
            chosen = logits.gather(-1, ids[start : start + ROWS, None])  # [row, 1]
            scores.append((chosen[:, 0] - logits.logsumexp(dim=-1)).cpu())
            ranks.append(1 + (logits > chosen).sum(dim=-1).cpu())
        return torch.cat(scores), torch.cat(ranks)


def _count(ids: tuple[int, ...]) -> int:
    return len(ids)


def _length(choice: Choice) -> int:
    return len(choice.prompt) + sum(map(len, choice.continuations))


def _side_by_side(cache: Cache, bodies: list[tuple[int, ...]]) -> Row:
    """Several continuations of what is in the cache as one row."""
    ids = [token for body in bodies for token in body]
    positions = [cache.length + place for body in bodies for place in range(len(body))]
    sees = torch.block_diag(*(torch.ones(len(body), len(body)).tril() for body in bodies if body)).bool()
    return Row(ids, cache, positions, sees)


def _writer(decoder: Decoder) -> tuple[Decoder, str]:
    """What writes texts, and its weights' number format; all else is answered with the weights as they were loaded."""
    if settings().weights == FLOAT16:
        small = halved(decoder)
        if small is not decoder:
            return small, FLOAT16
    return decoder, str(decoder.like.dtype).removeprefix("torch.")


def _several(decoder: Decoder, writer: Decoder, model: nn.Module) -> Decoder | None:
    """What writes several texts or checks several tokens at once; None where that costs much more than one token."""
    if writer is not decoder or decoder.like.device.type != "cpu":
        return writer
    return blocked(decoder) if fits_twice(model) and has_blocks() else None


def end_ids(model: nn.Module) -> frozenset[int]:
    """The tokens that end a text: those of generation_config.json; without that file, of config.json."""
    rows, generation = model.get_input_embeddings().num_embeddings, getattr(model, "generation_config", None)
    named = _as_list((generation or model.config).eos_token_id)
    return frozenset(token_id for token_id in named if isinstance(token_id, int) and 0 <= token_id < rows)


def _as_list(value: int | list[int] | None) -> list[int]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
