"""The fill-mask and surprisal views' drawings of a result."""

from __future__ import annotations

import math

from app.results.about import About
from app.results.text import Candidate, FillMaskResult, JointAnswer, MaskAnswer, ScoreResult, Target, TokenScore, Window
from app.ui.texts import texts
from app.views.candidates import draw_fill_mask, draw_targets, in_percent
from app.views.tokens import draw_surprisal, draw_words
from tests.about import ABOUT

LABELS = texts("fill_mask")["en"]
EVIL = "<img src=x onerror=alert(1)>"


def result(**changes: object) -> FillMaskResult:
    """A result with one mask and two candidates."""
    masks = [MaskAnswer(1, [Candidate("dog", "dog", 7, 0.75), Candidate("##ing", "##ing", 8, 0.05)])]
    plain = {"model": "m", "revision": "r", "tokens": [], "masks": masks, "joint": [], "targets": [], "window": None}
    return FillMaskResult(**(plain | changes))


def test_a_bar_is_as_long_as_its_probability() -> None:
    drawn = draw_fill_mask(result(), ABOUT, LABELS)
    assert "width:75.00%" in drawn and "75.0%" in drawn and "can be trusted" in drawn
    assert f"{math.log(0.75):.4f}" in drawn


def test_a_piece_of_a_word_is_marked_as_one() -> None:
    assert "(part of a word)" in draw_fill_mask(result(), ABOUT, LABELS)


def test_everything_from_outside_is_escaped() -> None:
    drawn = draw_fill_mask(
        result(
            model=EVIL,
            joint=[JointAnswer([EVIL], EVIL, -1.0)],
            targets=[Target(EVIL, [EVIL, EVIL], 0.1, -2.3, None, EVIL)],
            masks=[MaskAnswer(1, [Candidate(EVIL, EVIL, 1, 0.5)])],
            window=Window(0, 9),
        ),
        About(EVIL, EVIL, EVIL, EVIL),
        LABELS,
    )
    assert "<img" not in drawn


def test_a_word_of_several_pieces_is_said_to_be() -> None:
    drawn = draw_targets([Target("quokka", ["quo", "##kka"], 1e-9, -20.7, None, None)], LABELS)
    assert "(2 tokens)" in drawn and "quo · ##kka" in drawn and "≈ 0%" in drawn


def test_small_probabilities_are_not_rounded_to_nothing() -> None:
    shown = {0.1234: "12.3%", 0.006: "0.6%", 0.00072: "0.072%", 0.00001: "0.0010%", 1e-9: "≈ 0%", 0.0: "0.0%"}
    assert {value: in_percent(value) for value in shown} == shown


def test_with_digits_nothing_is_certain_or_impossible() -> None:
    shown = {1.0: "> 99.9%", 0.9996: "> 99.9%", 0.9994: "99.9%", 0.0006: "0.1%", 0.0004: "< 0.1%", 0.0: "< 0.1%"}
    assert {value: in_percent(value, 1) for value in shown} == shown
    assert (in_percent(0.996, 0), in_percent(0.5, 0), in_percent(0.004, 0)) == ("> 99%", "50%", "< 1%")


def test_offsets_of_words_are_those_of_python() -> None:
    drawn = draw_words("😀 cat 👨‍👩‍👧 [MASK] 好", LABELS)
    assert "data-start='2' data-end='5' title='hide this word'>cat<" in drawn
    assert "class='blank'" in drawn and ">好<" in drawn


def test_pieces_that_share_their_characters_are_shown_once() -> None:
    scores = [TokenScore("⟨F0⟩", 0, 1, -1.0, 3), TokenScore("⟨9F⟩", 0, 1, -2.0, 4), TokenScore(" cat", 2, 5, -0.5, 1)]
    drawn = draw_surprisal(ScoreResult("m", "r", "masked", scores, -3.5, 3.2), "😀 cat", ABOUT, LABELS)
    assert drawn.count(">😀<") == 1 and f"{3 / math.log(2):.1f} bits, rank 3, 4" in drawn


def test_colours_of_surprise_have_a_scale_and_none_for_spaces_or_the_first_token() -> None:
    bits = [16.0, 17.6, 16.0]
    text, spans = " He drank stones", [(0, 3), (3, 9), (9, 16)]
    scores = [TokenScore(text[a:b], a, b, -one * math.log(2), 1) for (a, b), one in zip(spans, bits, strict=True)]
    drawn = {
        kind: draw_surprisal(ScoreResult("m", "r", kind, scores, -1.0, 3.2), text, ABOUT, LABELS)
        for kind in ("causal", "masked")
    }
    for kind, one in drawn.items():
        assert "</span> <span style='--strength:0.73'" in one and ">drank<" in one and ">stones<" in one
        assert (LABELS["first_token"] in one) == (kind == "causal")
        assert one.count("--strength:0.67") == (1 if kind == "causal" else 2), "the first token"
        assert "class='trust surprisal scale'" in one and "\u00a024\u00a0" in one
