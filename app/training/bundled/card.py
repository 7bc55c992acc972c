"""Writes the model card of a bundled classifier in the Hub's layout from its record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.training.bundled.answers import AnswerSet
from app.training.bundled.label_sets import LabelSet
from app.training.bundled.names import NameSet

CARD = """---
license: {licence}
language: {language}
base_model: {base_model}
pipeline_tag: text-classification
---
# {name}

{what} It tells `{labels}` apart, in {texts} and short everyday
opinions.

Made by `python -m app.training {name}`: {method}, {epochs} epochs, peak learning rate {learning_rate:g}, batches of
{batch_size}, seed {seed}; of the training rows {share:.0%} were kept back to choose the best step ({kept_step} of
{steps}{early}). {minutes} minutes, {cpu_minutes} of them on a CPU core ({hardware}). `train.json` has it all.

## Data

{rows:,} rows: {times} times this project's short everyday opinions ({opinions}), and {about}

## Scores

On {everyday_rows} other short opinions by the same writer, half of them positive, by which nothing was chosen
(`assets/evaluation`): {everyday:.1%}; the logistic regression below {everyday_bag:.1%}.

On the {dev_rows:,} rows of `dev.tsv`, which had no part in training or in choosing the step:

| | accuracy | macro-F1 |
|---|---|---|
| this model | {accuracy:.1%} | {macro_f1:.3f} |
| TF-IDF logistic regression on the same rows | {bag:.1%} | |
| always the more frequent label | {baseline:.1%} | |
{published}
## Limits

It knows two kinds of text. Irony, other subjects and other languages confuse it, and it repeats the biases of its
texts. It always answers with one of its two labels, also where neither fits.
"""

NAMES_CARD = """---
license: {licence}
language: {language}
base_model: {base_model}
pipeline_tag: token-classification
---
# {name}

{what} It marks names of three kinds, `{kinds}`: each word of a text has
a label, `B-` where a name begins, `I-` where it goes on, `O` for no name. A title in front (Dr, President) is no part
of a name, and words for a language or a people (German) are none.

Made by `python -m app.training {name}`: {method}, {epochs} epochs, peak learning rate {learning_rate:g}, batches of
{batch_size}, seed {seed}; of the training rows {share:.0%} were kept back to choose the best step ({kept_step} of
{steps}). {minutes} minutes, {cpu_minutes} of them on a CPU core ({hardware}). `train.json` has it all.

## Data

{rows:,} sentences written for this project one by one, with their names (`assets/{learnt}`, CC0). About one in
five has no name. Famous people and places are among them, and what is said of these is not always true.

## Scores

On {held_out_rows} other sentences by the same writer with {names} names, none of which was trained on
(`assets/{held_out}`). A name counts as found where all its words and its kind are right. Of the {unseen} names
that stand in no training row {unseen_recall:.1%} were found.

| | precision | recall | F1 |
|---|---|---|---|
| this model | {precision:.1%} | {recall:.1%} | **{f1:.1%}** |
{types}
| looking up the names of the training rows | | | {looked_up:.1%} |

## Limits

{rows:,} sentences are few: taggers in earnest learn from ten times as many. It has read single short sentences, no long
texts, tables or posts, and other people would draw some lines elsewhere (is a museum a place?). {limits}
"""

ANSWERS_CARD = """---
license: {licence}
language: {language}
base_model: {base_model}
pipeline_tag: question-answering
---
# {name}

{what} It reads a question with a passage and points at the words
that answer it, or at its first token where the passage does not say, as in SQuAD 2.0.

Made by `python -m app.training {name}`: {method}, {epochs} epochs, peak learning rate {learning_rate:g}, batches of
{batch_size}, seed {seed}; {varied}; the questions
about {share:.0%} of the passages were kept back to choose the best step ({kept_step} of {steps}). {minutes} minutes,
{cpu_minutes} of them on a CPU core ({hardware}). `train.json` has it all.
{runs}
## Data

{rows:,} questions about short passages written for this project (`assets/{learnt}`, CC0), of very different
kinds{generated}. About one question in {unanswered} has no answer in its passage. What the passages say is mostly
invented.

## Scores

On {asked} other questions about {passages} passages, none of which was trained on (`assets/{held_out}`), counted as by
SQuAD's script: exact answers, and F1 of the words that the answers share.

| | exact | F1 |
|---|---|---|
| this model, all questions | {exact:.1%} | **{f1:.1%}** |
| this model, the {answerable} that the passage answers | {answerable_exact:.1%} | {answerable_f1:.1%} |
| the sentence that shares most words with such a question | {likest_sentence_exact:.1%} | {likest_sentence_f1:.1%} |

Of the {none}, it refuses {refused:.1%}, of the others {refused_wrongly:.1%}.

## Limits

