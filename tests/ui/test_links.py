"""Links: the parts that cannot be followed are reported."""

from __future__ import annotations

import gradio as gr
import pytest

from app.ui.links import linked_models, linked_number, say_missing


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The warnings that a visitor is shown."""
    warnings: list[str] = []
    monkeypatch.setattr(gr, "Warning", warnings.append)
    return warnings


def missing(query: dict[str, str], **chosen: object) -> None:
    """What is said of a link to masked words whose tab has chosen these models."""
    pickers = {
        key: gr.Dropdown(multiselect=isinstance(value, list), max_choices=2 if isinstance(value, list) else None)
        for key, value in chosen.items()
    }
    filled = {key: (pickers[key], gr.update(value=value)) for key, value in chosen.items()}
    say_missing(gr.Request(query_params=query, headers={}), "fill_mask", filled)


@pytest.mark.parametrize(("language", "words"), [("en", "names a model that is not here: "), ("zh-CN", "这里没有")])
def test_a_model_that_is_not_here_is_named(said: list[str], language: str, words: str) -> None:
    query = {"lang": language, "tab": "fill_mask", "model": "bert-mini,<b>none</b>,another"}
    missing(query, model=["bert-mini"])
    (warning,) = said
    assert words in warning and "&lt;b&gt;none&lt;/b&gt;, another" in warning and "bert-mini" not in warning


def test_a_model_that_the_tab_does_not_take_is_named_of_each_picker(said: list[str]) -> None:
    missing({"model": "gpt2", "other": "mine-1"}, model="bert-mini", other="")
    (warning,) = said
    assert "gpt2, mine-1" in warning


def test_models_that_are_taken_and_other_tabs_links_are_followed_in_silence(said: list[str]) -> None:
    missing({"tab": "fill_mask", "model": "bert-mini,mine-1"}, model=["bert-mini", "mine-1"])
    missing(
        {"model": "bert-mini,albert-mini,elmo-mini"}, model=["bert-mini", "albert-mini"]
    )  # too many: said elsewhere
    missing({"tab": "surprise", "model": "none"}, model=["bert-mini"])
    missing({}, model="bert-mini")
    assert said == []


@pytest.mark.parametrize("given", ["99", "-1", "nan", "inf", "1e400", "warm", "", "<b>"])
def test_a_number_that_cannot_be_used_is_said(said: list[str], given: str) -> None:
    assert linked_number({"temperature": given}, "temperature", 0.8, 2, "en") == 0.8
    (warning,) = said
    assert "temperature as “" in warning and "from 0 to 2. 0.8 is used" in warning and "<b>" not in warning


def test_numbers_and_models_that_can_be_used_are_taken_in_silence(said: list[str]) -> None:
    assert linked_number({"seed": "7"}, "seed", 1, 9, "en") == 7
    assert linked_number({}, "seed", 1, 9, "en") == 1
    assert linked_models({"model": "a,b"}, ["a", "b"], 2, "en") == ["a", "b"]
    assert said == []


def test_too_many_models_are_said(said: list[str]) -> None:
    assert linked_models({"model": "a,b,c"}, ["a", "b", "c"], 2, "zh-CN") == ["a", "b"]
    assert said == ["链接里有 3 个模型，由前 2 个回答。"]
