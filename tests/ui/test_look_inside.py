"""The way from a tab to attention: the chosen model, and what is sent."""

from __future__ import annotations

import json

import gradio as gr
import pytest

from app.errors import PlaygroundError
from app.tasks.attention import page as attention_answers
from app.ui.look_inside import attentive, first_line, look_inside, sending


@pytest.mark.parametrize(
    ("models", "found"),
    [
        ("gpt2", ["gpt2"]),
        (["gpt2", "bert-mini"], ["gpt2", "bert-mini"]),
        (["elmo-small", "gpt2"], ["gpt2"]),
        ([], [""]),
        (None, [""]),
        ("", ["bert-mini"]),
    ],
)
def test_models_without_attention_are_passed_over(models: object, found: list[str]) -> None:
    assert attentive(models) == found


def test_of_several_lines_the_first_is_taken_without_its_label() -> None:
    assert first_line("\n  river | The bank was steep.\nThe bank was closed.") == "The bank was steep."
    assert first_line(" \n") == ""
    assert json.loads(sending(True)("a\nb", "gpt2", "", None))["text"] == "a"


def test_a_model_without_attention_alone_is_refused() -> None:
    with pytest.raises(PlaygroundError):
        attentive(["no-such-model"])


def test_the_button_sends_the_fields_of_the_attention_tab() -> None:
    with gr.Blocks() as page:
        text, models = gr.Textbox(), gr.Dropdown(["gpt2"], multiselect=True)
        look_inside("a", attention_answers, text=text, models=models)
    button = next(one for one in page.blocks.values() if one.elem_id == "a-inside-there")
    (wired,) = [fn for fn in page.fns.values() if (button._id, "click") in fn.targets]
    sent = json.loads(wired.fn("hi", ["gpt2", "bert-mini"], "", None))
    assert sent == {"text": "hi", "second": "", "model": "gpt2", "other": "bert-mini"}
    assert json.loads(wired.fn("hi", [], None, None))["model"] == "bert-mini"
    (then,) = [fn for fn in page.fns.values() if fn.trigger_after == wired._id]
    assert 'playground.take("attention"' in then.js
    assert all(fn.api_visibility == "private" for fn in page.fns.values())
