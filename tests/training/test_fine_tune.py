"""Fine-tuning: it learns, the base is unchanged, the seed decides, stopping leaves a complete model or none."""

from __future__ import annotations

import copy
import math
import random
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import loader
from app.registry.lookup import BY_NAME
from app.results.tuning.fine_tune import TuningReport
from app.training.classifier_model import HEAD
from app.training.fine_tune import Plan, fine_tune
from app.training.labelled import Example, augment, batches, label_names, split, steps_per_epoch
from app.training.reading import inputs_of
from app.training.scores import score_labels

FAMILIES = ("bert-base-uncased", "roberta-base", "albert-base-v2")
METHODS = ("full", "frozen", "lora")


def rows(count: int = 40) -> list[Example]:
    """Rows that one word tells apart."""
    drawn, made = random.Random(5), []
    for index in range(count):
        word, label = (("dog", "animal"), ("soup", "food"))[index % 2]
        made.append(Example(f"the {word} {drawn.choice(['is hot', 'ran away', 'and you'])} {index}", label))
    return made


@pytest.fixture
def base(tiny: Path) -> Loaded:
    """A tiny BERT in the loader."""
    return loader().get(BY_NAME["bert-base-uncased"])


def weights(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: weight.clone() for name, weight in model.state_dict().items()}


def answers(base: Loaded, model: torch.nn.Module, texts: list[str]) -> torch.Tensor:
    with torch.inference_mode():
        return model(**inputs_of(texts, base.text, torch.device("cpu"))).logits


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("method", METHODS)
def test_it_learns_and_leaves_the_base_alone(tiny: Path, name: str, method: str) -> None:
    base = loader().get(BY_NAME[name])
    before = weights(base.model)
    epochs, rate = (40, 1e-2) if method == "frozen" else (12, 3e-3)
    tuned = fine_tune(base, rows(), Plan(epochs=epochs, learning_rate=rate, method=method, batch_size=8))
    assert tuned.history[-1].loss < 0.55 < math.log(2), "better than guessing between two labels"
    assert tuned.validation.baseline_accuracy == 0.5
    assert method == "frozen" or tuned.validation.accuracy >= 0.75
    assert all(torch.equal(before[key], weight) for key, weight in base.model.state_dict().items())
    assert not tuned.model.training and not any(module.training for module in tuned.model.modules())
    assert type(tuned.model) is base.family.classifier_class
    assert not any("lora" in key for key in tuned.model.state_dict())


