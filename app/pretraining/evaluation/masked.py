"""Measures a masked LM with a pair head: hidden pieces, next sentence and sentence order, each beside its baselines."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby, islice
from pathlib import Path

import numpy as np
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.data.corpus import Corpus, read_documents
from app.pretraining.data.special_ids import special_ids
from app.pretraining.evaluation.baselines import CountingRivals, TopicOverlap, fit_topic_overlap
from app.pretraining.evaluation.inputs import Places, kept, training_text
from app.pretraining.evaluation.masked_answers import Judge
from app.pretraining.evaluation.masked_scores import Accuracy, Segment, accuracy, accuracy_by_file, validation_segments
from app.pretraining.evaluation.pseudo_likelihood import pseudo_log_probabilities
from app.pretraining.evaluation.text_scores import minimal_pairs, preferences
from app.pretraining.evaluation.typed.pairs import typed_pair_scores
from app.pretraining.evaluation.typed.words import typed_scores, typed_words
from app.pretraining.families import family_of
from app.pretraining.recipes import Recipe

# The label in `pairs.tsv` that corresponds to class 0 of the pair head, by task.
IN_ORDER = {"nsp": "next", "sop": "order"}
# Each piece of each sentence needs a pass: all 1,000 pairs would take one core half an hour.
PAIRS_OF_A_PARADIGM = 200


@dataclass(frozen=True)
class LabelledPairs:
    """Sentence pairs of one task with their true labels."""

    pairs: list[tuple[str, str]]
    in_order: np.ndarray  # bool [pairs]


def read_pairs(path: Path, task: str) -> LabelledPairs:
    """The rows of one task, `nsp` or `sop`."""
    with path.open(encoding="utf-8", newline="") as opened:
        rows = [row for row in csv.DictReader(opened, delimiter="\t", quoting=csv.QUOTE_NONE) if row["task"] == task]
    truth = np.array([row["label"] == IN_ORDER[task] for row in rows])
    return LabelledPairs([(row["sentence1"], row["sentence2"]) for row in rows], truth)


def opening_pairs(valid: Path) -> LabelledPairs:
    """The first two sentences of each held-out English document, in order and swapped: openings are a clue."""
    documents = [document for path in sorted(valid.glob("en_*.txt")) for document in read_documents(path)]
    openings = [(document[0], document[1]) for document in documents if len(document) > 1]
    pairs = [pair for first, second in openings for pair in ((first, second), (second, first))]
    return LabelledPairs(pairs, np.tile([True, False], len(openings)))


def masked_piece_scores(judge: Judge, corpus: Corpus, recipe: Recipe, valid: Path, cache: Path) -> dict:
    """The model's top-1 and top-5, overall and by file, beside the counting baselines."""
    tokenizer = judge.tokenizer
    segments = validation_segments(valid, recipe.language, tokenizer.backend_tokenizer, special_ids(tokenizer))
    by_file = accuracy_by_file(segments, judge.rank)
    return {
        "model": _rounded(by_file.pop("all")),
        "by_file": {file: _rounded(score) for file, score in by_file.items()},
        "baselines": baseline_scores(corpus, segments, tokenizer, cache),
    }


def baseline_scores(corpus: Corpus, segments: list[Segment], tokenizer: PreTrainedTokenizerFast, cache: Path) -> dict:
    """Top-1 and top-5 of the counting baselines; kept in `cache` while vocabulary and texts are unchanged."""
    holes = np.concatenate([segment.input_ids for segment in segments]).tobytes()
    stamp = hashlib.sha256(tokenizer.backend_tokenizer.to_str().encode() + holes + corpus.ids.tobytes()).hexdigest()

    def count() -> dict:
        labels = np.concatenate([segment.labels for segment in segments])
        rivals = CountingRivals(corpus, len(tokenizer))
        return {
            "most frequent piece": _rounded(accuracy(rivals.most_frequent(segments), labels)),
            "trigram (two pieces before)": _rounded(accuracy(rivals.trigram(segments), labels)),
            "neighbours (one before, one after)": _rounded(accuracy(rivals.neighbours(segments), labels)),
        }

    return kept(cache, stamp, count)


