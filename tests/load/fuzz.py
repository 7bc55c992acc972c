"""Odd inputs for every endpoint: `python -m tests.load.fuzz --inputs 20000`, or `make fuzz`.

Every input must end in an answer or in one of the contract's refusals, within two minutes. Anything else is printed
with its number: a status of 500 and above, a library's own message, a stream that breaks off, no end at all; finally
also a traceback or a visitor's text in the log, and requests that the server still counts as running.
`--only 17` sends that one again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.load.odd_inputs import MARK, Odd, odd_input
from tests.load.served import Answer, Served, bundled_environment, served

AT_ONCE = 4
SECONDS_TO_ANSWER = 120.0
# Where no endpoint takes a body, HTTP itself says so.
NOT_TAKEN = (400, 404, 405, 413, 422)
# An answer must stay what it was though odd inputs came before.
SANE = ["The dog ran to the [MASK].", "bert-mini", 3, []]


@dataclass
class Findings:
    """What did not end as it should."""

    ended: Counter[str] = field(default_factory=Counter)
    found: dict[str, list[int]] = field(default_factory=dict)
    slowest: tuple[float, int] = (0.0, -1)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def note(self, odd: Odd, answer: Answer, seconds: float) -> None:
        """How one ended."""
        with self.guard:
            self.slowest = max(self.slowest, (seconds, odd.number))
            if wrong := what_is_wrong(answer, seconds):
                self.found.setdefault(f"/{odd.endpoint}: {wrong}", []).append(odd.number)
                self.ended["wrongly"] += 1
            else:
                self.ended[answer.code or (f"HTTP {answer.status}" if answer.told else "answered")] += 1


def what_is_wrong(answer: Answer, seconds: float = 0.0) -> str:
    """Nothing, where it is an answer, a refusal of the contract, or no call at all."""
    if answer.status >= 500 and not answer.code:
        return answer.told[:200]
    if seconds > SECONDS_TO_ANSWER:
        return "took too long"
    if answer.status in NOT_TAKEN or answer.fair:
        return "the log's words in the answer" if "Traceback" in answer.told else ""
    return answer.told[:200]


def send_all(app: Served, numbers: list[int], seed: int, findings: Findings, told: bool = True) -> None:
    """Send them, a few at a time."""
    left, done = iter(numbers), itertools.count(1)
    guard = threading.Lock()

    def send() -> None:
        with app.client(SECONDS_TO_ANSWER) as client:
            while True:
                with guard:
                    number = next(left, None)
                if number is None:
                    return
                _send_one(app, client, odd_input(seed, number), findings)
                if told and (count := next(done)) % 500 == 0:
                    print(f"{count} of {len(numbers)}, {sum(map(len, findings.found.values()))} findings", flush=True)

    senders = [threading.Thread(target=send) for _ in range(min(AT_ONCE, len(numbers)))]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()


def _send_one(app: Served, client: httpx.Client, odd: Odd, findings: Findings) -> None:
    began = time.perf_counter()
    try:
        answer = app.send(client, odd.endpoint, odd.body)
    except httpx.HTTPError as error:
        answer = Answer(599, told=f"{type(error).__name__}: {error}")
    findings.note(odd, answer, time.perf_counter() - began)


def look_afterwards(app: Served, findings: Findings) -> None:
    """The server after all of it: alive, idle, its log clean."""
    until = time.monotonic() + SECONDS_TO_ANSWER
    while (health := app.health())["running"] or health["waiting"]:
        if time.monotonic() > until:
            findings.found["requests are still counted as running"] = [health["running"]]
            break
        time.sleep(0.2)
    with app.client() as client:
        if app.call(client, "fill_mask", SANE).told:
            findings.found["an ordinary question is not answered any more"] = [-1]
    said = app.said()
    if "Traceback" in said:
        findings.found["a traceback in the log: " + said[said.index("Traceback") :][:3000]] = [-1]
    if MARK in said:
        findings.found["a visitor's text in the log: " + said[max(0, said.index(MARK) - 500) :][:1000]] = [-1]


def report(findings: Findings) -> bool:
    """Print what came of it; whether all is well."""
    print("\n" + ", ".join(f"{count} {how}" for how, count in findings.ended.most_common()))
    print(f"slowest: {findings.slowest[0]:.1f} s, number {findings.slowest[1]}")
    for wrong, numbers in sorted(findings.found.items(), key=lambda item: -len(item[1])):
        print(f"{len(numbers)} x {wrong}   (numbers {', '.join(map(str, numbers[:5]))})")
    print(f"{sum(map(len, findings.found.values()))} findings")
    return not findings.found


def main() -> int:
    """Start the app, send all, say what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, default=None, help="send this one alone and print it")
    given = parser.parse_args()
    findings = Findings()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "log", ready=False, **bundled_environment() | {"PLAYGROUND_WARM": "0"}) as app,
    ):
        if given.only is None:
            send_all(app, [*range(given.inputs)], given.seed, findings)
        else:
            odd = odd_input(given.seed, given.only)
            print(odd.endpoint, json.dumps(odd.body.decode("utf-8", "replace")[:2_000]))
            send_all(app, [given.only], given.seed, findings)
        look_afterwards(app, findings)
    return 0 if report(findings) else 1


if __name__ == "__main__":
    sys.exit(main())