{rows:,} questions are few: SQuAD has a hundred thousand. The passages are short and plain, and their answers short. It
does not compute or compare: ask it for what stands there. Where two people did alike things, it often takes the wrong
one.
"""

STORED = (
    "The file holds the change to the base's weights, at rank {delta_rank} where they are large, and the head; "
    "`app.models.delta.merge_delta` adds it."
)
IN_STEPS = (
    "The file holds the change to the base's weights, in 127 steps either way, and the head; "
    "`app.models.delta.merge_delta` adds it. It was made on an earlier state of"
)
WHAT = {
    "roberta-mini-sst2": (
        "cc-by-sa-4.0",
        "roberta-mini",
        f"This project's small RoBERTa, fine-tuned. It is **not** RoBERTa base. {IN_STEPS} `roberta-mini` than the "
        "bundled one.",
    ),
    "bert-mini-zh-sentiment": (
        "cc-by-sa-4.0",
        "bert-mini-zh",
        f"This project's small Chinese BERT, fine-tuned. It is **not** BERT base Chinese. {IN_STEPS} `bert-mini-zh` "
        "than the bundled one.",
    ),
    "bert-mini-sst2": (
        "cc-by-sa-4.0",
        "bert-mini",
        f"This project's small BERT, fine-tuned. It is **not** BERT base. {STORED}",
    ),
    "minilm-l6-sst2": (
        "apache-2.0",
        "sentence-transformers/all-MiniLM-L6-v2",
        f"Made of the encoder `sentence-transformers/all-MiniLM-L6-v2` (Apache 2.0). {STORED}",
    ),
    "minilm-l6-names": (
        "apache-2.0",
        "sentence-transformers/all-MiniLM-L6-v2",
        f"Made of the encoder `sentence-transformers/all-MiniLM-L6-v2` (Apache 2.0). {STORED}",
    ),
    "bert-mini-zh-names": (
        "cc-by-sa-4.0",
        "bert-mini-zh",
        f"This project's small Chinese BERT, fine-tuned. It is **not** BERT base Chinese. {STORED}",
    ),
}
WHAT["minilm-l6-answers"] = WHAT["minilm-l6-names"]
WHAT["bert-mini-zh-answers"] = WHAT["bert-mini-zh-names"]
LIMITS = {
    "en": "It reads small letters only, so it cannot tell may from May by its capital.",
    "zh": "Its encoder is small: of names that it has not read it takes many for another kind, or misses them.",
}
METHODS = {
    "full": "all weights trained",
    "lora": "low-rank changes of rank {rank} (LoRA) and the head trained",
    "frozen": "the head alone trained",
}


def _made(name: str, language: str, record: dict[str, Any]) -> dict[str, Any]:
    """What every card says: of what the bundle was made, and how."""
    (licence, base_model, what), plan = WHAT[name], record["plan"]
    return {
        "name": name,
        "language": language,
        "licence": licence,
        "base_model": base_model,
        "what": what.format(delta_rank=record["delta_rank"]),
        "method": METHODS[plan["method"]].format(**plan),
        "share": plan["validation_share"],
        "rows": record["data"]["rows"],
        **{key: plan[key] for key in ("epochs", "learning_rate", "batch_size", "seed")},
        **{key: record[key] for key in ("kept_step", "steps", "minutes", "cpu_minutes", "hardware")},
    }


def model_card(name: str, data: LabelSet, record: dict[str, Any]) -> str:
    scores, everyday = record["scores"]["dev.tsv"], record["scores"]["everyday opinions"]
    return CARD.format(
        **_made(name, data.language, record),
        labels="` and `".join(data.labels.values()),
        texts=data.texts,
        about=data.about,
        published=f"| {data.published} | |\n" if data.published else "",
        times=record["data"]["times"],
        opinions=" and ".join(f"`assets/{name}`" for name in data.opinions if name in record["data"]),
        dev_rows=scores["rows"],
        accuracy=scores["accuracy"],
        macro_f1=scores["macro_f1"],
        baseline=scores["baseline_accuracy"],
        everyday=everyday["accuracy"],
        everyday_rows=everyday["rows"],
        everyday_bag=everyday["tf_idf_logistic_regression"],
        early="" if record["ended"] == "done" else ", where it was stopped by hand",
        bag=scores["tf_idf_logistic_regression"],
    )


def names_card(name: str, data: NameSet, record: dict[str, Any]) -> str:
    """The card's text, of a tagger."""
    scores = record["scores"]["names"]
    kinds = [f"| {one['label']} ({one['count']}) | {one['precision']:.1%} | {one['recall']:.1%} | {one['f1']:.1%} |"
             for one in scores["types"]]  # fmt: skip
    return NAMES_CARD.format(
        **_made(name, data.language, record),
        kinds="`, `".join(data.kinds),
        learnt=data.learnt,
        held_out=data.held_out,
        held_out_rows=scores["rows"],
        types="\n".join(kinds),
        limits=LIMITS[data.language],
        **{key: scores[key] for key in ("names", "precision", "recall", "f1", "looked_up", "unseen", "unseen_recall")},
    )


LENGTHENED = "two passages in five are lengthened by another one, differently in each epoch"
HINTED = (
    "the rows of an epoch are drawn anew, written ones with other names, numbers and wordings and generated ones "
    "(`app/training/answers/generated`); two layers are told what to look for (`hinted.py`), and the change is cut to "
    "rank {rank} before each judgement"
)
RUNS = """
The weights here are the last state of {count} runs of about {rows:,} rows together, between which the data and the
recipe grew; no step was chosen by rows kept back. The command learns all of it in one run.
"""
GENERATED = ", and others generated from `assets/{templates}` and\n`assets/{words}` (CC0)"
NONE = "questions that the passage does not answer"


def answers_card(name: str, data: AnswerSet, record: dict[str, Any]) -> str:
    """The card's text, of a model that finds answers."""
    scores = dict(record["scores"]["answers"])
    asked = scores.pop("rows")
    generated = GENERATED.format(templates=data.templates, words=data.words) if data.templates else ""
    return ANSWERS_CARD.format(
        **_made(name, data.language, record),
        asked=asked,
        learnt=data.learnt,
        held_out=data.held_out,
        varied=HINTED.format(rank=record["delta_rank"]) if data.templates else LENGTHENED,
        runs=RUNS.format(**record["runs"]) if "runs" in record else "",
        generated=generated,
        unanswered="seven" if data.language == "zh" else "five",
        none="same questions about the next passage" if scores["answerable"] == asked else NONE,
        **scores,
    )


def write_json(path: Path, content: dict | list) -> None:
    """Write a bundle's record, indented and without escaped letters."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
