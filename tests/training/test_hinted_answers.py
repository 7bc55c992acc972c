"""Learning where answers are with hints: what layers are told, begin and end together, a change that fits its rank."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from app.engine.runtime.loader import load
from app.registry.lookup import BY_NAME
from app.training.answers.hinted import HintedLearner, HintedNetwork, hints_of
from app.training.answers.learner import joint_cross_entropy
from app.training.answers.rows import Asked
from app.training.answers.tuning import tune_answers
from app.training.plan import Plan

ENGLISH = "bert-base-uncased"


class Same:
    """Draws the same rows again and again."""

    def __init__(self, rows: list[Asked]) -> None:
        self.rows = rows

    def batches(self, size: int) -> Iterator[list[Asked]]:
        while True:
            for start in range(0, len(self.rows), size):
                yield self.rows[start : start + size]


def test_hints_are_shared_words_with_neighbours_and_the_clause_of_the_answer(tiny: Path) -> None:
    network = HintedNetwork(load(BY_NAME[ENGLISH]), Plan())
    passage = "the dog was happy；the cat went home。"
    row = Asked(passage, "the cat", (passage.index("home"), passage.index("home") + 4))
    window = network.window(row)
    inside = [place for place, side in enumerate(window.encoded.sequence_ids) if side == 1]
    shared, clause = hints_of(row, window, inside)
    said = [passage[slice(*window.encoded.offsets[place])] for place in inside]
    told = {word for word, one in zip(said, shared[:, 0], strict=True) if one}
    together = [word for word, one in zip(said, shared[:, 1], strict=True) if one]
    assert told == {"the", "cat"} and together == ["the", "cat"], "the first `the` has no `cat` behind it"
    held = [window.encoded.offsets[place][0] >= passage.index("the cat") for place in inside]
    assert clause[:, 0].bool().tolist() == held
    assert not hints_of(Asked(passage, "why?", None), window, inside)[1].any()


def test_begin_and_end_together_are_a_plain_softmax_over_pairs() -> None:
    torch.manual_seed(0)
    logits = torch.randn(2, 2, 20)
    logits[1, :, 17:] = -torch.inf  # a shorter row
    wanted = torch.tensor([[3, 5], [0, 0]])
    losses = []
    for number, (begin, end) in enumerate(wanted.tolist()):
        pairs = {(0, 0)} | {(b, e) for b in range(1, 20) for e in range(b, min(b + 15, 20))}
        scores = {pair: float(logits[number, 0, pair[0]] + logits[number, 1, pair[1]]) for pair in pairs}
        total = torch.tensor([*scores.values()]).logsumexp(0)
        losses.append(float(total) - scores[begin, end])
    assert float(joint_cross_entropy(logits, wanted)) == pytest.approx(sum(losses) / 2, abs=1e-4)


def test_it_learns_and_its_change_fits_the_rank(tiny: Path, rows: list[Asked]) -> None:
    base = load(BY_NAME[ENGLISH])
    plan = Plan(epochs=30, learning_rate=5e-3, batch_size=8, validation_share=0.2)
    made = tune_answers(base, rows, plan, mixed=Same, rank=4)
    assert max(point.accuracy for point in made.validation_history) > 0.6
    before, after = base.model.state_dict(), made.model.state_dict()
    assert not any(name.startswith(("shared", "clause")) for name in after), "nothing of the hints remains"
    name = "encoder.layer.0.attention.self.query.weight"
    change = after[f"bert.{name}"] - before.get(f"bert.{name}", before.get(name))
    assert 0 < torch.linalg.matrix_rank(change, rtol=1e-3) <= 4


def test_hints_are_a_part_of_what_is_learnt(tiny: Path, rows: list[Asked]) -> None:
    network = HintedNetwork(load(BY_NAME[ENGLISH]), Plan())
    learner = HintedLearner(network, Same(rows), 4)
    learner._loss(rows[:4]).backward()
    for one in (network.shared, network.clause):
        assert one.weight.grad.abs().sum() > 0
