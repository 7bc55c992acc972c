"""A text carried to another tab: which fields it fills, and which model is chosen."""

from __future__ import annotations

import json

import gradio as gr
import pytest

from app.registry.lookup import BY_NAME
from app.ui.ways.carry import carry


def sending(task: str) -> tuple[gr.Blocks, object]:
    """A page that sends its text, and what its button does."""
    with gr.Blocks() as page:
        carry("a", gr.Textbox(), {"attribution": task})
    button = next(one for one in page.blocks.values() if one.elem_id == "a-to-attribution")
    (wired,) = [fn for fn in page.fns.values() if (button._id, "click") in fn.targets]
    return page, wired


@pytest.mark.parametrize(("text", "language"), [("电影很好看。", "zh"), ("A fine film.", "en")])
def test_the_text_goes_along_with_a_model_that_reads_it(text: str, language: str) -> None:
    page, wired = sending("attribute")
    sent = json.loads(wired.fn(text))
    assert sent["text"] == text and BY_NAME[sent["model"]].language == language
    (then,) = [fn for fn in page.fns.values() if fn.trigger_after == wired._id]
    assert 'playground.take("attribution"' in then.js and then.trigger_only_on_success
    assert all(fn.api_visibility == "private" for fn in page.fns.values())


def test_where_models_need_not_be_chosen_only_the_text_goes() -> None:
    assert json.loads(sending("")[1].fn("A fine film.")) == {"text": "A fine film."}
