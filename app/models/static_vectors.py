"""One vector per word, the same in every sentence: the form of word2vec (Mikolov et al. 2013) and GloVe.

A folder has `config.json` (`{"model_type": "static_vectors"}`), `vocab.txt` with one word per line, most frequent
first, and `vectors.safetensors` with the rows in that order: either `vectors` [word, feature] in 8 bits and `scale`
[word], the factor of each row, or only `vectors` in float16.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from app.models.elmo.tokenization import Word, load_vocabulary
from app.models.word_split import split_into

CONFIG_FILE, VECTORS_FILE, VOCABULARY_FILE = "config.json", "vectors.safetensors", "vocab.txt"
MODEL_TYPE, NAME, SCALE = "static_vectors", "vectors", "scale"
LARGEST = 127  # in 8 bits


class Neighbour(NamedTuple):
    """A word of the vocabulary and its cosine."""

    word: str
    cosine: float


class StaticVectors(nn.Module):
    """Finds words as they are written, else in any case: "paris" finds "Paris", "BANK" finds "bank".

    Args:
        words: the vocabulary, most frequent first.
        vectors: [word, feature].

    Raises:
        ValueError: the two have different lengths.
    """

    def __init__(self, words: Sequence[str], vectors: Tensor) -> None:
        super().__init__()
        if vectors.dim() != 2 or len(words) != len(vectors):
            raise ValueError(f"{len(words)} words, but vectors of shape {tuple(vectors.shape)}")
        self.words = list(words)
        self.vectors = nn.Parameter(vectors.float(), requires_grad=False)
        self._rows = {word: row for row, word in enumerate(self.words)}
        self._small = {word.lower(): row for row, word in reversed([*enumerate(self.words)])}

    def row(self, word: str) -> int | None:
        """The row of a word, or None."""
        return self._rows.get(word, self._small.get(word.lower()))

    def split(self, text: str) -> list[Word]:
        """The words of a text that have a vector, with their character offsets."""
        return [word for word in split_into(text, self._small) if self.row(word.text) is not None]

    def forward(self, words: Sequence[str]) -> Tensor:
        """Vectors [word, feature] of words that have one."""
        return self.vectors[[self.row(word) for word in words]]

    def nearest(self, word: str, count: int) -> list[Neighbour]:
        """The words with the highest cosine, without the word itself; empty for a word without a vector."""
        row = self.row(word)
        return [] if row is None else self.closest(self.vectors[row], count, [word])

    def analogy(self, first: str, second: str, third: str, count: int) -> list[Neighbour]:
        """What is to `third` as `second` is to `first`: the words nearest to second - first + third, best first.

        3CosAdd (Mikolov et al. 2013, arXiv 1301.3781): all vectors are normalised first. The three words themselves may
        be among the answers. All three must have a vector.
        """
        a, b, c = nn.functional.normalize(self([first, second, third]), dim=1)
        return self.closest(b - a + c, count)

    def closest(self, vector: Tensor, count: int, left_out: Sequence[str] = ()) -> list[Neighbour]:
        """The words whose vectors have the highest cosine with a vector, excluding some words."""
        cosines = nn.functional.cosine_similarity(self.vectors, vector, dim=1)
        out = {row for word in left_out if (row := self.row(word)) is not None}
        cosines[list(out)] = -2.0
        best = cosines.topk(min(count, len(self.words) - len(out)))
        return [Neighbour(self.words[at], value) for value, at in zip(*(part.tolist() for part in best), strict=True)]

    def save_pretrained(self, folder: str | Path) -> None:
        """Write the three files."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        config = {"model_type": MODEL_TYPE, "words": len(self.words), "hidden_size": self.vectors.size(1)}
        (folder / CONFIG_FILE).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        words = "".join(f"{word}\n" for word in self.words)
        (folder / VOCABULARY_FILE).write_text(words, encoding="utf-8", newline="\n")
        scale = (self.vectors.abs().amax(dim=1) / LARGEST).half()
        # Rows of zeros, or rows too small for float16, stay zero.
        rows = (self.vectors / scale.float().clamp(min=torch.finfo(torch.float16).tiny)[:, None]).round()
        rows = rows.clamp(-LARGEST, LARGEST).to(torch.int8)
        save_file({NAME: rows.contiguous(), SCALE: scale}, folder / VECTORS_FILE)

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Self:
        """Read the three files.

        Raises:
            OSError: a file is missing.
            ValueError: the files do not belong together.
        """
        folder = Path(folder)
        arrays = load_file(folder / VECTORS_FILE)
        if NAME not in arrays:
            raise ValueError(f"{VECTORS_FILE} holds no array {NAME}")
        vectors = arrays[NAME].float()
        if SCALE in arrays:
            vectors *= arrays[SCALE].float()[:, None]
        return cls(load_vocabulary(folder / VOCABULARY_FILE), vectors)
