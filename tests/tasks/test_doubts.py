"""Why a fine-tuning may be no better than luck: each reason where it holds, none if the model has learnt."""

from __future__ import annotations

from math import comb

import pytest

from app.registry.lookup import BY_NAME
from app.results.tuning.fine_tune import ValidationScores
from app.tasks.files.language import language_of_texts
from app.tasks.fine_tune.doubts import beats_luck, doubts_about
from app.tasks.fine_tune.page import language_of_lines
from app.tasks.fine_tune.rows import RATE_OF, Options
from app.training.labelled import Example
from app.ui.texts import LANGUAGES, texts

ENGLISH = [Example("the dog ran", label) for label in ("A", "B")] * 100
CHINESE = [Example("小狗跑了", label) for label in ("A", "B")] * 100
CASES: dict[str, dict] = {
    "language": {"rows": CHINESE},
    "scratch": {"from_scratch": True},
    "rate_low": {"learning_rate": 1e-6},
    "rate_high": {"learning_rate": 5e-2},
    "steps": {"steps": 5},
    "rows": {"rows": ENGLISH[:60]},
    "kept": {"kept": 10},
    "hard": {},
}


def scores(right: int, kept: int) -> ValidationScores:
    """So many of the rows kept back answered rightly, half of them of either label."""
    half = kept // 2
    return ValidationScores(right / kept, 0.5, [[half, 0], [kept - right, right - half]], 0.5)


def doubts(
    right: int | None = None,
    kept: int = 40,
    rows: list = ENGLISH,
    steps: int = 90,
    model: str = "bert-mini",
    **how: object,
) -> list[str]:
    """What is doubted of a run with nothing wrong but this."""
    options = Options(**{"learning_rate": RATE_OF["full"], **how})
    return doubts_about(BY_NAME[model], rows, options, scores(kept // 2 if right is None else right, kept), steps)


@pytest.mark.parametrize(("reason", "case"), CASES.items())
def test_each_reason_alone(reason: str, case: dict) -> None:
    assert doubts(**case) == [reason]


@pytest.mark.parametrize("case", CASES.values())
def test_nothing_is_doubted_of_what_has_learnt(case: dict) -> None:
    assert doubts(right=case.get("kept", 40), **case) == []


def test_several_reasons_come_in_their_order() -> None:
    assert doubts(rows=CHINESE[:60], from_scratch=True, kept=10) == ["language", "scratch", "rows", "kept"]
    assert doubts(rows=CHINESE, model="bert-mini-zh") == ["hard"], "it knows the language"
    assert doubts(method="lora", learning_rate=RATE_OF["lora"]) == ["hard"], "what suits depends on what is trained"


def test_without_rows_kept_back_nothing_is_doubted() -> None:
    assert doubts_about(BY_NAME["bert-mini"], ENGLISH, Options(from_scratch=True), None, 5) == []


@pytest.mark.parametrize("kept", [20, 40, 80, 200])
def test_luck_rarely_passes_for_learning(kept: int) -> None:
    """Of all ways to guess `kept` coins, few count as learnt: no more than one in thirty, and not none."""
    lucky = sum(comb(kept, right) for right in range(kept // 2, kept + 1) if beats_luck(scores(right, kept)))
    assert 1 / 200 < lucky / 2**kept < 1 / 30


def test_one_row_proves_nothing() -> None:
    assert not beats_luck(ValidationScores(1.0, 1.0, [[0, 0], [0, 1]], 0.0))


def test_every_reason_has_its_sentence() -> None:
    for language in LANGUAGES:
        sentences = {key.removeprefix("doubt.") for key in texts("fine_tune")[language] if key.startswith("doubt.")}
        assert sentences == {*CASES, "below", "hardly"}


@pytest.mark.parametrize(
    ("given", "language"),
    [([], "en"), (["小狗跑了", "the dog", "汤"], "zh"), (["小狗跑了", "the dog"], "en"), (["dog", "汤", "soup"], "en")],
)
def test_the_language_of_texts(given: list, language: str) -> None:
    assert language_of_texts(given) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("好 | positive", "zh"),
        ("ok | 一般般吧", "en"),
        ("好\tpositive", "zh"),
        ("positive\t好\t很好", "zh"),
        ("好 | 很好 | same", "zh"),
        ("good | very good | 相同", "en"),
        ("好", "zh"),
        ("", "en"),
    ],
)
def test_the_language_of_lines_is_that_of_their_texts(line: str, language: str) -> None:
    assert language_of_lines(line) == language
