"""Results about the anatomy of models: parts with their number of weights, dimensions, measured scores."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Weights of one kind, counting shared ones once."""

    component: str  # a key of `part.` in assets/tabs/models.json
    parameters: int
    times: int = 1  # how often one pass uses them


@dataclass(frozen=True)
class Measures:
    """Dimensions from a configuration; None if an architecture has no such thing."""

    vocabulary: int | None
    window: int | None  # tokens
    layers: int | None
    heads: int | None
    hidden_size: int | None


@dataclass(frozen=True)
class Anatomy:
    """A model taken apart."""

    model: str
    revision: str
    parts: list[Part]
    measures: Measures

    @property
    def parameters(self) -> int:
        """All weights, counting shared ones once."""
        return sum(part.parameters for part in self.parts)


@dataclass(frozen=True)
class MeasuredScore:
    """One measured score of one checkpoint."""

    model: str
    measure: str  # a key of `measure.` in assets/tabs/models.json
    value: float
    beside: float | None = None  # the score of counting words, if it was measured


@dataclass(frozen=True)
class Shape:
    """One step of a forward pass and the shape of its output."""

    step: str  # a key of `step.` in assets/tabs/models.json
    sizes: list[int]
