"""Typed pairs and typed prompts: the questions, and how right answers are counted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from app.pretraining.evaluation.typed import next_word as typed_next
from app.pretraining.evaluation.typed import pairs as typed_pairs
from app.pretraining.evaluation.typed.next_word import typed_prompts
from app.pretraining.evaluation.typed.pairs import everyday_pairs, typed_pair_scores
from app.tasks.sentence_pair.judge import sentence_pair


def test_sixty_different_pairs_of_whole_sentences() -> None:
    pairs = everyday_pairs()
    sentences = [sentence for pair in pairs for sentence in pair]
    assert len(pairs) == 60 and len(set(sentences)) == 120
    assert all(sentence[0].isupper() and sentence[-1] in ".?!" for sentence in sentences)


def answered(monkeypatch: pytest.MonkeyPatch, objective: str, says_yes: object) -> dict:
    """The scores of a judge that answers by `says_yes(first, second)`."""

    def judge(first: str, second: str, model: str) -> SimpleNamespace:
        yes = 0.9 if says_yes(first, second) else 0.1
        labels = [SimpleNamespace(probability=yes), SimpleNamespace(probability=1 - yes)]
        return SimpleNamespace(objective=objective, labels=labels)

    monkeypatch.setattr(typed_pairs, "sentence_pair", judge)
    return typed_pair_scores("any")[objective]


@pytest.mark.parametrize("objective", ["nsp", "sop"])
def test_half_of_the_pairs_are_wrong_ones(monkeypatch: pytest.MonkeyPatch, objective: str) -> None:
    pairs = set(everyday_pairs())
    assert answered(monkeypatch, objective, lambda first, second: (first, second) in pairs)["model"] == 1.0
    assert answered(monkeypatch, objective, lambda first, second: True)["model"] == 0.5
    assert answered(monkeypatch, objective, lambda first, second: (first, second) not in pairs)["model"] == 0.0


def test_the_first_label_is_yes() -> None:
    for model, name in (("bert-mini", "is_next"), ("albert-mini", "in_order")):
        assert sentence_pair("It rained.", "We got wet.", model).labels[0].label == name


def test_only_what_stands_before_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"The {name} carried two buckets up the hill again.\n" for name in ("farmer", "girl", "baker", "nurse")]
    (tmp_path / "en_novels.txt").write_text("".join(lines), encoding="utf-8")
    prompts = typed_prompts(tmp_path, "en")[:1]
    asked: list[str] = []

    def answer(prompt: str, model: str, top_k: int) -> SimpleNamespace:
        asked.append(prompt)
        return SimpleNamespace(candidates=[SimpleNamespace(token=f" {prompts[0].word}")])

    monkeypatch.setattr(typed_next, "next_token", answer)
    monkeypatch.setattr(typed_next, "CountingRivals", lambda *_: SimpleNamespace(trigram=None))
    monkeypatch.setattr(typed_next, "counted", lambda *_: {})
    assert typed_next.typed_next_scores("any", prompts, [], None)["model"]["top_1"] == 1.0
    assert asked == [prompts[0].sentence[: prompts[0].start].rstrip()]
    assert len(asked[0].split()) >= 3
