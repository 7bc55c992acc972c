"""The word-sense page's questions: layers, projections, mixes and neighbours, without running a model twice."""

from __future__ import annotations

import shutil
import threading
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import torch

from app.analysis.projection import project
from app.analysis.similarity import cosines, unit_rows
from app.errors import PlaygroundError
from app.models.elmo import ElmoScalarMix
from app.models.static_vectors import StaticVectors
from app.tasks.word_sense import points as sense_vectors
from app.tasks.word_sense.occurrence_vectors import word_sense
from app.tasks.word_sense.page import near_words, open_panel
from app.tasks.word_sense.points import kept, see
from tests.conftest import SetSetting

ELMO = "elmo-original"
LINES = (
    "water | She sat on the bank of the river.\nmoney | The bank closed; a Bank in town.\n\nwater | the bank.\nno bank"
)
SENTENCES = LINES.split("\n")


@pytest.fixture(autouse=True)
def forget() -> None:
    """Nothing kept from other tests."""
    kept.cache_clear()


def test_the_panel_says_what_the_endpoint_says(tiny: Path) -> None:
    panel = open_panel(LINES, "bank", ELMO)
    assert [layer.name for layer in panel.layers] == ["0", "1", "2"] and panel.mix == []
    for layer in range(3):
        answer = word_sense(SENTENCES, "bank", ELMO, layer)
        told, sent = asdict(panel.layers[layer].senses), asdict(answer.senses)
        assert {name for name, value in told.items() if value is None} == {n for n, v in sent.items() if v is None}
        assert told == pytest.approx(sent, abs=1e-6)
        assert np.abs(panel.layers[layer].similarity - np.array(answer.similarity)).max() < 1e-5
    for occurrence, sent in zip(panel.occurrences, answer.occurrences, strict=True):
        assert panel.sentences[occurrence.sentence][occurrence.start : occurrence.end] == sent.text == occurrence.text
        assert occurrence.sense == sent.sense
    assert [occurrence.sentence for occurrence in panel.occurrences] == [0, 1, 1, 2, 3]


def test_points_keep_their_distances_and_one_scale(tiny: Path) -> None:
    panel, senses = open_panel(LINES, "bank", ELMO), see(LINES, "bank", ELMO, False)
    found = [layer.points for layer in panel.layers]
    expected = [project(unit_rows(vectors)) for vectors in senses.vectors]
    largest = max(np.abs(points).max() for points in (expected[2], *found))
    ratio = np.linalg.norm(found[2]) / np.linalg.norm(expected[2])
    assert largest > 0
    for ours, theirs in zip(found, expected, strict=True):
        between = [np.linalg.norm(points[:, None] - points[None], axis=-1) for points in (ours, theirs * ratio)]
        assert np.abs(between[0] - between[1]).max() < 1e-3
    # "bank" four times on one spot, "Bank" beside it: the character CNN sees nothing else.
    assert np.abs(found[0][[1, 3, 4]] - found[0][0]).max() < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tsne", "umap", "pca"])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_other_projections(tiny: Path, method: str, dimensions: int) -> None:
    panel = open_panel(LINES, "bank", ELMO, False, method, dimensions)
    points, drawn = np.array([layer.points for layer in panel.layers]), [layer.drawn for layer in panel.layers]
    assert panel.method == method and [one.turned for one in drawn] == [True, True, False]
    assert points.shape == (3, 5, dimensions) and np.isfinite(points).all() and np.abs(points).max() <= 1.0
    # At layer 0 there are two spots: nothing for t-SNE or UMAP to approximate.
    assert drawn[0].method == "pca" and drawn[0].setting == 0
    assert {one.method for one in drawn[1:]} == {method}
    assert all((one.setting > 0) == (one.method != "pca") for one in drawn)
    assert all(len(one.explained) == (dimensions if one.method == "pca" else 0) for one in drawn)


@pytest.mark.parametrize("weights", [[0, 0, 0], [1.5, -2, 0.3]])
def test_the_mix_is_that_of_elmo(tiny: Path, weights: list[float]) -> None:
    senses, published = see(LINES, "bank", ELMO, False), ElmoScalarMix(3)
    with torch.no_grad():
        published.weights.copy_(torch.tensor(weights))
        mixed = published([torch.from_numpy(layer)[None] for layer in senses.vectors], torch.ones(1, 5))[0].numpy()
    panel = open_panel(LINES, "bank", ELMO, False, "pca", 2, weights)
    layer, similarity = panel.layers[-1], cosines(mixed)
    assert layer.senses.different == pytest.approx(similarity[[0, 0, 3, 3], [1, 2, 1, 2]].mean(), abs=1e-5)
    assert layer.name == "mix" and layer.points.shape == (5, 2) and layer.drawn.turned
    assert np.abs(layer.similarity - similarity).max() < 1e-5
    assert panel.mix == pytest.approx(torch.tensor(weights, dtype=torch.float64).softmax(0).tolist())


def test_other_models_have_no_mix(tiny: Path) -> None:
    panel = open_panel(LINES, "bank", "bert-mini", False, "pca", 2, [0, 1, 2])
    assert [layer.name for layer in panel.layers] == ["0", "1", "2"] and panel.mix == []


