"""The way from a tab to attention: which model is taken, what is sent, what a page without the attention tab does."""

from __future__ import annotations

import gradio as gr
import pytest

from app.errors import PlaygroundError
from app.tasks.attention import page as attention_answers
from app.ui.look_inside import attentive, door_of, first_line, join, look_inside, receive, sending


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
    assert sending(True)("a\nb", "gpt2", "", None)[0] == "a"


def test_a_model_without_attention_alone_is_refused() -> None:
    with pytest.raises(PlaygroundError):
        attentive(["no-such-model"])


def page_of(*, with_receiver: bool) -> gr.Blocks:
    """A page with one sending tab, and perhaps the attention tab."""
    with gr.Blocks() as page, gr.Tabs() as tabs:
        with gr.Tab("a", id="a"):
            text, models = gr.Textbox(), gr.Dropdown(["gpt2"], multiselect=True)
            look_inside(page, "a", attention_answers, text=text, models=models)
        with gr.Tab("attention", id="attention"):
            fields = [gr.Textbox(), gr.Textbox(), gr.Dropdown(), gr.Dropdown()]
            if with_receiver:
                receive(page, fields, lambda sent: sent.success(lambda: None, **{"api_visibility": "private"}))
        join(page, tabs)
    return page


def test_the_button_fills_the_attention_tab_and_opens_it() -> None:
    page = page_of(with_receiver=True)
    button = door_of(page).senders[0].button
    wired = [fn for fn in page.fns.values() if (button._id, "click") in fn.targets]
    assert len(wired) == 1 and len(wired[0].outputs) == 5
    assert wired[0].fn("hi", ["gpt2", "bert-mini"], "", None)[:4] == ("hi", "", "gpt2", "bert-mini")
    assert wired[0].fn("hi", [], None, None)[2] == "bert-mini"
    assert all(fn.api_visibility == "private" for fn in page.fns.values())


def test_a_page_without_the_attention_tab_has_only_the_panel() -> None:
    page = page_of(with_receiver=False)
    button = door_of(page).senders[0].button
    assert not [fn for fn in page.fns.values() if (button._id, "click") in fn.targets]
