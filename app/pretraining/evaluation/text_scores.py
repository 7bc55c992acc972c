"""How well a model predicts running text: perplexity of held-out documents, and which of two sentences it prefers.

The model (a network or counts) is a function from rows of ids to log-probabilities; each row begins with the piece
between texts, which is not scored. BLiMP: Warstadt et al. 2020, arXiv 1912.00582.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from app.pretraining.data.corpus import read_paragraphs

# Maps rows of ids to the natural log of P(id | ids before it in its row) for every id but the first.
Scorer = Callable[[list[np.ndarray]], list[np.ndarray]]


@dataclass(frozen=True)
class Document:
    """A held-out document."""

    file: str
    ids: np.ndarray  # int64, starting with the piece between texts
    words: int  # separated by spaces; in Chinese, characters


@dataclass(frozen=True)
class Pair:
    """A sentence of a minimal pair beside its faulty twin."""

    paradigm: str
    good: np.ndarray
    bad: np.ndarray


def held_out_documents(folder: Path, language: str, tokenizer: Tokenizer, end: int) -> Iterator[Document]:
    """All validation documents of a language, including restricted files, which are only read, never learnt from."""
    for file in sorted(folder.glob(f"{language}_*.txt")):
        for paragraphs in read_paragraphs(file):
            text = "\n".join(paragraphs)
            ids = np.array([end, *tokenizer.encode(text, add_special_tokens=False).ids])
            words = text.split()
            yield Document(file.stem, ids, sum(map(len, words)) if language == "zh" else len(words))


def windows(ids: np.ndarray, width: int) -> Iterator[tuple[np.ndarray, int]]:
    """(window, how many of its last ids are new); half a window, or all there is, comes before each new id."""
    done = 1  # the first id is given
    while done < len(ids):
        stop = min(len(ids), width if done == 1 else done + width // 2)
        yield ids[max(0, stop - width) : stop], stop - done
        done = stop


def document_log_probabilities(documents: list[Document], score: Scorer, width: int) -> list[float]:
    """The natural log of each document's probability, windows of `width` ids at a time."""
    cut = [(number, *window) for number, document in enumerate(documents) for window in windows(document.ids, width)]
    sums = [0.0] * len(documents)
    for (number, _, new), scores in zip(cut, score([row for _, row, _ in cut]), strict=True):
        sums[number] += float(scores[-new:].sum())
    return sums


def perplexities(documents: list[Document], log_probabilities: list[float]) -> dict[str, float | int]:
    """Perplexity per word and per piece: exp of the mean negative log-probability."""
    words = sum(document.words for document in documents)
    pieces = sum(len(document.ids) - 1 for document in documents)
    total = -sum(log_probabilities)
    return {"word": round(math.exp(total / words), 2), "piece": round(math.exp(total / pieces), 2), "words": words}


def perplexities_by_file(documents: list[Document], log_probabilities: list[float]) -> dict[str, dict]:
    """The perplexities overall (key `all`) and for each file."""
    of_file: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        of_file.setdefault(document.file, []).append(number)
    of_file = {"all": list(range(len(documents)))} | of_file
    return {
        file: perplexities([documents[n] for n in numbers], [log_probabilities[n] for n in numbers])
        for file, numbers in of_file.items()
    }


def minimal_pairs(folder: Path, tokenizer: Tokenizer, end: int) -> list[Pair]:
    """All pairs of all paradigms in a folder of BLiMP, one file per paradigm."""
    pairs = []
    for file in sorted(folder.glob("*.tsv")):
        with file.open(encoding="utf-8", newline="") as opened:
            rows = csv.DictReader(opened, delimiter="\t", quoting=csv.QUOTE_NONE)
            if "sentence_good" not in (rows.fieldnames or []):
                continue  # the list of paradigms
            for row in rows:
                sides = (
                    tokenizer.encode(row[f"sentence_{side}"], add_special_tokens=False) for side in ("good", "bad")
                )
                pairs.append(Pair(file.stem, *(np.array([end, *side.ids]) for side in sides)))
    return pairs


def preferences(pairs: list[Pair], score: Scorer) -> dict[str, float]:
    """Share of pairs whose good sentence is the likelier one, by paradigm; a tie counts as wrong."""
    scores = [float(row.sum()) for row in score([side for pair in pairs for side in (pair.good, pair.bad)])]
    right: dict[str, list[bool]] = {}
    for pair, good, bad in zip(pairs, scores[::2], scores[1::2], strict=True):
        right.setdefault(pair.paradigm, []).append(good > bad)
    return {paradigm: round(float(np.mean(hits)), 4) for paradigm, hits in right.items()}