def test_the_shares_along_the_axes_are_those_of_the_vectors(tiny: Path) -> None:
    from sklearn.decomposition import PCA

    panel, senses = open_panel(LINES, "bank", ELMO), see(LINES, "bank", ELMO, False)
    for layer, vectors in zip(panel.layers, senses.vectors, strict=True):
        expected = PCA(2).fit(unit_rows(vectors)).explained_variance_ratio_
        found = layer.drawn.explained if not layer.drawn.turned else [sum(layer.drawn.explained)]
        assert found == pytest.approx(expected if not layer.drawn.turned else [expected.sum()], abs=1e-5)


def test_sliders_run_no_model(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_panel(LINES, "bank", ELMO)
    monkeypatch.setattr(sense_vectors, "_look", lambda *_: pytest.fail("a model ran"))
    open_panel(LINES, "bank", ELMO, False, "pca", 2, [0, 1, 2])
    open_panel(LINES, "bank", ELMO, False, "tsne", 2)
    near_words(LINES, "bank", ELMO, False, 0, 2, None)


def test_neighbours_lie_in_other_sentences_the_nearest_first(tiny: Path) -> None:
    near = near_words(LINES, "bank", "bert-mini", False, 1, 2, None)
    assert near.sentence[near.start : near.end] == "bank"
    assert all(one.sentence != near.sentence for one in near.in_context)
    assert all(one.sentence[one.start : one.end] == one.text for one in near.in_context)
    found = [one.cosine for one in near.in_context]
    assert found == sorted(found, reverse=True) and len(found) == 10
    senses = see(LINES, "bank", "bert-mini", False)
    expected = cosines(senses.vectors[2][[1]], senses.word_vectors[2].astype(np.float32))[0]
    others = [value for value, word in zip(expected, senses.words, strict=True) if word.sentence != 1]
    assert found[0] == pytest.approx(max(others), abs=1e-6)
    assert (near.static_model, near.expected) == ("word-vectors-mini", []), "bundled vectors; no two-way head"


def test_what_elmo_expected(tiny: Path) -> None:
    near = near_words(LINES, "bank", ELMO, False, 0, 1, [0.0, 0.0, 0.0])
    assert near.layer == "mix" and [len(side) for side in near.expected] == [5, 5]


def test_static_vectors_never_part(tiny: Path, tmp_path: Path, set_setting: SetSetting) -> None:
    torch.manual_seed(0)
    models = shutil.copytree(tiny, tmp_path / "models")  # the other one is every test's
    StaticVectors(["the", "bank", "river", "money"], torch.randn(4, 6)).save_pretrained(models / "word-vectors-mini")
    set_setting(models=str(models))
    panel = open_panel(LINES, "bank", "word-vectors-mini")
    assert len(panel.layers) == 1 and panel.layers[0].senses.margin == pytest.approx(0.0, abs=1e-6)
    assert panel.layers[0].points.tolist() == [[0.0, 0.0]] * 5
    near = near_words(LINES, "bank", ELMO, False, 0, 2, None)
    assert near.static_model == "word-vectors-mini" and {one.text for one in near.static} == {"the", "river", "money"}


def test_lines_may_end_as_on_windows(tiny: Path) -> None:
    assert open_panel("a bank\r\n\r\nthe bank\r\n", "bank", ELMO).sentences == ["a bank", "the bank"]


def test_other_forms_count_where_they_are_wanted(tiny: Path) -> None:
    assert len(open_panel("The banks closed.\nA bank.", "bank", ELMO).occurrences) == 1
    assert len(open_panel("The banks closed.\nA bank.", "bank", ELMO, True).occurrences) == 2


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: open_panel(None, "bank", ELMO), "bad_value"),
        (lambda: open_panel(LINES, "bank", ELMO, False, "lda", 2), "bad_value"),
        (lambda: open_panel(LINES, "bank", ELMO, False, "pca", 4), "bad_value"),
        (lambda: open_panel(LINES, "bank", ELMO, False, "pca", 2, [0, 1]), "bad_value"),
        (lambda: open_panel(LINES, "bank", ELMO, False, "pca", 2, [0, 1, float("nan")]), "bad_value"),
        (lambda: open_panel(LINES, "bank", ELMO, False, "x", 2, [0, 1, 2]), "bad_value"),
        (lambda: near_words(LINES, "bank", ELMO, False, 5, 0, None), "bad_value"),
        (lambda: near_words(LINES, "bank", ELMO, False, 0, 3, None), "bad_value"),
    ],
)
def test_what_a_page_may_not_send(tiny: Path, call: object, code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        call()
    assert caught.value.code == code


def test_only_so_much_is_kept(tiny: Path) -> None:
    store = kept()
    store.budget_bytes = see(LINES, "bank", ELMO, False).bytes + 1
    see(LINES + "\nanother bank", "bank", ELMO, False)
    assert store.bytes == see(LINES + "\nanother bank", "bank", ELMO, False).bytes


@pytest.mark.slow
def test_fifty_at_once_with_umap(tiny: Path) -> None:
    """Random sets; UMAP in two threads at once would end the process."""
    generator, found = np.random.default_rng(0), []

    def run(number: int, rows: int) -> None:
        lines = "\n".join(f"the bank {'river ' * (row % 5)}{number} {row % 3}" for row in range(rows))
        panel = open_panel(lines, "bank", ELMO, False, "umap", 2)
        found.append(all(np.isfinite(layer.points).all() for layer in panel.layers))

    threads = [threading.Thread(target=run, args=(n, int(generator.integers(1, 12)))) for n in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 50
