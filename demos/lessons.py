"""Lessons through the other tabs; a class answers from its phones. `python -m demos.lessons` runs it alone."""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

import gradio as gr
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from app.lessons.class_answers import LONGEST, NoRoom, Question, Refused, Room, Rooms
from app.lessons.read import lessons
from app.results.lessons import Step
from app.ui.address import address_in_network
from app.ui.lessons import kept_of
from app.ui.links import open_filled
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import language_of, mark, say, texts
from app.views.class_room import draw_phone, draw_room, draw_words
from app.views.lessons import draw_bar, draw_lessons, draw_missing
from app.views.worksheet import draw_worksheet

SLUG = "lessons"
PHONE = "phone"  # the cookie by which a phone that answers again is known; a random word
MOST_BYTES = 2_000
ROOMS = Rooms()


def on_open(request: gr.Request) -> tuple[str]:
    """All lessons in the visitor's language."""
    language = language_of(request)
    kept = kept_of(request.query_params, language)
    begun = {key: value for key, value in kept.items() if key in ("lang", "class")}
    return (draw_lessons(lessons(language).values(), begun, texts(SLUG)[language]),)


def on_step(request: Request) -> HTMLResponse:
    """The bar of the step that the address names."""
    language = language_of(request)
    labels, lesson = texts(SLUG)[language], lessons(language).get(request.query_params.get("lesson", ""))
    question = _asked(request.query_params.get("lesson", ""), request.query_params.get("step", "1"), language)
    if lesson is None or question is None:
        return HTMLResponse(draw_missing(labels))
    return HTMLResponse(draw_bar(lesson, question.step, kept_of(request.query_params, language), labels))


def on_worksheet(request: Request) -> HTMLResponse:
    """A lesson to print; with `answers=1` for the teacher."""
    language = language_of(request)
    labels, lesson = texts(SLUG)[language], lessons(language).get(request.query_params.get("lesson", ""))
    if lesson is None:
        return HTMLResponse(draw_missing(labels), 404)
    titles = {step.tab: say(language, step.tab, "title") for step in lesson.steps}
    answers = request.query_params.get("answers") == "1"
    return HTMLResponse(draw_worksheet(lesson, titles, answers, language, labels))


def _asked(lesson: object, step: object, language: str) -> Question | None:
    number = int(step) if isinstance(step, str) and step.isdecimal() and len(step) < 3 else 0
    known = lessons(language).get(lesson) if isinstance(lesson, str) else None
    return Question(known.slug, number, language) if known and 1 <= number <= len(known.steps) else None


def _step_of(question: Question) -> Step:
    return lessons(question.language)[question.lesson].steps[question.step - 1]


async def _sent(request: Request) -> dict:
    """What a page sent as JSON; empty where it is none or too much."""
    if (
        "json" not in request.headers.get("content-type", "")
        or int(request.headers.get("content-length") or 0) > MOST_BYTES
    ):
        return {}
    try:
        told = await request.json()
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


async def on_class(request: Request) -> Response:
    """A teacher's page: open a room, or go on with it at another question, show its answers, close it."""
    told, language = await _sent(request), language_of(request)
    labels = texts(SLUG)[language]
    question = _asked(told.get("lesson"), str(told.get("step")), language)
    try:
        if not told.get("code"):
            if question is None:
                return JSONResponse({"said": labels["missing"]})
            room = ROOMS.open(question)
        else:
            room = ROOMS.find(str(told["code"]), str(told.get("key")))
    except NoRoom:
        return JSONResponse({"said": labels["class_gone" if told.get("code") else "class_full"]})
    if told.get("close"):
        ROOMS.close(room)
        return JSONResponse({})
    if question is not None:
        ROOMS.ask(room, question)
    if told.get("show"):
        ROOMS.show(room)
    return JSONResponse(_teachers(room, str(told.get("at", "")), labels))


def _teachers(room: Room, at: str, labels: dict[str, str]) -> dict[str, object]:
    """What the teacher's page draws. `at` is the address that it has itself."""
    try:
        page = urlsplit(at[:MOST_BYTES])
        port = page.port
    except ValueError:
        page, port = urlsplit(""), None
    address = f"{page.scheme}://{page.netloc}{page.path.rstrip('/')}/c/{room.code}" if page.netloc else ""
    here_only = page.hostname in ("localhost", "127.0.0.1", "::1")
    unreachable = address_in_network(port) if here_only else ""
    return {
        "code": room.code,
        "key": room.key,
        "panel": draw_room(room.code, address, unreachable, labels) if address else "",
        "count": labels["class_count"].format(count=len(room.answers)),
        "words": draw_words(room.counted(), labels),
        "shown": room.shown,
    }


async def on_phone(request: Request) -> HTMLResponse:
    """The page that a phone opens, in the class's language."""
    try:
        language = ROOMS.find(request.path_params["code"]).question.language
    except NoRoom:
        language = language_of(request)
    answer = HTMLResponse(draw_phone(language, LONGEST, texts(SLUG)[language]))
    if PHONE not in request.cookies:
        answer.set_cookie(PHONE, secrets.token_urlsafe(12), httponly=True, samesite="lax")
    return answer


async def on_question(request: Request) -> JSONResponse:
    """What a phone shows now; nothing where its class is over, which is no error."""
    try:
        room = ROOMS.find(request.path_params["code"])
    except NoRoom:
        return JSONResponse({})
    step = _step_of(room.question)
    return JSONResponse(
        {"number": room.number, "question": step.question, "choices": list(step.choices), "shown": room.shown}
    )


async def on_answer(request: Request) -> JSONResponse:
    """A phone's answer to the question that it shows."""
    told, phone = await _sent(request), request.cookies.get(PHONE, "")
    try:
        room = ROOMS.find(request.path_params["code"])
        choices = _step_of(room.question).choices
        text = str(told.get("text", ""))
        if not phone or told.get("number") != room.number or (choices and text not in choices):
            raise Refused
        ROOMS.answer(room, phone, text)
    except (NoRoom, Refused):
        return JSONResponse({}, 409)
    return JSONResponse({})


def build(page: gr.Blocks) -> None:
    """Draw the tab."""
    gr.Markdown(mark(SLUG, "intro"))
    drawn = gr.HTML(elem_id="lessons-list")
    open_filled(page, SLUG, on_open, [drawn])


ROUTES = (
    Route("/lesson", on_step),
    Route("/worksheet", on_worksheet),
    Route("/class", on_class, methods=["POST"]),
    Route("/c/{code}", on_phone),
    Route("/c/{code}/question", on_question),
    Route("/c/{code}/answer", on_answer, methods=["POST"]),
)
TAB = Tab(slug=SLUG, order=2, build=build, routes=ROUTES)

if __name__ == "__main__":
    serve(standalone(TAB))
