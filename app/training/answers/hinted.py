"""Learning with hints: a small encoder finds out how to answer only if its lower layers are told what to look for.

Two more questions are asked of every token of a passage while it learns: whether it stands in the question too (of the
middle layer), and whether the answer stands in its clause (of the last one). Nothing of them remains in the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from app.engine.runtime.loaded import Loaded
from app.engine.text.passages import PassageWindow, Span
from app.models.delta import nearest_of_rank
from app.results.tuning.fine_tune import ValidationPoint
from app.training.answers.generated.mixture import Mixture
from app.training.answers.learner import SpanLearner, SpanNetwork, cross_entropy, joint_cross_entropy, wanted_tokens
from app.training.answers.rows import Asked
from app.training.plan import Plan

# What the second hint counts beside the first, whose loss is smaller.
CLAUSE_WEIGHT = 2.0
# What begin and end together count beside each alone.
JOINT_WEIGHT = 0.5
_CLAUSE = re.compile(r"[^。！？；，]+[。！？；，]*")


class HintedNetwork(SpanNetwork):
    """A network for questions about passages whose layers are also asked for hints while it learns."""

    def __init__(self, base: Loaded, plan: Plan) -> None:
        super().__init__(base, plan)
        width = base.model.config.hidden_size
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(plan.seed)
            self.shared, self.clause = nn.Linear(width, 2), nn.Linear(width, 1)
        self.learning = nn.ModuleDict({"model": self.model, "shared": self.shared, "clause": self.clause})
        self._start = {name: weight.detach().clone() for name, weight in self.model.named_parameters()}

    def hint_loss(self, rows: Sequence[Asked], windows: Sequence[PassageWindow], hidden: Sequence[Tensor]) -> Tensor:
        """How badly the layers tell what they are asked, [hidden] as of `logits_and_hidden`."""
        told = (self.shared(hidden[len(hidden) // 2].float()), self.clause(hidden[-1].float()))
        total = torch.zeros(())
        for number, (row, window) in enumerate(zip(rows, windows, strict=True)):
            inside = [place for place, side in enumerate(window.encoded.sequence_ids) if side == 1]
            for made, wanted, weight in zip(told, hints_of(row, window, inside), (1.0, CLAUSE_WEIGHT), strict=True):
                loss = nn.functional.binary_cross_entropy_with_logits(made[number, inside], wanted)
                total = total + weight * loss / len(rows)
        return total

    @torch.no_grad()
    def cut(self, rank: int) -> None:
        """Keep of the change to each large matrix what a delta of that rank can hold."""
        for name, weight in self.model.named_parameters():
            weight.copy_(nearest_of_rank(name, self._start[name], weight, rank))


class HintedLearner(SpanLearner):
    """Learns rows that are drawn without end, with hints, and judges what a small delta keeps of it.

    Args:
        network: learns.
        mixture: draws the rows; those given to `learn` only say how many an epoch has.
        rank: of the change that can be stored.
    """

    network: HintedNetwork

    def __init__(self, network: HintedNetwork, mixture: Mixture, rank: int) -> None:
        super().__init__(network, [], reads_once=False)
        self.mixture, self.rank = mixture, rank

    def _batches(self, train: Sequence[Asked], plan: Plan) -> Iterator[list[Asked]]:
        return self.mixture.batches(plan.batch_size)

    def _loss(self, batch: Sequence[Asked]) -> Tensor:
        windows = [self.network.window(row) for row in batch]
        with torch.autocast(next(self.network.model.parameters()).device.type, dtype=torch.bfloat16):
            logits, hidden = self.network.logits_and_hidden(windows)
        wanted = wanted_tokens(batch, windows, logits)
        told = cross_entropy(logits, wanted) + JOINT_WEIGHT * joint_cross_entropy(logits, wanted)
        return told + self.network.hint_loss(batch, windows, hidden)

    def _judge(self, kept_back: Sequence[Asked], step: int) -> tuple[ValidationPoint, tuple[float, float]]:
        self.network.cut(self.rank)
        return super()._judge(kept_back, step)


def hints_of(row: Asked, window: PassageWindow, inside: Sequence[int]) -> tuple[Tensor, Tensor]:
    """What the two hints should be for the tokens of the passage at those places.

    Returns:
        [token, 2], whether it stands in the question, alone and with a neighbour; [token, 1], whether the answer
        stands in its clause.
    """
    ids, sides = window.encoded.input_ids, window.encoded.sequence_ids
    asked = [one for one, side in zip(ids, sides, strict=True) if side == 0]
    single, pairs = set(asked), set(pairwise(asked))
    together = {place for first in pairwise(inside) if (ids[first[0]], ids[first[1]]) in pairs for place in first}
    shared = [[float(ids[place] in single), float(place in together)] for place in inside]
    clauses = _clauses_of(row)
    clause = [[float(any(start <= _start(window, place) < end for start, end in clauses))] for place in inside]
    return torch.tensor(shared), torch.tensor(clause)


def _clauses_of(row: Asked) -> list[Span]:
    """The clauses that hold a part of the answer."""
    if row.answer is None:
        return []
    start, end = row.answer
    return [found.span() for found in _CLAUSE.finditer(row.passage) if found.start() < end and start < found.end()]


def _start(window: PassageWindow, place: int) -> int:
    """The character of the passage where a token begins."""
    offset = window.encoded.offsets[place]
    return -1 if offset is None else offset[0]
