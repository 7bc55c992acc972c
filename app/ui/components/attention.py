"""Attention drawn in the browser on a canvas: the component and its scripts. Knows no model and no task.

Its value is an `AttentionOpening` as JSON, with `about`, what the model is, and the `labels`, both in the visitor's
language; layers, pictures of all heads, rollout and exact numbers are asked for by name through the functions it is
given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import gradio as gr

from app.errors import PlaygroundError
from app.results.attention import AttentionOpening
from app.ui.events import words_of
from app.ui.texts import about, language_of, texts

FOLDER = Path(__file__).resolve().parent
# Gradio takes a quoted word in a component's script for an event where it is an attribute of components, as "every" is;
# copying that event then costs half a second at each page load: no such word is quoted in these files.
# In this order: a file uses the names of those before it, and the last one starts the component.
SCRIPTS = ("canvas.js", "attention_draw.js", "attention_tools.js", "attention.js")
# Nearly every tab has such a component, so the scripts are fetched once; Gradio looks for the event's name here.
START = 'attentionView(element, props, (name, data) => trigger(name, data), watch, server); // trigger("select")'
# The component's sentences are among those of the attention tab, under this prefix.
SLUG, PREFIX = "attention", "view."

Asked = dict[str, Any]
Answer = Callable[[Asked], Asked]


def script(names: tuple[str, ...]) -> str:
    """Scripts of this folder as one."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


def attention_script() -> str:
    """The component's scripts as one function."""
    return f"window.attentionView = (element, props, trigger, watch, server) => {{\n{script(SCRIPTS)}\n}};"


def attention_view(elem_id: str, answers: Sequence[Answer]) -> gr.HTML:
    """The component.

    Its `select` event asks for one head's arithmetic: `text`, `second`, `model`, `layer`, `head` and `query` are in its
    `gr.EventData`.

    Args:
        elem_id: id on the page.
        answers: functions named `layer`, `all_heads_pictures`, `rollout`, `roles`, `row` and `table`.
    """
    served = [serve(answer) for answer in answers]
    return gr.HTML(None, elem_id=elem_id, html_template="", js_on_load=START, server_functions=served, visible=True)


def serve(answer: Answer) -> Callable[[Asked, gr.Request], Asked]:
    """What the component calls; an error goes to it as a sentence in the visitor's language."""

    def served(asked: Asked, request: gr.Request) -> Asked:
        try:
            return answer(asked)
        except PlaygroundError as error:
            return {"error": words_of(error, language_of(request))}

    served.__name__ = answer.__name__
    return served


def opened(opening: AttentionOpening, language: str, *, with_steps: bool = True) -> str:
    """The component's value: JSON as one string, since Gradio's page makes every list in a value watched, one by one.

    Args:
        opening: the text.
        language: of the visitor.
        with_steps: whether someone listens to the `select` event.
    """
    told = texts(SLUG)[language].items()
    labels = {key.removeprefix(PREFIX): value for key, value in told if key.startswith(PREFIX)}
    said = {"labels": labels, "about": asdict(about(language, opening.model)), "with_steps": with_steps}
    return json.dumps({**asdict(opening), **said}, ensure_ascii=False)
