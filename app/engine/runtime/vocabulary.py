"""Tokenizers without their weights: to cut a text into pieces no model has to be loaded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from app.engine.runtime.loader import commit_of, load_family
from app.engine.storage.folder_check import check_folder
from app.engine.storage.hub import refusal
from app.engine.storage.locate import local_folder, locate_tokenizer
from app.engine.text.text_tokenizer import TextTokenizer
from app.engine.text.tokenizers import TokenizerUnreadable, load_tokenizer
from app.late_imports import importing
from app.registry.checkpoint import Checkpoint

# ELMo's ids of one word: 256 bytes, the marks of word and sentence, padding (Peters et al. 2018).
ELMO_IDS = 262


@dataclass(frozen=True)
class Vocabulary:
    """A checkpoint's tokenizer and what kind it is."""

    text: TextTokenizer
    kind: str
    size: int
    revision: str  # of the files it was read from


@dataclass(frozen=True)
class ElmoWord:
    """A word as ELMo reads it: `text[start:end]`, and its ids without the padding."""

    text: str
    start: int
    end: int
    character_ids: list[int]


def load_vocabulary(checkpoint: Checkpoint) -> Vocabulary:
    """The checkpoint's tokenizer.

    Raises:
        PlaygroundError: `model_unavailable`, with the reason.
    """
    folder = local_folder(checkpoint)
    return _load(checkpoint, folder, _state(folder))


def _state(folder: Path | None) -> tuple[tuple[str, int], ...]:
    """When each of a folder's small files was written."""
    if folder is None or not folder.is_dir():  # of one that is made whole from a package nothing is bundled
        return ()
    paths = [path for path in folder.iterdir() if path.suffix in (".json", ".txt", ".model")]
    return tuple(sorted((path.name, path.stat().st_mtime_ns) for path in paths if path.is_file()))


@lru_cache(maxsize=32)
def _load(checkpoint: Checkpoint, folder: Path | None, state: tuple[tuple[str, int], ...]) -> Vocabulary:
    """`folder` and `state` are there as parts of the key: the files may arrive, or change."""
    location, family = locate_tokenizer(checkpoint), load_family(checkpoint.family)
    try:
        tokenizer = load_tokenizer(family, Path(location.name_or_path))
    except TokenizerUnreadable as error:
        check_folder(checkpoint, Path(location.name_or_path))  # which knows a pointer of Git LFS
        raise refusal(checkpoint, error.reason, **error.values) from error
    text = TextTokenizer(tokenizer)
    return Vocabulary(text, text.kind, len(tokenizer), commit_of(checkpoint, Path(location.name_or_path)))


def elmo_words(text: str) -> list[ElmoWord]:
    """The text as ELMo's words; a word's ids are its UTF-8 bytes, at most 48, between two marks."""
    with importing():
        from app.models.elmo.tokenization import PAD_CHARACTER, ElmoTokenizer

    tokenizer = ElmoTokenizer()
    return [
        ElmoWord(word, start, end, [index for index in tokenizer.character_ids(word) if index != PAD_CHARACTER + 1])
        for word, start, end in tokenizer.split(text)
    ]
