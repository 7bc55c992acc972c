"""A tiny ELMo from text to bundle, and its scores."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from app.models.elmo import ElmoConfig, ElmoForLanguageModeling, ElmoTokenizer
from app.models.static_vectors import StaticVectors
from app.pretraining import train as train_module
from app.pretraining.data.words import MARKS, by_frequency, count_words, sentence_batches, tokenise_words
from app.pretraining.evaluation.elmo import log_probabilities, marked_stream
from app.pretraining.evaluation.evaluate import evaluate
from app.pretraining.evaluation.inputs import Places
from app.pretraining.evaluation.senses import Occurrence, context_mean, most_frequent_sense, nearest_sense_accuracy
from app.pretraining.evaluation.typed.next_word_of_words import five_next
from app.pretraining.export import export
from app.pretraining.families import elmo, family_of
from app.pretraining.recipes import RECIPES
from app.pretraining.train import train

CPU = torch.device("cpu")
TINY = replace(
    RECIPES["elmo_mini"],
    vocab_size=12,
    start_vectors=False,
    config={
        "filters": ((1, 4), (2, 8)),
        "num_highway_layers": 1,
        "cell_size": 16,
        "projection_size": 8,
        "num_sampled_words": 0,
        "dropout": 0.0,
    },
    lengths=(20,),
    tokens_per_batch=200,
    learning_rate=2e-2,
)
SENTENCES = [["The", "dog", "sees"], ["A", "cat", "hears", "the", "fish", "."], ["No"]]


@pytest.fixture(autouse=True)
def _float32(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timed choice of precision would differ from run to run."""
    monkeypatch.setattr(train_module, "faster_precision", lambda run, batch: torch.float32)


@pytest.fixture
def files(text_folder: Path) -> list[Path]:
    """The two files that may be used."""
    return [text_folder / "en" / f"{name}.txt.xz" for name in ("storybooks", "wikinews_1")]


@pytest.fixture
def tokenizer() -> ElmoTokenizer:
    """Knows some of the words."""
    return ElmoTokenizer([*MARKS, "The", "dog", "cat", "the", "."])


@pytest.fixture
def model() -> ElmoForLanguageModeling:
    """Random weights."""
    torch.manual_seed(0)
    return ElmoForLanguageModeling(ElmoConfig(vocab_size=8, **TINY.config)).eval()


def test_words_come_by_falling_frequency(files: list[Path]) -> None:
    counts = count_words(files)
    words = by_frequency(counts)
    assert words[:1] == ["the"] and counts["the"] > counts["The"] == counts["."]
    assert all(counts[a] >= counts[b] for a, b in pairwise(words))
    corpus = tokenise_words(files, MARKS + words)
    assert len(corpus.ids) == counts.total() and corpus.ids.min() == len(MARKS), "nothing is unknown"
    assert tokenise_words(files, [*MARKS, "the"]).ids.min() == 2, "words that are not listed are"


def test_batches_hold_every_sentence_with_its_characters(files: list[Path]) -> None:
    words = MARKS + by_frequency(count_words(files))
    corpus, full = tokenise_words(files, words), ElmoTokenizer(words)
    known = {"characters": elmo.characters_of(full), "vocab_size": 6}
    seen = 0
    for batch in sentence_batches(corpus, **known, pass_number=0, seed=1, lengths=(20,), tokens_per_batch=200):
        assert batch.labels.size <= 200
        seen += batch.tokens
        for row, labels in zip(batch.input_ids, batch.labels, strict=True):
            length = int((labels >= 0).sum())
            sentence = [words[number] for number in _ids_of(row[1 : length - 1], full)]
            expected = full([sentence], return_labels=True)
            assert np.array_equal(row[:length], expected["input_ids"][0].numpy())
            listed = expected["labels"][0].numpy()
            assert np.array_equal(labels[:length], np.where(listed < 6, listed, 2)), "beyond the softmax: unknown"
    assert seen == len(corpus.ids) + len(corpus.sentence_starts) - 1


