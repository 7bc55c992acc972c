"""Word vectors from text to bundle, and their scores."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from app.models.static_vectors import StaticVectors
from app.pretraining import word_vectors
from app.pretraining.evaluation.evaluate import evaluate
from app.pretraining.evaluation.inputs import Places
from app.pretraining.evaluation.vectors import (
    analogy_scores,
    likeness_score,
    read_judgements,
    read_pairs,
    read_questions,
    similarity_score,
)
from app.pretraining.recipes import RECIPES


@pytest.fixture
def vectors() -> StaticVectors:
    """A plane: the first axis is "royal", the second "female"."""
    words = ["man", "woman", "king", "queen", "stone"]
    return StaticVectors(words, torch.tensor([[0.1, 0.1], [0.1, 1.0], [1.0, 0.1], [1.0, 1.0], [-1.0, -1.0]]))


def test_analogies_leave_the_three_given_words_out(vectors: StaticVectors) -> None:
    questions = {"royal": [["man", "woman", "king", "queen"]], "wrong": [["man", "woman", "king", "stone"]]}
    questions["unknown"] = [["man", "woman", "emperor", "empress"]]
    scores = analogy_scores(vectors, questions)
    assert scores == {"model": 0.5, "questions": 2, "unknown": 1, "by_kind": {"royal": 1.0, "wrong": 0.0}}


def test_likeness_is_the_rank_correlation(vectors: StaticVectors) -> None:
    judgements = [("king", "queen", 9.0), ("king", "woman", 5.0), ("queen", "stone", 0.1), ("king", "cat", 7.0)]
    assert similarity_score(vectors, judgements) == {"model": 1.0, "pairs": 3, "unknown": 1}
    turned = [(first, second, -score) for first, second, score in judgements]
    assert similarity_score(vectors, turned)["model"] == -1.0


def test_files_are_read_as_published(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("# Word 1\tWord 2\nlove\tsex\t6.77\n", encoding="utf-8")
    assert read_judgements(tmp_path / "pairs") == [("love", "sex", 6.77)]
    (tmp_path / "questions").write_text(": capitals\nAthens Greece Oslo Norway\n: family\n", encoding="utf-8")
    assert read_questions(tmp_path / "questions") == {
        "capitals": [["athens", "greece", "oslo", "norway"]],
        "family": [],
    }


def test_pairs_of_a_kind_make_questions_both_ways(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text(": capitals\nParis France\nRome Italy\n: one\nhe she\n", encoding="utf-8")
    both = [["Paris", "France", "Rome", "Italy"], ["Rome", "Italy", "Paris", "France"]]
    assert read_pairs(tmp_path / "pairs") == {"capitals": both, "one": []}


def test_the_likelier_of_two_words_is_the_nearer_one(vectors: StaticVectors, tmp_path: Path) -> None:
    (tmp_path / "three").write_text("man\tking\tstone\nman\tstone\tking\nman\tking\tnobody\n", encoding="utf-8")
    assert likeness_score(vectors, tmp_path / "three") == {"model": 0.5, "triples": 2, "unknown": 1}


@pytest.mark.slow
def test_from_text_to_a_measured_bundle(text_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gensim", reason="gensim is a development requirement: it has the published questions")
    recipe = RECIPES["word_vectors_mini"]
    tiny = replace(recipe, vocab_size=12, everyday_passes=0, config=recipe.config | {"dimensions": 8})
    bundle = tmp_path / "models" / "word-vectors-mini"
    made = word_vectors.make(tiny, text_folder, bundle)
    again = StaticVectors.from_pretrained(bundle)
    assert again.words == made.words and len(again.words) == 12
    assert again.words[0] == "the", "the most frequent first"
    np.testing.assert_array_equal(again.vectors, made.vectors)
    record = json.loads((bundle / "train.json").read_text(encoding="utf-8"))
    assert [entry["file"] for entry in record["corpus"]] == ["storybooks.txt.xz", "wikinews_1.txt.xz"]
    assert record["parameters"] == 12 * 8

    own = {"JUDGEMENTS": {"few": "pairs.tsv"}, "OWN": tmp_path}
    own["GOLDEN_WORDS"] = {"en": ("dog", "cat", "house", "river", "the")}
    for name, kept in own.items():
        monkeypatch.setattr(f"app.pretraining.evaluation.vectors.{name}", kept)
    monkeypatch.setattr("gensim.test.utils.datapath", lambda name: str(tmp_path / name))
    (tmp_path / "pairs.tsv").write_text("dog\tcat\t8\ndog\thouse\t2\ndog\triver\t1\n", encoding="utf-8")
    (tmp_path / "questions-words.txt").write_text(": none\ndog cat house river\n", encoding="utf-8")
    (tmp_path / "likeness_en.tsv").write_text("dog\tcat\triver\n", encoding="utf-8")
    (tmp_path / "analogies_en.txt").write_text(": pairs\ndog cat\nhouse river\n", encoding="utf-8")
    scores = evaluate("word-vectors-mini", Places(text_folder, tmp_path, tmp_path / "work", tmp_path / "models"))
    assert scores["similarity"]["few"]["pairs"] == 3
    assert (scores["analogies"]["questions"], scores["own_analogies"]["questions"]) == (1, 2)
    assert scores["likeness"]["triples"] == 1
    golden = json.loads((bundle / "golden.json").read_text(encoding="utf-8"))
    assert [len(answer["top_5"]) for answer in golden] == [5] * 5
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert "library_name" not in card and "| few |" in card and "Alike, or only together?" in card
