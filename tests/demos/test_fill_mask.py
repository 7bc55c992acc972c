"""The tab's handlers without a browser."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import pytest

from app.tasks.hidden_words import Hidden, add_stop, ends_with_blank, hidden_in, toggle
from demos import fill_mask as tab


def visitor(**query: str) -> SimpleNamespace:
    """What the handlers need of a request."""
    return SimpleNamespace(query_params=query, headers={})


@pytest.fixture
def english() -> gr.Request:
    """A visitor with no language asked for."""
    return visitor()


def test_running_draws_a_card_for_each_model(tiny: Path, english: gr.Request) -> None:
    drawn, note = tab.on_run("The [MASK] ran.", ["bert-mini", "roberta-base"], 3, "dog, cat", False, english)
    assert drawn.count("<article") == 2 and drawn.count("<tr><td>dog</td>") == 2
    assert "ignores capitals" in note


def test_no_model_or_too_many_are_refused(tiny: Path, english: gr.Request) -> None:
    for models in ([], ["bert-mini"] * 4):
        with pytest.raises(gr.Error, match="bad_value"):
            tab.on_run("The [MASK] ran.", models, 3, "", False, english)


def test_errors_are_in_the_visitors_language(tiny: Path) -> None:
    with pytest.raises(gr.Error, match="请至少遮住一个词"):
        tab.on_run("no blank", ["bert-mini"], 3, "", False, _request("zh-CN"))


def _request(language: str) -> gr.Request:
    class Asked(gr.Request):
        def __init__(self) -> None:
            self.query_params = {"lang": language}
            self.headers = {}

    return Asked()


def test_the_text_is_escaped_everywhere(tiny: Path, english: gr.Request) -> None:
    evil = "<script>alert(1)</script> [MASK] <b>"
    drawn, _ = tab.on_run(evil, ["bert-mini"], 3, "dog", False, english)
    for html in (drawn, tab.on_text(evil, english)[0], tab.on_surprise(evil, ["bert-mini"], english)[0]):
        assert "<script" not in html and "<b>" not in html


def test_guess_first_shows_nothing_and_revealing_ranks_the_guess(tiny: Path, english: gr.Request) -> None:
    hidden, note = tab.on_run("The [MASK] ran.", ["bert-mini"], 3, "", True, english)
    assert hidden == "" and "guess" in note and "bars" not in note
    known = toggle("The dog ran.", 4, 7, Hidden())
    drawn, note = tab.on_reveal(known.text, ["bert-mini"], 3, "", True, "cat", known, english)
    assert "bars" in drawn and "“cat”" in note and "“dog”" in note


def test_an_example_that_fails_says_so_however_it_is_asked_and_only_of_small_models(
    tiny: Path, english: gr.Request
) -> None:
    failing = "The [MASK] barked at the cat."
    for models in (["bert-mini"], ["bert-base-uncased", "bert-mini"]):
        _, note = tab.on_run(failing, models, 3, "", False, english)
        assert "Why this one fails" in note
    _, note = tab.on_run(failing, ["bert-base-uncased"], 3, "", False, english)
    assert "Why this one fails" not in note


def test_a_link_says_what_is_guessed_and_scored(tiny: Path) -> None:
    *_, targets, guess_first, _, _, _ = tab.on_open(visitor(tab="fill_mask", targets="dog, cat", guess="true"))
    assert (targets, guess_first) == ("dog, cat", True)


def test_hiding_and_bringing_back() -> None:
    once = toggle("😀 The dog ran.", 6, 9, Hidden())
    assert (once.text, once.words) == ("😀 The [MASK] ran.", ("dog",))
    twice = toggle(once.text, 2, 5, once)
    assert (twice.text, twice.words) == ("😀 [MASK] [MASK] ran.", ("The", "dog"))
    back = toggle(twice.text, 9, 15, twice)
    assert (back.text, back.words) == ("😀 [MASK] dog ran.", ("The",))


def test_what_was_hidden_is_forgotten_when_the_text_was_changed() -> None:
    once = toggle("The dog ran.", 4, 7, Hidden())
    assert hidden_in("A [MASK] ran.", once).words == ("",)
    assert toggle("A [MASK] ran.", 2, 8, once).text == "A [MASK] ran."


def test_a_blank_at_the_end_without_a_full_stop_gets_a_hint(tiny: Path, english: gr.Request) -> None:
    assert ends_with_blank("My drink is [MASK] ") and not ends_with_blank("My drink is [MASK].")
    _, note = tab.on_run("my drink is [MASK]", ["bert-mini"], 3, "", False, english)
    assert "full stop" in note
    assert add_stop("My drink is [MASK] ") == "My drink is [MASK]."


def test_a_link_is_read_and_unknown_models_in_it_are_left_out(tiny: Path) -> None:
    asked = visitor(tab="fill_mask", text="A [MASK] b.", model="nope,roberta-base")
    text, picker, *_ = tab.on_open(asked)
    assert text == "A [MASK] b." and picker.value == ["roberta-base"]
    text, *_ = tab.on_open(visitor(tab="other", text="x"))
    assert text != "x"


def test_examples_show_what_the_model_can_do_and_one_that_fails() -> None:
    from app.ui.texts import LANGUAGES, examples

    for language in LANGUAGES:
        samples = examples(language, "fill_mask")
        assert len(samples) >= 10 and all("[MASK]" in sample["text"] for sample in samples)
        assert sum("note" in sample for sample in samples) >= 1
        assert any(sample["text"].count("[MASK]") == 2 for sample in samples)
