"""The bundled models that find answers: passages of their own, small, honest cards, better than a likely sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from app.engine.heads import QUESTION_ANSWERING
from app.engine.runtime.loader import loader
from app.registry.lookup import BY_NAME
from app.training.answers.rows import Asked, read_asked
from app.training.bundled.answers import ANSWERS, AnswerSet, golden_answers, measure_answers
from app.training.bundled.bundles import ASSETS, RECIPES
from app.ui.texts import examples
from tests.conftest import SetSetting
from tests.training.bundled import alike, card_of, loadable, weights_of, written

FINDERS = {name: recipe.data for name, recipe in RECIPES.items() if isinstance(recipe.data, AnswerSet)}
LARGEST_BYTES = 0.8e6
ENOUGH = (5_000, 200)


def rows_of(data: AnswerSet) -> tuple[list[Asked], list[Asked]]:
    return read_asked(ASSETS / data.learnt), read_asked(ASSETS / data.held_out)


def test_questions_are_enough_each_once_and_some_have_no_answer() -> None:
    for rows, least in zip(rows_of(ANSWERS), ENOUGH, strict=True):
        assert len({(row.passage, row.question) for row in rows}) == len(rows) >= least
        assert 0.15 < sum(row.answer is None for row in rows) / len(rows) < 0.25
        assert all(re.search("[?？]$", row.question) and "|" not in row.passage for row in rows)


def test_an_answer_is_whole_words_and_ends_without_a_sign() -> None:
    for rows in rows_of(ANSWERS):
        for row in rows:
            if row.answer is not None:
                start, end = row.answer
                around = f" {row.passage} "[start : end + 2]
                assert not re.match(r"[A-Za-z]{2}", around) and not re.search(r"[A-Za-z]{2}$", around), row
                assert not re.search(r"[,;，；、]$", row.answer_text), row


def test_what_is_measured_on_is_new() -> None:
    learnt, held_out = ({row.passage for row in rows} for rows in rows_of(ANSWERS))
    for passage in held_out:
        nearest = max(learnt, key=lambda other: alike(passage, other))
        assert alike(passage, nearest) <= 0.34, (passage, nearest)


def test_the_tabs_examples_are_among_neither() -> None:
    shown = {example["passage"] for example in examples("en", "answering")}
    assert shown and not shown & {row.passage for rows in rows_of(ANSWERS) for row in rows}


@pytest.fixture(params=FINDERS)
def finder(request: pytest.FixtureRequest, set_setting: SetSetting) -> Iterator[str]:
    """Name of a bundled model that can be loaded here."""
    yield from loadable(request.param, set_setting)


@pytest.mark.parametrize("name", FINDERS)
def test_files(name: str) -> None:
    assert weights_of(name) <= LARGEST_BYTES
    card, scores = card_of(name), written(name, "train.json")["scores"]["answers"]
    for key in ("exact", "f1", "answerable_f1", "likest_sentence_f1", "refused", "refused_wrongly"):
        assert f"{scores[key]:.1%}" in card, key
    assert scores["answerable_f1"] > scores["likest_sentence_f1"] + 0.2
    assert scores["refused"] > scores["refused_wrongly"] + 0.2


def test_the_record_has_what_the_bundle_says(finder: str) -> None:
    _, held_out = rows_of(FINDERS[finder])
    scores = measure_answers(loader().get(BY_NAME[finder]).head(QUESTION_ANSWERING), held_out)
    # Another CPU's kernels may turn an answer that is as good as equally likely.
    assert scores == pytest.approx(written(finder, "train.json")["scores"]["answers"], abs=0.03)


def test_golden_answers(finder: str) -> None:
    pairs = FINDERS[finder].golden
    answers = golden_answers(loader().get(BY_NAME[finder]).head(QUESTION_ANSWERING), pairs)
    assert answers == written(finder, "golden.json") and len(answers) == len(pairs)
