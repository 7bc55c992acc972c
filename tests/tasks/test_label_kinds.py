"""The meaning of a classifier's outputs, by `problem_type`: one label, several at once, or a score.

The reference is transformers' own pipeline, which applies softmax, sigmoid or nothing by the same rule.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from transformers import pipeline

from app.results.classification import NUMBER, ONE, SEVERAL, ClassifyResult
from app.results.text import as_json
from app.tasks.attribution.attribute import explain
from app.tasks.classification.classify import classify
from app.tasks.classification.label_map import label_map
from app.ui.texts import texts
from app.views.classification import draw_classified, draw_table, number_of, table_rows
from app.views.why import draw_why
from tests.about import ABOUT
from tests.checkpoints import build, save, tiny_tokenizers
from tests.tasks.classifiers import FAMILIES
from tests.tasks.test_classification import TEXTS, classifiers  # noqa: F401

CASES = [
    ("multi_label_classification", 3, SEVERAL),
    ("multi_label_classification", 1, SEVERAL),
    ("single_label_classification", 3, ONE),
    (None, 2, ONE),
    ("regression", 1, NUMBER),
    ("regression", 2, NUMBER),
    (None, 1, NUMBER),
]


def rewrite(folder: Path, family: str, problem_type: str | None, outputs: int) -> str:
    """Give the family's classifier in the folder another head; returns its name."""
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    torch.manual_seed(5)
    tokenizer, name = tiny_tokenizers()[family], f"{family}-classifier"
    config = AutoConfig.for_model(**build(family, tokenizer).config.to_dict())
    config.problem_type, config.num_labels = problem_type, outputs
    config.id2label = {index: f"label {index}" for index in range(outputs)}
    model = AutoModelForSequenceClassification.from_config(config)
    save(folder / name, model, tokenizer)
    return name


def values(answer: ClassifyResult) -> list[dict[str, float]]:
    return [{one.label: number_of(one) for one in entry.labels} for entry in answer.results]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("problem_type", "outputs", "kind"), CASES)
def test_answers_are_those_of_the_pipeline(
    classifiers: Path,  # noqa: F811
    family: str,
    problem_type: str | None,
    outputs: int,
    kind: str,
) -> None:
    name = rewrite(classifiers, family, problem_type, outputs)
    answer = classify(TEXTS, name)
    # The pipeline gives one output without a problem type a sigmoid; a score is shown as it is.
    function = {"function_to_apply": "none"} if kind == NUMBER else {}
    peer = pipeline("text-classification", model=str(classifiers / name), top_k=None)
    assert answer.kind == kind and {entry.kind for entry in answer.results} == {kind}
    for entry, theirs in zip(answer.results, peer(TEXTS, **function), strict=True):
        expected = {one["label"]: pytest.approx(one["score"], abs=1e-5) for one in theirs}
        assert {one["label"]: one.get("score", one.get("probability")) for one in as_json(entry)["labels"]} == expected
    said = json.dumps(as_json(answer))
    assert ("score" in said) == (kind == NUMBER) and ("probability" in said) == (kind != NUMBER)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_page_says_that_several_may_hold_and_calls_no_score_a_probability(
    classifiers: Path,  # noqa: F811
    language: str,
) -> None:
    labels, why = texts("classification")[language], texts("attribution")[language]
    for problem_type, outputs, kind in CASES:
        name = rewrite(classifiers, "bert", problem_type, outputs)
        from app.engine.runtime.loader import loader

        loader().clear()
        one, many = classify(TEXTS[:1], name), classify(TEXTS, name)
        explained = explain(TEXTS[0], name)
        drawn = [
            draw_classified(one, ABOUT, labels), draw_table([many], [ABOUT], labels), draw_why(explained, ABOUT, why),
        ]  # fmt: skip
        for part in drawn:
            assert (labels["kind.several"] in part) == (kind == SEVERAL)
            assert (labels["kind.number"] in part) == (kind == NUMBER)
            assert ("%" in part) == (kind != NUMBER)
        assert (why["occlusion_score"] in drawn[2]) == (kind == NUMBER)
        columns, rows = table_rows([many])
        assert [float(cell) for cell in rows[0][2:]] == pytest.approx(
            [values(many)[0][column.split(": ")[1]] for column in columns[2:]], abs=1e-5
        )
        made = label_map(many)
        assert made.labels == [entry.verdict for entry in many.results]


def test_of_several_labels_those_hold_that_have_half_or_more() -> None:
    from app.results.classification import Classified
    from app.results.sentence_pair import LabelProbability

    shares = [LabelProbability("rude", 0.9586), LabelProbability("threat", 0.927), LabelProbability("insult", 0.2)]
    entry = Classified("You are great", shares, kind=SEVERAL)
    assert entry.verdict == "rude + threat"
    none = Classified("You are great", shares[2:], kind=SEVERAL)
    assert none.verdict == "—" and none.holding == []
    drawn = draw_table([ClassifyResult("m", "r", [none], SEVERAL)], [ABOUT], texts("classification")["en"])
    assert "(insult 20%)" in drawn
