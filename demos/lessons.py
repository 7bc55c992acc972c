"""Lessons through the other tabs; a class answers from its phones. `python -m demos.lessons` runs it alone."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

import gradio as gr
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from app.errors import PlaygroundError
from app.lessons import own
from app.lessons.check import FIELDS
from app.lessons.class_answers import LONGEST, NoRoom, Refused, Room, question_at, rooms
from app.lessons.observe import check_own
from app.lessons.read import lessons
from app.lessons.shape import LONGEST_TEXT, MOST_MINUTES, Fault
from app.results.lessons import Lesson
from app.ui.address import phones_address
from app.ui.events import LONG, PRIVATE, friendly, visitor_of, words_of
from app.ui.lessons import kept_of
from app.ui.links import open_filled
from app.ui.serving.sent import posted, visit_of
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import language_of, mark, say, texts
from app.views.class_room import draw_phone, draw_room, draw_words
from app.views.lessons import draw_bar, draw_lessons, draw_missing
from app.views.own_lesson import draw_checked, draw_own
from app.views.worksheet import draw_worksheet

SLUG = "lessons"
PHONE = "phone"  # the cookie by which a phone that answers again is known; a random word
MOST_BYTES, MOST_ADDRESS = 4_000, 2_000
MOST_OF_A_LESSON = 2 * own.MOST_BYTES + MOST_BYTES  # a file within JSON, where quotes and line ends are escaped


def on_open(request: gr.Request) -> tuple[str, str]:
    """All lessons in the visitor's language, and the visitor's own."""
    language = language_of(request)
    kept = kept_of(request.query_params, language, ("class",))
    drawn = draw_lessons(lessons(language).values(), kept, texts(SLUG)[language])
    return drawn, _draw_own(visitor_of(request), request)


def _titles(lesson: Lesson, language: str) -> dict[str, str]:
    return {step.tab: say(language, step.tab, "title") for step in lesson.steps if step.tab in FIELDS}


def _draw_own(visit: str, request: gr.Request | Request) -> str:
    language = language_of(request)
    lesson = own.lesson_by(own.SLUG, language, visit)
    titles = _titles(lesson, language) if lesson else {}
    limits = LONGEST_TEXT, MOST_MINUTES, own.MOST_BYTES
    return draw_own(lesson, titles, kept_of(request.query_params, language, ("class",)), texts(SLUG)[language], limits)


@posted(MOST_OF_A_LESSON)
def on_own(request: Request, wish: dict[str, Any]) -> JSONResponse:
    """A visitor's own lesson: open a file, keep a step, edit, move, forget. The form after that."""
    language, visit = language_of(request), visit_of(request)
    try:
        said = _sentences(own.own_lessons().wish(visit, language, wish), language)
    except PlaygroundError as error:
        said = [words_of(error, language)]
    if done := not said:
        lesson, tab = own.lesson_by(own.SLUG, language, visit), say(language, SLUG, "title")
        key, number = "own_kept" if "add" in wish else "own_done", len(lesson.steps) if lesson else 0
        said = [say(language, SLUG, key, number=number, tab=tab)]
    return JSONResponse({"form": _draw_own(visit, request), "said": " ".join(said), "done": done})


def on_own_file(request: Request) -> Response:
    """The lesson as a file."""
    if (told := own.own_lessons().get(visit_of(request))) is None:
        return PlainTextResponse(say(language_of(request), "lesson_faults", "none"), 404)
    named = {"Content-Disposition": 'attachment; filename="lesson.json"'}
    return Response(own.as_file(told), media_type="application/json", headers=named)


@friendly
def on_check(request: gr.Request) -> str:
    """What is wrong with the visitor's own lesson, asked of the models where a step says what they answer."""
    language = language_of(request)
    found, asked, count = check_own(own.own_lessons(), visitor_of(request))
    return draw_checked(_sentences(found, language), asked, count, texts(SLUG)[language])


def _sentences(found: Iterable[Fault], language: str) -> list[str]:
    return [fault.sentence(texts("lesson_faults")[language]) for fault in found]


def on_step(request: Request) -> HTMLResponse:
    """The bar of the step that the address names."""
    language, query = language_of(request), request.query_params
    lesson = own.lesson_by(query.get("lesson"), language, visit_of(request))
    question = question_at(lesson, query.get("step", "1"), language)
    if lesson is None or question is None:
        return HTMLResponse(draw_missing(texts(SLUG)[language]))
    return HTMLResponse(draw_bar(lesson, question.step, kept_of(query, language), texts(SLUG)[language]))


