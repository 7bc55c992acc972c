"""The bundled classifiers: small, named labels, an honest card, right on clear sentences, deltas that hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.settings import BUNDLED, settings
from app.tasks.attribution import attribute
from app.tasks.classification import classify
from app.training.bundles import RECIPES, read_rows
from app.ui.texts import examples

LARGEST_BYTES = {"bert-mini-sst2": 15e6, "minilm-l6-sst2": 4e6}
MADE = [name for name in RECIPES if (BUNDLED / name / "train.json").is_file()]
SURE = {
    "The movie is wonderful and the actors are brilliant.": "positive",
    "A dull and stupid waste of time.": "negative",
}


@pytest.fixture(params=MADE)
def bundle(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Name of a bundled classifier that can be loaded here."""
    monkeypatch.setenv("PLAYGROUND_PACKS", "1")
    settings.cache_clear()
    loader.cache_clear()
    try:
        loader().get(BY_NAME[request.param])
    except PlaygroundError as error:
        settings.cache_clear()
        pytest.skip(f"needs its package: {error}")
    yield request.param
    settings.cache_clear()
    loader.cache_clear()


@pytest.mark.parametrize("name", MADE)
def test_files(name: str) -> None:
    folder = BUNDLED / name
    assert sum(path.stat().st_size for path in folder.glob("*.safetensors")) <= LARGEST_BYTES[name]
    card, record = (folder / "README.md").read_text(encoding="utf-8"), json.loads((folder / "train.json").read_text())
    scores = record["scores"]["dev.tsv"]
    assert f"{scores['accuracy']:.1%}" in card and "SST-2" in card and "research" in card
    assert scores["accuracy"] > scores["tf_idf_logistic_regression"] > scores["baseline_accuracy"]
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["id2label"] == {"0": "negative", "1": "positive"}


def test_clear_sentences(bundle: str) -> None:
    results = classify(list(SURE), bundle).results
    assert {result.text: result.labels[0].label for result in results} == SURE


def test_deltas_of_the_examples_are_below_five_per_cent(bundle: str) -> None:
    for sample in examples("en", "attribution"):
        answer = attribute(sample["text"], bundle)
        assert abs(answer.convergence_delta) < 0.05 * abs(answer.logit - answer.baseline_logit), sample["text"]


def test_the_recorded_score_is_what_it_scores(bundle: str, shared: Path) -> None:
    rows = read_rows(shared / "eval" / "sst2" / "dev.tsv")[:200]
    right = [
        result.labels[0].label == row.label
        for result, row in zip(classify([row.text for row in rows], bundle).results, rows, strict=True)
    ]
    record = json.loads((BUNDLED / bundle / "train.json").read_text(encoding="utf-8"))
    # 200 of the 872 rows: three standard deviations of a proportion.
    assert sum(right) / len(right) == pytest.approx(record["scores"]["dev.tsv"]["accuracy"], abs=0.07)
