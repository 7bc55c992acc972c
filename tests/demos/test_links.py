"""A copied link keeps a model named by its place on the Hub, in every tab whose picker accepts one."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import gradio as gr
import pytest

from tests.conftest import SetVariables

NAMED = "someone/some-model"


@pytest.mark.parametrize("slug", ["attention", "attribution", "prompting", "surprise", "word_sense", "zero_shot"])
def test_a_link_keeps_a_model_of_the_hub(slug: str, tiny: Path, set_variables: SetVariables) -> None:
    def opened() -> list[object]:
        link = gr.Request(query_params={"tab": slug, "model": NAMED}, headers={})
        shown = import_module(f"demos.{slug}").on_open(link)
        return next(one.value for one in shown if isinstance(one, gr.Dropdown))

    assert NAMED not in opened(), "the Hub is not asked"
    set_variables(HF_HUB_OFFLINE="0")
    assert opened() in (NAMED, [NAMED])
