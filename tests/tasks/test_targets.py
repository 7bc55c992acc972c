"""The pieces of a word at a blank: they spell the whole word, wherever the blank is; no word is refused."""

from __future__ import annotations

import pytest

from app.engine.runtime.loader import load_head
from app.registry.checkpoint import MASKED_LM
from app.registry.lookup import BY_NAME
from app.results.text import Target
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.fill_mask.question import Question
from app.tasks.fill_mask.targets import pieces_of
from app.ui.texts import texts
from app.views.candidates import draw_targets

MODELS = ("bert-mini", "roberta-mini", "albert-mini")
PLACES = [
    'He said "[MASK]" loudly.', "A well-[MASK] man.", "He (the [MASK]) left.", "([MASK])", "The [MASK]'s hat.",
    "[MASK]-year-old", "She lives in New [MASK].", "un[MASK]able", "[MASK]", "“[MASK]!”", "a/[MASK]/b", "¿[MASK]?",
    "It was [MASK] [MASK].", "email@[MASK].org", "#[MASK]",
]  # fmt: skip
WORDS = ("stop", "no", "known", "king", "orleans", "policeman", "extraordinarily")


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("text", PLACES)
def test_pieces_spell_the_word(name: str, text: str) -> None:
    model = load_head(BY_NAME[name], MASKED_LM)
    question = Question(model, text, model.text.encode(text))
    for word in WORDS:
        ids = pieces_of(question, word)
        spelt = "".join(model.text.show(token_id).removeprefix("##") for token_id in ids)
        assert spelt.strip() == word, (word, ids)


@pytest.mark.parametrize("word", ["“dog”", "狗", "😀", "'dog'", "…", "dog"])
def test_the_space_before_a_word_is_scored_with_it(word: str) -> None:
    model = load_head(BY_NAME["roberta-mini"], MASKED_LM)
    text = "The [MASK] barked."
    ids = pieces_of(Question(model, text, model.text.encode(text)), word)
    assert b"".join(model.text.content(token_id) for token_id in ids) == f" {word}".encode()


@pytest.mark.parametrize("name", MODELS)
def test_a_word_of_one_piece_has_the_bars_own_probability(name: str) -> None:
    answer = fill_mask("He went to the [MASK].", name, 1000, ["door", "house"])
    bars: dict[str, float] = {}
    for candidate in answer.masks[0].candidates:  # likeliest first: RoBERTa has a word with its space and without
        bars.setdefault(candidate.token.strip(), candidate.probability)
    for target in answer.targets:
        assert target.probability == pytest.approx(bars[target.word], rel=1e-5) and target.rank


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_words_of_different_numbers_of_pieces_are_said_not_to_compare(language: str) -> None:
    labels = texts("fill_mask")[language]
    one = Target("door", ["door"], 0.1, -2.3, 3, None)
    two = Target("policeman", ["police", "##man"], 0.01, -4.6, None, None)
    assert labels["not_comparable"] in draw_targets([one, two], labels)
    assert labels["not_comparable"] not in draw_targets([one, one], labels)
    assert labels["not_comparable"] not in draw_targets([two, two], labels)
