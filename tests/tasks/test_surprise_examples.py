"""The page's prepared texts show what the bundled models know: the first ones are decided correctly."""

from __future__ import annotations

import pytest

from app.tasks.surprise.minimal_pairs import minimal_pairs
from app.tasks.surprise.score import score
from app.ui.texts import texts


def test_chinese_pairs() -> None:
    (prepared,) = (pairs for pairs in texts("surprise")["zh-CN"]["pairs"] if pairs["name"] == "中文的语序")
    assert minimal_pairs("\n".join(prepared["lines"]), "gpt2-mini-zh").accuracy >= 5 / 6


@pytest.mark.parametrize(("language", "model"), [("en", "gpt2-mini"), ("zh-CN", "gpt2-mini-zh")])
def test_first_examples(language: str, model: str) -> None:
    for example in texts("surprise")[language]["examples"][:2]:
        good, bad = (score(example[key], model).log_probability for key in ("first", "second"))
        assert good > bad, example
