"""The page's examples with the bundled classifier: the attributions add up to the difference of the two logits."""

from __future__ import annotations

import pytest

from app.tasks.attribution.attribute import attribute
from app.ui.texts import LANGUAGES, examples

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_convergence_delta_is_small(language: str) -> None:
    for example in examples(language, "attribution"):
        answer = attribute(example["text"], "bert-mini-sst2")
        assert answer.revision == "bundled"
        assert abs(answer.convergence_delta) <= 0.05 * abs(answer.logit - answer.baseline_logit), example
