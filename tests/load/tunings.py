"""Fine-tunings of mixed kinds in a row: `python -m tests.load.tunings --count 20`, or `make tunings`.

One visitor trains on texts, pairs and labels of words, from every kind of starting point; the kept models make room for
each other. Prints the memory after each training, and how much of it the kept models take. Exits with 1 if the rest
kept growing between the fifth training and the last, or if models that made room are still in memory.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from app.engine.runtime.visitor_models import visitor_models
from app.settings import settings
from app.tasks.fine_tune import runs as visit_runs
from app.tasks.fine_tune.rows import Options
from app.ui.serving.trim import trimmer
from app.visits import visits

VISITOR = "tunings"
SETTLED = 5
# The lowest of the last trainings counts: what the allocator keeps for a while comes and goes.
LAST, MOST_GROWTH = 5, 0.05
# Starting point and kind of rows; all that have weights are loaded by the fifth training.
MIXED = (
    ("bert-mini", "tags"),
    ("minilm-l6", "pair"),
    ("gpt2-mini", "text"),
    ("elmo-mini", "text"),
    ("word-vectors-mini", "text"),
    ("bag-of-words", "text"),
    ("bert-mini", "text"),
    ("minilm-l6", "tags"),
    ("bert-mini", "pair"),
    ("minilm-l6", "text"),
)
METHODS = {"elmo-mini": "mix", "word-vectors-mini": "regression", "bag-of-words": "regression"}
WORDS = ("warm", "cold", "bright", "dull", "quick", "slow")


def rows_of(kind: str, count: int = 12) -> list[dict[str, Any]]:
    """Small rows of a kind."""
    texts = [f"the {WORDS[index % 6]} day number {index}" for index in range(count)]
    if kind == "tags":
        return [{"text": f"[Ada](person) saw {text} in [Lima](place)"} for text in texts]
    rows = [{"text": text, "label": "good" if index % 2 else "bad"} for index, text in enumerate(texts)]
    return [{**row, "text_pair": "it was so"} for row in rows] if kind == "pair" else rows


@dataclass
class Trained:
    """What one training left.

    Attributes:
        name: of the model.
        start: starting point and kind.
        megabytes: resident memory afterwards.
        kept: of that, the visitor's models.
        model: whether it is still there.
    """

    name: str
    start: str
    megabytes: float
    kept: float
    model: weakref.ref[Any] = field(repr=False)

    @property
    def rest(self) -> float:
        """Memory without the visitor's models."""
        return self.megabytes - self.kept


def train_in_a_row(count: int, mixed: Sequence[tuple[str, str]] = MIXED) -> Iterator[Trained]:
    """So many trainings of one visitor.

    Args:
        count: how many.
        mixed: starting points and kinds, again and again in this order.
    """
    for start, kind in islice(cycle(mixed), count):
        options = Options(epochs=1, learning_rate=1e-3, method=METHODS.get(start, "full"))
        *_, run = visit_runs.start_tuning(rows_of(kind), start, options, VISITOR)
        name = run.result.name
        model = visitor_models().get(VISITOR, name).model
        gone, made = weakref.ref(model), f"{start}, {kind}"
        del run, model
        collect()
        yield Trained(name, made, resident(), kept_megabytes(), gone)


def collect() -> None:
    """Let go of what nobody holds, and give it back to the system as the server does again and again."""
    gc.collect()
    trim = trimmer()
    if trim is not None:
        trim()


def kept_megabytes() -> float:
    """What the visitor's models take."""
    names = visitor_models().names(VISITOR)
    return sum(visitor_models().get(VISITOR, name).bytes for name in names) / 1e6


def resident() -> float:
    """Memory of this process, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def left_over(trained: list[Trained]) -> list[str]:
    """Models that made room and are still in memory."""
    gc.collect()
    kept = {*visitor_models().names(VISITOR)}
    return [one.name for one in trained if one.name not in kept and one.model() is not None]


def main() -> int:
    """Train, print, judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.tunings", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20)
    given = parser.parse_args()
    from app.engine.answer_registry import answer_registry
    from app.tasks.fine_tune.starting import starting_points

    answer_registry()
    settings()
    trained: list[Trained] = []
    here = {point.name for point in starting_points()}
    for one in train_in_a_row(given.count, [one for one in MIXED if one[0] in here]):
        trained.append(one)
        print(f"{len(trained):3} {one.megabytes:7.0f} MB, {one.kept:5.0f} of them models  {one.start}", flush=True)
    remaining = left_over(trained)
    first, last = trained[min(SETTLED, len(trained)) - 1].rest, min(one.rest for one in trained[-LAST:])
    growth = last / first - 1
    held = "holds" if growth < MOST_GROWTH else "DOES NOT HOLD"
    print(f"beside the models {first:.0f} MB after {SETTLED}, {last:.0f} MB after {len(trained)}")
    print(f"growth {growth:+.1%}: under {MOST_GROWTH:.0%} {held}")
    print(f"models that made room and are still there: {', '.join(remaining) or 'none'}")
    visits().end(VISITOR)
    return 0 if growth < MOST_GROWTH and not remaining else 1


if __name__ == "__main__":
    sys.exit(main())
