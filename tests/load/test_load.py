"""Short forms of the load programs: a few visits, a few hundred odd inputs, and typical faults of real machines."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest

from tests.load import damaged_files, faults, lesson, silent_clients
from tests.load.fault_bench import Bench
from tests.load.fuzz import Findings, look_afterwards, send_all, what_is_wrong
from tests.load.odd_inputs import odd_input
from tests.load.served import Answer, Served, served
from tests.load.soak import Look, Record, Visitor, growth, report

VISITS, ODD_INPUTS, CONNECTIONS = 4, 300, 200


@pytest.fixture(scope="module")
def app(tiny_models: Path, tmp_path_factory: pytest.TempPathFactory):
    """The app over tiny checkpoints."""
    with served(tmp_path_factory.mktemp("load") / "log", tiny_models) as running:
        yield running


def test_visitors_come_ask_and_go(app: Served) -> None:
    record = Record()
    visitors = [Visitor(app, record, random.Random(number), threading.Event(), pause=0.0) for number in range(VISITS)]

    def visit(visitor: Visitor) -> None:
        with app.client() as client:
            visitor.visit(client)

    people = [threading.Thread(target=visit, args=[visitor]) for visitor in visitors]
    for one in people:
        one.start()
    for one in people:
        one.join()
    assert record.errors == {}
    assert len(record.seconds["page"]) == VISITS
    asked = record.seconds.keys()
    assert any(what.startswith("/") for what in asked) and any(what in lesson.BUTTONS for what in asked)
    assert "Traceback" not in app.said()


def test_odd_inputs_end_in_answers_or_refusals(app: Served) -> None:
    findings = Findings()
    send_all(app, [*range(ODD_INPUTS)], 0, findings, told=False)
    look_afterwards(app, findings)
    assert findings.found == {}
    assert sum(findings.ended.values()) == ODD_INPUTS and findings.ended["bad_value"] > 0


def test_an_odd_input_is_the_same_again() -> None:
    assert odd_input(3, 17) == odd_input(3, 17) != odd_input(3, 18)
    assert len({odd_input(0, number).endpoint for number in range(300)}) > len(lesson.SHARES)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(500, told="HTTP 500 b'Internal Server Error'"),
        Answer(200, told="int too large to convert to float"),
        Answer(200, told="no end at all"),
        Answer(200, told="One sentence. (made_up)"),
        Answer(404, told="Traceback (most recent call last)"),
    ],
)
def test_what_is_no_answer_of_the_contract_is_found(answer: Answer) -> None:
    assert what_is_wrong(answer)


def test_answers_and_refusals_are_fair() -> None:
    for answer in (Answer(200, data={}), Answer(200, told="Please write a text. (empty_text)"), Answer(422, told="x")):
        assert what_is_wrong(answer) == ""
    assert what_is_wrong(Answer(200, data={}), seconds=10_000) == "took too long"


def test_growth_is_what_comes_after_settling(capsys: pytest.CaptureFixture) -> None:
    looks = [Look(minute, 1000 + 200 * min(minute, 5), 10, 0) for minute in range(16)]
    assert growth(looks, 15) == (0, 0)
    record = Record()
    record.note("page", 0.1)
    assert report(record, looks, 15)
    leaking = [Look(minute, 1000 + 10 * minute, 10 + minute, 0) for minute in range(16)]
    more, threads = growth(leaking, 15)
    assert more > 0.02 and threads > 0 and not report(record, leaking, 15)
    assert "DOES NOT HOLD" in capsys.readouterr().out


@pytest.mark.parametrize("hold", [silent_clients.hold_idle, silent_clients.hold_half, silent_clients.hold_unread])
def test_others_are_answered_meanwhile(app: Served, hold) -> None:
    hold(app, CONNECTIONS if hold is silent_clients.hold_idle else CONNECTIONS // 10)


@pytest.mark.parametrize("name", ["sigkill_amid_writing"])
def test_what_was_killed_starts_again(tiny_models: Path, name: str) -> None:
    assert faults.run(name, tiny_models) == ""


def test_a_damaged_checkpoint_is_refused_and_others_answer(tiny_models: Path, tmp_path: Path) -> None:
    damaged_files.corrupt_bundle(Bench(tmp_path, tiny_models), ["cut"])
