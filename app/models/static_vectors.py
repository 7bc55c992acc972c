"""One vector a word, the same in every sentence: what word2vec (Mikolov et al. 2013) and GloVe made.

A folder holds `config.json` (`{"model_type": "static_vectors"}`), `vectors.safetensors` with one array `vectors`
[word, feature] in float16, and `vocab.txt`, one word a line in the order of the rows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from app.models.elmo.tokenization import Word, load_vocabulary, split_words

CONFIG_FILE, VECTORS_FILE, VOCABULARY_FILE = "config.json", "vectors.safetensors", "vocab.txt"
MODEL_TYPE, NAME = "static_vectors", "vectors"


class Neighbour(NamedTuple):
    """A word of the vocabulary and how near it is."""

    word: str
    cosine: float


class StaticVectors(nn.Module):
    """Looks words up. A word that is not listed is tried in small letters; else it has no vector.

    Args:
        words: the vocabulary.
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

    def row(self, word: str) -> int | None:
        """The row of a word, or None."""
        return self._rows.get(word, self._rows.get(word.lower()))

    def split(self, text: str) -> list[Word]:
        """The words of a text that have a vector, with their character offsets."""
        return [word for word in split_words(text) if self.row(word.text) is not None]

    def forward(self, words: Sequence[str]) -> Tensor:
        """Vectors [word, feature] of words that have one."""
        return self.vectors[[self._rows.get(word, self._rows.get(word.lower())) for word in words]]

    def nearest(self, word: str, count: int) -> list[Neighbour]:
        """The words with the highest cosine, the word itself left out; none for a word without a vector."""
        row = self.row(word)
        if row is None:
            return []
        cosines = nn.functional.cosine_similarity(self.vectors, self.vectors[row], dim=1)
        cosines[row] = -2.0
        best = cosines.topk(min(count, len(self.words) - 1))
        return [Neighbour(self.words[at], value) for value, at in zip(*(part.tolist() for part in best), strict=True)]

    def save_pretrained(self, folder: str | Path) -> None:
        """Write the three files."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        config = {"model_type": MODEL_TYPE, "words": len(self.words), "hidden_size": self.vectors.size(1)}
        (folder / CONFIG_FILE).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        words = "".join(f"{word}\n" for word in self.words)
        (folder / VOCABULARY_FILE).write_text(words, encoding="utf-8", newline="\n")
        save_file({NAME: self.vectors.half().contiguous()}, folder / VECTORS_FILE)

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Self:
        """Read them.

        Raises:
            OSError: a file is missing.
            ValueError: the files do not belong together.
        """
        folder = Path(folder)
        arrays = load_file(folder / VECTORS_FILE)
        if NAME not in arrays:
            raise ValueError(f"{VECTORS_FILE} holds no array {NAME}")
        return cls(load_vocabulary(folder / VOCABULARY_FILE), arrays[NAME])
