"""The drawings of the tokens tab: visitors' text escaped, bytes never broken."""

from __future__ import annotations

import pytest

from app.results.about import About
from app.results.attention import MaskDraw, MaskingResult, TokenizerRow
from app.results.text import LostText
from app.tasks.tokenization.alignment import ELMO_BYTES, align, cut
from app.ui.texts import texts
from app.views.alignment import draw_alignment, draw_row
from app.views.masking import draw_masking
from app.views.masking_draws import plot_draws
from tests.about import ABOUT
from tests.views.test_plots import markup

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(1)> \"'"


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_text_is_escaped_and_bytes_are_never_shown_as_replacement_signs(language: str) -> None:
    text = ATTACK + " 😀 今天 é́"
    rows = [cut(text, model) for model in ("bert-base-uncased", "roberta-base", "albert-base-v2", ELMO_BYTES)]
    abouts = {row.model: About(ATTACK, ATTACK, ATTACK, ATTACK) for row in rows}
    drawn = draw_alignment(align(text, rows), abouts, texts("tokenization")[language])
    assert "<script" not in drawn
    assert "<img" not in drawn
    assert "\ufffd" not in drawn
    assert ">😀<small>×2</small>" in drawn


@pytest.mark.usefixtures("published")
def test_a_long_text_is_drawn_in_part_and_says_so() -> None:
    text = "word " * 2_000
    drawn = draw_alignment(align(text, [cut(text, ELMO_BYTES)]), {ELMO_BYTES: ABOUT}, texts("tokenization")["en"])
    assert "first 1500 characters" in drawn
    assert "leaves out the last 1400 tokens" in drawn
    assert len(drawn) < 400_000


def test_masking_counts_patterns_and_tokens_that_were_never_chosen() -> None:
    first = MaskDraw(["", "mask", ""], ["[CLS]", "[MASK]", "<b>"])
    second = MaskDraw(["", "", "kept"], ["[CLS]", "dog", "<b>"])
    result = MaskingResult("m", ["[CLS]", "dog", "<b>"], [True, False, False], [first] * 4, [first, second] * 2, 1)
    drawn = draw_masking(result, ABOUT, texts("tokenization")["en"])
    assert "4 epochs, 1 different corruptions; 1 of 2 tokens were never chosen." in drawn
    assert "4 epochs, 2 different corruptions; 0 of 2 tokens were never chosen." in drawn
    assert "&lt;b&gt;" in drawn
    static, dynamic = plot_draws(result, texts("tokenization")["en"])
    chosen = {trace.name: list(zip(trace.x, trace.y, strict=True)) for trace in dynamic.data}
    assert chosen["became the mask token"] == [("1", epoch) for epoch in (1, 3)]
    assert chosen["chosen, but left as it is"] == [("2", epoch) for epoch in (2, 4)]
    assert len(static.data[0].x) == 4 and markup(static) | markup(dynamic) <= {"<extra>", "</extra>"}
    assert dynamic.layout.xaxis.labelalias["2"] == "&lt;b&gt;" and "0 of 2 tokens" in dynamic.layout.meta["told"]


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_characters_that_a_tokenizer_leaves_out_are_named_and_escaped(language: str) -> None:
    lost = [LostText(0, 1, "猫"), LostText(2, 5, "<b>")]
    row = TokenizerRow("m", "bpe", 10, [], 0, 0, [], [], lost)
    drawn = draw_row(row, ABOUT, texts("tokenization")[language])
    assert "猫 &lt;b&gt;" in drawn and "<b>" not in drawn
    assert "猫" not in draw_row(TokenizerRow("m", "bpe", 10, [], 0, 0, [], []), ABOUT, texts("tokenization")[language])
