"""Measures a decoder on held-out documents (perplexity) and minimal pairs, beside Kneser-Ney counts of its pieces."""

from __future__ import annotations

import hashlib

import numpy as np
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.evaluation.causal_answers import NextJudge
from app.pretraining.evaluation.inputs import Places, kept, training_text
from app.pretraining.evaluation.kneser_ney import fit_kneser_ney
from app.pretraining.evaluation.text_scores import (
    Document,
    Pair,
    Scorer,
    document_log_probabilities,
    held_out_documents,
    minimal_pairs,
    perplexities_by_file,
    preferences,
)
from app.pretraining.evaluation.typed.next_word import typed_next_scores, typed_prompts
from app.pretraining.families import family_of
from app.pretraining.objectives.next_token import document_ids, joined
from app.pretraining.recipes import Recipe

LONGEST = 5
RIVAL = f"Kneser-Ney, {LONGEST} pieces"


def measure(recipe: Recipe, key: str, places: Places) -> dict:
    """Scores of a recipe's bundle."""
    judge = NextJudge(*family_of(recipe).load(places.models / recipe.name), recipe.language)
    backend, end = judge.tokenizer.backend_tokenizer, judge.tokenizer.eos_token_id
    documents = list(held_out_documents(places.corpus / "valid", recipe.language, backend, end))
    pairs = minimal_pairs(places.evaluation / "blimp", backend, end) if recipe.language == "en" else []
    corpus = training_text(recipe, key, places, judge.tokenizer)
    width = judge.model.config.n_positions
    stream = joined([document_ids(corpus, number) for number in range(corpus.documents)], end)
    asked = np.concatenate([document.ids for document in documents])
    stamp = hashlib.sha256(backend.to_str().encode() + stream.tobytes() + asked.tobytes()).hexdigest()

    def count() -> dict:
        return text_scores(documents, pairs, fit_kneser_ney(stream, len(judge.tokenizer), LONGEST).of_rows, width)

    ours = text_scores(documents, pairs, judge.log_probabilities, width)
    rival = kept(places.work / key / "baselines.json", f"{LONGEST} {len(pairs)} {stamp}", count)
    prompts = typed_prompts(places.corpus / "valid", recipe.language)
    typed = {"typed_next": typed_next_scores(recipe.name, prompts, judge.tokenizer, corpus)} if prompts else {}
    return typed | compared(ours, rival, "character" if recipe.language == "zh" else "word")


def golden(recipe: Recipe, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast) -> list[dict]:
    """Answers to fixed inputs."""
    return NextJudge(model, tokenizer, recipe.language).golden_answers()


def text_scores(documents: list[Document], pairs: list[Pair], score: Scorer, width: int) -> dict:
    """Perplexities by file and preferences by paradigm, for any scorer."""
    by_file = perplexities_by_file(documents, document_log_probabilities(documents, score, width))
    return {"perplexity": by_file, "pairs": preferences(pairs, score) if pairs else {}}


def compared(ours: dict, rival: dict, unit: str) -> dict:
    """The scores in the form `train.json` keeps; `unit` is the unit of the perplexities, a word or a character."""
    by_file = ours["perplexity"]
    scores = {
        "perplexity": {
            "unit": unit,
            "model": by_file.pop("all"),
            "by_file": by_file,
            "baselines": {RIVAL: rival["perplexity"]["all"]},
        }
    }
    if ours["pairs"]:
        scores["minimal_pairs"] = {
            "model": _mean(ours["pairs"]),
            "baselines": {RIVAL: _mean(rival["pairs"])},
            "by_paradigm": ours["pairs"],
        }
    return scores


def _mean(by_paradigm: dict[str, float]) -> float:
    return round(float(np.mean(list(by_paradigm.values()))), 4)
