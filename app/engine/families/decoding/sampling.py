"""From logits to a token: what temperature, top-k, top-p and the repetition penalty make of a distribution.

In transformers' order: penalty (Keskar et al. 2019), temperature, top-k (Fan et al. 2018), top-p (Holtzman et al.
2020).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from app.results.prompting import Sampling

# Enough candidates to reach top-p without sorting the whole vocabulary, mostly.
NUCLEUS_GUESS = 1_024


def adjust(logits: Tensor, sampling: Sampling, seen: Sequence[int]) -> Tensor:
    """Probabilities [vocabulary] that the next token is drawn from.

    Args:
        logits: float32 [vocabulary], the model's own.
        sampling: temperature 0 gives all to the most probable token.
        seen: ids of the tokens so far, which the penalty counts.
    """
    if sampling.repetition_penalty != 1.0:
        logits = _penalised(logits, sampling.repetition_penalty, seen)
    if sampling.temperature == 0:
        certain = torch.zeros_like(logits)
        certain[_largest(logits)] = 1.0
        return certain
    if sampling.temperature != 1.0:
        # Largest first at zero: a very small temperature must not overflow.
        logits = (logits - logits.max()) / sampling.temperature
    if 0 < sampling.top_k < len(logits):
        least = torch.topk(logits, sampling.top_k).values[-1]
        logits = logits.masked_fill(logits < least, -torch.inf)
    probabilities = logits.softmax(dim=-1)
    return _nucleus(probabilities, sampling.top_p) if sampling.top_p < 1.0 else probabilities


def pick(probabilities: Tensor, sampling: Sampling, generator: torch.Generator) -> int:
    """The token id that is written: drawn, or at temperature 0 the one that has all."""
    return _largest(probabilities) if sampling.temperature == 0 else draw(probabilities, generator)


def draw(probabilities: Tensor, generator: torch.Generator) -> int:
    """A token id, drawn by one number of the generator through the cumulative distribution."""
    cumulative = probabilities.double().cumsum(dim=-1)
    point = torch.rand((), generator=generator, dtype=torch.float64) * cumulative[-1]
    drawn = int(torch.searchsorted(cumulative, point, right=True))
    # At the very end rounding could point behind the last token that may be drawn.
    return drawn if drawn < len(cumulative) else int(probabilities.nonzero()[-1])


def _penalised(logits: Tensor, penalty: float, seen: Sequence[int]) -> Tensor:
    ids = torch.tensor(seen)
    given = logits[ids]
    return logits.scatter(0, ids, torch.where(given < 0, given * penalty, given / penalty))


def _nucleus(probabilities: Tensor, top_p: float) -> Tensor:
    """The smallest set of most probable tokens that holds `top_p`, made to add up to one."""
    count = min(NUCLEUS_GUESS, len(probabilities))
    largest = torch.topk(probabilities, count).values
    if float(largest.sum()) < top_p:
        largest = probabilities.sort(descending=True).values
    before = largest.cumsum(dim=-1) - largest  # what more probable tokens hold together
    kept = int((before < top_p).sum())
    nucleus = torch.zeros_like(probabilities)
    places = torch.topk(probabilities, kept).indices
    nucleus[places] = probabilities[places]
    return nucleus / nucleus.sum()


def _largest(values: Tensor) -> int:
    return int(values.numpy().argmax())  # 30 times as fast as torch's for a vocabulary
