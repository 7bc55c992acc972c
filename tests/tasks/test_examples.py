"""Public examples are computed once for all who ask; visitors' own texts are never kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.tasks.examples import public_texts, store
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.prompting.write import next_token
from app.tasks.sentence_pair.judge import sentence_matrix, sentence_pair
from app.tasks.surprise.score import score
from app.tasks.zero_shot.predict import zero_shot

EXAMPLE = "She was the mother of two [MASK]."
FIRST, SECOND = "Venus is the second planet from the Sun.", "It has no moons, and its day is longer than its year."
STORY, LABELS = "A warm film with a clever story.", ["good", "bad"]
# With a public example, and with a text of the visitor's own.
ASKED: list[tuple[str, Callable[[str], Any], str, str]] = [
    ("bert-mini", lambda text: fill_mask(text, "bert-mini", 3), EXAMPLE, "My name is [MASK]."),
    ("bert-mini", lambda text: sentence_pair(FIRST, text, "bert-mini"), SECOND, "My own."),
    ("bert-mini", lambda text: sentence_matrix([FIRST, text], "bert-mini"), SECOND, "My own."),
    ("gpt2", lambda text: score(text, "gpt2"), "He drank a cup of tea.", "My own tea."),
    ("gpt2", lambda text: zero_shot(text, LABELS, "{text} It was", "gpt2"), STORY, "My own story."),
    ("gpt2", lambda text: next_token(text, "gpt2"), "The capital of France is", "My own town is"),
]


@pytest.fixture(autouse=True)
def nothing_kept(tiny: Path) -> Iterator[None]:
    """No test finds another's answers."""
    store.cache_clear()
    yield
    store.cache_clear()


def passes_of(name: str) -> list[int]:
    """Grows with each pass of a model."""
    passes: list[int] = []
    module = loader().get(BY_NAME[name]).model.get_input_embeddings()
    module.register_forward_hook(lambda module, given, output: passes.append(len(given[0])))
    return passes


@pytest.mark.parametrize(("name", "ask", "example", "own"), ASKED)
def test_an_example_is_computed_once_and_a_visitors_text_each_time(
    name: str, ask: Callable[[str], Any], example: str, own: str
) -> None:
    passes = passes_of(name)
    first = ask(example)
    count = len(passes)
    assert count and ask(example) == first and len(passes) == count and len(store()) == 1
    assert ask(own) == ask(own)
    assert len(passes) > count + 1 and len(store()) == 1


def test_forty_who_press_the_same_button_have_one_pass() -> None:
    passes, found = passes_of("bert-mini"), []
    visitors = [threading.Thread(target=lambda: found.append(fill_mask(EXAMPLE, "bert-mini"))) for _ in range(40)]
    with loader().get(BY_NAME["bert-mini"]).lock:
        for visitor in visitors:
            visitor.start()
    for visitor in visitors:
        visitor.join(60)
    assert len(passes) == 1 and len(found) == 40 and all(answer == found[0] for answer in found)


def test_other_settings_another_model_and_other_files_are_other_questions(tiny: Path) -> None:
    answers = [
        fill_mask(EXAMPLE, "bert-mini", 3),
        fill_mask(EXAMPLE, "bert-mini", 4),
        fill_mask(EXAMPLE, "albert-base-v2", 3),
    ]
    assert [len(answer.masks[0].candidates) for answer in answers] == [3, 4, 3]
    assert [answer.model for answer in answers] == ["bert-mini", "bert-mini", "albert-base-v2"]
    loader().clear()
    passes = passes_of("bert-mini")
    assert fill_mask(EXAMPLE, "bert-mini", 3) == answers[0] and len(passes) == 1


def test_a_word_of_the_visitors_own_makes_the_question_theirs() -> None:
    fill_mask(EXAMPLE, "bert-mini", 3, ["barked"])
    assert "barked" not in public_texts() and len(store()) == 0


def test_what_is_refused_is_refused_each_time() -> None:
    assert fill_mask(EXAMPLE, "bert-mini", 1).masks
    for top_k in (True, 0):
        with pytest.raises(PlaygroundError):
            fill_mask(EXAMPLE, "bert-mini", top_k)
    with pytest.raises(PlaygroundError):
        fill_mask(EXAMPLE, "no-such-model")
    assert len(store()) == 1
