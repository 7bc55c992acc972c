"""The best order beats all orders; paragraphs are split where sentences end; the trap's three rows."""

from __future__ import annotations

import json
import random
from itertools import pairwise, permutations
from pathlib import Path

import pytest

from app.errors import PlaygroundError
from app.results.sentence_pair import PairAccuracy
from app.tasks.sentence_pair.judge import sentence_pair
from app.tasks.sentence_pair.order import best_order, log_matrix, order_paragraph, shuffle, split_sentences
from app.tasks.sentence_pair.topic_trap import measured_accuracies, topic_trap

BERT, ALBERT = "bert-base-uncased", "albert-base-v2"


@pytest.mark.parametrize("count", range(2, 8))
def test_best_order_equals_brute_force(count: int) -> None:
    source = random.Random(count)
    for _ in range(5):
        scores = [[-source.expovariate(1.0) for _ in range(count)] for _ in range(count)]
        by_force = max(permutations(range(count)), key=lambda order: sum(scores[a][b] for a, b in pairwise(order)))
        assert best_order(scores) == list(by_force)


def test_greedy_would_be_wrong() -> None:
    scores = [[0, -0.1, -0.2], [-9, 0, -9], [-9, -0.3, 0]]
    assert best_order(scores) == [0, 2, 1]


def test_a_probability_of_zero_is_the_lowest_log() -> None:
    assert log_matrix([[None, 0.0], [1.0, None]]) == [[0.0, -745.0], [0.0, 0.0]]
    assert best_order(log_matrix([[None, 0.0], [0.0, None]])) in ([0, 1], [1, 0])


def test_paragraph(tiny: Path) -> None:
    sentences = ["The dog barked.", "The cat ran away.", "The soup is hot."]
    result = order_paragraph(sentences, [2, 1, 0], ALBERT)
    assert sorted(result.best.order) == [0, 1, 2]
    assert result.written.order == [0, 1, 2] and result.written.pairs_right == 3
    assert result.own.order == [2, 1, 0] and result.own.pairs_right == 0
    assert result.best.log_probability >= max(result.own.log_probability, result.written.log_probability)


@pytest.mark.parametrize("own", [[0, 1], [0, 0, 1], [0, 1, 3]])
def test_an_order_must_hold_every_sentence(tiny: Path, own: list[int]) -> None:
    with pytest.raises(PlaygroundError) as refused:
        order_paragraph(["One.", "Two.", "Three."], own, ALBERT)
    assert refused.value.key == "bad_value.order"


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One.\n\n Two, 3.5 times. Still two.\n", ["One.", "Two, 3.5 times. Still two."]),
        ('He said "Go." Then he left! Really? Yes.', ['He said "Go."', "Then he left!", "Really?", "Yes."]),
        ("今天天气很好。我们去公园！“真好。”她说。", ["今天天气很好。", "我们去公园！", "“真好。”她说。"]),
    ],
)
def test_split(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@pytest.mark.parametrize("text", ["", "One sentence.", "\n".join("abcdefghi")])
def test_split_refuses(text: str) -> None:
    with pytest.raises(PlaygroundError) as refused:
        split_sentences(text)
    assert refused.value.key == "bad_value.sentences"


def test_shuffle() -> None:
    for turn in range(20):
        order = shuffle(4, turn)
        assert sorted(order) == [0, 1, 2, 3] != order
        assert order == shuffle(4, turn)
    assert shuffle(2, 0) == [1, 0]


@pytest.mark.parametrize(("model", "objective"), [(BERT, "nsp"), (ALBERT, "sop")])
def test_trap_rows_are_pairs(tiny: Path, model: str, objective: str) -> None:
    first, second, other = "The dog barked.", "The cat ran away.", "The soup is hot."
    result = topic_trap(first, second, other, model)
    pair, off_topic = sentence_pair(first, second, model), sentence_pair(first, other, model)
    expected = [pair.labels[0].probability, pair.swapped[0].probability, off_topic.labels[0].probability]
    assert result.objective == objective
    assert result.probability == pytest.approx(expected, abs=1e-5)


def test_measured_accuracies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.storage.bundled_scores.BUNDLED", tmp_path)
    assert measured_accuracies() == []
    (tmp_path / "bert-mini").mkdir()
    record = {"scores": {"sentence_pairs": {"nsp": {"model": 0.8}, "sop": {"model": 0.52}, "opening": {"model": 0.6}}}}
    (tmp_path / "bert-mini" / "train.json").write_text(json.dumps({"seed": 1}))
    assert measured_accuracies() == []
    (tmp_path / "bert-mini" / "train.json").write_text(json.dumps(record))
    (measured,) = measured_accuracies()
    assert measured == PairAccuracy("bert-mini", "nsp", 0.8, 0.52, 0.6)
