"""The protocol of all starting points of a training, and its outcome. Knows no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from torch import Tensor, nn

from app.training.labelled import Example
from app.training.plan import Course, Plan, Report

if TYPE_CHECKING:
    from app.engine.family import Family

# A frozen model's output for each row, kept for several trainings on the same rows.
Vectors = dict[Example, Tensor]


@dataclass(frozen=True)
class Made:
    """What remains of a training: everything needed for answers.

    Attributes:
        model: in evaluation mode.
        family: whose adapters answer with it.
        text: reads texts for these adapters.
        heads: that it can answer with.
        trained: number of trained weights.
        bytes: kept only for it, without a shared model.
    """

    model: nn.Module
    family: Family
    text: Any
    heads: frozenset[str]
    trained: int
    bytes: int


class Learner(Protocol):
    """Something that learns from labelled rows and then answers."""

    labels: list[str]

    def learn(
        self, train: Sequence[Example], kept_back: Sequence[Example], plan: Plan, report: Report
    ) -> Course | None:
        """Learn from `train`. The state that does best on `kept_back` is kept, or the newest if that is empty.

        Returns None if `report` ended it before its first step.
        """
        ...

    def probabilities(self, rows: Sequence[Example]) -> Tensor:
        """[row, label], in the current state."""
        ...

    def finish(self) -> Made:
        """End the learning: from here on it only answers."""
        ...


def count(model: nn.Module) -> int:
    """Number of weights."""
    return sum(weight.numel() for weight in model.parameters())


def size(model: nn.Module) -> int:
    """Bytes of the weights."""
    return sum(weight.numel() * weight.element_size() for weight in model.parameters())
