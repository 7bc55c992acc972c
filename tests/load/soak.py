"""A lesson that does not end: `python -m tests.load.soak --visitors 40 --minutes 15`, or `make soak`.

Visitors open the page, press its buttons, call the endpoints, sometimes train a model, close the page and come again.
Prints how many were answered and how fast, and every half minute the server's memory and threads. Exits with 1 if
something was not answered, or if memory or threads kept growing after the fifth minute (in a shorter run, after the
first third).
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from app.ui.texts import texts
from tests.load import lesson
from tests.load.page import Page
from tests.load.served import Served, bundled_environment, served

SECONDS_BETWEEN_LOOKS = 30.0
SETTLING_MINUTES = 5.0
MOST_GROWTH = 0.02
# Questions of one visit; one of so many visits trains a model.
ASKED_PER_VISIT, VISITS_PER_TRAINING = (5, 25), 20

# What a page says then; the code stands in what programs are told alone.
BUSY = [words for key, words in texts("errors")["en"].items() if key.split(".")[0] == "busy"]


def says_busy(told: str) -> bool:
    """Is this the sentence of a server that has no time?"""
    return any(re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(words)), told) for words in BUSY)


def percentile(seconds: list[float], share: float) -> float:
    """The time that so many of the questions stayed below."""
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * share))]


@dataclass(frozen=True)
class Look:
    """The server at one moment."""

    minutes: float
    megabytes: float
    threads: int
    cache_megabytes: float


@dataclass
class Record:
    """What all visitors met."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    busy: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    guard: threading.Lock = field(default_factory=threading.Lock)

    @property
    def count(self) -> int:
        """Questions so far."""
        return sum(map(len, self.seconds.values()))

    def note(self, what: str, seconds: float, told: str = "", busy: bool = False) -> None:
        """One question: what came in place of an answer is told; a full server is no error, but counted."""
        with self.guard:
            self.seconds[what].append(seconds)
            if busy:
                self.busy += 1
            elif told:
                self.errors[f"{what}: {told[:200]}"] += 1


class Visitor:
    """Comes and goes until told to stop.

    Args:
        app: the server.
        record: where what they met is noted.
        chance: theirs.
        stop: set when the lesson ends.
        pause: seconds between two questions on the average; people read what they are answered.
    """

    def __init__(self, app: Served, record: Record, chance: random.Random, stop: threading.Event, pause: float) -> None:
        self.app, self.record, self.chance, self.stop, self.pause = app, record, chance, stop, pause

    def come_and_go(self) -> None:
        """Visit after visit."""
        while not self.stop.is_set():
            with self.app.client(300) as client:
                try:
                    self.visit(client)
                except (httpx.HTTPError, KeyError, ValueError) as error:
                    self.record.note("connection", 0.0, f"{type(error).__name__}: {error}")

    def visit(self, client: httpx.Client) -> None:
        """Open the page, ask a few times, leave."""
        began = time.perf_counter()
        page = Page(self.app, client)
        page.open()
        self.record.note("page", time.perf_counter() - began)
        trains = self.chance.randrange(VISITS_PER_TRAINING) == 0
        for number in range(self.chance.randint(*ASKED_PER_VISIT)):
            if self.stop.wait(self.chance.expovariate(1 / self.pause) if self.pause else 0.0):
                break
            if trains and number == 2:
                self.ask(client, page, "fine_tune", lesson.arguments("fine_tune", self.chance))
            elif self.chance.random() < 0.4:
                self.press(page)
            else:
                self.ask(client, page, *lesson.call(self.chance))
        page.close()

    def ask(self, client: httpx.Client, page: Page, endpoint: str, arguments: list[object]) -> None:
        """One call of an endpoint."""
        began = time.perf_counter()
        answer = self.app.call(client, endpoint, arguments, page.session)
        self.record.note(f"/{endpoint}", time.perf_counter() - began, answer.told, answer.code == "busy")

    def press(self, page: Page) -> None:
        """One button."""
        pressed, written = lesson.button(self.chance)
        if not page.has(pressed):
            return
        if written:
            page.fill(written, lesson.masked(self.chance) if "mask" in written else lesson.sentence(self.chance))
        began = time.perf_counter()
        told = page.press(pressed)
        self.record.note(pressed, time.perf_counter() - began, told, says_busy(told))


