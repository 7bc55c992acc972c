"""The course of a training: its settings, and its reports while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from app.results.tuning.fine_tune import LossPoint, TuningReport, ValidationPoint

Method = Literal["full", "frozen", "lora", "mix", "regression"]
# Called after each step; returning True ends the training and keeps the best state so far.
Report = Callable[[TuningReport], bool | None]


@dataclass(frozen=True)
class Plan:
    """How to train.

    Attributes:
        epochs: passes over the rows.
        learning_rate: peak; it warms up over the first 6 % of the steps, then falls to 0, both linearly.
        batch_size: rows of one step.
        seed: of the choice of rows kept back, their order, the new head, and augmentation.
        validation_share: share of the rows kept back.
        method: what is trained: "full", everything; "frozen", only the head; "lora", low-rank changes and the head;
            "mix", the weights of ELMo's layers and a linear layer; "regression", a logistic regression, which is
            solved without steps.
        rank: of the low-rank changes, for "lora".
        augment: delete and swap a few words of each row, differently in each epoch, if each epoch reads the texts.
        hidden: share of the tokens hidden in each step, differently in each epoch, if words have labels.
        from_scratch: begin with random weights, to see what pre-training is worth.
        class_weight: "balanced", the rows of each label count as much together as those of any other; "", every row
            counts the same.
        seconds: longest training; None for no limit.
    """

    epochs: int = 3
    learning_rate: float = 1e-4
    batch_size: int = 16
    seed: int = 0
    validation_share: float = 0.2
    method: Method = "full"
    rank: int = 8
    augment: bool = False
    hidden: float = 0.0
    from_scratch: bool = False
    class_weight: str = ""
    seconds: float | None = None

    @property
    def reads_once(self) -> bool:
        """Whether the texts are read only once, before the training, because nothing below the head changes."""
        return self.method not in ("full", "lora")


@dataclass
class Course:
    """How a training went."""

    history: list[LossPoint] = field(default_factory=list)
    validations: list[ValidationPoint] = field(default_factory=list)
    kept_step: int = 0
    stopped: str = "done"  # "done", "stopped", "time"
