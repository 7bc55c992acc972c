"""A page leaves the server with its values, in the form an event would send, and no text can end the script."""

from __future__ import annotations

import json
import re
import warnings

import gradio as gr

from app.errors import PlaygroundError
from app.ui.events import friendly
from app.ui.filled_page import filling
from app.ui.first_answers import Opening
from tests.asynchronous import run

SCOPE = {"type": "http", "method": "GET", "path": "/", "headers": []}
OWN = "</script><b>' \u2028 __say:playground.header__"


@friendly
def on_open(request: gr.Request) -> tuple[str, gr.Dropdown, dict]:
    """What stands in the address is refused where it is a number, and told beside it where it is not."""
    asked = request.query_params.get("text", OWN)
    if asked.isdigit():
        raise PlaygroundError("empty_text", field="text")
    gr.Warning(f"a visitor's {asked}")
    return asked, gr.Dropdown(choices=[("One", "1"), ("Two", "2")], value="2"), gr.skip()


def script(query: str = "", slug: str = "fill_mask") -> tuple[str, list[str]]:
    """The script, and the ids of the three components."""
    with gr.Blocks() as page:
        shown = [gr.Textbox(), gr.Dropdown(), gr.HTML("untouched")]
    make = filling(page, [Opening("fill_mask", on_open, shown)])
    return run(make({**SCOPE, "query_string": query.encode()}, slug)), [str(one._id) for one in shown]


def test_values_stand_in_the_page_as_an_event_would_send_them() -> None:
    made, (text, picker, html) = script()
    (sent,) = re.findall(r"<script>playground.bring\(\"fields\", (.*)\);</script>\n$", made)
    filled = json.loads(sent)
    assert filled[text] == {"value": OWN}
    assert filled[picker] == {"choices": [["One", "1"], ["Two", "2"]], "value": "2"}
    assert html not in filled
    assert made.count("</script>") == 1


def test_one_value_alone() -> None:
    with gr.Blocks() as page:
        shown = gr.Textbox()
    made = run(
        filling(page, [Opening("lessons", lambda request: ("one",), [shown])])(SCOPE | {"query_string": b""}, "lessons")
    )
    assert f'"{shown._id}": {{"value": "one"}}' in made


def test_what_cannot_be_said_yet_is_left_to_the_open_page() -> None:
    assert script("text=5")[0] == "" and script(slug="another")[0] == ""


def test_nothing_of_a_visitor_is_logged() -> None:
    with warnings.catch_warnings(record=True) as logged:
        warnings.simplefilter("always")
        assert "secret" in script("text=secret")[0]
    assert not any("secret" in str(one.message) for one in logged)
