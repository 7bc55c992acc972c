"""All bundles' scores in one table, each beside its strongest baseline and a published figure of a large model.

The scores are those that `evaluate` wrote to each `train.json`. Published figures are from the papers named, on their
own data: they show a distance, not a race.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

HEADER = ("model", "question", "score", "best baseline", "published")

PUBLISHED = {
    "nsp": "BERT base 97 to 98 % (Devlin et al. 2018, on its own long segments)",
    "sop": "ALBERT base 86.5 %, trained on next sentences only 52.0 % (Lan et al. 2019, table 5)",
    "perplexity": "GPT-2 small 37.5 (Radford et al. 2019, WikiText-103)",
    "minimal_pairs": "GPT-2 81.5 %, LSTM 69.8 %, 5-gram 61.2 % (Warstadt et al. 2020, all paradigms)",
    "two_way_perplexity": "ELMo 39.7, mean of both directions (Peters et al. 2018, 1B Word)",
    "WordSim-353": "GloVe 0.658 (Pennington et al. 2014, 6 billion words)",
    "SST-2": "BERT base 93.5 % (Devlin et al. 2018), BERT-Tiny 83.2 % (Turc et al. 2019), on test sentences",
    "analogies": "skip-gram 69.1 % (Pennington et al. 2014, 6 billion words)",
}

# The rows for one kind of score: (question, score, best baseline, key in PUBLISHED).
Rows = Iterator[tuple[str, str, str, str]]


def _words(question: str) -> Callable[[dict], Rows]:
    """Rows for a question with top-1 and top-5 scores."""

    def rows(scores: dict) -> Rows:
        best = max(scores["baselines"].values(), key=lambda score: score["top_1"])
        both = [f"{score['top_1']:.1%} / {score['top_5']:.1%}" for score in (scores["model"], best)]
        yield f"{question}, first answer / among five", *both, ""

    return rows


def _typed_pairs(scores: dict) -> Rows:
    questions = {"nsp": "next sentence or another, as typed", "sop": "order of two sentences, as typed"}
    for task, score in scores.items():
        yield questions[task], f"{score['model']:.1%}", f"{score['chance']:.1%}", ""


def _pairs(scores: dict) -> Rows:
    questions = {
        "nsp": "next sentence or another",
        "sop": "order of two neighbours",
        "opening": "order of the first two sentences",
    }
    for task, score in scores.items():
        question = questions[task]
        yield question, f"{score['model']:.1%}", f"{max(score['topic overlap'], score['chance']):.1%}", task


def _perplexity(scores: dict) -> Rows:
    best = min(score["word"] for score in scores["baselines"].values())
    question, published = f"perplexity per {scores['unit']}, lower is better", "perplexity"
    if scores["unit"] != "word":
        published = ""  # the published figure is per word
    yield question, f"{scores['model']['word']:,.0f}", f"{best:,.0f}", published


def _minimal_pairs(scores: dict) -> Rows:
    best = max(scores["baselines"].values())
    yield "BLiMP, paradigms given", f"{scores['model']:.1%}", f"{best:.1%}", "minimal_pairs"


def _two_way(scores: dict) -> Rows:
    (rival,) = scores["baselines"].values()
    both = [f"{score['forward']:,.0f} / {score['backward']:,.0f}" for score in (scores["model"], rival)]
    yield "perplexity, next / previous word, lower is better", *both, "two_way_perplexity"


def _senses(scores: dict) -> Rows:
    layer, score = max(scores["model"].items(), key=lambda item: item[1])
    yield f"CoarseWSD-20, words given, {layer}", f"{score:.1%}", f"{max(scores['baselines'].values()):.1%}", ""


def _similarity(scores: dict) -> Rows:
    for name, score in scores.items():
        yield f"{name}, rank correlation", f"{score['model']:.3f}", "0", name


def _analogies(scores: dict) -> Rows:
    yield "analogies", f"{scores['model']:.1%}", "0 %", "analogies"


def _likeness(scores: dict) -> Rows:
    yield "the word that could stand in another's place, not the one beside it", f"{scores['model']:.1%}", "50.0%", ""


def _own_analogies(scores: dict) -> Rows:
    yield "analogies of common words", f"{scores['model']:.1%}", "0 %", ""


def _classified(scores: dict) -> Rows:
    best = max(scores["baseline_accuracy"], scores["tf_idf_logistic_regression"])
    name = scores.get("set", "SST-2")
    yield f"{name}, held-out rows", f"{scores['accuracy']:.1%}", f"{best:.1%}", name


def _everyday(scores: dict) -> Rows:
    best = max(scores["baseline_accuracy"], scores["tf_idf_logistic_regression"])
    yield f"everyday opinions, {scores['rows']}", f"{scores['accuracy']:.1%}", f"{best:.1%}", ""


def _names(scores: dict) -> Rows:
    yield f"names in other sentences, {scores['names']}, F1", f"{scores['f1']:.1%}", f"{scores['looked_up']:.1%}", ""


def _answers(scores: dict) -> Rows:
    plain = f"{scores['likest_sentence_exact']:.1%} / {scores['likest_sentence_f1']:.1%}"
    ours = f"{scores['answerable_exact']:.1%} / {scores['answerable_f1']:.1%}"
    yield f"answers in other passages, {scores['answerable']}, exact / F1", ours, plain, ""


ROWS: dict[str, Callable[[dict], Rows]] = {
    "typed": _words("a word of a typed sentence"),
    "typed_next": _words("the next word of a typed sentence"),
    "typed_pairs": _typed_pairs,
    "masked_pieces": _words("hidden pieces"),
    "sentence_pairs": _pairs,
    "perplexity": _perplexity,
    "minimal_pairs": _minimal_pairs,
    "two_way_perplexity": _two_way,
    "senses": _senses,
    "likeness": _likeness,
    "own_analogies": _own_analogies,
    "similarity": _similarity,
    "analogies": _analogies,
    "everyday opinions": _everyday,  # from here on: fine-tuned checkpoints
    "dev.tsv": _classified,
    "names": _names,
    "answers": _answers,
}


def bundles(models: Path) -> list[str]:
    """Names of the bundles in a folder, in alphabetical order."""
    return sorted(path.parent.name for path in models.glob("*/train.json"))


def table(models: Path) -> str:
    """All measured bundles as a Markdown table."""
    lines = [HEADER, ("---",) * len(HEADER)]
    for name in bundles(models):
        record = json.loads((models / name / "train.json").read_text(encoding="utf-8"))
        for kind, scores in record.get("scores", {}).items():
            lines += [(name, *row[:3], PUBLISHED.get(row[3], "")) for row in ROWS[kind](scores)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
