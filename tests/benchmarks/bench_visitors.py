"""Requests a second of 32 visitors who ask for masked words at once, against the plain app in the same run.

`python -m tests.benchmarks.bench_visitors` prints ratios, ours to the plain app's, on the same random checkpoint of
BERT base's size: short texts that all differ, long ones that all differ, and one short text asked by everybody. The
two apps are loaded in turn, over raw HTTP, and medians are given. Needs the folder `shared` for the vocabulary.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.bench_fill_mask import TEXT, App, make_checkpoint, start

VISITORS = 32
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
}


def requests_a_second(app: App, question: Question, numbers: Iterator[int], seconds: float) -> float:
    """How many answers all visitors together got, each asking again as soon as it was answered."""
    ends = time.perf_counter() + seconds
    answered: list[float] = []

    def visit() -> None:
        while time.perf_counter() < ends:
            app.ask(question(next(numbers)))
            answered.append(time.perf_counter())

    began = time.perf_counter()
    visitors = [threading.Thread(target=visit) for _ in range(VISITORS)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    return len(answered) / (max(answered) - began)


def main() -> None:
    """Load both in turn and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15.0, help="of each load")
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
                    compare(kind, aim, lambda app, ask=question: requests_a_second(
                        app, ask, itertools.count(1), arguments.seconds
                    ), plain, ours, arguments.rounds)  # fmt: skip
        finally:
            plain.process.terminate()
            ours.process.terminate()


def compare(kind: str, aim: str, load: Callable[[App], float], plain: App, ours: App, rounds: int) -> None:
    """Load the two in turn and print one line."""
    rates: dict[str, list[float]] = {"plain": [], "ours": []}
    for _ in range(rounds):
        for name, app in (("plain", plain), ("ours", ours)):
            rates[name].append(load(app))
    pairs = [mine / theirs for mine, theirs in zip(rates["ours"], rates["plain"], strict=True)]
    middle = {name: statistics.median(values) for name, values in rates.items()}
    print(
        f"{kind:26} ours {middle['ours']:6.2f}/s plain {middle['plain']:6.2f}/s ratio {statistics.median(pairs):5.2f} "
        f"({min(pairs):.2f} to {max(pairs):.2f})  {aim}",
        flush=True,
    )


if __name__ == "__main__":
    main()
