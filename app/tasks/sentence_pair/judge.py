"""Judges pairs of sentences: does the second follow (BERT's NSP), or are both in order (ALBERT's SOP)?

Knows sentences, pairs and results; the model is only an `engine.base.PairJudge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from app.analysis.probabilities import softmax
from app.engine.base import PairJudge
from app.engine.heads import PAIR_HEADS
from app.engine.runtime.loader import load_head
from app.engine.runtime.zero_gpu import uses_card
from app.engine.storage.locate import local_folder
from app.engine.storage.weight_names import pair_head
from app.errors import PlaygroundError
from app.registry.checkpoint import MASKED_LM, NEXT_SENTENCE, PAIR_HEAD_OF_FAMILY, SENTENCE_ORDER, Checkpoint
from app.registry.lookup import default, find, for_task
from app.results.sentence_pair import LabelProbability, PairModel, SentenceMatrixResult, SentencePairResult
from app.tasks.checks import check_text, check_tokens
from app.tasks.examples import once_for_examples
from app.tasks.unknown import unknown_in

OBJECTIVE_OF_HEAD = {NEXT_SENTENCE: "nsp", SENTENCE_ORDER: "sop"}
# Index 0 of the logits first. Most people do not expect 0 to mean "follows", so labels are never numbers here.
LABELS = {"nsp": ("is_next", "not_next"), "sop": ("in_order", "swapped")}
FEWEST_SENTENCES, MOST_SENTENCES = 2, 8


@once_for_examples("sentence_pair", "first", "second")
@uses_card
def sentence_pair(first: str, second: str = "", model: str = "") -> SentencePairResult:
    """Judge whether the second sentence follows the first, or whether both are in order; see `/sentence_pair`.

    Args:
        first: the sentence that is read first.
        second: the sentence that may follow it.
        model: catalog name; empty for the default. BERT judges following, ALBERT order.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    sentences = [check_text(first, "first"), check_text(second, "second")]
    judge = load_judge(model, sentences)
    as_given, swapped = pair_probabilities(judge, sentences, [(0, 1), (1, 0)])
    objective = objective_of(judge.checkpoint)
    return SentencePairResult(
        model=judge.checkpoint.name,
        revision=judge.checkpoint.revision,
        objective=objective,
        labels=_labelled(objective, as_given),
        swapped=_labelled(objective, swapped),
        unknown=unknown_in(judge.text, *sentences),
    )


@once_for_examples("sentence_pair", "sentences")
@uses_card
def sentence_matrix(sentences: list[str], model: str = "") -> SentenceMatrixResult:
    """Judge every ordered pair of 2 to 8 sentences in one request; see `/sentence_matrix`.

    Args:
        sentences: 2 to 8 sentences, in any order.
        model: catalog name; empty for the default.

    Raises:
        PlaygroundError: as `sentence_pair`.
    """
    given = check_sentences(sentences)
    judge = load_judge(model, given)
    pairs = list(permutations(range(len(given)), 2))
    matrix: list[list[float | None]] = [[None] * len(given) for _ in given]
    for (before, after), (probability, _) in zip(pairs, pair_probabilities(judge, given, pairs), strict=True):
        matrix[before][after] = float(probability)
    return SentenceMatrixResult(
        judge.checkpoint.name, judge.checkpoint.revision, objective_of(judge.checkpoint), matrix,
        unknown_in(judge.text, *given),
    )  # fmt: skip


def check_sentences(sentences: object) -> list[str]:
    """Return the sentences if they are 2 to 8 texts that are not empty.

    Raises:
        PlaygroundError: `bad_value`, `empty_text` or `too_long`.
    """
    if not isinstance(sentences, list | tuple):
        raise PlaygroundError("bad_value", "list", field="sentences", limit=MOST_SENTENCES)
    if not FEWEST_SENTENCES <= len(sentences) <= MOST_SENTENCES:
        raise PlaygroundError(
            "bad_value", "sentences", field="sentences", count=len(sentences), low=FEWEST_SENTENCES, high=MOST_SENTENCES
        )
    return [check_text(sentence, f"sentence {number}") for number, sentence in enumerate(sentences, start=1)]


def pair_probabilities(judge: PairJudge, sentences: Sequence[str], pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    """Probabilities [pair, 2] of pairs of sentences, given as indices; each sentence is tokenised once.

    Raises:
        PlaygroundError: `too_long`, a pair does not fit; `empty_text`, the tokenizer keeps nothing of a sentence.
    """
    parts = [judge.text.part(sentence) for sentence in sentences]
    for number, part in enumerate(parts, start=1):
        if not part.ids:
            raise PlaygroundError("empty_text", field=f"sentence {number}")
    rows = [judge.text.pair(parts[before], parts[after]) for before, after in pairs]
    check_tokens(max(len(row.input_ids) for row in rows), judge.max_tokens)
    return softmax(judge.pair_logits(rows))


def load_judge(model: str, *texts: object) -> PairJudge:
    """A checkpoint's trained pair head.

    Raises:
        PlaygroundError: `unknown_model`; `wrong_model`, its family has no pair head; `missing_head`, its file lacks it.
    """
    checkpoint = find(model, "") if model else default("sentence_pair", *texts)
    head = pair_head(checkpoint)
    if head:
        return load_head(checkpoint, PAIR_HEADS[head])
    lacking = PAIR_HEAD_OF_FAMILY.get(checkpoint.family, "")
    having = [other.name for other in for_task("") if pair_head(other) and lacking in ("", pair_head(other))]
    names = ", ".join(having) or "—"
    if not lacking:
        raise PlaygroundError("wrong_model", model=checkpoint.name, names=names)
    raise PlaygroundError("missing_head", lacking, model=checkpoint.name, names=names)


def list_judges() -> list[PairModel]:
    """Every encoder of the catalog with the training objective of its pair head, the default first.

    Those without a pair head come last.
    """
    serving = for_task("sentence_pair")
    others = [one for one in for_task("") if one not in serving and (MASKED_LM in one.heads or pair_head(one))]
    return [
        PairModel(checkpoint.name, checkpoint.family, objective_of(checkpoint), _is_here(checkpoint))
        for checkpoint in (*serving, *others)
    ]


def _is_here(checkpoint: Checkpoint) -> bool:
    folder = local_folder(checkpoint)
    return folder is not None and (folder / "config.json").is_file()


def objective_of(checkpoint: Checkpoint) -> str:
    """`nsp`, `sop`, or an empty string."""
    return OBJECTIVE_OF_HEAD.get(pair_head(checkpoint), "")


def _labelled(objective: str, probabilities: np.ndarray) -> list[LabelProbability]:
    return [
        LabelProbability(label, float(probability))
        for label, probability in zip(LABELS[objective], probabilities, strict=True)
    ]
