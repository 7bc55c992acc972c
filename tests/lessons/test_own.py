"""A visitor's own lesson: what is kept and for whom, changes, refusals, and notes of the models' answers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.errors import PlaygroundError
from app.lessons import own as module
from app.lessons.check import faults_in
from app.lessons.observe import check_own, with_notes
from app.lessons.own import MOST_BYTES, SLUG, OwnLessons, as_file, changed, from_file, lesson_by
from app.lessons.read import FOLDER, read_file
from app.lessons.shape import LANGUAGES, LONGEST_TEXT, MOST_STEPS
from app.ui.texts import texts
from app.views.lessons import draw_bar
from app.views.own_lesson import draw_checked, draw_own
from app.visits import Visits
from demos.lessons import ROUTES

MARKUP = "</textarea><i>x</i>\"'"
BLANK = {"add": "fill_mask", "fields": {"text": "The church was built in the 12th [MASK].", "model": "bert-mini"}}
PAIR = {"add": "sentence_pair", "fields": {"first": "I see.", "second": "I see it.", "model": "bert-mini"}}


@pytest.fixture
def visits() -> Visits:
    """Of this test."""
    return Visits(3_600)


@pytest.fixture
def own(visits: Visits) -> OwnLessons:
    """None made."""
    return OwnLessons(visits)


def made(own: OwnLessons, *wishes: dict[str, Any], visit: str = "a") -> dict[str, Any]:
    """The lesson in English after these wishes, none of which is refused."""
    for wish in wishes:
        assert own.wish(visit, "en", wish) == []
    told = own.get(visit)
    assert told is not None
    return told["en"]


def test_steps_are_kept_written_moved_and_removed(own: OwnLessons) -> None:
    lesson = made(
        own, BLANK, PAIR, {"edit": "title", "value": "Mine"},
        {"edit": "question", "value": "Which?", "step": 0}, {"edit": "next", "value": "Why?", "step": 0},
        {"edit": "minutes", "value": 7, "step": 0}, {"edit": "short", "value": True, "step": 0},
        {"edit": "choices", "value": " a \n\nb\na", "step": 0}, {"move": 0, "by": 1},
    )  # fmt: skip
    assert [step["tab"] for step in lesson["steps"]] == ["sentence_pair", "fill_mask"] and lesson["title"] == "Mine"
    step = lesson["steps"][1]
    assert step["teacher"] == {"minutes": 7, "wrong": "", "next": "Why?"} and step["short"] is True
    assert (step["question"], step["choices"]) == ("Which?", {"a": {}, "b": {}})
    assert [step["tab"] for step in made(own, {"remove": 0})["steps"]] == ["fill_mask"]


def test_a_choice_that_stays_keeps_what_it_says_of_the_models() -> None:
    told = read_file(FOLDER / "the_blank.json")
    before = told["en"]["steps"][3]["choices"]
    after = changed(told, "en", {"edit": "choices", "value": "\n".join([*before, "Perhaps"]), "step": 3})
    assert after is not None and after["en"]["steps"][3]["choices"] == {**before, "Perhaps": {}}
    assert after["zh-CN"] == told["zh-CN"]


def test_the_right_choice_is_marked_and_stays_so_when_the_form_is_drawn_again(own: OwnLessons) -> None:
    made(own, BLANK)
    assert not own.wish("a", "en", {"edit": "choices", "value": "Rome\n * Paris\nLima\n\n", "step": 0})
    (step, *_) = lesson_by(SLUG, "en", "a", own).steps
    assert list(step.choices) == ["Rome", "Paris", "Lima"] and step.right == "Paris"
    form = draw_own(lesson_by(SLUG, "en", "a", own), {}, {"lang": "en"}, texts("lessons")["en"], (10, 10, 10))
    shown = re.search(r'name="choices"[^>]*>(.*?)</textarea>', form, re.DOTALL)[1]
    assert shown.splitlines() == ["Rome", "* Paris", "Lima"]
    assert not own.wish("a", "en", {"edit": "choices", "value": shown.replace("* ", ""), "step": 0})
    assert lesson_by(SLUG, "en", "a", own).steps[0].right == ""


def test_a_right_answer_that_is_no_choice_is_found(own: OwnLessons) -> None:
    step = {**made(own, BLANK)["steps"][0], "question": "?", "choices": {"a": {}, "b": {}}, "answer": "c"}
    lesson = {"en": {"title": "x", "about": "y", "steps": [step]}}
    assert [fault.key for fault in faults_in(lesson, SLUG, own=True)] == ["answer"]


@pytest.mark.parametrize(
    "wish",
    [
        {}, {"edit": "title", "value": 3}, {"edit": "question", "value": "x", "step": 9}, {"move": 0, "by": -1},
        {"edit": "minutes", "value": 10**9, "step": 0}, {"edit": "minutes", "value": "7", "step": 0},
        {"edit": "colour", "value": "red", "step": 0}, {"remove": 5}, {"add": 3, "fields": {}},
        {"add": "fill_mask", "fields": {"text": 3}}, {"add": "fill_mask", "fields": {"text": "x" * 10_000}},
        {"edit": "question", "value": "x" * (LONGEST_TEXT + 1), "step": 0}, {"add": "fill_mask", "fields": []},
    ],
    ids=str,
)  # fmt: skip
def test_what_makes_no_sense_changes_nothing(own: OwnLessons, wish: dict[str, Any]) -> None:
    before = made(own, BLANK)
    assert own.wish("a", "en", wish) and own.get("a") == {"en": before}


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", "3", "{", "{}", '{"en": 3}', '{"en": {}}', '{"fr": {}}',
        '{"en": {"title": "", "about": "", "steps": 3}}',
        '{"en": {"title": "", "about": "", "steps": [], "x": 1}}', "[" * 100_000, "9" * 5_000,
        '{"en": {"title": "\\ud800", "about": "", "steps": []}}',
        json.dumps({"en": {"title": "", "about": "", "steps": [{}] * (MOST_STEPS + 1)}}),
        json.dumps({"en": {"title": "", "about": "", "steps": [{"teacher": [], "choices": {"a": 1}}]}}),
    ],
    ids=lambda content: content[:40],
)  # fmt: skip
def test_a_file_that_is_no_lesson_is_refused_in_both_languages(own: OwnLessons, content: str) -> None:
    found = own.wish("a", "en", {"open": content})
    assert found and own.get("a") is None
    for language in LANGUAGES:
        assert all(fault.sentence(texts("lesson_faults")[language]) for fault in found)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_the_lessons_of_the_playground_can_be_opened_and_saved(own: OwnLessons, path: Any) -> None:
    assert own.wish("a", "en", {"open": path.read_text(encoding="utf-8")}) == []
    told = own.get("a")
    assert told is not None and from_file(as_file(told).decode())[0] == read_file(path)


def test_a_lesson_is_its_visits_and_goes_with_it(own: OwnLessons, visits: Visits) -> None:
    made(own, BLANK)
    assert lesson_by(SLUG, "zh-CN", "a", own) is not None, "in the language that it has"
    assert own.get("b") is None and lesson_by(SLUG, "en", "", own) is None
    visits.end("a")
    assert own.get("a") is None


def test_there_are_limits(own: OwnLessons, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LESSONS", 1)
    made(own, BLANK, PAIR)
    for visit, told, code in (("b", {}, "busy"), ("", {}, "bad_value"), ("a", {"x": "y" * MOST_BYTES}, "too_long")):
        with pytest.raises(PlaygroundError) as refused:
            own.keep(visit, told)
        assert refused.value.code == code
    own.wish("a", "en", {"forget": True})
    made(own, BLANK, visit="b")


def test_what_a_model_answers_is_noted_and_told_where_it_differs(own: OwnLessons) -> None:
    write = [{"edit": "question", "value": "Which?", "step": at} for at in range(3)]
    made(own, BLANK, PAIR, {"add": "models", "fields": {}}, {"edit": "title", "value": "Mine"}, *write)
    assert check_own(own, "a") == ([], 2, 3)
    steps = made(own)["steps"]
    assert steps[0]["promise"] == {"first": "century", "of": "bert-mini"} and "promise" not in steps[2]
    elsewhere = {**steps[0], "promise": {"first": "banana", "of": "bert-mini"}}
    own.keep("a", {"en": {**made(own), "steps": [elsewhere]}})
    ((fault,), asked, count) = check_own(own, "a")
    assert (fault.key, asked, count) == ("changed", 1, 1) and "banana" in fault.sentence(texts("lesson_faults")["en"])


def test_a_note_is_not_made_for_what_was_changed_meanwhile() -> None:
    step = {"tab": "fill_mask", "fields": {"text": "A [MASK]."}, "promise": {}}
    other = {"tab": "fill_mask", "fields": {"text": "The [MASK]."}}
    found = {("fill_mask", json.dumps(step["fields"])): {"first": "dog"}}
    noted = with_notes({"en": {"steps": [step, other]}, "order": 3}, found)
    assert noted["en"]["steps"] == [{**step, "promise": {"first": "dog"}}, other]


@pytest.mark.parametrize(
    "promise",
    [
        {"learns": ["opinions", "bert-mini"]},
        {"weights": 3},
        {"among": "x"},
        {"first": []},
        {"label": {}},
        {"stranger": 1},
    ],
    ids=str,
)
def test_a_promise_of_a_strangers_file_does_no_harm(promise: dict[str, Any]) -> None:
    step = {**module.UNWRITTEN, "tab": "fill_mask", "fields": BLANK["fields"], "question": "Q", "promise": promise}
    for fault in faults_in({"en": {"title": "x", "about": "", "steps": [step]}}, SLUG, own=True):
        assert fault.key in ("changed", "unasked"), fault


def test_everything_is_escaped(own: OwnLessons) -> None:
    keys = ("question", "reveal", "wrong", "next", "published", "choices")
    write = [{"edit": key, "value": MARKUP, "step": 0} for key in keys]
    about = [{"edit": key, "value": MARKUP} for key in ("title", "about")]
    made(own, {"add": MARKUP, "fields": {"text": MARKUP, "model": MARKUP, MARKUP: MARKUP}}, *write, *about)
    lesson, labels = lesson_by(SLUG, "en", "a", own), texts("lessons")["en"]
    assert lesson is not None
    kept = {"lang": "en"}
    drawn = draw_own(lesson, {}, kept, labels, (9, 9, 9)) + draw_bar(lesson, 1, {**kept, "notes": "1"}, labels)
    found = [fault.sentence(texts("lesson_faults")["en"]) for fault in faults_in(own.get("a") or {}, SLUG, own=True)]
    drawn += draw_checked(found, 0, 0, labels)
    assert "<i>" not in drawn and drawn.count("&lt;i&gt;") >= 12


@pytest.fixture
def client() -> TestClient:
    """A browser that keeps no cookies of its own, at the addresses of the lessons."""
    return TestClient(Starlette(routes=ROUTES))


def test_a_lesson_of_a_visit_is_asked_for_like_the_others(client: TestClient) -> None:
    mine, other = {"Cookie": "visit=mine"}, {"Cookie": "visit=another"}
    write = [{"edit": key, "value": value, "step": 0} for key, value in (("question", "Which?"), ("choices", "a\nb"))]
    for wish in (BLANK, *write):
        assert client.post("/own-lesson?lang=en", json=wish, headers=mine).json()["done"]
    file = client.get("/own-lesson.json", headers=mine)
    assert file.json()["en"]["steps"][0]["question"] == "Which?" and "attachment" in file.headers["content-disposition"]
    for way in ("lesson?lesson=own&step=1&lang=en", "worksheet?lesson=own&lang=zh-CN"):
        assert "Which?" in client.get(f"/{way}", headers=mine).text
        assert "Which?" not in client.get(f"/{way}", headers=other).text
    told = {"lesson": "own", "step": "1", "at": "http://localhost/"}
    room = client.post("/class?lang=en", json=told, headers=mine).json()
    shown = client.get(f"/c/{room['code']}/question").json()
    assert (shown["question"], shown["choices"]) == ("Which?", ["a", "b"])
    assert client.get("/own-lesson.json", headers=other).status_code == 404
    assert not client.post("/own-lesson?lang=en", json={"remove": 0}, headers=other).json()["done"]
    client.post("/own-lesson?lang=en", json={"forget": True}, headers=mine)
    assert client.get("/own-lesson.json", headers=mine).status_code == 404


def test_what_cannot_be_kept_is_said(client: TestClient) -> None:
    told = client.post("/own-lesson?lang=zh-CN", json=BLANK).json()
    assert not told["done"] and texts("errors")["zh-CN"]["bad_value.cookies"] in told["said"]
    mine = {"Cookie": "visit=large"}
    for body, headers in (({"open": "x" * 500_000}, {}), (BLANK, {"Content-Type": "text/plain"}), ([1], {})):
        sent = {"Content-Type": "application/json", **mine, **headers}
        answer = client.post("/own-lesson?lang=en", content=json.dumps(body), headers=sent)
        assert not answer.json()["done"]
    assert client.get("/own-lesson.json", headers=mine).status_code == 404