def _ids_of(rows: np.ndarray, tokenizer: ElmoTokenizer) -> list[int]:
    by_characters = {tuple(tokenizer.character_ids(word)): n for n, word in enumerate(tokenizer.vocabulary) if n > 2}
    return [by_characters[tuple(row.tolist())] for row in rows]


def test_a_sampled_loss_can_be_repeated(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer) -> None:
    batch = tokenizer(SENTENCES, return_labels=True)
    arrays = elmo.SentenceBatch(batch["input_ids"].numpy(), batch["labels"].numpy())
    model.config.num_sampled_words = 4
    first = family_of(TINY).loss(model, arrays, CPU, torch.float32)
    torch.rand(3)
    torch.testing.assert_close(first, family_of(TINY).loss(model, arrays, CPU, torch.float32))
    whole = model.eval()(**batch).loss
    assert first != whole and abs(first - whole) < 0.5 * whole


def test_the_loss_is_the_models_own(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer) -> None:
    batch = tokenizer(SENTENCES, return_labels=True)
    arrays = elmo.SentenceBatch(batch["input_ids"].numpy(), batch["labels"].numpy())
    torch.testing.assert_close(family_of(TINY).loss(model, arrays, CPU, torch.float32), model(**batch).loss)


def test_log_probabilities_are_those_of_each_sentence_alone(
    model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer
) -> None:
    scores = log_probabilities(model, tokenizer, SENTENCES)
    for number, sentence in enumerate(SENTENCES):
        batch = tokenizer([sentence], return_labels=True)
        labels = batch.pop("labels")[0]
        output = model(**batch)
        for direction, wanted in (("forward", labels[1:]), ("backward", labels[:-1])):
            logits = getattr(output, f"{direction}_logits")[0]
            expected = -functional.cross_entropy(logits, wanted, reduction="none").detach().numpy()
            np.testing.assert_allclose(scores[direction][number], expected, atol=1e-5)


def test_the_softmax_starts_from_vectors_and_frequencies(
    model: ElmoForLanguageModeling, files: list[Path], tmp_path: Path
) -> None:
    corpus = tokenise_words(files, MARKS + by_frequency(count_words(files)))
    vectors = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32)
    np.save(tmp_path / "vectors.npy", vectors)
    scale = model.softmax.weight.std().item()
    family_of(TINY).give_start(model, corpus, tmp_path / "vectors.npy")
    made = model.softmax.weight.detach().numpy()
    np.testing.assert_allclose(made, vectors * (scale / vectors.std(ddof=1)), rtol=1e-5)
    shares = model.softmax.bias.exp().tolist()
    assert shares[1] == pytest.approx((len(corpus.sentence_starts) - 1) / len(corpus.ids), rel=1e-5)
    assert shares[2] == pytest.approx((corpus.ids >= 8).mean(), rel=1e-2)


def test_marks_stand_at_both_ends_of_each_sentence() -> None:
    stream = marked_stream(np.array([5, 6, 7, 8, 9]), np.array([0, 2, 2, 5]))
    assert stream.tolist() == [0, 5, 6, 1, 0, 1, 0, 7, 8, 9, 1]


def test_the_nearest_occurrence_gives_the_sense() -> None:
    train = [Occurrence(["bank"], 0, "river"), Occurrence(["bank"], 0, "money"), Occurrence(["bank"], 0, "money")]
    test = [Occurrence(["bank"], 0, "money"), Occurrence(["bank"], 0, "river")]
    known = np.array([[1.0, 0.0], [0.0, 3.0], [0.1, 1.0]])
    assert nearest_sense_accuracy(known, np.array([[0.2, 9.0], [5.0, 1.0]]), train, test) == 1.0
    assert nearest_sense_accuracy(known, np.array([[1.0, 0.1], [5.0, 1.0]]), train, test) == 0.5
    assert most_frequent_sense(train, test) == 0.5


