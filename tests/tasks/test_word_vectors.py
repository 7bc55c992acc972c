"""Neighbours, analogies and the map against numpy; missing words; one vector per word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from sklearn.decomposition import PCA

from app.errors import PlaygroundError
from app.settings import BUNDLED
from app.tasks.word_vectors import analogy, word_vectors
from app.tasks.word_vectors.one_vector import one_vector
from app.tasks.word_vectors.word_map import word_map
from app.ui.texts import texts

EN, ZH = "word-vectors-mini", "word-vectors-mini-zh"
ASKED = [(EN, ["king", "water", "France"], ("man", "king", "woman")), (ZH, ["国王", "水"], ("法国", "巴黎", "日本"))]


@pytest.fixture(scope="module", params=ASKED, ids=lambda asked: asked[0])
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[str, list[str], tuple[str, str, str]]]:
    """Vectors with words and an analogy."""
    yield request.param


def read(name: str) -> tuple[list[str], np.ndarray]:
    """The words and the rows of length 1, straight from the files."""
    stored = load_file(BUNDLED / name / "vectors.safetensors")
    rows = stored["vectors"].astype(np.float64) * stored["scale"].astype(np.float64)[:, None]
    words = Path(BUNDLED / name / "vocab.txt").read_text(encoding="utf-8").split("\n")[:-1]
    return words, rows / np.linalg.norm(rows, axis=1, keepdims=True)


def best(cosines: np.ndarray, left_out: list[int], count: int) -> list[int]:
    """The highest, some left out."""
    return [row for row in np.argsort(-cosines) if row not in left_out][:count]


def test_neighbours_are_those_of_numpy(asked: tuple[str, list[str], tuple[str, str, str]]) -> None:
    model, listed, _ = asked
    words, rows = read(model)
    for word in listed:
        result, at = word_vectors(word, model, 12), words.index(word)
        cosines = rows @ rows[at]
        assert [near.word for near in result.neighbours] == [words[row] for row in best(cosines, [at], 12)]
        assert [near.cosine for near in result.neighbours] == pytest.approx(
            sorted(np.delete(cosines, at))[:-13:-1], abs=1e-5
        )
        assert (result.model, result.word, result.rank, result.words) == (model, word, at + 1, len(words))
        assert result.dimensions == len(result.vector) == rows.shape[1]
        assert np.array(result.vector) / np.linalg.norm(result.vector) == pytest.approx(rows[at], abs=1e-5)


def test_analogies_are_3_cos_add(asked: tuple[str, list[str], tuple[str, str, str]]) -> None:
    model, _, three = asked
    words, rows = read(model)
    a, b, c = (words.index(word) for word in three)
    target = rows[b] - rows[a] + rows[c]
    cosines = rows @ (target / np.linalg.norm(target))
    result = analogy(*three, model, 6)
    assert [near.word for near in result.answers] == [words[row] for row in best(cosines, [a, b, c], 6)]
    assert [near.cosine for near in result.answers] == pytest.approx(
        [cosines[words.index(near.word)] for near in result.answers], abs=1e-5
    )
    assert result.nearest_of_all.word == words[int(cosines.argmax())]
    assert not {near.word for near in result.answers} & set(three)


def test_a_word_is_found_in_any_case_and_by_its_language() -> None:
    assert word_vectors("PARIS").word == word_vectors("paris", EN).word == "Paris"
    assert word_vectors("  “King”, ").word == "king"
    assert word_vectors("北京").model == ZH and analogy("法国", "巴黎", "日本").model == ZH


@pytest.mark.parametrize(
    ("word", "model", "reason", "offered"),
    [
        ("kingg", EN, "other_spelling", "king"),
        ("freind", EN, "other_spelling", "friend"),
        ("new york", EN, "other_spelling", "new, York"),
        ("king, queen, king and king", EN, "other_spelling", "king, queen, and"),
        ("北京大学生活动", ZH, "other_spelling", "北京大学"),
        ("xqzzy", EN, "not_listed", ""),
        ("king", ZH, "other_vectors", EN),
        ("国王", EN, "other_vectors", ZH),
    ],
)
def test_a_word_that_is_missing_is_said_with_what_to_do(word: str, model: str, reason: str, offered: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        word_vectors(word, model)
    error = caught.value
    assert (error.code, error.reason) == ("word_not_found", reason)
    assert offered in f"{error.values.get('near', '')} {error.values.get('other', '')}"
    with pytest.raises(PlaygroundError) as caught:
        analogy("man", word, "woman", model)
    assert caught.value.code == "word_not_found"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("",), "empty_text"),
        ((" \n",), "empty_text"),
        ((None,), "bad_value"),
        (("king" * 100,), "bad_value"),
        (("king", EN, 0), "bad_value"),
        (("king", EN, 10**9), "bad_value"),
        (("king", "nope"), "unknown_model"),
        (("king", "bert-mini"), "wrong_model"),
    ],
)
def test_what_cannot_be_answered_is_refused(arguments: tuple[object, ...], code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        word_vectors(*arguments)
    assert caught.value.code == code


@pytest.mark.parametrize(("model", "key", "word"), [(EN, "map.en", "king"), (ZH, "map.zh", "国王")])
def test_the_map_is_the_pca_of_its_words_with_the_asked_one_laid_on(model: str, key: str, word: str) -> None:
    groups = {group["name"]: group["words"] for group in texts("word_vectors")["en"][key]}
    made = word_map(groups, word, model)
    assert [one.word for one in made.words] == [one for words in groups.values() for one in words], "all are listed"
    assert 90 <= len(made.words) <= 110
    words, rows = read(model)
    fitted = PCA(2).fit(rows[[words.index(one.word) for one in made.words]])
    expected = fitted.transform(rows[[words.index(one.word) for one in (*made.words, made.asked)]])
    found = np.array([(one.x, one.y) for one in (*made.words, made.asked)])
    assert np.abs(found) == pytest.approx(np.abs(expected), abs=1e-4), "but for the signs of the axes"
    assert made.explained == pytest.approx(fitted.explained_variance_ratio_, abs=1e-4)


def test_a_word_has_one_vector_in_all_sentences_and_another_for_who_reads_them() -> None:
    lines = "money | The Bank lent money.\nriver | A muddy bank of the river.\nNo such word here."
    result = one_vector(lines, "bank", EN, "bert-mini")
    assert result.senses == ["money", "river"] and result.sentences[0] == "The Bank lent money."
    assert [text[slice(*span)] for text, span in zip(result.sentences, result.spans, strict=True)] == ["Bank", "bank"]
    assert np.array(result.static) == pytest.approx(1.0, abs=1e-6)
    assert result.contextual[0][0] == pytest.approx(1.0, abs=1e-6) and result.contextual[0][1] < 0.99
