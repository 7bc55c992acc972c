"""Pairs in fine-tuning: cut as in transformers, both segments marked, learnt from both texts, kept when saved."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch

from app.engine.runtime.loader import loader
from app.engine.text.text_tokenizer import TextTokenizer, longest_first
from app.registry.lookup import BY_NAME
from app.training.fine_tune import Plan, fine_tune
from app.training.labelled import Example, augment_example
from app.training.reading import Reader, inputs_of
from tests.checkpoints import tiny_tokenizers

FAMILIES = ("bert-base-uncased", "roberta-base", "albert-base-v2")
WORDS = ["the", "dog", "ran", "away", "and", "you", "said", "it", "was", "a", "hot", "soup"]


def pairs(count: int = 64) -> list[Example]:
    """Rows whose label only both texts together tell: the same word or another one."""
    drawn, made = random.Random(2), []
    for index in range(count):
        first = drawn.choice(("dog", "soup"))
        second = first if index % 2 else {"dog": "soup", "soup": "dog"}[first]
        made.append(Example(f"the {first} {index % 7}", ("other", "same")[index % 2], f"{second} {index % 5}"))
    return made


@pytest.mark.parametrize("family", ["bert", "roberta", "albert"])
def test_rows_are_cut_as_transformers_cuts(family: str) -> None:
    tokenizer, drawn = tiny_tokenizers()[family], random.Random(1)
    text = TextTokenizer(tokenizer)
    for _ in range(200):
        first, second = (" ".join(drawn.choices(WORDS, k=drawn.randint(1, 25))) for _ in range(2))
        for other in (second, None):
            limit = drawn.randint(8, 30)
            peer = tokenizer(first, other, truncation="longest_first", max_length=limit, return_token_type_ids=True)
            row, short = text.fit(first, other, limit)
            assert row.input_ids == peer["input_ids"] and row.token_type_ids == peer["token_type_ids"]
            assert short == (len(tokenizer(first, other)["input_ids"]) > limit)


def test_no_part_is_lost() -> None:
    for one in range(1, 30):
        for two in range(1, 30):
            kept = longest_first([one, two], 12)
            assert sum(kept) == min(12, one + two) and min(kept) >= min(one, two, 6)


def test_both_segments_are_marked(tiny: Path) -> None:
    base = loader().get(BY_NAME["bert-base-uncased"])
    made = Reader(base.text, 64).inputs([Example("the dog", "x", "ran away"), Example("the", "x", "dog")], "cpu")
    encoded = base.text.encode("the dog", "ran away")
    assert made["input_ids"][0].tolist() == encoded.input_ids
    assert made["token_type_ids"][0].tolist() == encoded.token_type_ids and 1 in encoded.token_type_ids
    assert made["attention_mask"].sum(dim=1).tolist() == [len(encoded.input_ids), 5]


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_it_learns_what_only_both_texts_tell(tiny: Path, name: str) -> None:
    base = loader().get(BY_NAME[name])
    plan = Plan(epochs=40, learning_rate=3e-3, batch_size=8, augment=name == "roberta-base", validation_share=0.25)
    tuned = fine_tune(base, pairs(), plan)
    assert tuned.validation.accuracy >= 0.8 > tuned.validation.baseline_accuracy
    judged = tuned.judged[0]
    with torch.inference_mode():
        arrays = Reader(base.text, 64).inputs([Example(judged.text, "", judged.text_pair)], torch.device("cpu"))
        share = tuned.model(**arrays).logits.softmax(-1)[0, tuned.labels.index(judged.label)]
    assert float(share) == pytest.approx(judged.probability, abs=1e-5)


@pytest.mark.parametrize("name", FAMILIES)
def test_frozen_and_saved(tiny: Path, tmp_path: Path, name: str) -> None:
    """Read again by transformers alone, segments included."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    base = loader().get(BY_NAME[name])
    tuned = fine_tune(base, pairs(12), Plan(epochs=2, method="frozen", validation_share=0.3))
    tuned.model.save_pretrained(tmp_path)
    base.text.tokenizer.save_pretrained(tmp_path)
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    for judged in tuned.judged:
        with torch.inference_mode():
            logits = model(**tokenizer(judged.text, judged.text_pair, return_tensors="pt")).logits
        share = logits.softmax(-1)[0, tuned.labels.index(judged.label)]
        assert float(share) == pytest.approx(judged.probability, abs=1e-5)


def test_augmentation_stays_inside_each_text() -> None:
    row = Example("a b c d e f", "x", "1 2 3 4 5 6")
    for seed in range(20):
        made = augment_example(row, random.Random(seed))
        assert set(made.text) <= set(row.text) and set(made.text_pair) <= set(row.text_pair) and made.label == "x"
    assert augment_example(Example("a", "x"), random.Random(0)).text_pair is None


def test_long_rows_train(tiny: Path) -> None:
    base = loader().get(BY_NAME["bert-base-uncased"])
    long = [Example("the dog " * 400, label, "ran " * size) for label, size in (("a", 3), ("b", 900)) for _ in range(3)]
    assert fine_tune(base, long, Plan(epochs=1)).rows >= 4


def test_single_texts_are_read_whole(tiny: Path) -> None:
    base = loader().get(BY_NAME["bert-base-uncased"])
    made = inputs_of(["the dog", "ran"], base.text, torch.device("cpu"))
    assert made["input_ids"][0].tolist() == base.text.encode("the dog").input_ids
