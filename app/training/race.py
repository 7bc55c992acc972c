"""A race: several starting points learn from the same rows, from a few of them and from all, several times each.

The rows kept back choose nothing: each training takes its steps, and its last weights are judged. It knows no catalog,
no visitor and no limits.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sklearn.metrics import accuracy_score, f1_score

from app.engine.runtime.loaded import Loaded
from app.results.tuning.race import Race, RacePoint, Racer
from app.training.labelled import Example, label_names, split, steps_per_epoch
from app.training.learners.gradient import numbers
from app.training.learners.learner import Learner, Vectors
from app.training.learners.start import learner_for
from app.training.plan import Plan

SIZES = (5, 10, 20, 50, 100)
DRAWS = 3
# A draw of nearly all rows would show the same as all of them.
NEARLY_ALL = 1.2
# Small draws get more passes: with fewer steps, a new head has hardly moved (Mosbach et al. 2021, arXiv 2006.04884).
# Steps of a head alone cost next to nothing.
FEWEST_STEPS, FEWEST_STEPS_OF_A_HEAD = 30, 200
# Called after each training and between steps; returning True ends the race and keeps what is finished.
Report = Callable[[Race], bool | None]


@dataclass(frozen=True)
class Entrant:
    """A starting point, loaded in its turn, and how it is trained; the race sets seed and epochs."""

    name: str
    load: Callable[[], Loaded]
    plan: Plan


def run_race(
    entrants: Sequence[Entrant], examples: Sequence[Example], share: float, seconds: float, report: Report
) -> Race:
    """Train one starting point after the other.

    Args:
        entrants: in the order of their turns.
        examples: with at least two different labels.
        share: of the rows, kept back to judge all entrants.
        seconds: maximum duration of the race.
        report: called with the state.
    """
    return _Course(entrants, examples, share, seconds, report).run()


def sizes_of(rows: int, labels: int) -> list[int]:
    """The numbers of examples to learn from; each has room for all labels, and the last is the number of all rows."""
    return [*(size for size in SIZES if labels <= size < rows / NEARLY_ALL), rows]


def drawn(rows: Sequence[Example], seed: int) -> list[Example]:
    """All rows in a random order in which any first part is a draw: each label has about its share of it.

    One row of each label comes first, so that no draw lacks a label.
    """
    order, by_label = list(rows), defaultdict(list)
    random.Random(seed).shuffle(order)
    for row in order:
        by_label[row.label].append(row)
    placed = [
        (place > 0, (place + 0.5) / len(mine), number, row)
        for number, mine in enumerate(by_label.values())
        for place, row in enumerate(mine)
    ]
    return [row for *_, row in sorted(placed, key=lambda one: one[:3])]


def plan_for(plan: Plan, rows: int, draw: int) -> Plan:
    """The plan for a number of rows: more passes over fewer rows, and its own seed for each draw."""
    fewest = FEWEST_STEPS_OF_A_HEAD if plan.reads_once else FEWEST_STEPS
    return replace(plan, seed=draw, epochs=max(plan.epochs, -(-fewest // steps_per_epoch(rows, plan.batch_size))))


class _Course:
    """A running race."""

    def __init__(
        self, entrants: Sequence[Entrant], examples: Sequence[Example], share: float, seconds: float, report: Report
    ) -> None:
        self.entrants, self.labels, self.report = entrants, label_names(examples), report
        self.train, self.kept_back = split(examples, share, 0)
        self.draws = [drawn(self.train, draw) for draw in range(DRAWS)]
        self.sizes = sizes_of(len(self.train), len(self.labels))
        self.true = numbers(self.labels, self.kept_back).tolist()
        most = Counter(self.true).most_common(1)[0][0]
        self.guessing = _macro_f1(self.true, [most] * len(self.true))
        self.started, self.seconds, self.ended = time.perf_counter(), seconds, ""
        self.racers: list[Racer] = []

    def run(self) -> Race:
        for entrant in self.entrants:
            if self._tell():
                break
            self._race(entrant)
        self.ended = self.ended or "done"
        return self._stand()

    def _race(self, entrant: Entrant) -> None:
        self.racers.append(Racer(entrant.name, entrant.plan.method))
        base, vectors, begun = entrant.load(), {}, time.perf_counter()
        for size in self.sizes:
            for draw, rows in enumerate(self.draws):
                learner = self._learn(entrant, base, rows[:size], draw, vectors)
                if self.ended:  # an unfinished training has no result
                    return
                self._judge(learner, size, draw, begun)
                if self._tell():
                    return

    def _learn(self, entrant: Entrant, base: Loaded, rows: Sequence[Example], draw: int, vectors: Vectors) -> Learner:
        plan = plan_for(entrant.plan, len(rows), draw)
        learner = learner_for(base, self.labels, plan, vectors)
        learner.learn(rows, [], plan, lambda _: self._tell())
        return learner

    def _judge(self, learner: Learner, size: int, draw: int, begun: float) -> None:
        answered = learner.probabilities(self.kept_back).argmax(dim=-1).tolist()
        made, racer = learner.finish(), self.racers[-1]
        point = RacePoint(size, draw, float(accuracy_score(self.true, answered)), _macro_f1(self.true, answered))
        self.racers[-1] = replace(
            racer,
            points=[*racer.points, point],
            trained_weights=made.trained,
            kept_bytes=made.bytes,
            seconds=time.perf_counter() - begun,
        )

    def _tell(self) -> bool:
        """Report the state; returns whether to end."""
        if self.report(self._stand()):
            self.ended = "stopped"
        elif time.perf_counter() - self.started > self.seconds:
            self.ended = "time"
        return bool(self.ended)

    def _stand(self) -> Race:
        trainings = len(self.sizes) * DRAWS
        return Race(
            sizes=self.sizes,
            kept_rows=len(self.kept_back),
            guessing=self.guessing,
            racers=[*self.racers],
            waiting=[entrant.name for entrant in self.entrants[len(self.racers) :]],
            done=sum(len(racer.points) for racer in self.racers),
            total=trainings * len(self.entrants),
            seconds=time.perf_counter() - self.started,
            ended=self.ended,
        )


def _macro_f1(true: Sequence[int], answered: Sequence[int]) -> float:
    return float(f1_score(true, answered, average="macro", zero_division=0))
