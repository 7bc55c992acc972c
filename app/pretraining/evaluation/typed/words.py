"""What visitors type: single held-out sentences with one whole word hidden, asked the way the page asks.

Text goes in and words come out. If a tokenizer splits text around a mask in a way the model never saw, the score drops
as it would for a visitor. A word that is not a single piece of the model counts as not found.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from transformers import PreTrainedTokenizerFast

from app.pretraining.data.corpus import Corpus, read_documents, stem
from app.pretraining.evaluation.baselines import CountingRivals
from app.pretraining.evaluation.masked_scores import Ranker, Segment
from app.tasks.fill_mask.fill import fill_mask

SEED = 2019
BLANK = "[MASK]"
# Held-out files by kind of text; the same number of sentences is drawn for each kind.
KINDS = {
    "encyclopaedia": ("wikipedia_core", "openstax_textbooks"),
    "novels": ("novels",),
    "news": ("wikinews", "onestop_news_for_learners"),
    "stories": ("storybooks",),
}
TWO = "a word of two"
OF_A_KIND, CHINESE = 300, 600
WORDS, CHARACTERS = range(6, 17), range(8, 31)

_WORD = re.compile(r"(?<![\w'’-])[A-Za-z]+(?![\w'’-])")
_SENTENCE = re.compile(r"[A-Z].*[.!?]")
_HAN = re.compile(r"[\u4e00-\u9fff]+")


@dataclass(frozen=True)
class Hidden:
    """A sentence with a hidden word: `sentence[start:end]`."""

    kind: str
    sentence: str
    start: int
    end: int

    @property
    def word(self) -> str:
        return self.sentence[self.start : self.end]

    def asked(self, blanks: str = BLANK) -> str:
        """The sentence as a visitor would send it."""
        return self.sentence[: self.start] + blanks + self.sentence[self.end :]


def typed_sentences(valid: Path) -> list[Hidden]:
    """English sentences of 6 to 16 words, one word hidden, all words equally likely; the same ones for every model."""
    chosen = []
    for kind, stems in KINDS.items():
        files = [path for path in sorted(valid.glob("en_*.txt")) if stem(path).removeprefix("en_") in stems]
        fitting = [sentence for sentence in _sentences(files) if _reads_alone(sentence)]
        chosen += _some(kind, fitting, _WORD.finditer, OF_A_KIND)
    return chosen


def typed_chinese(valid: Path) -> dict[str, list[Hidden]]:
    """Sentences of 8 to 30 characters, with one character or a word of two hidden."""
    sentences = [s for s in _sentences(sorted(valid.glob("zh_*.txt"))) if len(s) in CHARACTERS and s.endswith("。")]
    return {
        "one character": _some("encyclopaedia", sentences, re.compile(r"[\u4e00-\u9fff]").finditer, CHINESE),
        TWO: _some("encyclopaedia", sentences, _words_of_two, CHINESE),
    }


def _sentences(files: Iterable[Path]) -> list[str]:
    found = (sentence.strip() for path in files for document in read_documents(path) for sentence in document)
    return list(dict.fromkeys(found))


def _reads_alone(sentence: str) -> bool:
    closed = sentence.count('"') % 2 == 0 and sentence.count("(") == sentence.count(")")
    return bool(len(sentence.split()) in WORDS and closed and _SENTENCE.fullmatch(sentence))


def _words_of_two(sentence: str) -> Iterator[_Span]:
    import jieba

    for word, start, end in jieba.tokenize(sentence):
        if len(word) == 2 and _HAN.fullmatch(word):
            yield _Span(start, end)


@dataclass(frozen=True)
class _Span:
    first: int
    last: int

    def span(self) -> tuple[int, int]:
        return self.first, self.last


def _some(kind: str, sentences: list[str], words_of: Callable[[str], Iterable], count: int) -> list[Hidden]:
    rng = random.Random(f"{SEED} {kind}")
    sentences = sentences.copy()
    rng.shuffle(sentences)
    hidden = []
    for sentence in sentences:
        if len(hidden) < count and (words := list(words_of(sentence))):
            hidden.append(Hidden(kind, sentence, *rng.choice(words).span()))
    return hidden


def first_five(asked: Hidden, model: str) -> list[str]:
    """The page's five answers, best first; the two characters of a Chinese word are filled in together."""
    if len(asked.word) == 2 and _HAN.fullmatch(asked.word):
        joint = fill_mask(asked.asked(BLANK * 2), model, 5).joint
        return ["".join(answer.words).strip() for answer in joint]
    answers = fill_mask(asked.asked(), model, 5).masks[0].candidates
    return [answer.token.strip() for answer in answers]


def found(answers: list[list[str]], asked: list[Hidden]) -> dict[str, float | int]:
    """Shares of hidden words ranked first and among the first five, ignoring case."""
    hits = np.zeros((len(asked), 5), dtype=bool)
    for row, five, one in zip(hits, answers, asked, strict=True):
        row[: len(five)] = [answer.casefold() == one.word.casefold() for answer in five]
    shares = {"top_1": hits[:, 0].mean(), "top_5": hits.any(axis=1).mean()}
    return {name: round(float(share), 4) for name, share in shares.items()} | {"sentences": len(asked)}


def typed_words(valid: Path, language: str) -> dict[str, list[Hidden]]:
    """The questions by kind of text; in Chinese, by what is hidden."""
    if language == "zh":
        return typed_chinese(valid)
    asked = typed_sentences(valid)
    return {kind: [one for one in asked if one.kind == kind] for kind in KINDS}


def typed_scores(
    model: str, by_kind: dict[str, list[Hidden]], tokenizer: PreTrainedTokenizerFast, corpus: Corpus
) -> dict:
    """The model's shares by kind, beside counts of its training text; Chinese two-character words are kept apart."""
    answers = {one: first_five(one, model) for many in by_kind.values() for one in many}
    asked = [one for kind, many in by_kind.items() if kind != TWO for one in many]
    rivals = CountingRivals(corpus, len(tokenizer))
    return {
        "model": found([answers[one] for one in asked], asked),
        "by_kind": {kind: found([answers[one] for one in many], many) for kind, many in by_kind.items() if many},
        "baselines": {
            "most frequent word": counted(rivals.most_frequent, asked, tokenizer),
            "neighbours (one before, one after)": counted(rivals.neighbours, asked, tokenizer),
        },
    }


def counted(rank: Ranker, asked: list[Hidden], tokenizer: PreTrainedTokenizerFast) -> dict:
    """The counts' scores where the hidden word is one piece; elsewhere they find nothing, like the model."""
    segments, places = [], []
    for place, one in enumerate(asked):
        encoded = tokenizer(one.sentence, return_offsets_mapping=True)
        inside = [
            index for index, (start, end) in enumerate(encoded["offset_mapping"]) if start < one.end and one.start < end
        ]
        if len(inside) == 1:
            input_ids = np.array(encoded["input_ids"], dtype=np.int64)
            segments.append(Segment(one.kind, input_ids, np.array(inside), input_ids[inside]))
            places.append(place)
    answers: list[list[str]] = [[]] * len(asked)
    for place, five in zip(places, rank(segments), strict=True):
        answers[place] = [tokenizer.decode([piece]).strip() for piece in five.tolist()]
    return found(answers, asked)
