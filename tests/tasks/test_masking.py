"""BERT's corruption: the shares, what static and dynamic masking repeat, and that a draw is reproducible."""

from __future__ import annotations

import pytest

from app.errors import PlaygroundError
from app.tasks.tokenization.masking import COPIES, EPOCHS, draw_masks

TEXT = "The dog barked at the cat, and the cat ran away from the dog to the top of the old tree. " * 4
pytestmark = pytest.mark.usefixtures("published")


def test_fifteen_percent_of_the_ordinary_tokens_are_chosen_and_split_eighty_ten_ten() -> None:
    draws = [draw for seed in range(20) for draw in draw_masks(TEXT, "bert-base-uncased", seed).dynamic]
    result = draw_masks(TEXT, "bert-base-uncased")
    ordinary = result.special.count(False)
    assert {sum(map(bool, draw.actions)) for draw in draws} == {round(0.15 * ordinary)}
    actions = [action for draw in draws for action in draw.actions if action]
    shares = [actions.count(kind) / len(actions) for kind in ("mask", "random", "kept")]
    # 20 x 40 draws of 12 tokens: one standard deviation is 0.004
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.02)
    assert not any(draw.actions[0] or draw.actions[-1] for draw in draws)


def test_static_masking_repeats_ten_copies_and_dynamic_masking_does_not() -> None:
    result = draw_masks(TEXT, "roberta-base", 3)
    assert len(result.static) == len(result.dynamic) == EPOCHS
    assert result.static[:COPIES] * (EPOCHS // COPIES) == result.static
    assert len({tuple(draw.actions) for draw in result.dynamic}) > COPIES


def test_what_is_shown_follows_the_action() -> None:
    result = draw_masks(TEXT, "bert-base-uncased", 1)
    for draw in result.dynamic:
        for token, action, shown in zip(result.tokens, draw.actions, draw.shown, strict=True):
            if action == "mask":
                assert shown == "[MASK]"
            elif action != "random":
                assert shown == token


def test_the_same_number_draws_the_same_masks() -> None:
    assert draw_masks(TEXT, "bert-base-uncased", 5) == draw_masks(TEXT, "bert-base-uncased", 5)
    assert draw_masks(TEXT, "bert-base-uncased", 5) != draw_masks(TEXT, "bert-base-uncased", 6)


@pytest.mark.parametrize(
    ("text", "model", "seed", "code"),
    [
        ("", "bert-base-uncased", 0, "empty_text"),
        (TEXT, "gpt2", 0, "wrong_model"),
        (TEXT, "nope", 0, "unknown_model"),
        (TEXT, "bert-base-uncased", -1, "bad_value"),
        ("word " * 600, "bert-base-uncased", 0, "too_long"),
    ],
)
def test_bad_input_is_refused(text: str, model: str, seed: int, code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        draw_masks(text, model, seed)
    assert caught.value.code == code
