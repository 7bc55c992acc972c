"""Does zero-shot work? All four ways of scoring on texts with known answers, against chance and majority."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from app.analysis.probabilities import softmax
from app.engine.base import CausalLM
from app.errors import PlaygroundError
from app.results.prompting import BenchResult, BenchRow, LabelScore, ZeroShotResult
from app.tasks.causal import load_causal
from app.tasks.checks import check_text, check_whole_number
from app.tasks.unknown import unknown_in
from app.tasks.zero_shot.predict import (
    CONTENT_FREE,
    METHODS,
    Measured,
    check_labels,
    check_template,
    continuation,
    fill,
    measure,
    score_labels,
)

MOST_SHOTS, MOST_TESTS = 4, 50
BETWEEN_SHOTS = "\n\n"

# A text and its right label.
Example = tuple[str, str]


def ask_all_methods(
    text: str, labels: list[str], template: str, model: str, shots: Sequence[Example] = ()
) -> list[ZeroShotResult]:
    """One question, answered by every method; the passes are shared.

    Args:
        text: the text to label.
        labels: as in `zero_shot`.
        template: as in `zero_shot`.
        model: catalog name; empty for the default.
        shots: examples with answers to put before the question.
    """
    check_text(text)
    named = _checked(labels, template)
    causal = load_causal(model, "zero_shot", text, named)
    prompt = few_shot_prompt(template, shots, text)
    measured, free = measure(causal, prompt, named), _content_free(causal, template, shots, named)
    answers, unknown = [], unknown_in(causal.text, prompt, *named)
    for method in METHODS:
        scores = score_labels(method, measured, _free_of(method, free))
        entries = zip(named, measured.sums, measured.tokens, scores, softmax(scores), strict=True)
        made = [LabelScore(label, float(p), tokens, float(s), float(share)) for label, p, tokens, s, share in entries]
        asked = causal.checkpoint
        answers.append(ZeroShotResult(asked.name, asked.revision, prompt, made, method, unknown))
    return answers


def bench(
    tests: Sequence[Example], labels: list[str], template: str, model: str, shots: Sequence[Example] = ()
) -> BenchResult:
    """Every method's accuracy on texts with known answers.

    Args:
        tests: 1 to 50 texts with their right labels.
        labels: as in `zero_shot`; every right answer is among them.
        template: as in `zero_shot`.
        model: catalog name; empty for the default.
        shots: as in `ask_all_methods`.

    Raises:
        PlaygroundError: as `zero_shot`.
    """
    named = _checked(labels, template)
    check_whole_number(len(tests), "tests", 1, MOST_TESTS)
    causal = load_causal(model, "zero_shot", [text for text, _ in tests], named)
    free = _content_free(causal, template, shots, named)
    rows = []
    for text, expected in tests:
        measured = measure(causal, few_shot_prompt(template, shots, text), named)
        best = {m: named[int(np.argmax(score_labels(m, measured, _free_of(m, free))))] for m in METHODS}
        rows.append(BenchRow(text, expected, best))
    right = {method: float(np.mean([row.favourites[method] == row.expected for row in rows])) for method in METHODS}
    most = Counter(expected for _, expected in tests).most_common(1)[0][1]
    return BenchResult(causal.checkpoint.name, len(shots), rows, right, 1 / len(named), most / len(tests))


def few_shot_prompt(template: str, shots: Sequence[Example], text: str) -> str:
    """The examples with their answers, then the question, separated by blank lines."""
    answered = [fill(template, shot) + continuation(fill(template, shot), label) for shot, label in shots]
    return BETWEEN_SHOTS.join([*answered, fill(template, text)])


def read_examples(lines: object, labels: list[str]) -> list[Example]:
    """Read lines of a text, a bar and its label.

    Raises:
        PlaygroundError: `bad_value`, a line without a bar or with an unknown label.
    """
    examples = []
    for line in check_text(lines, "tests").splitlines():
        if not line.strip():
            continue
        text, bar, label = (part.strip() for part in line.rpartition("|"))
        if not bar or not text:
            raise PlaygroundError("bad_value", "tests", line=line.strip()[:80])
        if label not in labels:
            raise PlaygroundError("bad_value", "tests_label", line=line.strip()[:80], label=label[:80])
        examples.append((text, label))
    return examples


def _checked(labels: list[str], template: str) -> list[str]:
    check_template(template)
    return check_labels(labels)


def _content_free(causal: CausalLM, template: str, shots: Sequence[Example], labels: list[str]) -> dict[str, Measured]:
    return {text: measure(causal, few_shot_prompt(template, shots, text), labels) for text in CONTENT_FREE}


def _free_of(method: str, free: dict[str, Measured]) -> list[Measured]:
    return {"pmi": [free[""]], "calibrated": [free[text] for text in CONTENT_FREE]}.get(method, [])