def test_the_word_in_question_has_no_say_in_its_context() -> None:
    static = StaticVectors(["river", "bank", "green"], torch.tensor([[1.0, 0.0], [0.0, 5.0], [3.0, 0.0]]))
    made = context_mean(static, Occurrence(["river", "bank", "unheard", "green"], 1, "x"))
    assert made.tolist() == [2.0, 0.0]
    assert context_mean(static, Occurrence(["unheard", "bank"], 1, "x")).tolist() == [0.0, 0.0]


def test_the_next_word_is_the_forward_half_s(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer) -> None:
    words = ["The", "dog", "sees"]
    with torch.inference_mode():
        following = model(**tokenizer([[*words, "anything"]])).forward_logits[0, len(words) - 1]
    assert five_next(model, tokenizer, words) == following.topk(5).indices.tolist()


def test_a_resumed_run_equals_an_unbroken_one(text_folder: Path, tmp_path: Path) -> None:
    unbroken, _ = train(TINY, text_folder, tmp_path / "a", 1.0, CPU, steps=6)
    shutil.copytree(tmp_path / "a" / "tokenizer", tmp_path / "b" / "tokenizer")
    train(TINY, text_folder, tmp_path / "b", 1.0, CPU, steps=6, stop_after=2)
    resumed, _ = train(TINY, text_folder, tmp_path / "b", 1.0, CPU, steps=6)
    for name, tensor in resumed.model.state_dict().items():
        torch.testing.assert_close(tensor, unbroken.model.state_dict()[name], msg=f"{name} differs")


@pytest.mark.slow
def test_from_text_to_a_measured_bundle(text_folder: Path, tmp_path: Path) -> None:
    places = Places(text_folder, tmp_path / "eval", tmp_path / "work", tmp_path / "models")
    _, start = train(TINY, text_folder, places.work / "elmo_mini", 1.0, CPU, steps=1)
    run, end = train(TINY, text_folder, places.work / "elmo_mini", 1.0, CPU, steps=120)
    assert end.loss < 0.75 * start.loss, "it learns"
    bundle = places.models / "elmo-mini"
    export(run, end, text_folder, bundle)
    model, tokenizer = family_of(TINY).load(bundle)
    assert tokenizer.vocabulary == run.tokenizer.vocabulary[:12], "only the softmax's words"
    for name, tensor in model.state_dict().items():
        torch.testing.assert_close(tensor, run.model.state_dict()[name], atol=1e-3, rtol=1e-3)

    (text_folder / "valid").mkdir()
    text = "The dog sees the cat at the house. The cat hears the fish."
    (text_folder / "valid" / "en_storybooks.txt").write_text(text, encoding="utf-8")
    folder = tmp_path / "eval" / "coarsewsd20" / "bank"
    folder.mkdir(parents=True)
    for part in ("train", "test"):
        rows = ["class\tindex\tsentence", "0\t1\tthe bank sees", "1\t1\tno bank hears"]
        (folder / f"{part}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    scores = evaluate("elmo-mini", places)
    assert scores["two_way_perplexity"]["model"]["words"] == 15
    assert scores["two_way_perplexity"]["model"]["forward"] < 12
    assert set(scores["two_way_perplexity"]["baselines"]) == {"Kneser-Ney, 5 words"}
    typed = scores["typed_next"]
    assert typed["model"]["sentences"] == typed["baselines"]["trigram (two words before)"]["sentences"] == 1
    assert scores["senses"]["model"] == {"layer 0": 0.5, "layer 1": 1.0, "layer 2": 1.0}, "layer 0 knows no context"
    assert evaluate("elmo-mini", places) == scores, "measured twice, the same"
    shutil.rmtree(places.work)
    assert evaluate("elmo-mini", places) == scores, "and the same where it was not trained"
    golden = json.loads((bundle / "golden.json").read_text(encoding="utf-8"))
    assert [(len(answer["next"]), len(answer["previous"])) for answer in golden] == [(5, 5)] * 5
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert "pipeline_tag: feature-extraction" in card
    assert f"| **this model** | {scores['two_way_perplexity']['model']['forward']:,.1f} |" in card
