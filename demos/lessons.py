"""Lessons: eight of them, step by step through the other tabs. `python -m demos.lessons` runs it alone."""

from __future__ import annotations

import gradio as gr
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from app.lessons.read import lessons
from app.ui.lessons import kept_of
from app.ui.links import open_filled
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import language_of, mark, texts
from app.views.lessons import draw_bar, draw_lessons, draw_missing

SLUG = "lessons"


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
    named = request.query_params.get("step", "1")
    number = int(named) if named.isdecimal() and len(named) < 3 else 0
    if lesson is None or not 1 <= number <= len(lesson.steps):
        return HTMLResponse(draw_missing(labels))
    return HTMLResponse(draw_bar(lesson, number, kept_of(request.query_params, language), labels))


def build(page: gr.Blocks) -> None:
    """Draw the tab."""
    gr.Markdown(mark(SLUG, "intro"))
    drawn = gr.HTML(elem_id="lessons-list")
    open_filled(page, SLUG, on_open, [drawn])


TAB = Tab(slug=SLUG, order=2, build=build, routes=(Route("/lesson", on_step),))

if __name__ == "__main__":
    serve(standalone(TAB))
