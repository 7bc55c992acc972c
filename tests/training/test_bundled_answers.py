"""The bundled models that find answers: passages of their own, small, honest cards, better than a likely sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import fmean

import pytest

from app.engine.heads import QUESTION_ANSWERING
from app.engine.runtime.loader import loader
from app.registry.lookup import BY_NAME
from app.training.answers.rows import Asked, read_asked
from app.training.bundled.answers import AnswerSet, asked_elsewhere, golden_answers, measure_answers
from app.training.bundled.bundles import ASSETS, RECIPES
from app.ui.texts import examples
from tests.conftest import SetSetting
from tests.training.bundled import alike, card_of, loadable, weights_of, written

FINDERS = {name: recipe.data for name, recipe in RECIPES.items() if isinstance(recipe.data, AnswerSet)}
LARGEST_BYTES = {"minilm-l6-answers": 0.8e6, "bert-mini-zh-answers": 1.8e6}
ENOUGH = {"en": (5_000, 200), "zh": (6_000, 190)}


def rows_of(data: AnswerSet) -> tuple[list[Asked], list[Asked]]:
    return read_asked(ASSETS / data.learnt), read_asked(ASSETS / data.held_out)


every_set = pytest.mark.parametrize("data", FINDERS.values(), ids=FINDERS)


@every_set
def test_questions_are_enough_each_once_and_some_have_no_answer(data: AnswerSet) -> None:
    for rows, least in zip(rows_of(data), ENOUGH[data.language], strict=True):
        assert len({(row.passage, row.question) for row in rows}) == len(rows) >= least
        assert all(re.search("[?？]$", row.question) and "|" not in row.passage for row in rows)
    learnt, held_out = ([row.answer is None for row in rows] for rows in rows_of(data))
    assert 0.13 < fmean(learnt) < 0.25
    assert fmean(held_out) in (0, pytest.approx(0.2, abs=0.05))


@every_set
def test_an_answer_is_whole_words_and_ends_without_a_sign(data: AnswerSet) -> None:
    for rows in rows_of(data):
        for row in rows:
            if row.answer is not None:
                start, end = row.answer
                around = f" {row.passage} "[start : end + 2]
                assert not re.match(r"[A-Za-z]{2}", around) and not re.search(r"[A-Za-z]{2}$", around), row
                assert not re.search(r"[,;，；、]$", row.answer_text), row


@every_set
def test_what_is_measured_on_is_new(data: AnswerSet) -> None:
    learnt, held_out = ({row.passage for row in rows} for rows in rows_of(data))
    for passage in held_out:
        nearest = max(learnt, key=lambda other: alike(passage, other))
        assert alike(passage, nearest) <= 0.34, (passage, nearest)


@every_set
def test_the_tabs_examples_are_among_neither(data: AnswerSet) -> None:
    shown = {example["passage"] for example in examples({"en": "en", "zh": "zh-CN"}[data.language], "answering")}
    assert shown and not shown & {row.passage for rows in rows_of(data) for row in rows}


def test_a_question_about_another_passage_has_no_answer() -> None:
    rows = [Asked("Ada left.", "Who left?", (0, 3)), Asked("It rained.", "What did it do?", (3, 9))]
    assert asked_elsewhere(rows) == [
        Asked("It rained.", "Who left?", None),
        Asked("Ada left.", "What did it do?", None),
    ]


@pytest.fixture(params=FINDERS)
def finder(request: pytest.FixtureRequest, set_setting: SetSetting) -> Iterator[str]:
    """Name of a bundled model that can be loaded here."""
    yield from loadable(request.param, set_setting)


@pytest.mark.parametrize("name", FINDERS)
def test_files(name: str) -> None:
    assert weights_of(name) <= LARGEST_BYTES[name]
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
