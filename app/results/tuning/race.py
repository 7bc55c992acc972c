"""Results about a race: several starting points trained on the same rows. Frozen; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class RacePoint:
    """One training: so many examples, and how it did on the rows kept back."""

    examples: int
    draw: int  # which of the draws of so many examples, from 0; all starting points have the same ones
    accuracy: float
    macro_f1: float


@dataclass(frozen=True)
class Racer:
    """One starting point."""

    model: str
    method: str
    points: list[RacePoint] = field(default_factory=list)
    trained_weights: int = 0  # how many learned
    kept_bytes: int = 0  # of one of its models, beside what it shares with others
    seconds: float = 0.0  # all its trainings together

    def at(self, examples: int) -> list[RacePoint]:
        """The draws of so many examples that are done."""
        return [point for point in self.points if point.examples == examples]

    def mean(self, examples: int, score: str = "macro_f1") -> float | None:
        """The mean score over these draws; None before the first."""
        values = [getattr(point, score) for point in self.at(examples)]
        return sum(values) / len(values) if values else None


@dataclass(frozen=True)
class Race:
    """Where a race stands, or what came of it."""

    sizes: list[int]  # numbers of examples, the last one all that there are
    kept_rows: int  # kept back, the same for all
    guessing: float  # macro-F1 of always the most frequent label, on the rows kept back
    racers: list[Racer]  # those that have begun, in their order
    waiting: list[str]  # those that have not
    done: int  # trainings
    total: int
    seconds: float
    ended: str = ""  # "done", "stopped" by the visitor, or "time"; empty while it runs

    def enough(self, racer: Racer, other: Racer) -> int | None:
        """The fewest examples with which a racer does as well as another one with all; None where it never does.

        None as well while the other one has not come so far.
        """
        goal = other.mean(self.sizes[-1])
        means = {size: racer.mean(size) for size in self.sizes}
        if goal is None:
            return None
        return next((size for size, mean in means.items() if mean is not None and mean >= goal), None)
