"""The bundled classifiers: small, named labels, an honest card, right on clear sentences, valid deltas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.runtime.loader import loader
from app.registry.lookup import BY_NAME, readers
from app.settings import BUNDLED
from app.tasks.attribution.attribute import attribute
from app.tasks.classification.classify import classify
from app.training.bundled.bundles import ASSETS, RECIPES, everyday_opinions, golden
from app.training.bundled.label_sets import HOTELS, SST2, LabelSet, read_opinions, read_rows
from app.ui.texts import examples
from tests.conftest import SetSetting
from tests.training.bundled import alike, card_of, loadable, weights_of, written

pytestmark = pytest.mark.slow

LARGEST_BYTES = {
    "bert-mini-sst2": 15e6,
    "minilm-l6-sst2": 4e6,
    "roberta-mini-sst2": 15e6,
    "bert-mini-zh-sentiment": 15e6,
}
# Others have tests of their own (`test_bundled_names`, `test_bundled_answers`).
MADE = [
    name
    for name, recipe in RECIPES.items()
    if isinstance(recipe.data, LabelSet) and (BUNDLED / name / "train.json").is_file()
]
SURE = {
    "en": {
        "The movie is wonderful and the actors are brilliant.": "positive",
        "A dull and stupid waste of time.": "negative",
    },
    "zh": {"房间很干净，服务员也很热情，下次还会再来。": "好评", "太吵了，一夜没睡好，早餐也很难吃。": "差评"},
}


@pytest.fixture(params=MADE)
def bundle(request: pytest.FixtureRequest, set_setting: SetSetting) -> Iterator[str]:
    """Name of a bundled classifier that can be loaded here."""
    yield from loadable(request.param, set_setting)


@pytest.mark.parametrize("data", [SST2, HOTELS], ids=["en", "zh"])
def test_everyday_opinions_are_balanced_and_their_own(data: LabelSet) -> None:
    opinions = everyday_opinions(data)
    assert len({row.text for row in opinions}) == len(opinions) == 100
    assert [sum(row.label == label for row in opinions) for label in data.labels.values()] == [50, 50]
    learnt = [row for name in data.opinions for row in read_opinions(data, ASSETS / name)]
    for row in opinions:
        nearest = max(learnt, key=lambda other: alike(row.text, other.text))
        assert alike(row.text, nearest.text) <= 0.5, (row.text, nearest.text)


def test_the_record_has_what_the_bundle_says_of_everyday_opinions(bundle: str) -> None:
    opinions = everyday_opinions(RECIPES[bundle].data)
    scores = written(bundle, "train.json")["scores"]["everyday opinions"]
    results = classify([row.text for row in opinions], bundle).results
    right = sum(result.labels[0].label == row.label for result, row in zip(results, opinions, strict=True))
    # Another CPU's kernels may turn an opinion whose labels are as good as equally likely.
    assert right == pytest.approx(scores["accuracy"] * scores["rows"], abs=1) and scores["rows"] == len(opinions)
    assert f"`assets/evaluation`): {scores['accuracy']:.1%}" in card_of(bundle)


@pytest.mark.parametrize("name", MADE)
def test_files(name: str) -> None:
    assert weights_of(name) <= LARGEST_BYTES[name]
    card, scores = card_of(name), written(name, "train.json")["scores"]["dev.tsv"]
    assert f"{scores['accuracy']:.1%}" in card and RECIPES[name].data.about in card and "research" in card
    assert f"{scores['tf_idf_logistic_regression']:.1%}" in card
    assert scores["accuracy"] > scores["baseline_accuracy"]
    # On whole Chinese reviews, counting pairs of characters is as good as the mini model; its card shows it.
    assert scores["accuracy"] > scores["tf_idf_logistic_regression"] - (0.01 if RECIPES[name].data is HOTELS else 0)
    config = written(name, "config.json")
    assert set(config["id2label"].values()) == set(RECIPES[name].data.labels.values())


def test_clear_sentences(bundle: str) -> None:
    sure = SURE[RECIPES[bundle].data.language]
    results = classify(list(sure), bundle).results
    assert {result.text: result.labels[0].label for result in results} == sure


def test_golden_answers(bundle: str) -> None:
    expected = written(bundle, "golden.json")
    assert len(expected) == 5
    answers = golden(loader().get(BY_NAME[bundle]), [answer["text"] for answer in expected])
    for answer, pinned in zip(answers, expected, strict=True):
        assert answer["probabilities"] == pytest.approx(pinned["probabilities"], abs=1e-3)


def test_deltas_of_the_examples_are_below_five_per_cent(bundle: str) -> None:
    samples = [
        one for one in examples("zh-CN", "attribution") if readers([bundle], one["text"], "attribute") == [bundle]
    ]
    assert samples
    for sample in samples:
        answer = attribute(sample["text"], bundle)
        assert abs(answer.convergence_delta) < 0.05 * abs(answer.logit - answer.baseline_logit), sample["text"]


def test_the_recorded_score_is_what_it_scores(bundle: str, shared: Path) -> None:
    data = RECIPES[bundle].data
    # Longer ones would be refused here; `evaluate` cuts them to the window.
    rows = [row for row in read_rows(data, shared / "eval" / data.folder / "dev.tsv") if len(row.text) < 200][:200]
    right = [
        result.labels[0].label == row.label
        for result, row in zip(classify([row.text for row in rows], bundle).results, rows, strict=True)
    ]
    record = written(bundle, "train.json")
    # 200 rows: three standard deviations of a proportion.
    assert sum(right) / len(right) == pytest.approx(record["scores"]["dev.tsv"]["accuracy"], abs=0.07)
