"""What every starting point of a training is, and what comes out of it. Knows no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from torch import Tensor, nn

from app.training.labelled import Example
from app.training.plan import Course, Plan, Report

if TYPE_CHECKING:
    from app.engine.family import Family

# A frozen model's output for each row, kept where one trains several times on the same rows.
Vectors = dict[Example, Tensor]


@dataclass(frozen=True)
class Made:
    """What is left of a training: all that answers need.

    Attributes:
        model: in evaluation mode.
        family: whose adapters answer with it.
        text: what reads texts for these adapters.
        heads: that can be asked.
        trained: weights that learned.
        bytes: kept for it alone, besides a model that is shared.
    """

    model: nn.Module
    family: Family
    text: Any
    heads: frozenset[str]
    trained: int
    bytes: int


class Learner(Protocol):
    """A thing that learns from labelled rows and then answers."""

    labels: list[str]

    def learn(
        self, train: Sequence[Example], kept_back: Sequence[Example], plan: Plan, report: Report
    ) -> Course | None:
        """Learn from some rows. The state that does best on the others is kept; without others the newest.

        None when `report` ended it before its first step.
        """
        ...

    def probabilities(self, rows: Sequence[Example]) -> Tensor:
        """[row, label], in its present state."""
        ...

    def finish(self) -> Made:
        """From here on it only answers."""
        ...


def count(model: nn.Module) -> int:
    """Its weights."""
    return sum(weight.numel() for weight in model.parameters())


def size(model: nn.Module) -> int:
    """Bytes of its weights."""
    return sum(weight.numel() * weight.element_size() for weight in model.parameters())
