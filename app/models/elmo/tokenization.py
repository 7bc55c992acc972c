"""From text to words, from words to the byte ids that ELMo reads and to the ids that its language-model head predicts.

A word has 50 ids: begin of word, at most 48 UTF-8 bytes, end of word, padding. Case is kept and nothing is unknown.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import regex
import torch
from transformers import BatchEncoding
from transformers.utils import cached_file

# The published ids before 1 is added to all of them, which leaves 0 for "no word here".
BEGIN_SENTENCE, END_SENTENCE, BEGIN_WORD, END_WORD, PAD_CHARACTER = 256, 257, 258, 259, 260
BOUNDARIES = {"<S>": BEGIN_SENTENCE, "</S>": END_SENTENCE}
# Lines of the vocabulary file, in the order of the published one.
BEGIN_ID, END_ID, UNKNOWN_ID = 0, 1, 2
IGNORED_LABEL = -100
CONFIG_FILE, VOCABULARY_FILE = "tokenizer_config.json", "vocab.txt"

WORD = regex.compile(
    r"""
    \p{Han}\p{M}*                                                  # each Chinese character is a word
    | (?:\p{L}\.){2,}                                              # U.S.
    | \p{N}+(?:[.,:/]\p{N}+)+                                      # 1,000.50  12:30
    | (?<=\p{L})['’]\p{L}{1,2}(?![\p{L}\p{N}])                     # Don 't, She 'll: as in the training text
    | (?:(?!\p{Han})[\p{L}\p{M}\p{N}\u200c\u200d])+                # a run of letters and digits,
      (?:(?:-|['’](?=\p{L}{3}))(?:(?!\p{Han})[\p{L}\p{M}\p{N}])+)* # on over a hyphen (well-known) or as in O'Brien
    | \.{2,} | -{2,}                                               # ... and --
    | (?![\s\p{Cc}\p{Cf}\p{Cs}])\X                                 # anything else that can be seen, one by one
    """,
    regex.VERBOSE,
)


class Word(NamedTuple):
    """A word of a text: `text[start:end]`, offsets in characters."""

    text: str
    start: int
    end: int


def split_words(text: str) -> list[Word]:
    """Splits plain text into words and punctuation, keeping case, much like the text that ELMo was trained on.

    `New York, 1999!` gives New / York / , / 1999 / !. Each Chinese character is a word.
    """
    return [Word(match.group(), *match.span()) for match in WORD.finditer(text)]


class ElmoTokenizer:
    """Turns sentences given as lists of words into ElmoModel's input.

    Args:
        vocabulary: words of the language-model head by decreasing frequency; the first three stand for the begin of a
            sentence, its end, and any word that is not listed. None for a model without that head.
        max_characters_per_token: ids in a word's row, including its two marks.
        recognize_boundaries: whether the words `<S>` and `</S>` stand for the marks around a sentence, as in the
            published code. By default they are ordinary words, because a visitor may type them.
    """

    model_input_names = ["input_ids", "attention_mask"]

    def __init__(
        self,
        vocabulary: Sequence[str] | None = None,
        max_characters_per_token: int = 50,
        recognize_boundaries: bool = False,
    ) -> None:
        self.vocabulary = None if vocabulary is None else list(vocabulary)
        self.max_characters_per_token = max_characters_per_token
        self.recognize_boundaries = recognize_boundaries
        # Without the first three entries, so that a word of the text never means a mark.
        self._word_ids = {word: number for number, word in enumerate(self.vocabulary or []) if number > UNKNOWN_ID}

    def split(self, text: str) -> list[Word]:
        """Splits plain text into words with their character offsets; see `split_words`."""
        return split_words(text)

    def character_ids(self, word: str) -> list[int]:
        """The ids of one word: begin mark, bytes, end mark, padding. Lone surrogates have no bytes and are left out."""
        if self.recognize_boundaries and word in BOUNDARIES:
            return self._row([BOUNDARIES[word]])
        return self._row([*word.encode("utf-8", "ignore")[: self.max_characters_per_token - 2]])

    def _row(self, characters: list[int]) -> list[int]:
        marked = [BEGIN_WORD, *characters, END_WORD]
        padding = [PAD_CHARACTER] * (self.max_characters_per_token - len(marked))
        return [character + 1 for character in marked + padding]

    def __call__(self, sentences: Sequence[Sequence[str]], return_labels: bool = False) -> BatchEncoding:
        """Makes one batch, adding a begin and an end mark around every sentence.

        Args:
            sentences: each one a list of words; an empty list is a sentence with no words.
            return_labels: whether to add the vocabulary ids that the language-model head should predict.

        Returns:
            `input_ids` [sentence, word, character], all 0 where a sentence has ended; `attention_mask` [sentence,
            word], 1 for words and marks; with `return_labels` also `labels` [sentence, word], -100 at the padding. All
            are int64; n words take n + 2 places.

        Raises:
            TypeError: a sentence is a string instead of a list of words.
            ValueError: there is no sentence, or labels are requested from a tokenizer without a vocabulary.
        """
        check_sentences(sentences)
        length = 2 + max(len(words) for words in sentences)
        input_ids = np.zeros((len(sentences), length, self.max_characters_per_token), dtype=np.int64)
        attention_mask = np.zeros((len(sentences), length), dtype=np.int64)
        begin, end = self._row([BEGIN_SENTENCE]), self._row([END_SENTENCE])
        for row, words in enumerate(sentences):
            input_ids[row, : len(words) + 2] = [begin, *map(self.character_ids, words), end]
            attention_mask[row, : len(words) + 2] = 1
        arrays = {"input_ids": input_ids, "attention_mask": attention_mask}
        if return_labels:
            arrays["labels"] = self._labels(sentences, length)
        return BatchEncoding({name: torch.from_numpy(array) for name, array in arrays.items()})

    def _labels(self, sentences: Sequence[Sequence[str]], length: int) -> np.ndarray:
        if self.vocabulary is None:
            raise ValueError("labels need a vocabulary, and this tokenizer has none")
        labels = np.full((len(sentences), length), IGNORED_LABEL, dtype=np.int64)
        for row, words in enumerate(sentences):
            labels[row, : len(words) + 2] = [BEGIN_ID, *self.word_ids(words), END_ID]
        return labels

    def word_ids(self, words: Sequence[str]) -> list[int]:
        """Vocabulary ids of words; an unlisted word gets the id of the unknown word, 2."""
        return [self._word_ids.get(word, UNKNOWN_ID) for word in words]

    def save_pretrained(self, folder: str | Path) -> tuple[str, ...]:
        """Writes `tokenizer_config.json` and, with a vocabulary, `vocab.txt`; returns their paths."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "tokenizer_class": type(self).__name__,
            "max_characters_per_token": self.max_characters_per_token,
            "recognize_boundaries": self.recognize_boundaries,
            "has_vocabulary": self.vocabulary is not None,
        }
        contents = {CONFIG_FILE: json.dumps(settings, indent=2) + "\n"}
        if self.vocabulary is not None:
            contents[VOCABULARY_FILE] = "".join(f"{word}\n" for word in self.vocabulary)
        for name, content in contents.items():
            (folder / name).write_text(content, encoding="utf-8", newline="\n")
        return tuple(str(folder / name) for name in contents)

    @classmethod
    def from_pretrained(cls, name_or_path: str | Path, *, revision: str = "main", **options: Any) -> Self:
        """Reads what `save_pretrained` wrote, from a folder or a Hub repository.

        Args:
            name_or_path: folder, or repository id on the Hub.
            revision: commit of the repository.
            options: `local_files_only`, `cache_dir`, `token` as in transformers; others are meant for other tokenizers.
        """
        known = {key: options[key] for key in ("local_files_only", "cache_dir", "token") if key in options}

        def find(name: str) -> Path:
            return Path(str(cached_file(str(name_or_path), name, revision=revision, **known)))

        settings = json.loads(find(CONFIG_FILE).read_text(encoding="utf-8"))
        vocabulary = load_vocabulary(find(VOCABULARY_FILE)) if settings["has_vocabulary"] else None
        return cls(vocabulary, settings["max_characters_per_token"], settings["recognize_boundaries"])


def load_vocabulary(path: str | Path) -> list[str]:
    """The words of a vocabulary file, one per line, as in the published one."""
    # Not splitlines(), which also breaks at characters that may be part of a word.
    return Path(path).read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def check_sentences(sentences: Sequence[Sequence[str]]) -> None:
    """Raises TypeError unless `sentences` is a list of lists of words, and ValueError when it is empty."""
    if isinstance(sentences, str):
        raise TypeError("need a list of sentences, got one string: split it into words first, see split_words")
    for number, words in enumerate(sentences):
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise TypeError(f"sentence {number} must be a list of words, got {words!r:.60}: see split_words")
    if len(sentences) == 0:
        raise ValueError("need at least one sentence")
