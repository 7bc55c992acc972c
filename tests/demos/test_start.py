"""The start page's handlers without a browser, and the answers of its models to its first sentences."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import pytest

import demos
from app.registry.lookup import BY_NAME, for_task
from app.tasks.fill_mask import fill_mask
from app.tasks.hidden_words import Hidden
from app.tasks.start import hide_another
from app.ui.links import openings_of
from app.ui.shell import discover, standalone
from app.ui.texts import LANGUAGES, examples, texts
from app.ui.ways.road import PICTURES
from app.views.candidates import in_percent
from demos import start as demo
from tests.conftest import SetSetting


def visitor(**query: str) -> gr.Request:
    """A request with this query."""
    return gr.Request(query_params=query, headers={})


def test_one_word_is_hidden_at_a_time() -> None:
    begun = Hidden("The church was [MASK].", ("built",))
    earlier = hide_another(4, 10, begun)
    assert earlier == Hidden("The [MASK] was built.", ("church",))
    at = earlier.text.index("built")
    assert hide_another(at, at + 5, earlier) == begun
    assert hide_another(15, 21, begun) == begun, "the blank itself stays"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_click_on_a_word_hides_it_instead(language: str) -> None:
    _, _, hidden, *_ = demo.on_open(visitor(lang=language))
    first = hidden.text[: 3 if language == "en" else 1]
    event = SimpleNamespace(start=0, end=len(first))
    (text, _), drawn, after = demo.on_word(["", "bert-mini"], hidden, visitor(lang=language), event)
    assert text.startswith("[MASK]") and text.count("[MASK]") == 1
    assert after.words == (first,) and drawn.count("class='blank'") == 1 and hidden.words[0] in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_begins_in_its_language(tiny: Path, language: str) -> None:
    (text, model), drawn, hidden, others = demo.on_open(visitor(lang=language))
    assert others.count("<button") == len(examples(language, "start"))
    assert hidden.text == text == examples(language, "start")[0]["text"]
    assert "class='blank'" in drawn
    assert BY_NAME[model].language == {"en": "en", "zh-CN": "zh"}[language]
    answer = demo.on_run([text, model], hidden, visitor(lang=language))
    assert answer.count("<li>") == demo.CANDIDATES and texts("start")[language]["mask"] in answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hidden_word_is_told_below_the_note(tiny: Path, language: str) -> None:
    labels, ((text, model), _, hidden, _) = texts("start")[language], demo.on_open(visitor(lang=language))
    word = hidden.words[0]
    (scored,) = fill_mask(text, model, demo.CANDIDATES, [word]).targets
    key = "hidden_rank" if scored.rank else "hidden_pieces"
    told = labels[key].format(
        word=word, probability=in_percent(scored.probability), rank=f"{scored.rank or 0:,}", count=len(scored.pieces)
    )
    answer = demo.on_again([text, model], hidden, visitor(lang=language))
    assert told in answer and answer.index(labels["notice"]) < answer.index("class='bars'") < answer.index(told)
    unknown = demo.on_again([text, model], Hidden(text, ("",)), visitor(lang=language))
    assert "hidden-word" not in unknown and "class='bars'" in unknown
    no_pieces = demo.on_again([text, model], Hidden(text, ("\U0001f9ff",)), visitor(lang=language))
    assert "hidden-word" not in no_pieces and "class='bars'" in no_pieces


def test_what_a_visitor_sends_is_escaped(tiny: Path) -> None:
    drawn = demo.on_word(["", ""], Hidden("<b>x</b> [MASK]", ("y",)), visitor(), SimpleNamespace(start=3, end=4))[1]
    assert "<b>" not in drawn


def test_its_answer_is_made_in_advance(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting
) -> None:
    from app.ui import first_answers

    set_setting(cache=str(tmp_path))
    monkeypatch.setattr(first_answers, "_kept", {})
    (opening,) = openings_of(standalone(demo.TAB))
    for language in LANGUAGES:
        assert opening.make(language)
        answer = opening.load(visitor(lang=language))[-1]
        assert "class='bars'" in answer and texts("start")[language]["notice"] in answer


@pytest.mark.parametrize("model", ["bert-mini", "roberta-mini", "minilm-l6", "bert-mini-zh"])
def test_the_hidden_word_of_every_sentence_comes_first(packs: Path, model: str) -> None:
    language = "zh-CN" if model == "bert-mini-zh" else "en"
    for one in examples(language, "start"):
        best = fill_mask(one["text"], model, 1).masks[0].candidates[0].token
        assert best.strip().lower() == one["word"].lower(), one


def test_whoever_answers_first_is_among_those(packs: Path) -> None:
    assert for_task("fill_mask")[0].name == "minilm-l6"


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_doors_lead_into_tabs_that_are_there(language: str) -> None:
    said, slugs = texts("start")[language], {tab.slug for tab in discover(demos)}
    assert {door.get("tab", "fill_mask") for door in said["doors"]} <= slugs
    assert {card["tab"] for card in said["road"]} <= slugs
    assert [card["picture"] for card in said["road"]] == [*PICTURES]
    years = [int(card["year"]) for card in said["road"]]
    assert years == sorted(years) and (years[0], years[-1]) == (2013, 2024)
