"""Lessons through the other tabs; a class answers from its phones. `python -m demos.lessons` runs it alone."""

from __future__ import annotations

import secrets

import gradio as gr
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from app.lessons.class_answers import LONGEST, NoRoom, Question, Refused, Room, Rooms
from app.lessons.read import lessons
from app.ui.lessons import kept_of
from app.ui.lessons.sent import phones_address, sent
from app.ui.links import open_filled
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import language_of, mark, say, texts
from app.views.class_room import draw_phone, draw_room, draw_words
from app.views.lessons import draw_bar, draw_lessons, draw_missing
from app.views.worksheet import draw_worksheet

SLUG = "lessons"
PHONE = "phone"  # the cookie by which a phone that answers again is known; a random word
MOST_BYTES, MOST_ADDRESS = 4_000, 2_000
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


def _asked(slug: object, number: object, language: str) -> Question | None:
    """The question that a page names; nothing where there is none."""
    lesson = lessons(language).get(slug) if isinstance(slug, str) else None
    at = int(number) if isinstance(number, str) and number.isdecimal() and len(number) < 3 else 0
    if lesson is None or not 1 <= at <= len(lesson.steps):
        return None
    step = lesson.steps[at - 1]
    return Question(lesson.slug, at, language, step.question, tuple(step.choices), step.right)


async def on_class(request: Request) -> Response:
    """A teacher's page: open a room, or go on with it at another question, show its answers, close it."""
    told, language = await sent(request, MOST_BYTES), language_of(request)
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
    address, unreachable = phones_address(at[:MOST_ADDRESS], f"c/{room.code}")
    return {
        "code": room.code,
        "key": room.key,
        "panel": draw_room(room.code, address, unreachable, labels) if address else "",
        "count": labels["class_count"].format(count=len(room.answers)),
        "words": draw_words(room.counted(), labels, room.question.right if room.shown else ""),
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
    asked = room.question
    return JSONResponse({"number": room.number, "question": asked.text, "choices": asked.choices, "shown": room.shown})


async def on_answer(request: Request) -> JSONResponse:
    """A phone's answer to the question that it shows."""
    told, phone = await sent(request, MOST_BYTES), request.cookies.get(PHONE, "")
    try:
        room = ROOMS.find(request.path_params["code"])
        if not phone or told.get("number") != room.number:
            raise Refused
        ROOMS.answer(room, phone, str(told.get("text", "")))
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
