"""Results about a race: several starting points trained on the same rows. Frozen; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class RacePoint:
    """One training: the number of examples, and its scores on the rows kept back."""

    examples: int
    draw: int  # number of the draw, from 0; all starting points have the same draws
    accuracy: float
    macro_f1: float


@dataclass(frozen=True)
class Racer:
    """One starting point."""

    model: str
    method: str
    points: list[RacePoint] = field(default_factory=list)
    trained_weights: int = 0  # number of trained weights
    kept_bytes: int = 0  # of one of its models, without what it shares with others
    seconds: float = 0.0  # of all its trainings together

    def at(self, examples: int) -> list[RacePoint]:
        """The finished draws with this number of examples."""
        return [point for point in self.points if point.examples == examples]

    def mean(self, examples: int, score: str = "macro_f1") -> float | None:
        """The mean score over these draws; None before the first."""
        values = [getattr(point, score) for point in self.at(examples)]
        return sum(values) / len(values) if values else None


@dataclass(frozen=True)
class Race:
    """The state or outcome of a race."""

    sizes: list[int]  # numbers of examples; the last is the number of all
    kept_rows: int  # rows kept back, the same for all
    guessing: float  # macro-F1 of always answering the most frequent label, on the rows kept back
    racers: list[Racer]  # those that have begun, in their order
    waiting: list[str]  # those that have not
    done: int  # number of finished trainings
    total: int
    seconds: float
    ended: str = ""  # "done", "stopped" by the visitor, or "time"; empty while it runs

    def enough(self, racer: Racer, other: Racer) -> int | None:
        """The fewest examples with which a racer does as well as another one with all; None if it never does.

        Also None while the other one is not that far yet.
        """
        goal = other.mean(self.sizes[-1])
        means = {size: racer.mean(size) for size in self.sizes}
        if goal is None:
            return None
        return next((size for size, mean in means.items() if mean is not None and mean >= goal), None)
