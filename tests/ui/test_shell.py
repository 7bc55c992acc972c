"""The frame around the tabs: what a call with too few arguments gets, and that its text is not logged."""

from __future__ import annotations

import gradio as gr
import pytest

from app.ui.shell import standalone
from demos.surprise import TAB


def test_too_few_arguments_get_a_sentence_without_what_was_sent(capfd: pytest.CaptureFixture) -> None:
    page = standalone(TAB)
    event = next(event for event in page.fns.values() if len(event.inputs) == 3)
    with pytest.raises(gr.Error, match=r"all 3 arguments of .*\(bad_value\)") as caught:
        page.validate_inputs(event, ["a secret"])
    assert "secret" not in str(caught.value) and not caught.value.print_exception
    page.validate_inputs(event, ["one", "two", "three"])
    assert "secret" not in "".join(capfd.readouterr())