def look(app: Served, began: float) -> Look:
    """The server now."""
    return Look(
        (time.monotonic() - began) / 60,
        app.megabytes,
        app.status("Threads"),
        app.health()["cache_bytes"] / 1e6,
    )


def hold(app: Served, visitors: int, minutes: float, pause: float, seed: int) -> tuple[Record, list[Look]]:
    """The lesson: what visitors met, and how the server was at the times it was looked at."""
    record, stop = Record(), threading.Event()
    people = [
        threading.Thread(target=Visitor(app, record, random.Random(f"{seed} {number}"), stop, pause).come_and_go)
        for number in range(visitors)
    ]
    began = time.monotonic()
    looks = [look(app, began)]
    for one in people:
        one.start()
    until = began + 60 * minutes
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, SECONDS_BETWEEN_LOOKS))
        looks.append(look(app, began))
        print(line(looks[-1], record), flush=True)
    stop.set()
    for one in people:
        one.join()
    return record, looks


def line(seen: Look, record: Record) -> str:
    """One look in words."""
    return (
        f"{seen.minutes:5.1f} min {seen.megabytes:7.0f} MB {seen.threads:4} threads, caches "
        f"{seen.cache_megabytes:.0f} MB; {record.count} asked, {sum(record.errors.values())} errors"
    )


def growth(looks: list[Look], minutes: float) -> tuple[float, int]:
    """How far memory (as a share) and threads went on growing once the lesson had settled.

    Of memory medians of three looks each, so that one garbage collection says nothing. Threads come and go with the
    load: they grew where the second half never had as few as the first had at most.
    """
    settled = min(SETTLING_MINUTES, minutes / 3)
    after = [one for one in looks if one.minutes >= settled] or looks
    first, last = after[:3], after[-3:]
    memory = [statistics.median(one.megabytes for one in some) for some in (first, last)]
    threads, middle = [one.threads for one in after], (len(after) + 1) // 2
    earlier, later = threads[:middle], threads[middle:] or threads
    return memory[1] / memory[0] - 1, max(0, min(later) - max(earlier))


def report(record: Record, looks: list[Look], minutes: float) -> bool:
    """Print what came of it; whether all is well."""
    everything = [one for some in record.seconds.values() for one in some]
    more, threads = growth(looks, minutes)
    print(f"\n{'':24}{'asked':>7}{'p50 s':>8}{'p95 s':>8}")
    for what, seconds in [*sorted(record.seconds.items()), ("all together", everything)]:
        print(f"{what:24}{len(seconds):7}{percentile(seconds, 0.5):8.2f}{percentile(seconds, 0.95):8.2f}")
    print(f"told that the server is busy: {record.busy}; errors: {sum(record.errors.values())}")
    for told, count in record.errors.most_common(20):
        print(f"  {count} x {told}")
    held = "holds" if more < MOST_GROWTH else "DOES NOT HOLD"
    print(f"memory {looks[0].megabytes:.0f} MB at first, {looks[-1].megabytes:.0f} MB in the end")
    print(f"growth after settling {more:+.1%}: under {MOST_GROWTH:.0%} {held}; threads {threads:+}")
    return not record.errors and more < MOST_GROWTH and threads <= 0


def main() -> int:
    """Start the app, hold the lesson, say how it went."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between two questions of a visitor")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with served(log, **bundled_environment()) as app:
            record, looks = hold(app, given.visitors, given.minutes, given.pause, given.seed)
            well = report(record, looks, given.minutes)
        if "Traceback" in log.read_text(encoding="utf-8", errors="replace"):
            print("a traceback stands in the log:\n" + log.read_text(encoding="utf-8", errors="replace")[-4000:])
            well = False
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
