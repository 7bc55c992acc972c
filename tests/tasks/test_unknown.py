"""What a model does not know of a text is shown beside its answer, with its place in the text as sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr
import pytest

from app.results.text import Unknown, as_json
from app.tasks.attribution.attribute import attribute
from app.tasks.classification.classify import classify
from app.tasks.classification.embed import embed
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.sentence_pair.judge import sentence_matrix, sentence_pair
from app.tasks.surprise.score import score
from app.tasks.word_sense.occurrence_vectors import word_sense
from app.tasks.zero_shot.predict import zero_shot
from app.ui.texts import LANGUAGES, texts
from app.ui.unknown import unknown_in_many, unknown_note
from demos import attribution, classification
from demos import sentence_pair as pairs
from demos import word_sense as senses

# Neither BERT's small vocabulary has these signs.
ODD = "The ᚠᚢᚦ dog saw ☃."
CHINESE = "他很高兴。"


def visitor(language: str) -> gr.Request:
    """Someone who reads this language."""
    return gr.Request(query_params={"lang": language}, headers={}, session_hash="anna")


def places(found: list[Unknown], *texts: str) -> list[str]:
    """The parts as they stand in the texts."""
    assert all(texts[one.sentence][one.start : one.end] == one.text for one in found)
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (lambda text: fill_mask(text, "bert-mini"), f"{ODD} [MASK]"),
        (lambda text: score(text, "bert-mini"), ODD),
        (lambda text: attribute(text, "bert-mini-sst2"), ODD),
        (lambda text: classify([text], "bert-mini-sst2").results[0], ODD),
        (lambda text: embed([text], "bert-mini"), ODD),
        (lambda text: word_sense([text], "dog", "bert-mini"), ODD),
    ],
)
def test_every_answer_about_a_text_says_it(asked: Callable[[str], Any], text: str) -> None:
    found = asked(text)
    assert places(found.unknown, text) == ["ᚠᚢᚦ", "☃"]
    first = as_json(found)["unknown"][0]
    assert first == {"start": 4, "end": 7, "text": "ᚠᚢᚦ", "sentence": 0}
    assert asked(text.replace("ᚠᚢᚦ", "big").replace("☃", "it")).unknown == []


def test_of_several_texts_it_says_which() -> None:
    known, both = "The dog ran.", ("The dog ran.", ODD)
    assert [one.sentence for one in sentence_pair(known, ODD, "bert-mini").unknown] == [1, 1]
    assert places(sentence_pair(*both, "bert-mini").unknown, *both) == ["ᚠᚢᚦ", "☃"]
    assert {one.sentence for one in sentence_matrix([ODD, known], "bert-mini").unknown} == {0}
    assert {one.sentence for one in embed([known, ODD], "bert-mini").unknown} == {1}
    first, second = classify([known, ODD], "bert-mini-sst2").results
    assert first.unknown == [] and {one.sentence for one in second.unknown} == {0}


def test_in_labelled_sentences_the_label_counts_as_sent() -> None:
    sent = ["animal | The dog ran.", f"animal | {ODD}"]
    found = word_sense(sent, "dog", "bert-mini").unknown
    assert places(found, *sent) == ["ᚠᚢᚦ", "☃"] and {one.sentence for one in found} == {1}


def test_a_model_of_bytes_or_characters_knows_everything() -> None:
    assert score(ODD, "gpt2-mini").unknown == []
    assert zero_shot(ODD, ["good", "bad"], "{text} It is", "gpt2-mini").unknown == []
    assert embed([ODD], "elmo-mini").unknown == []


def test_static_vectors_leave_words_out() -> None:
    text = "The dog xqzzyvw ran."
    assert places(embed([text], "word-vectors-mini").unknown, text) == ["xqzzyvw"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_it(language: str) -> None:
    asked = visitor(language)
    nothing = texts("models")[language]["unknown_most"].format(model="bert-mini-sst2")
    *_, (cards, *_) = classification.on_run(CHINESE, False, None, "", None, "", "", ["bert-mini-sst2"], asked)
    assert nothing in cards
    *_, (table, *_) = classification.on_run(
        f"{CHINESE}\nA fine film.", False, None, "", None, "", "", ["bert-mini-sst2"], asked
    )
    assert texts("models")[language]["unknown_many"].format(model="bert-mini-sst2", count=1, total=2) in table
    drawn, _ = attribution.on_run(CHINESE, "bert-mini-sst2", attribution.Hidden(), asked)
    assert nothing in drawn
    drawn, _ = pairs.on_run("The dog ran.", "It saw a <☃>.", ["bert-mini"], asked)
    assert "☃" in drawn and "[UNK]" in drawn and "<☃" not in drawn
    note = senses.on_run("The ☃ melts.\nA ☃ stands.", "☃", "bert-mini", "", False, "pca", 2, "sense", asked)[-4]
    assert texts("models")[language]["unknown_word"].format(model="bert-mini") in note
    note = senses.on_run("The dog ran.\nA dog sat.", "dog", "bert-mini", "", False, "pca", 2, "sense", asked)[-4]
    assert note == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence(language: str) -> None:
    assert unknown_note(language, "m", [], "x") == "" == unknown_in_many(language, "m", [[], []])
    many = [Unknown(3 * at, 3 * at + 2, f"x{at}") for at in range(9)]
    said = unknown_note(language, "m", many, "x0 x1 x2 x3 x4 x5 x6 x7 x8 and all of this is known to it")
    assert "“x4”" in said and "x5" not in said and "m" in said
    blank = "[MASK] ☃☃ ___"
    assert unknown_note(language, "m", [Unknown(7, 9, "☃☃")], blank) == unknown_note(
        language, "m", [Unknown(0, 2, "☃☃")], "☃☃ x"
    )
