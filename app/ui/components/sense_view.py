"""The occurrences of a word as points, layer by layer, with their cosines beside them. Knows no model and no task.

Its value is a `SensePanel` as JSON with the `labels` of the visitor's language; other projections and mixes of layers
are asked for by name through the functions it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import gradio as gr

from app.results.word_sense import SensePanel
from app.ui.components.attention import Answer, script, serve
from app.ui.texts import texts

SCRIPTS = ("canvas.js", "sense_draw.js", "sense_view.js")
SLUG, PREFIX = "word_sense", "view."


def sense_view(elem_id: str, answers: Sequence[Answer]) -> gr.HTML:
    """The component.

    Its `select` event asks for what lies near an occurrence: `lines`, `word`, `model`, `inflected`, `occurrence`,
    `layer` and `weights` are in its `gr.EventData`.

    Args:
        elem_id: id on the page.
        answers: functions named `moved` and `mixed`.
    """
    served = [serve(answer) for answer in answers]
    return gr.HTML(
        None, elem_id=elem_id, html_template="", js_on_load=script(SCRIPTS), server_functions=served, visible=True
    )


def opened(panel: SensePanel, trust: str, language: str) -> dict[str, Any]:
    """The component's value; `trust` says what the model is."""
    told = texts(SLUG)[language].items()
    labels = {key.removeprefix(PREFIX): value for key, value in told if key.startswith(PREFIX)}
    return {**asdict(panel), "trust": trust, "labels": labels}
