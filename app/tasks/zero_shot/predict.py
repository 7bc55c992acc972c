"""Zero-shot answers: how well each label continues a prompt. The prompt holds the task; nothing is fine-tuned.

Four ways to score a label: `sum` of its tokens' log-probabilities; their `mean`; `pmi`, the sum minus what it would be
without the text (Holtzman et al. 2021, arXiv 2104.08315); `calibrated`, probabilities among the labels divided by those
that content-free texts get (Zhao et al. 2021, arXiv 2102.09690: W = diag(p)^-1, b = 0).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from app.analysis.probabilities import softmax
from app.engine.base import CausalLM
from app.engine.runtime.zero_gpu import uses_card
from app.errors import PlaygroundError
from app.results.prompting import LabelScore, ZeroShotResult
from app.tasks.causal import load_causal, prompt_ids
from app.tasks.checks import check_text, check_tokens
from app.tasks.examples import once_for_examples
from app.tasks.unknown import unknown_in

METHODS = ("sum", "mean", "pmi", "calibrated")
FEWEST_LABELS, MOST_LABELS, LONGEST_LABEL = 2, 50, 200
PLACE = "{text}"
# Texts without content, from the paper.
CONTENT_FREE = ("N/A", "", "[MASK]")
# A label follows without a space after an opening bracket, a quote or Chinese, and if it begins with Chinese.
NO_SPACE_BEHIND = re.compile(r"[\s(\[{“‘\u3000-\u303f\u3400-\u9fff\uff00-\uffef]$")
NO_SPACE_BEFORE = re.compile(r"^[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@dataclass(frozen=True)
class Measured:
    """Log-probabilities of all labels after one prompt, [label] each, and the labels' tokens."""

    sums: np.ndarray
    lengths: np.ndarray
    tokens: list[list[str]]


@once_for_examples("zero_shot", "text", "labels", "template")
@uses_card
def zero_shot(text: str, labels: list[str], template: str, model: str = "", method: str = "mean") -> ZeroShotResult:
    """Choose among labels by how probable each is after the prompt; see `/zero_shot`.

    Args:
        text: the text to label.
        labels: 2 to 50 words or phrases, all different.
        template: the prompt, with `{text}` where the text belongs; spaces at its end are dropped, and each label
            follows after one space.
        model: catalog name of a causal model; empty for the default.
        method: `sum`, `mean`, `pmi` or `calibrated`.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    check_text(text)
    check_template(template)
    named = check_labels(labels)
    if method not in METHODS:
        raise PlaygroundError("bad_value", "choice", field="method", choices=", ".join(METHODS))
    causal = load_causal(model, "zero_shot", text, named)
    prompt = fill(template, text)
    measured = measure(causal, prompt, named)
    free = [measure(causal, fill(template, other), named) for other in content_free(method)]
    scores = score_labels(method, measured, free)
    entries = zip(named, measured.sums, measured.tokens, scores, softmax(scores), strict=True)
    return ZeroShotResult(
        model=causal.checkpoint.name,
        revision=causal.checkpoint.revision,
        prompt=prompt,
        scores=[
            LabelScore(label, float(total), tokens, float(score), float(probability))
            for label, total, tokens, score, probability in entries
        ],
        method=method,
        unknown=unknown_in(causal.text, prompt, *named),
    )


def check_labels(labels: object) -> list[str]:
    """Return the labels if they are texts and all different.

    Raises:
        PlaygroundError: `bad_value`, `empty_text` or `too_long`.
    """
    if not isinstance(labels, list | tuple):
        raise PlaygroundError("bad_value", "list", field="labels", limit=MOST_LABELS)
    if not FEWEST_LABELS <= len(labels) <= MOST_LABELS:
        raise PlaygroundError("bad_value", "labels", low=FEWEST_LABELS, high=MOST_LABELS, count=len(labels))
    named = [check_text(label, f"label {number}").strip() for number, label in enumerate(labels, start=1)]
    for number, label in enumerate(named):
        if len(label) > LONGEST_LABEL:
            raise PlaygroundError("too_long", "characters", count=len(label), limit=LONGEST_LABEL)
        if label in named[:number]:
            raise PlaygroundError("bad_value", "same_labels", label=label)
    return named


def check_template(template: object) -> str:
    """Return the template if it has a place for the text.

    Raises:
        PlaygroundError: `bad_value`, `empty_text` or `too_long`.
    """
    checked = check_text(template, "template")
    if PLACE not in checked:
        raise PlaygroundError("bad_value", "template")
    return checked


def fill(template: str, text: str) -> str:
    """The prompt: the text in its place, without a trailing space, because a space belongs to the word after it."""
    return template.replace(PLACE, text).rstrip(" ")


def continuation(prompt: str, label: str) -> str:
    """A label as it follows a prompt."""
    joined = not prompt or NO_SPACE_BEHIND.search(prompt) or NO_SPACE_BEFORE.search(label)
    return label if joined else f" {label}"


def content_free(method: str) -> tuple[str, ...]:
    """The texts a method compares with."""
    return {"pmi": ("",), "calibrated": CONTENT_FREE}.get(method, ())


def measure(causal: CausalLM, prompt: str, labels: list[str]) -> Measured:
    """Score every label after the prompt, which is run once.

    Raises:
        PlaygroundError: `too_long`, prompt and label do not fit; `empty_text`, the tokenizer keeps nothing of a label.
    """
    begin = causal.text.begin_id
    ids = prompt_ids(causal, prompt) if prompt.strip() or begin is None else [begin]
    parts = [causal.text.encode(continuation(prompt, label), add_special_tokens=False).input_ids for label in labels]
    for label, part in zip(labels, parts, strict=True):
        if not part:
            raise PlaygroundError("empty_text", field=label)
    check_tokens(len(ids) + max(len(part) for part in parts), causal.max_tokens)
    scores = causal.continuation_scores(ids, parts)
    return Measured(
        sums=np.array([score.sum(dtype=np.float64) for score in scores]),
        lengths=np.array([len(part) for part in parts]),
        tokens=[[causal.text.show(token_id) for token_id in part] for part in parts],
    )


def score_labels(method: str, measured: Measured, free: list[Measured]) -> np.ndarray:
    """The labels' scores [label] by a method.

    Args:
        method: one of `METHODS`.
        measured: after the prompt.
        free: after the same prompt with the texts of `content_free`.
    """
    if method == "mean":
        return measured.sums / measured.lengths
    if method == "pmi":
        return measured.sums - free[0].sums
    if method == "calibrated":
        base = np.mean([softmax(other.sums) for other in free], axis=0)
        # Labels may be so improbable that nothing is left in floating point; they must not divide by zero.
        return softmax(measured.sums) / np.maximum(base, np.finfo(np.float64).tiny)
    return measured.sums