@pytest.mark.parametrize("method", METHODS)
def test_only_what_is_named_changes(base: Loaded, method: str) -> None:
    tuned = fine_tune(base, rows(), Plan(epochs=2, learning_rate=1e-3, method=method))
    encoder, changed = base.model.bert.state_dict(), set()
    for key, weight in tuned.model.bert.state_dict().items():
        if not torch.equal(encoder[key], weight):
            changed.add(key)
    if method == "frozen":
        assert changed and all(key.startswith(HEAD) for key in changed)
    if method == "lora":
        assert any(".query.weight" in key for key in changed)
        assert not any("embeddings" in key or "LayerNorm" in key for key in changed)
    if method == "full":
        assert any("embeddings" in key for key in changed)


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_decides(base: Loaded, method: str) -> None:
    plan = Plan(epochs=2, method=method, augment=True, seed=7)
    one, other = fine_tune(base, rows(), plan), fine_tune(base, rows(), plan)
    losses = [[point.loss for point in tuned.history] for tuned in (one, other)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    assert [judged.text for judged in one.judged] == [judged.text for judged in other.judged]
    for weight, again in zip(one.model.parameters(), other.model.parameters(), strict=True):
        torch.testing.assert_close(weight, again, rtol=1e-3, atol=1e-4)
    third = fine_tune(base, rows(), Plan(epochs=2, method=method, augment=True, seed=8))
    assert third.history != one.history


def test_frozen_vectors_give_what_the_whole_model_gives(tiny: Path) -> None:
    for name in FAMILIES:
        base = loader().get(BY_NAME[name])
        tuned = fine_tune(base, rows(), Plan(epochs=3, method="frozen", validation_share=0.3))
        shares = answers(base, tuned.model, [judged.text for judged in tuned.judged]).softmax(-1)
        for judged, share in zip(tuned.judged, shares.tolist(), strict=True):
            assert share[tuned.labels.index(judged.label)] == pytest.approx(judged.probability, abs=1e-5)


def test_low_rank_changes_are_pefts(base: Loaded) -> None:
    peft = pytest.importorskip("peft", reason="needs peft (requirements-dev.txt)")
    from app.models.low_rank import LowRankLinear, add_low_rank, merge_low_rank

    ours = copy.deepcopy(base.model.bert.encoder)
    config = peft.LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", init_lora_weights=False)
    theirs = peft.get_peft_model(copy.deepcopy(base.model.bert.encoder), config)
    add_low_rank(ours, 4, 2.0)
    learned = dict(theirs.base_model.model.named_modules())
    for name, layer in ours.named_modules():
        if isinstance(layer, LowRankLinear):
            peer = learned[name]
            layer.lora_A.data = peer.lora_A["default"].weight.data.clone()
            layer.lora_B.data = peer.lora_B["default"].weight.data.clone()
    hidden = torch.randn(2, 5, 32)
    expected = theirs.base_model.model(hidden).last_hidden_state
    assert torch.allclose(ours(hidden).last_hidden_state, expected, atol=1e-5)
    merge_low_rank(ours)
    assert not any(isinstance(layer, LowRankLinear) for layer in ours.modules())
    assert torch.allclose(ours(hidden).last_hidden_state, expected, atol=1e-5)


def test_the_best_weights_are_kept(base: Loaded) -> None:
    tuned = fine_tune(base, rows(), Plan(epochs=8, learning_rate=3e-3, batch_size=8))
    best = max(tuned.validation_history, key=lambda point: (point.accuracy, -point.loss))
    assert tuned.kept_step == best.step and tuned.validation.accuracy == pytest.approx(best.accuracy)
    assert [point.step for point in tuned.history] == list(range(1, len(tuned.history) + 1))


@pytest.mark.parametrize("step", [1, 3, 7])
def test_stopping_leaves_a_whole_model(base: Loaded, step: int) -> None:
    tuned = fine_tune(base, rows(), Plan(epochs=9, method="lora"), lambda report: report.step == step)
    assert tuned.stopped == "stopped" and len(tuned.history) == step and tuned.kept_step <= step
    assert type(tuned.model) is base.family.classifier_class and tuned.validation is not None
    shares = answers(base, tuned.model, [judged.text for judged in tuned.judged]).softmax(-1)
    assert [share[tuned.labels.index(j.label)] for j, share in zip(tuned.judged, shares.tolist(), strict=True)] == (
        pytest.approx([judged.probability for judged in tuned.judged], abs=1e-5)
    )


def test_stopping_before_the_first_step_leaves_none(base: Loaded) -> None:
    assert fine_tune(base, rows(), Plan(), lambda report: True) is None


def test_time_ends_it(base: Loaded) -> None:
    tuned = fine_tune(base, rows(), Plan(epochs=9, seconds=0.0))
    assert tuned.stopped == "time" and len(tuned.history) == 1


def test_from_scratch_forgets_the_encoder(base: Loaded) -> None:
    made = fine_tune(base, rows(), Plan(epochs=1, from_scratch=True, learning_rate=1e-6))
    kept = fine_tune(base, rows(), Plan(epochs=1, learning_rate=1e-6))
    key = "encoder.layer.0.output.dense.weight"
    start = base.model.bert.state_dict()[key]
    assert (made.model.bert.state_dict()[key] - start).abs().mean() > 0.01
    assert (kept.model.bert.state_dict()[key] - start).abs().mean() < 1e-4


def test_four_rows_train(base: Loaded) -> None:
    tuned = fine_tune(base, rows(4), Plan(epochs=1))
    assert tuned.rows == 3 and tuned.kept == 1
    assert tuned.validation is not None and sum(map(sum, tuned.validation.confusion)) == len(tuned.judged)


def test_two_rows_train_without_validation(base: Loaded) -> None:
    tuned = fine_tune(base, rows(2), Plan(epochs=1))
    assert (tuned.rows, tuned.validation, tuned.judged) == (2, None, [])


def test_labels_survive_saving(base: Loaded, tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification

    given = [Example(example.text, {"animal": "动物", "food": "007"}[example.label]) for example in rows(8)]
    tuned = fine_tune(base, given, Plan(epochs=1))
    tuned.model.save_pretrained(tmp_path)
    again = AutoModelForSequenceClassification.from_pretrained(tmp_path)
    assert tuned.labels == ["007", "动物"] == [again.config.id2label[index] for index in range(2)]
    texts = [example.text for example in given]
    assert torch.allclose(answers(base, tuned.model, texts), answers(base, again.eval(), texts), atol=1e-6)


def test_reports_tell_where_it_stands(base: Loaded) -> None:
    reports: list[TuningReport] = []
    fine_tune(base, rows(), Plan(epochs=2, batch_size=8), reports.append)
    assert [report.step for report in reports] == list(range(reports[-1].steps + 1))
    assert reports[-1].steps == 2 * steps_per_epoch(32, 8) == 8
    assert [report.step for report in reports if report.validation] == [4, 8]


def test_scores_are_scikit_learns() -> None:
    scores = score_labels([0, 0, 1, 2], [0, 1, 1, 1], [1, 1, 0, 0, 2], 3)
    assert scores.accuracy == 0.5 and scores.baseline_accuracy == 0.5
    assert scores.macro_f1 == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    assert scores.confusion == [[1, 1, 0], [0, 1, 0], [0, 1, 0]]


def test_rows_kept_back_are_of_every_label() -> None:
    given = [Example(str(index), "ab"[index % 5 == 0]) for index in range(100)]
    train, back = split(given, 0.2, 3)
    assert len(back) == 20 and sum(example.label == "b" for example in back) == 4
    assert {*train, *back} == set(given) and not {*train} & {*back}
    assert split(given, 0.2, 3) == (train, back) != split(given, 0.2, 4)
    assert label_names(given) == ["a", "b"]
    lone = [Example("x", "a"), Example("y", "b"), Example("z", "b")]
    train, back = split(lone, 0.01, 0)
    assert len(back) == 1 and label_names(train) == ["a", "b"]


def test_equal_rows_are_not_on_both_sides() -> None:
    texts = [f"text {number}" for number in range(20)]
    given = [Example(text, label) for text in texts for label in ("A", "B") for _ in range(3)]
    train, back = split(given, 0.2, 3)
    assert {(row.text, row.label) for row in train}.isdisjoint((row.text, row.label) for row in back)
    assert len(train) + len(back) == len(given) and len(back) == 24
    few = [Example("good", "A")] * 5 + [Example("bad", "B")] * 5
    train, back = split(few, 0.2, 0)
    assert sorted(row.label for row in back) == ["A", "B"], "of one text alone there is no other way"
    assert len(split([Example("a", "A"), Example("b", "A"), Example("c", "B")], 0.01, 0)[1]) == 1


@pytest.mark.parametrize(("count", "size"), [(1, 4), (4, 4), (37, 4), (64, 2), (130, 16)])
def test_batches_hold_every_row_once_an_epoch(count: int, size: int) -> None:
    drawn = batches([index % 7 for index in range(count)], size, 1)
    for _ in range(2):
        epoch = [next(drawn) for _ in range(steps_per_epoch(count, size))]
        assert sorted(index for batch in epoch for index in batch) == list(range(count))
        assert max(map(len, epoch)) <= size


def test_augmentation_is_light() -> None:
    text = " ".join(f"w{index}" for index in range(1000))
    words = augment(text, random.Random(0)).split()
    assert 850 < len(words) < 950 and set(words) <= set(text.split())
    assert 0.05 < sum(a > b for a, b in pairwise(words)) / len(words) < 0.9
    assert augment("one", random.Random(0)) == "one"
    assert set(augment("今天的晚饭很好吃", random.Random(1))) <= set("今天的晚饭很好吃")
