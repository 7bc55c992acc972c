"""A text that goes along into another tab: what is filled there, by which model, and on a page without that tab."""

from __future__ import annotations

import gradio as gr

from app.ui.asking import Asking
from app.ui.ways.carry import carry, join_carried, take


def page_of(*, with_taker: bool) -> tuple[gr.Blocks, gr.Button]:
    """A page with a tab that sends its text, and perhaps one that takes it."""
    with gr.Blocks() as page, gr.Tabs() as tabs:
        with gr.Tab("a", id="a"):
            carry(page, "a", gr.Textbox(), ["attribution"])
        with gr.Tab("b", id="attribution"):
            text, model, answer = gr.Textbox(), gr.Dropdown(), gr.HTML(elem_id="answer")
            if with_taker:
                question = Asking(lambda *asked: "", [text, model], [answer], [answer])
                take(page, "attribution", text, question, model, "attribute")
        join_carried(page, tabs)
    button = next(one for one in page.blocks.values() if one.elem_id == "a-to-attribution")
    return page, button


def test_the_text_is_put_there_and_asked_by_a_model_that_reads_it() -> None:
    page, button = page_of(with_taker=True)
    (wired,) = [fn for fn in page.fns.values() if (button._id, "click") in fn.targets]
    text, model, tabs = wired.fn("电影很好看。", "bert-mini-sst2")
    assert (text, model, tabs.selected) == ("电影很好看。", "bert-mini-zh-sentiment", "attribution")
    assert wired.fn("A fine film.", "bert-mini-sst2")[1] == "bert-mini-sst2"
    assert [fn for fn in page.fns.values() if fn.trigger_after == wired._id], "it is asked then"
    assert all(fn.api_visibility == "private" for fn in page.fns.values())


def test_without_the_other_tab_nothing_is_wired() -> None:
    page, button = page_of(with_taker=False)
    assert not [fn for fn in page.fns.values() if (button._id, "click") in fn.targets]
