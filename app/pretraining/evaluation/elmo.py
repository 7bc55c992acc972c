"""Measures an ELMo: perplexity in both directions beside Kneser-Ney counts, and how well its layers separate senses."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from app.models.elmo import ElmoForLanguageModeling, ElmoTokenizer
from app.models.elmo.encoding import PLACES_PER_BATCH, batches_by_length, encode
from app.models.elmo.tokenization import BEGIN_ID, END_ID, UNKNOWN_ID, split_words
from app.models.static_vectors import StaticVectors
from app.pretraining.data.corpus import read_documents, training_files
from app.pretraining.data.words import MARKS, in_vocabulary
from app.pretraining.evaluation.inputs import Places, kept, training_text
from app.pretraining.evaluation.kneser_ney import fit_kneser_ney
from app.pretraining.evaluation.senses import (
    Occurrence,
    context_mean,
    most_frequent_sense,
    nearest_sense_accuracy,
    read_senses,
)
from app.pretraining.evaluation.typed.next_word import typed_prompts
from app.pretraining.evaluation.typed.next_word_of_words import typed_next_word_scores
from app.pretraining.families import family_of
from app.pretraining.recipes import Recipe
from app.pretraining.train import load_or_make_tokenizer

LONGEST = 5
RIVAL = f"Kneser-Ney, {LONGEST} words"
DIRECTIONS = ("forward", "backward")
VECTORS = "word-vectors-mini"
# Maximum occurrences per word: three of the ten words have thousands, and one score must not take an hour.
MOST = {"train": 500, "test": 300}
GOLDEN_SENTENCES = (
    "The dog barked at the cat .",
    "She opened the door and walked into the room .",
    "The president of the United States gave a speech .",
    "He was born in the summer of 1950 .",
    "The old man sat down and closed his eyes .",
)

# Maps sentences of words to the log-probabilities of each sentence's words and end mark (backward: begin mark).
TwoWayScorer = Callable[[list[list[str]]], dict[str, list[np.ndarray]]]


def measure(recipe: Recipe, key: str, places: Places) -> dict:
    """Scores of a recipe's bundle."""
    family = family_of(recipe)
    model, tokenizer = family.load(places.models / recipe.name)
    sentences = held_out_sentences(places.corpus / "valid", recipe.language)
    files = training_files(places.corpus, recipe.language, recipe.everyday_passes)
    every_word = load_or_make_tokenizer(family, files, places.work / key / "tokenizer")
    corpus = training_text(recipe, key, places, every_word)
    ids = in_vocabulary(corpus.ids, model.config.vocab_size)
    asked = "\n".join(" ".join(words) for rows in sentences.values() for words in rows)
    stamp = hashlib.sha256(ids.tobytes() + asked.encode()).hexdigest()

    def count() -> dict:
        stream = marked_stream(ids, corpus.sentence_starts)
        return perplexities(sentences, counting_scorer(stream, tokenizer), tokenizer)["all"]

    ours = perplexities(sentences, lambda rows: log_probabilities(model, tokenizer, rows), tokenizer)
    rival = kept(places.work / key / "baselines.json", stamp, count)
    prompts = typed_prompts(places.corpus / "valid", recipe.language)
    known = replace(corpus, ids=ids)
    typed = {"typed_next": typed_next_word_scores(model, tokenizer, prompts, known)} if prompts else {}
    return typed | {
        "two_way_perplexity": {"model": ours.pop("all"), "by_file": ours, "baselines": {RIVAL: rival}},
        "senses": sense_scores(model, tokenizer, places),
    }


def held_out_sentences(folder: Path, language: str) -> dict[str, list[list[str]]]:
    """The validation text as sentences of words, by file."""
    return {
        file.stem: [
            [word.text for word in split_words(sentence)] for document in read_documents(file) for sentence in document
        ]
        for file in sorted(folder.glob(f"{language}_*.txt"))
    }


def perplexities(sentences: dict[str, list[list[str]]], score: TwoWayScorer, tokenizer: ElmoTokenizer) -> dict:
    """Perplexity per word and mark in each direction, overall (key `all`) and for each file."""
    scores = {file: score(rows) for file, rows in sentences.items()}
    ids = {file: tokenizer.word_ids([word for words in rows for word in words]) for file, rows in sentences.items()}
    groups = {"all": list(sentences)} | {file: [file] for file in sentences}
    made = {}
    for group, files in groups.items():
        known = np.concatenate([ids[file] for file in files])
        made[group] = {
            direction: round(math.exp(-np.concatenate([s for f in files for s in scores[f][direction]]).mean()), 2)
            for direction in DIRECTIONS
        } | {"words": len(known), "unknown": round(float((known == UNKNOWN_ID).mean()), 4)}
    return made


