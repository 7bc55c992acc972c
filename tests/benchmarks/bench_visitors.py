"""Requests per second of 32 visitors who ask for masked words at once, against the plain app in the same run.

`python -m tests.benchmarks.bench_visitors` prints ratios of ours to the plain app's, with the same random checkpoint of
BERT base's size: different short texts, different long ones, and one short text that everybody sends, either a
visitor's own or an example of the page, whose answer is kept. The two apps are loaded alternately, over raw HTTP, and
medians are given. Beside the requests per second is the CPU time per answer, which is also valid on a busy machine.
Needs the folder `shared` for the vocabulary.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.bench_fill_mask import TEXT, App, make_checkpoint, start

VISITORS = 32
EXAMPLE = "She was the mother of two [MASK]."
# Text of a visitor's next question, by its number.
Question = Callable[[int], str]
WORDS = TEXT.replace("[MASK] ", "").rstrip(".").split()


def words(count: int) -> Question:
    """Texts of so many words in an order of their own, all of them one piece each."""

    def text(number: int) -> str:
        mixed = random.Random(number)
        chosen = [mixed.choice(WORDS).lower() for _ in range(count)]
        chosen[mixed.randrange(count)] = "[MASK]"
        return " ".join(chosen) + "."

    return text


KINDS: dict[str, tuple[Question, str]] = {
    "20 tokens, all different": (words(17), "at least 4"),
    "200 tokens, all different": (words(197), "at least 2"),
    "20 tokens, the same": (lambda number: TEXT, "at least 15"),
    "an example of the page": (lambda number: EXAMPLE, "at least 15"),
}


@dataclass(frozen=True)
class Load:
    """What one app did under the load of all visitors."""

    rate: float  # answers a second
    cpu: float  # the app's own CPU seconds an answer, which other programs on the machine change less
    p95: float  # seconds in which 95 answers in 100 were there


def load(app: App, question: Question, asked: int) -> Load:
    """All visitors together, each asking again as soon as it was answered, so many times."""
    numbers = itertools.count(1)

    took: list[float] = []

    def visit() -> None:
        for _ in range(asked):
            asked_at = time.perf_counter()
            app.ask(question(next(numbers)))
            took.append(time.perf_counter() - asked_at)

    began, cpu = time.perf_counter(), cpu_seconds(app)
    visitors = [threading.Thread(target=visit) for _ in range(VISITORS)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    answers = VISITORS * asked
    rate = answers / (time.perf_counter() - began)
    return Load(rate, (cpu_seconds(app) - cpu) / answers, p95(took))


def p95(values: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(values, n=20)[-1]


def cpu_seconds(app: App) -> float:
    """Of all threads of an app since its start."""
    fields = Path(f"/proc/{app.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def compare(kind: str, aim: str, question: Question, plain: App, ours: App, arguments: argparse.Namespace) -> None:
    """Load the two in turn and print one line."""
    rounds = [
        (load(plain, question, arguments.asked), load(ours, question, arguments.asked)) for _ in range(arguments.rounds)
    ]
    theirs, mine = (statistics.median(pair[at].rate for pair in rounds) for at in (0, 1))
    faster = [ours.rate / plain.rate for plain, ours in rounds]
    cheaper = [plain.cpu / ours.cpu for plain, ours in rounds]
    cost = 1000 * statistics.median(ours.cpu for _, ours in rounds)
    print(
        f"{kind:25} ours {mine:6.2f}/s plain {theirs:6.2f}/s ratio {statistics.median(faster):5.2f} "
        f"({min(faster):.2f} to {max(faster):.2f}), {aim}; by CPU {statistics.median(cheaper):5.2f} "
        f"({min(cheaper):.2f} to {max(cheaper):.2f}), {cost:.0f} ms an answer",
        flush=True,
    )


def main() -> None:
    """Load both in turn and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--asked", type=int, default=6, help="questions of each visitor")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kind", default="", help="only those whose name has this in it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make_checkpoint(Path(folder))
        plain = start(["tests/benchmarks/plain_app.py", str(Path(folder) / "bert-mini")], "predict", [TEXT])
        ours = start(["app.py"], "fill_mask", [TEXT, "bert-mini", 5, []], PLAYGROUND_MODELS=folder)
        try:
            for kind, (question, aim) in KINDS.items():
                if arguments.kind in kind:
                    compare(kind, aim, question, plain, ours, arguments)
        finally:
            plain.process.terminate()
            ours.process.terminate()


if __name__ == "__main__":
    main()