def pair_scores(judge: Judge, overlap: TopicOverlap, asked: dict[str, LabelledPairs]) -> dict:
    """Accuracy of the pair head on each kind of pairs, with topic overlap beside it."""
    scores = {}
    for task, labelled in asked.items():
        by_overlap = np.array([overlap.is_next(*_ids(judge.tokenizer, pair)) for pair in labelled.pairs])
        scores[task] = {
            "model": round(float((judge.pair_is_in_order(labelled.pairs) == labelled.in_order).mean()), 4),
            "topic overlap": round(float((by_overlap == labelled.in_order).mean()), 4),
            "chance": round(float(max(labelled.in_order.mean(), 1 - labelled.in_order.mean())), 4),
            "pairs": len(labelled.pairs),
        }
    return scores


def asked_pairs(places: Places) -> dict[str, LabelledPairs]:
    """The labelled pairs of the evaluation, by kind of question."""
    path = places.evaluation / "nsp_sop" / "pairs.tsv"
    return {task: read_pairs(path, task) for task in IN_ORDER} | {"opening": opening_pairs(places.corpus / "valid")}


def minimal_pair_scores(judge: Judge, folder: Path) -> dict:
    """Share of BLiMP pairs whose good sentence has the higher pseudo-likelihood, by paradigm, on a part of each."""
    pairs = minimal_pairs(folder, judge.tokenizer.backend_tokenizer, judge.tokenizer.cls_token_id)
    paradigms = groupby(pairs, lambda pair: pair.paradigm)
    some = [pair for _, same in paradigms for pair in islice(same, PAIRS_OF_A_PARADIGM)]
    by_paradigm = preferences(some, partial(pseudo_log_probabilities, judge))
    mean = round(float(np.mean(list(by_paradigm.values()))), 4)
    return {
        "model": mean,
        "baselines": {"chance": 0.5},
        "by_paradigm": by_paradigm,
        "pairs_of_a_paradigm": PAIRS_OF_A_PARADIGM,
    }


def _ids(tokenizer: PreTrainedTokenizerFast, pair: tuple[str, str]) -> tuple[np.ndarray, np.ndarray]:
    first, second = (tokenizer.backend_tokenizer.encode(side, add_special_tokens=False).ids for side in pair)
    return np.array(first), np.array(second)


def _rounded(score: Accuracy) -> dict:
    return {name: round(value, 4) for name, value in asdict(score).items()}


def measure(recipe: Recipe, key: str, places: Places) -> dict:
    """Scores of a recipe's bundle."""
    judge = Judge(*family_of(recipe).load(places.models / recipe.name), recipe.language)
    corpus = training_text(recipe, key, places, judge.tokenizer)
    cache = places.work / key / "baselines.json"
    valid = places.corpus / "valid"
    asked = typed_words(valid, recipe.language)
    scores = {"typed": typed_scores(recipe.name, asked, judge.tokenizer, corpus)} if any(asked.values()) else {}
    scores |= {"masked_pieces": masked_piece_scores(judge, corpus, recipe, valid, cache)}
    if judge.has_pair_head and recipe.language == "en":  # the labelled pairs are English
        overlap = fit_topic_overlap(corpus, len(judge.tokenizer))
        scores["typed_pairs"] = typed_pair_scores(recipe.name)
        scores["sentence_pairs"] = pair_scores(judge, overlap, asked_pairs(places))
    if not judge.has_pair_head and recipe.language == "en":  # a model trained on single texts only
        scores["minimal_pairs"] = minimal_pair_scores(judge, places.evaluation / "blimp")
    return scores


def golden(recipe: Recipe, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast) -> list[dict]:
    """Answers to fixed inputs."""
    return Judge(model, tokenizer, recipe.language).golden_answers()
