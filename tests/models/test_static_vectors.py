"""Static vectors: looked up, saved, compared."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from sklearn.neighbors import NearestNeighbors

from app.models.static_vectors import StaticVectors


@pytest.fixture
def model() -> StaticVectors:
    """A few words."""
    torch.manual_seed(0)
    return StaticVectors(["the", "bank", "river", "The", "money", "\u2028odd"], torch.randn(6, 8))


def test_small_letters_are_the_second_choice(model: StaticVectors) -> None:
    assert (model.row("The"), model.row("BANK"), model.row("absent")) == (3, 1, None)
    assert StaticVectors(["Paris", "paris"], torch.eye(2)).row("PARIS") == 0, "the more frequent one"
    assert torch.equal(model(["Bank", "the"]), model.vectors[[1, 0]])


def test_words_without_a_vector_are_left_out(model: StaticVectors) -> None:
    assert [word for word, *_ in model.split("The bank, absent; Bank!")] == ["The", "bank", "Bank"]
    assert model.split("The bank")[1] == ("bank", 4, 8)


def test_chinese_is_cut_into_listed_words() -> None:
    words = ["的", "在", "我", "北京", "大学", "北京大学", "光", "月光", "the"]
    model = StaticVectors(words, torch.randn(len(words), 4))
    text = "我在北京大学, The 月 光。月光的x"
    assert [text[start:end] for _, start, end in model.split(text)] == [
        "我", "在", "北京大学", "The", "光", "月光", "的",
    ]  # fmt: skip


def test_the_analogy_is_3_cos_add(model: StaticVectors) -> None:
    rows = model.vectors.numpy() / np.linalg.norm(model.vectors.numpy(), axis=1, keepdims=True)
    target = rows[2] - rows[1] + rows[4]
    cosines = rows @ (target / np.linalg.norm(target))
    found = model.analogy("bank", "river", "money", 6)
    assert [entry.word for entry in found] == [model.words[row] for row in np.argsort(-cosines)]
    assert [entry.cosine for entry in found] == pytest.approx(np.sort(cosines)[::-1], abs=1e-5)


def test_nearest_are_those_of_scikit_learn(model: StaticVectors) -> None:
    search = NearestNeighbors(n_neighbors=4, metric="cosine").fit(model.vectors.numpy())
    distances, rows = search.kneighbors(model.vectors[[1]].numpy())
    found = model.nearest("bank", 3)
    assert [entry.word for entry in found] == [model.words[row] for row in rows[0][1:]]
    assert np.abs(np.array([entry.cosine for entry in found]) - (1 - distances[0][1:])).max() < 1e-6
    assert len(model.nearest("bank", 99)) == 5 and model.nearest("absent", 3) == []


def test_saved_and_read(model: StaticVectors, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "static_vectors"
    again = StaticVectors.from_pretrained(tmp_path)
    assert again.words == model.words
    step = model.vectors.abs().amax(dim=1, keepdim=True) / 127
    assert ((again.vectors - model.vectors).abs() <= 0.51 * step + 1e-3 * model.vectors.abs()).all(), "8 bits"
    cosines = torch.cosine_similarity(again.vectors, model.vectors)
    assert cosines.min() > 0.9999
    save_file({"vectors": model.vectors.half()}, tmp_path / "vectors.safetensors")
    assert torch.equal(StaticVectors.from_pretrained(tmp_path).vectors, model.vectors.half().float()), "without scales"
    (tmp_path / "vocab.txt").write_text("the\n")
    with pytest.raises(ValueError, match="1 words"):
        StaticVectors.from_pretrained(tmp_path)
