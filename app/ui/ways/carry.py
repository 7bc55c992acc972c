"""One text on its way through the tabs: a button takes it along into another tab, which answers it at once.

Attention has a way of its own (`look_inside`), as it takes models and a second text along.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import gradio as gr
from gradio.components import Component

from app.registry.lookup import for_task, readers
from app.ui.send import send
from app.ui.texts import mark


def carry(slug: str, text: Component, others: Mapping[str, str]) -> None:
    """Draw a button for each of the other tabs, which takes the text of this one along.

    Args:
        slug: of this tab.
        text: its field.
        others: slug of another tab -> the task whose models it has one of, so that one is taken that knows the text's
            language; empty where its models need not be chosen.
    """
    with gr.Row(elem_classes=["inside", "carry"]):
        gr.Markdown(mark("playground", "carry"))
        for other, task in others.items():
            button = gr.Button(mark(other, "title"), size="sm", min_width=120, elem_id=f"{slug}-to-{other}")
            send(button, _taking(task), [text], other)


def _taking(task: str) -> Callable[[str], str]:
    def on_taken(text: str) -> str:
        model = {"model": readers([for_task(task)[0].name], text, task)[0]} if task else {}
        return json.dumps({"text": text, **model})

    return on_taken
