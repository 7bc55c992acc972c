"""Guessed tokens are found in the text itself, and do not influence what is written."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from app.engine.families.decoding.decoder import Decoder
from app.engine.families.decoding.prompt_lookup import Lookup
from app.engine.families.decoding.streams import GUESSES, Streams
from app.engine.runtime.device import RunLock
from app.results.prompting import Sampling
from tests.engine.test_half import gpt2, llama

REPEATING = [7, 8, 9, 10, 11] * 4


def test_what_followed_the_last_two_tokens_is_guessed() -> None:
    lookup = Lookup([1, 2, 3, 4, 1, 2])
    assert lookup.guess(3) == [3, 4, 1] and lookup.guess(1) == [3]
    assert lookup.guess(0) == lookup.guess(-1) == []
    lookup.add(5)
    assert lookup.guess(3) == [], "2 and 5 stand together for the first time"
    for token_id in (1, 2):
        lookup.add(token_id)
    assert lookup.guess(3) == [5, 1, 2], "the newest place counts"
    assert lookup.guess(5) == [5, 1, 2, 5, 1], "and a loop goes on"
    assert Lookup([]).guess(3) == Lookup([4]).guess(3) == []


class Counted:
    """A decoder's vocabulary head that notes for how many tokens it was asked."""

    def __init__(self, decoder: Decoder) -> None:
        self.head, self.asked = decoder.head, []

    def __call__(self, states: torch.Tensor) -> torch.Tensor:
        """Logits."""
        self.asked.append(len(states))
        return self.head(states)


def written(decoder: Decoder, sampling: Sampling, guesses: bool, ends: frozenset[int] = frozenset()) -> tuple:
    """Ids and their probabilities, and for how many tokens each pass was asked."""
    head = Counted(decoder)
    counted = replace(decoder, head=head)
    steps = list(Streams(counted, RunLock(), counted if guesses else None).write(REPEATING, 40, sampling, ends))
    return [step.token_id for step in steps], [step.probability for step in steps], head.asked


def repeater() -> Decoder:
    """Says again and again what it said: the next token depends on the last one alone."""
    decoder = gpt2()
    return replace(decoder, blocks=[])


@pytest.mark.parametrize("make", [gpt2, llama, repeater])
@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(temperature=0),
        Sampling(seed=3, temperature=0.2),
        Sampling(seed=4, temperature=0.3, top_k=5, repetition_penalty=1.2),
    ],
)
def test_the_text_is_the_same_with_guesses(make: object, sampling: Sampling) -> None:
    ids, probabilities, asked = written(make(), sampling, guesses=False)
    others, with_guesses, asked_with = written(make(), sampling, guesses=True)
    assert len(ids) == 40 and others == ids
    assert with_guesses == pytest.approx(probabilities, abs=1e-5)
    assert asked == [1] * 40 and max(asked_with) <= 1 + GUESSES
    if sampling.temperature == 0:
        assert max(asked_with) == 1 + GUESSES


def test_right_guesses_save_passes() -> None:
    ids, _, asked = written(repeater(), Sampling(temperature=0), guesses=True)
    assert len(ids) == 40 and len(asked) < 25


def test_nothing_is_written_behind_an_end_that_was_guessed() -> None:
    ids, _, _ = written(repeater(), Sampling(temperature=0), guesses=False)
    end = ids[-1]
    expected = ids[: ids.index(end) + 1]
    for guesses in (False, True):
        assert written(repeater(), Sampling(temperature=0), guesses, frozenset({end}))[0] == expected