@torch.inference_mode()
def log_probabilities(
    model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, sentences: list[list[str]]
) -> dict[str, list[np.ndarray]]:
    """The model's log-probabilities: n + 1 in each direction for n words."""
    scores: dict[str, list[np.ndarray]] = {direction: [np.empty(0)] * len(sentences) for direction in DIRECTIONS}
    for numbers in batches_by_length([len(words) + 2 for words in sentences], PLACES_PER_BATCH):
        batch = tokenizer([sentences[number] for number in numbers], return_labels=True)
        labels = batch.pop("labels")
        left, right = model.elmo(**batch, keep_boundaries=True).last_hidden_state.chunk(2, dim=2)
        for row, number in enumerate(numbers):
            end = len(sentences[number]) + 2
            sides = ((left[row, : end - 1], labels[row, 1:end]), (right[row, 1:end], labels[row, : end - 1]))
            for direction, (vectors, wanted) in zip(DIRECTIONS, sides, strict=True):
                log_probability = model.softmax(vectors).log_softmax(dim=1)
                scores[direction][number] = log_probability.gather(1, wanted[:, None])[:, 0].double().numpy()
    return scores


def marked_stream(ids: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Sentences end to end, each with a mark at both ends."""
    lengths = np.diff(starts)
    first = starts[:-1] + 2 * np.arange(len(lengths))  # where each sentence's begin mark goes
    stream = np.empty(len(ids) + 2 * len(lengths), dtype=np.int64)
    is_word = np.ones(len(stream), dtype=bool)
    is_word[first] = is_word[first + lengths + 1] = False
    stream[is_word] = ids
    stream[first], stream[first + lengths + 1] = BEGIN_ID, END_ID
    return stream


def counting_scorer(stream: np.ndarray, tokenizer: ElmoTokenizer) -> TwoWayScorer:
    """Scores from Kneser-Ney counts of the text, and of the text reversed."""
    size = len(tokenizer.vocabulary or MARKS)
    models = [fit_kneser_ney(text, size, LONGEST) for text in (stream, stream[::-1])]

    def score(sentences: list[list[str]]) -> dict[str, list[np.ndarray]]:
        rows = [np.array([BEGIN_ID, *tokenizer.word_ids(words), END_ID]) for words in sentences]
        sides = rows, [row[::-1] for row in rows]
        return {name: model.of_rows(side) for name, model, side in zip(DIRECTIONS, models, sides, strict=True)}

    return score


def sense_scores(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, places: Places) -> dict:
    """1-nearest-neighbour accuracy of each layer, averaged over words; the baselines ignore word order."""
    folder = places.evaluation / "coarsewsd20"
    by_word: dict[str, dict[str, float]] = {}
    vectors = places.models / VECTORS
    static = StaticVectors.from_pretrained(vectors) if (vectors / "config.json").exists() else None
    for word in sorted(path.name for path in folder.iterdir() if path.is_dir()):
        train, test = (read_senses(folder / word / f"{part}.tsv", most) for part, most in MOST.items())
        layers = zip(*(_layers(model, tokenizer, part) for part in (train, test)), strict=True)
        rows = {f"layer {layer}": nearest_sense_accuracy(*sides, train, test) for layer, sides in enumerate(layers)}
        rows["most frequent sense"] = most_frequent_sense(train, test)
        if static is not None:
            sides = (np.stack([context_mean(static, occurrence) for occurrence in part]) for part in (train, test))
            rows["static vectors of the other words, mean"] = nearest_sense_accuracy(*sides, train, test)
        by_word[word] = {name: round(accuracy, 4) for name, accuracy in rows.items()}
    means = {name: round(float(np.mean([rows[name] for rows in by_word.values()])), 4) for name in rows}
    return {
        "model": {name: mean for name, mean in means.items() if name.startswith("layer")},
        "baselines": {name: mean for name, mean in means.items() if not name.startswith("layer")},
        "by_word": by_word,
    }


def _layers(
    model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, occurrences: list[Occurrence]
) -> list[np.ndarray]:
    """The target words' vectors, one array [occurrence, 2 * projection] per layer."""
    encoded = encode(model.elmo, tokenizer, [occurrence.words for occurrence in occurrences])
    at = torch.stack([layers[:, one.index] for layers, one in zip(encoded, occurrences, strict=True)], dim=1)
    return list(at.numpy())


def golden(recipe: Recipe, model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer) -> list[dict]:
    """For five sentences, the five likeliest next words before the last word, and previous words after the first."""
    answers = []
    words = tokenizer.vocabulary or []
    for text in GOLDEN_SENTENCES:
        with torch.inference_mode():
            output = model(**tokenizer([text.split()]))
        sides = {"next": output.forward_logits[0, -2], "previous": output.backward_logits[0, 1]}
        answer: dict = {"text": text}
        for name, logits in sides.items():
            best = logits.softmax(-1).topk(5)
            pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
            answer[name] = [[words[number], round(p, 5)] for number, p in pairs]
        answers.append(answer)
    return answers
