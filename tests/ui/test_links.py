"""Links: what of one cannot be followed is said."""

from __future__ import annotations

import gradio as gr
import pytest

from app.ui.links import say_missing


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The warnings that a visitor is shown."""
    warnings: list[str] = []
    monkeypatch.setattr(gr, "Warning", warnings.append)
    return warnings


@pytest.mark.parametrize(("language", "words"), [("en", "names a model that is not here: "), ("zh-CN", "这里没有")])
def test_a_model_that_is_not_here_is_named(said: list[str], language: str, words: str) -> None:
    query = {"lang": language, "tab": "fill_mask", "model": "bert-mini,<b>none</b>,another"}
    say_missing(gr.Request(query_params=query, headers={}), "fill_mask")
    (warning,) = said
    assert words in warning and "&lt;b&gt;none&lt;/b&gt;, another" in warning and "bert-mini" not in warning


def test_models_that_are_here_and_other_tabs_links_are_followed_in_silence(said: list[str]) -> None:
    query = {"tab": "fill_mask", "model": "bert-mini,albert-mini"}
    say_missing(gr.Request(query_params=query, headers={}), "fill_mask")
    say_missing(gr.Request(query_params={"tab": "surprise", "model": "none"}, headers={}), "fill_mask")
    say_missing(gr.Request(query_params={}, headers={}), "fill_mask")
    assert said == []
