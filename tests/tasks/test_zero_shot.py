"""Zero-shot scores against full passes of transformers, the four methods by their formulas, bad input."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import GPT2LMHeadModel, GPT2TokenizerFast

from app.errors import PlaygroundError
from app.tasks.zero_shot.predict import CONTENT_FREE, METHODS, continuation, fill, zero_shot

TEMPLATE = "Review: {text}\nIt was "
TEXT = "The soup is hot; I love the dog."
LABELS = ["good", "rather disappointing", "The dog barked at the cat", "a"]


def full_pass(model: GPT2LMHeadModel, tokenizer: GPT2TokenizerFast, prompt: str, label: str) -> list[float]:
    """Log-probability of each token of ` label` behind a prompt, from one pass over both."""
    before, after = tokenizer(prompt).input_ids, tokenizer(f" {label}").input_ids
    with torch.inference_mode():
        logs = model(torch.tensor([before + after])).logits[0].log_softmax(-1)
    return [logs[len(before) - 1 + place, token].item() for place, token in enumerate(after)]


@pytest.fixture
def reference(tiny: Path) -> tuple[GPT2LMHeadModel, GPT2TokenizerFast]:
    """The same checkpoint in transformers."""
    return GPT2LMHeadModel.from_pretrained(tiny / "gpt2").eval(), GPT2TokenizerFast.from_pretrained(tiny / "gpt2")


def test_scores_equal_full_passes(reference: tuple) -> None:
    prompt = "Review: The soup is hot; I love the dog.\nIt was"
    expected = [full_pass(*reference, prompt, label) for label in LABELS]
    for method, wanted in (("sum", [sum(e) for e in expected]), ("mean", [sum(e) / len(e) for e in expected])):
        answered = zero_shot(TEXT, LABELS, TEMPLATE, "gpt2", method)
        assert answered.prompt == prompt and answered.method == method
        assert [entry.log_probability for entry in answered.scores] == pytest.approx(
            [sum(e) for e in expected], abs=1e-4
        )
        assert [entry.score for entry in answered.scores] == pytest.approx(wanted, abs=1e-4)
        assert [len(entry.tokens) for entry in answered.scores] == [len(e) for e in expected]
        shares = np.exp(wanted) / np.exp(wanted).sum()
        assert [entry.probability for entry in answered.scores] == pytest.approx(shares.tolist(), abs=1e-4)


def test_pmi_and_calibration_follow_their_papers(reference: tuple) -> None:
    def sums(text: str) -> np.ndarray:
        return np.array([sum(full_pass(*reference, fill(TEMPLATE, text), label)) for label in LABELS])

    def shares(scores: np.ndarray) -> np.ndarray:
        return np.exp(scores) / np.exp(scores).sum()

    answered = zero_shot(TEXT, LABELS, TEMPLATE, "gpt2", "pmi")
    assert [e.score for e in answered.scores] == pytest.approx((sums(TEXT) - sums("")).tolist(), abs=1e-3)
    free = np.mean([shares(sums(text)) for text in CONTENT_FREE], axis=0)
    answered = zero_shot(TEXT, LABELS, TEMPLATE, "gpt2", "calibrated")
    assert [e.score for e in answered.scores] == pytest.approx((shares(sums(TEXT)) / free).tolist(), rel=1e-3)
    assert sum(entry.probability for entry in answered.scores) == pytest.approx(1)


def test_a_further_label_does_not_change_the_others(tiny: Path) -> None:
    few = zero_shot(TEXT, LABELS[:2], TEMPLATE, "gpt2", "sum").scores
    more = zero_shot(TEXT, LABELS, TEMPLATE, "gpt2", "sum").scores
    assert [e.log_probability for e in few] == pytest.approx([e.log_probability for e in more[:2]], abs=1e-5)


def test_a_uniform_model_scores_length_alone(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.engine.runtime.loader import load_head
    from app.registry.checkpoint import CAUSAL_LM
    from app.registry.lookup import find

    causal = load_head(find("gpt2", "zero_shot"), CAUSAL_LM)
    size = causal.loaded.model.config.vocab_size
    with torch.no_grad():
        for weight in (causal.loaded.model.transformer.ln_f.weight, causal.loaded.model.transformer.ln_f.bias):
            monkeypatch.setattr(weight, "data", torch.zeros_like(weight))
    for entry in zero_shot(TEXT, LABELS, TEMPLATE, "gpt2").scores:
        assert entry.score == pytest.approx(-math.log(size), abs=1e-4)
        assert entry.log_probability == pytest.approx(-math.log(size) * len(entry.tokens), abs=1e-3)


@pytest.mark.parametrize(
    ("prompt", "label", "expected"),
    [("It was", "good", " good"), ("A:\n", "good", "good"), ("say “", "good", "good"), 
     ("英文：", "I love you", "I love you"),
     ("It means", "爱", "爱"), ("", "good", "good")],
)  # fmt: skip
def test_a_label_stands_as_it_would_in_text(prompt: str, label: str, expected: str) -> None:
    assert continuation(prompt, label) == expected


def test_braces_are_text(tiny: Path) -> None:
    assert zero_shot("{text} {0}", ["a", "b"], "{x} {text}:", "gpt2").prompt == "{x} {text} {0}:"


@pytest.mark.parametrize("method", METHODS)
def test_a_template_of_the_text_alone(tiny: Path, method: str) -> None:
    assert sum(e.probability for e in zero_shot(TEXT, LABELS, "{text}", "gpt2", method).scores) == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (("", ["a", "b"], "{text}"), "empty_text"), (("x", ["a", "a "], "{text}"), "bad_value.same_labels"),
        (("x", ["a", " "], "{text}"), "empty_text"), (("x", ["a"], "{text}"), "bad_value.labels"),
        (("x", [], "{text}"), "bad_value.labels"), (("x", "ab", "{text}"), "bad_value.list"),
        (("x", None, "{text}"), "bad_value.list"), (("x", ["a", None], "{text}"), "bad_value.text"),
        (("x", ["a", "b"], "no place"), "bad_value.template"), (("x", ["a", "b"], None), "bad_value.text"),
        (("x", ["a", "b"], ""), "empty_text"), (("x", ["a", "b"], "{text}", "gpt2", "best"), "bad_value.choice"),
        (("word " * 1_500, ["a", "b"], "{text}"), "too_long.tokens"),
        (("x", ["a", "b"], "{text}", "nope"), "unknown_model"),
        (("x", ["a", "b"], "{text}", "bert-mini"), "wrong_model"),
        (("x", [f"{n}" for n in range(51)], "{text}"), "bad_value.labels"),
    ],
)  # fmt: skip
def test_bad_input_gets_its_code(tiny: Path, arguments: tuple, key: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        zero_shot(*arguments)
    assert caught.value.key == key
