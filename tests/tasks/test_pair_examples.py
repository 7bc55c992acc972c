"""The bundled models answer the page's examples as a reader would: at least 8 of 10; failures have a note."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.registry.lookup import BY_NAME, readers
from app.tasks.sentence_pair.judge import objective_of, sentence_pair

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = json.loads((ROOT / "assets" / "tabs" / "sentence_pair.json").read_text(encoding="utf-8"))["en"]["examples"]
BUNDLED = ("bert-mini", "minilm-l6", "albert-mini")


def judged(model: str, objective: str) -> list[tuple[dict[str, str], bool]]:
    """The English examples that have a right answer to this question, and whether the model gives it.

    Order is asked both ways round, as a head that always says "in order" would be right half the time.
    """
    answers: list[tuple[dict[str, str], bool]] = []
    for example in EXAMPLES:
        if objective not in example or readers([model], example["first"], "sentence_pair") != [model]:
            continue
        if objective == "sop" and any(example["second"] == asked["first"] for asked, _ in answers):
            continue  # the same pair the other way round
        result = sentence_pair(example["first"], example["second"], model)
        says = [result.labels[0].probability > 0.5]
        wants = [example[objective] in ("is_next", "in_order")]
        if objective == "sop":
            says, wants = [*says, result.swapped[0].probability > 0.5], [*wants, not wants[0]]
        answers += [(example, said == wanted) for said, wanted in zip(says, wants, strict=True)]
    return answers


@pytest.mark.parametrize("model", BUNDLED)
def test_bundled_models_answer_the_examples(model: str, request: pytest.FixtureRequest) -> None:
    if model not in BY_NAME or not (ROOT / "assets" / "models" / model / "config.json").is_file():
        pytest.skip(f"{model} is not bundled yet")
    if BY_NAME[model].source == "package":
        request.getfixturevalue("packs")
    answers = judged(model, objective_of(BY_NAME[model]))
    assert len(answers) >= 10
    assert sum(right for _, right in answers) >= 0.8 * len(answers)
    assert all("note" in example for example, right in answers if not right)
