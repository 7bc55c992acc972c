"""The default if no model is named: one that knows the language of the text."""

import pytest

from app.registry import lookup
from app.registry.lookup import BY_NAME, default, first_text, for_task, languages_for
from app.tasks.attention import attention
from app.tasks.fill_mask import fill_mask
from app.tasks.prompting import generate, next_token
from app.tasks.sentence_pair import sentence_pair
from app.tasks.surprise.score import score
from app.tasks.tokenization import tokenize

CHINESE = "今天天气很好。"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The capital of France is [MASK].", "en"),
        ("中国的首都是[MASK]京。", "zh"),
        ("[MASK]好", "zh"),
        ("BERT 是谷歌的模型。", "zh"),
        ("", "en"),
        ("12 + 7 = ?", "en"),
    ],
)
def test_the_language_is_read_off_the_characters(text: str, language: str) -> None:
    assert languages_for(text) == ("multi", language)


def test_the_first_text_that_is_anything_decides() -> None:
    assert first_text(["", "  ", ["", CHINESE], "dog"]) == CHINESE
    assert first_text([3, None, {}]) == ""


@pytest.mark.parametrize("task", ["fill_mask", "next_token", "generate", "score", "classify", "attention", "embed"])
def test_each_language_has_its_default(task: str) -> None:
    assert default(task, "A dog barks.").language in ("en", "multi")
    assert default(task, CHINESE).language in ("zh", "multi")
    assert default(task) == default(task, "A dog barks.")


def test_where_nobody_knows_the_language_the_first_of_all_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    english = [one for one in for_task("fill_mask") if one.language == "en"]
    monkeypatch.setattr(lookup, "for_task", lambda task: english)
    assert default("fill_mask", CHINESE) == english[0]


@pytest.mark.parametrize(
    "asked",
    [
        lambda: fill_mask("今天天气很[MASK]。"),
        lambda: next_token(CHINESE),
        lambda: generate(CHINESE, max_new_tokens=1),
        lambda: score(CHINESE),
        lambda: sentence_pair(CHINESE, "我们去公园。"),
        lambda: attention(CHINESE),
        lambda: tokenize(CHINESE),
    ],
    ids=["fill_mask", "next_token", "generate", "score", "sentence_pair", "attention", "tokenize"],
)
def test_a_chinese_question_is_answered_by_a_model_that_reads_it(asked: object) -> None:
    answer = asked()
    assert BY_NAME[answer.model].language in ("zh", "multi"), answer.model
    assert not answer.unknown if hasattr(answer, "unknown") else True