def on_worksheet(request: Request) -> HTMLResponse:
    """A lesson to print; with `answers=1` for the teacher."""
    language, query = language_of(request), request.query_params
    lesson, labels = own.lesson_by(query.get("lesson"), language, visit_of(request)), texts(SLUG)[language]
    if lesson is None:
        return HTMLResponse(draw_missing(labels), 404)
    answers = query.get("answers") == "1"
    return HTMLResponse(draw_worksheet(lesson, _titles(lesson, language), answers, language, labels))


@posted(MOST_BYTES)
def on_class(request: Request, told: dict[str, Any]) -> Response:
    """A teacher's page: open a room, or move it to another question, show its answers, close it."""
    language, labels = language_of(request), texts(SLUG)[language_of(request)]
    lesson = own.lesson_by(told.get("lesson"), language, visit_of(request))
    question = question_at(lesson, str(told.get("step")), language)
    if question is None and not told.get("code"):
        return JSONResponse({"said": labels["missing"]})
    try:
        room = rooms().teach(told, question)
    except NoRoom:
        return JSONResponse({"said": labels["class_gone" if told.get("code") else "class_full"]})
    return JSONResponse(_teachers(room, str(told.get("at", "")), labels) if room else {})


def _teachers(room: Room, at: str, labels: dict[str, str]) -> dict[str, object]:
    """What the teacher's page draws. `at` is the address that it has itself."""
    address, unreachable = phones_address(at[:MOST_ADDRESS], f"c/{room.code}")
    return {
        "code": room.code,
        "key": room.key,
        "panel": draw_room(room.code, address, unreachable, labels) if address else "",
        "count": labels["class_count"].format(count=len(room.answers)),
        "words": draw_words(room.counted(), labels, room.question.right if room.shown else ""),
        "shown": room.shown,
    }


def on_phone(request: Request) -> HTMLResponse:
    """The page that a phone opens, in the class's language."""
    try:
        language = rooms().asked(request.path_params["code"]).question.language
    except NoRoom:
        language = language_of(request)
    answer = HTMLResponse(draw_phone(language, LONGEST, texts(SLUG)[language]))
    if PHONE not in request.cookies:
        answer.set_cookie(PHONE, secrets.token_urlsafe(12), httponly=True, samesite="lax")
    return answer


def on_question(request: Request) -> JSONResponse:
    """What a phone shows now; nothing where its class is over, which is no error."""
    try:
        room = rooms().asked(request.path_params["code"])
    except NoRoom:
        return JSONResponse({})
    text, choices = room.question.text, room.question.choices
    return JSONResponse({"number": room.number, "question": text, "choices": choices, "shown": room.shown})


@posted(MOST_BYTES)
def on_answer(request: Request, told: dict[str, Any]) -> JSONResponse:
    """A phone's answer to the question that it shows."""
    code, phone = request.path_params["code"], request.cookies.get(PHONE, "")
    try:
        rooms().answer(code, phone, str(told.get("text", "")), told.get("number"))
    except (NoRoom, Refused):
        return JSONResponse({}, 409)
    return JSONResponse({})


def build(page: gr.Blocks) -> None:
    """Draw the tab."""
    gr.Markdown(mark(SLUG, "intro"))
    drawn, form = gr.HTML(elem_id="lessons-list"), gr.HTML(elem_id="own-lesson-form")
    check = gr.Button(mark(SLUG, "own_check"), size="sm", elem_id="own-lesson-check")
    checked = gr.HTML(elem_id="own-lesson-checked")
    check.click(on_check, None, checked, js="() => playground.own.saved()", **LONG, **PRIVATE)
    open_filled(page, SLUG, on_open, [drawn, form])


ROUTES = (
    Route("/lesson", on_step),
    Route("/worksheet", on_worksheet),
    Route("/own-lesson", on_own, methods=["POST"]),
    Route("/own-lesson.json", on_own_file),
    Route("/class", on_class, methods=["POST"]),
    Route("/c/{code}", on_phone),
    Route("/c/{code}/question", on_question),
    Route("/c/{code}/answer", on_answer, methods=["POST"]),
)
TAB = Tab(slug=SLUG, order=2, build=build, routes=ROUTES)

if __name__ == "__main__":
    serve(standalone(TAB))
