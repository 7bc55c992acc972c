"""The lessons tab and its bar: links that carry a step, notes, escaping, missing steps."""

from __future__ import annotations

import re
from html import unescape
from re import findall
from urllib.parse import parse_qs, urlsplit

import gradio as gr
import pytest
from starlette.requests import Request

from app.lessons.read import lessons
from app.results.lessons import Lesson, Step, Teacher
from app.ui.lessons import kept_of
from app.ui.serving.scripts import SCRIPT
from app.ui.texts import LANGUAGES, texts
from app.views.lessons import draw_bar, draw_lessons
from demos import lessons as demo

MARKUP = "<i>x</i>"
ONE = Lesson(
    MARKUP,
    MARKUP,
    MARKUP,
    (Step(MARKUP, {"text": MARKUP}, MARKUP, MARKUP, Teacher(7, MARKUP, MARKUP), {}, MARKUP, True, {MARKUP: {}}),),
)


def bar(**query: str) -> tuple[int, str]:
    """Status and text of the address that draws the bar."""
    asked = "&".join(f"{key}={value}" for key, value in query.items())
    answer = demo.on_step(Request({"type": "http", "query_string": asked.encode(), "headers": []}))
    return answer.status_code, answer.body.decode()


def links(drawn: str) -> list[dict[str, str]]:
    """The queries of all links."""
    addresses = [unescape(link) for link in findall(r"href='([^']*)'", drawn)]
    return [{key: value[0] for key, value in parse_qs(urlsplit(link).query).items()} for link in addresses]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_lessons_are_listed_with_their_ways_to_begin(language: str) -> None:
    drawn, _ = demo.on_open(gr.Request(query_params={"lang": language, "class": "1", "text": "old"}, headers={}))
    assert drawn.count("<article") == 8
    begun = [link for link in links(drawn) if "step" in link]
    steps = sum(len(lesson.steps) for lesson in lessons(language).values())
    assert len(begun) == steps + 16 and all(link["lang"] == language and link["class"] == "1" for link in begun)
    assert sum("short" in link for link in begun) == 8
    assert all(lesson.steps[0].teacher.wrong in unescape(drawn) for lesson in lessons(language).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_leads_to_the_steps_beside_it(language: str) -> None:
    lesson = lessons(language)["the_blank"]
    status, drawn = bar(lesson="the_blank", step="2", lang=language)
    assert status == 200 and lesson.steps[1].question in unescape(drawn)
    before, after = (link for link in links(drawn) if link.get("step") in ("1", "3"))
    for link, number in ((before, 1), (after, 3)):
        step = lesson.steps[number - 1]
        assert link == {
            "tab": step.tab, **step.fields, "run": "1", "lesson": "the_blank", "step": str(number), "lang": language,
        }  # fmt: skip
    assert texts("lessons")[language]["wrong"] not in drawn
    _, noted = bar(lesson="the_blank", step="2", lang=language, notes="1")
    assert lesson.steps[1].teacher.next in unescape(noted)


def test_the_short_form_leaves_steps_out() -> None:
    _, drawn = bar(lesson="masking", step="2", short="1", **{"class": "1"})
    others = [link for link in links(drawn) if link.get("step", "2") != "2"]
    assert [(link["step"], link["short"], link["class"]) for link in others] == [("3", "1", "1")]
    assert "Step 1 of 2" in drawn


@pytest.mark.parametrize("asked", [{"lesson": "nothing"}, {"lesson": "masking", "step": "9"},
                                   {"lesson": "masking", "step": "<b>"}, {}])  # fmt: skip
def test_what_is_not_there_is_said(asked: dict[str, str]) -> None:
    status, drawn = bar(**asked)
    assert status == 200 and texts("lessons")["en"]["missing"] in drawn
    assert "data-here" not in drawn and "<b>" not in drawn


def test_a_step_shows_its_choices_and_marks_one() -> None:
    language = "en"
    step = lessons(language)["the_blank"].steps[3]
    _, drawn = bar(lesson="the_blank", step="4", lang=language)
    assert all(f">{choice}</li>" in unescape(drawn) for choice in step.choices)
    assert f"<li class='right'>{step.right}</li>" in unescape(drawn)
    assert "class='choices'" not in bar(lesson="the_blank", step="1", lang=language)[1]


def test_a_lesson_is_escaped() -> None:
    labels = texts("lessons")["en"]
    kept = kept_of({"notes": "1", "class": MARKUP}, "en")
    assert kept == {"lang": "en", "notes": "1"}
    drawn = draw_bar(ONE, 1, kept, labels) + draw_lessons([ONE], kept, labels)
    assert "<i>" not in drawn and "'<" not in drawn and drawn.count("&lt;i&gt;") >= 13


def test_the_script_is_of_the_page_alone() -> None:
    assert not re.search(r"https?://(?!www\.w3\.org/)", SCRIPT), "that one names SVG, and nobody fetches it"
