"""A class on its phones, over HTTP: two hundred of them answer, and no other key reveals or ends anything."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.errors import PlaygroundError
from app.lessons.read import lessons
from app.ui.shell import REFUSED
from app.ui.texts import LANGUAGES, texts
from demos import lessons as demo

PHONES = 200


def post(url: str, body: object, cookie: str = "") -> tuple[int, dict]:
    """Status and JSON of what is answered."""
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def teach(server: str, **told: object) -> dict:
    """What a teacher's page is told."""
    return post(f"{server}/class?lang=en", {"lesson": "the_blank", "step": "1", "at": f"{server}/", **told})[1]


def opened(server: str, code: str) -> tuple[str, str]:
    """The page that a phone opens, and the cookie that it gets."""
    with urllib.request.urlopen(f"{server}/c/{code}", timeout=60) as answer:
        cookies = [header for name, header in answer.headers.items() if name.lower() == "set-cookie"]
        phone = SimpleCookie(next(one for one in cookies if one.startswith("phone=")))["phone"].value
        return answer.read().decode(), f"phone={phone}"


def question(server: str, code: str) -> dict:
    """What a phone is shown."""
    with urllib.request.urlopen(f"{server}/c/{code}/question", timeout=60) as answer:
        return json.load(answer)


@pytest.mark.slow
def test_two_hundred_phones_answer(server: str) -> None:
    room = teach(server)
    assert question(server, room["code"])["question"] == lessons("en")["the_blank"].steps[0].question

    def answer(number: int) -> int:
        _, cookie = opened(server, room["code"])
        return post(f"{server}/c/{room['code']}/answer", {"text": f"word {number % 7}", "number": 1}, cookie)[0]

    with ThreadPoolExecutor(40) as phones:
        assert set(phones.map(answer, range(PHONES))) == {200}
    told = teach(server, code=room["code"], key=room["key"])
    assert told["count"] == texts("lessons")["en"]["class_count"].format(count=PHONES)
    assert told["words"].count("<li>") == 7
    teach(server, code=room["code"], key=room["key"], close=True)


def test_phones_choose_and_the_right_choice_is_marked_when_it_is_shown(server: str) -> None:
    step = lessons("en")["the_blank"].steps[3]
    room = teach(server, step="4")
    assert question(server, room["code"])["choices"] == list(step.choices)
    at, cookie = f"{server}/c/{room['code']}/answer", opened(server, room["code"])[1]
    assert post(at, {"text": "Paris", "number": 1}, cookie)[0] == 409
    assert post(at, {"text": step.right, "number": 1}, cookie)[0] == 200
    mine = {"step": "4", "code": room["code"], "key": room["key"]}
    before, after = (teach(server, **mine, **told)["words"] for told in ({}, {"show": True}))
    assert before.count("<li") == len(step.choices) and "class='right'" not in before
    (marked,) = re.findall(r"<li class='right'><span class='word'>(.*?)</span>.*?class='value'>(\d+)<", after)
    assert marked == (step.right, "1")
    teach(server, **mine, close=True)


def test_only_the_teacher_shows_goes_on_and_ends(server: str) -> None:
    room = teach(server)
    for told in ({"show": True}, {"close": True}, {"step": "2"}):
        assert "code" not in teach(server, code=room["code"], key="guessed", **told)
    shown = question(server, room["code"])
    assert shown["number"] == 1 and not shown["shown"]
    assert teach(server, code=room["code"], key=room["key"], step="2")["code"] == room["code"]
    assert question(server, room["code"])["number"] == 2
    assert teach(server, code=room["code"], key=room["key"], close=True) == {}
    assert question(server, room["code"]) == {}


def test_what_is_no_answer_is_refused(server: str) -> None:
    room = teach(server)
    at, cookie = f"{server}/c/{room['code']}/answer", opened(server, room["code"])[1]
    for body, key in (
        ({"text": "yes", "number": 1}, ""),  # no phone that opened the page
        ({"text": "yes", "number": 2}, cookie),  # to another question
        ({"text": " ", "number": 1}, cookie),
        (["yes"], cookie),
        ({"text": "x" * 10_000, "number": 1}, cookie),
    ):
        assert post(at, body, key)[0] == 409
    assert post(at, {"text": "<b>yes</b>", "number": 1}, cookie)[0] == 200
    words = teach(server, code=room["code"], key=room["key"], show=True)["words"]
    assert "&lt;b&gt;yes" in words and "<b>" not in words
    assert post(at, {"text": "late", "number": 1}, cookie)[0] == 409


@pytest.mark.parametrize("at", ["", "http://[", "http://x:port/", "javascript:alert(1)", "http://localhost:7860/"])
def test_a_page_without_an_address_of_its_own_gets_no_wrong_one(server: str, at: str) -> None:
    room = teach(server, at=at)
    panel = room["panel"]
    assert ("<svg" in panel) is at.startswith("http://localhost")
    if panel:
        assert f"http://localhost:7860/c/{room['code']}" in panel and "GRADIO_SERVER_NAME" in panel


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_is_spoken_to_in_the_classs_language(server: str, language: str) -> None:
    _, room = post(f"{server}/class?lang={language}", {"lesson": "the_blank", "step": "1", "at": server})
    page, _ = opened(server, room["code"])
    assert f'lang="{language}"' in page and texts("lessons")[language]["phone_privacy"] in page
    assert "page.js" not in page, "none of the playground's own scripts"


def test_where_classes_cannot_be_reached_the_page_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable() -> None:
        raise PlaygroundError("busy")

    monkeypatch.setattr(demo, "rooms", unreachable)
    page = TestClient(Starlette(routes=demo.ROUTES, **REFUSED))
    answer = page.get("/c/ABCD/question?lang=en")
    assert answer.status_code == 503 and answer.text == texts("errors")["en"]["busy"]
