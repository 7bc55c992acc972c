"""Results about what models are made of: their parts with the number of weights, their measures, what was measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Weights of one kind; shared ones are counted once."""

    component: str  # a key of `part.` in assets/tabs/models.json
    parameters: int
    times: int = 1  # how often one pass uses them


@dataclass(frozen=True)
class Measures:
    """What a configuration says; None where an architecture has no such thing."""

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
        """All weights, shared ones once."""
        return sum(part.parameters for part in self.parts)


@dataclass(frozen=True)
class MeasuredScore:
    """One thing that was measured of one checkpoint."""

    model: str
    measure: str  # a key of `measure.` in assets/tabs/models.json
    value: float
    beside: float | None = None  # what counting words reaches, where that was measured


@dataclass(frozen=True)
class Shape:
    """One step of a forward pass and the shape of what came out of it."""

    step: str  # a key of `step.` in assets/tabs/models.json
    sizes: list[int]
