"""Finds a word in sentences: every occurrence, by characters, in any case, never inside another word."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import regex

from app.errors import PlaygroundError
from app.results.word_sense import Occurrence
from app.settings import settings

MOST_SENTENCES, MOST_OCCURRENCES, LONGEST_WORD, LONGEST_LABEL = 100, 400, 100, 60
# `sense | sentence`, with the half- or full-width bar.
LABEL = regex.compile(rf"\s*([^|｜\n]{{1,{LONGEST_LABEL}}}?)\s*[|｜]\s*(?=\S)")
# Scripts without spaces between words: a word is a run of characters, with any character next to it.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
SPACED = rf"[[\p{{L}}\p{{M}}\p{{N}}_]--[{UNSPACED}]]"
AROUND = " \t\r\n\u3000.,;:!?\"'“”‘’()[]{}<>«»。，、；：！？（）《》【】…—"


@dataclass(frozen=True)
class Sentence:
    """A sentence as it was sent; `given[start:]` is the part without its label."""

    index: int
    given: str
    start: int
    sense: str | None

    @property
    def text(self) -> str:
        """The part that models read."""
        return self.given[self.start :]


def check_sentences(sentences: object) -> list[Sentence]:
    """Return the sentences that are not empty, their labels split off.

    Raises:
        PlaygroundError: `bad_value`, not a list of 1 to 100 texts; `empty_text`; `too_long`, all together.
    """
    if not isinstance(sentences, list | tuple):
        raise PlaygroundError("bad_value", "list", field="sentences", limit=MOST_SENTENCES)
    for number, sentence in enumerate(sentences, start=1):
        if not isinstance(sentence, str):
            raise PlaygroundError("bad_value", "text", field=f"sentence {number}")
    filled = [split_label(index, sentence) for index, sentence in enumerate(sentences) if sentence.strip()]
    if not filled:
        raise PlaygroundError("empty_text", field="sentences")
    if len(filled) > MOST_SENTENCES:
        raise PlaygroundError(
            "bad_value", "sentences", field="sentences", count=len(filled), low=1, high=MOST_SENTENCES
        )
    characters = sum(len(sentence.given) for sentence in filled)
    if characters > settings().max_characters:
        raise PlaygroundError("too_long", "characters", count=characters, limit=settings().max_characters)
    return filled


def split_label(index: int, given: str) -> Sentence:
    """A sentence, and the sense in front of it if there is one."""
    label = LABEL.match(given)
    return Sentence(index, given, label.end() if label else 0, label[1] if label else None)


def check_word(word: object) -> str:
    """Return the word without the spaces and punctuation around it.

    Raises:
        PlaygroundError: `bad_value`, not text or too long; `empty_text`.
    """
    if not isinstance(word, str):
        raise PlaygroundError("bad_value", "text", field="word")
    if len(word) > LONGEST_WORD:
        raise PlaygroundError("bad_value", "word", field="word")
    stripped = word.strip(AROUND) or word.strip()
    if not stripped:
        raise PlaygroundError("empty_text", field="word")
    return stripped


def find_occurrences(sentences: list[Sentence], word: str, forms: list[str] = []) -> list[Occurrence]:
    """Every occurrence of the word or of one of its other forms.

    Raises:
        PlaygroundError: `word_not_found`; `too_long`, more occurrences than can be compared.
    """
    pattern = word_pattern([word, *forms])
    found = [
        Occurrence(sentence.index, match.start(), match.end(), match.group(), sentence.sense)
        for sentence in sentences
        for match in pattern.finditer(sentence.given, sentence.start)
    ]
    if not found:
        raise PlaygroundError("word_not_found", word=word)
    if len(found) > MOST_OCCURRENCES:
        raise PlaygroundError("too_long", "occurrences", count=len(found), limit=MOST_OCCURRENCES)
    return found


def word_pattern(words: list[str]) -> regex.Pattern[str]:
    """Match any of the words, in any case, composed or decomposed, with any space inside, but not within a word."""
    spellings = {unicodedata.normalize(form, word) for word in words for form in ("NFC", "NFD")} | set(words)
    longest_first = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
    choices = "|".join(_bounded(spelling) for spelling in longest_first)
    return regex.compile(rf"(?V1)(?:{choices})", regex.IGNORECASE | regex.FULLCASE)


def _bounded(word: str) -> str:
    body = r"\s+".join(regex.escape(part, literal_spaces=True) for part in word.split())
    # Keyboards write straight apostrophes, word processors curly ones.
    body = regex.sub("['’]", "['’]", body)
    before = rf"(?<!{SPACED})" if regex.match(rf"(?V1){SPACED}", word) else ""
    after = rf"(?!{SPACED})" if regex.search(rf"(?V1){SPACED}\Z", word) else r"(?!\p{M})"
    return before + body + after
