"""ELMo (Peters et al. 2018, arXiv 1802.05365): word vectors in context, the next and the previous word.

A folder holds a checkpoint in Hub layout, or the published `options.json` and `weights.hdf5` (read as arrays).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from app.engine.family import Family
from app.engine.heads import TOKEN_VECTORS, TWO_WAY_LM
from app.engine.runtime.loaded import serves
from app.engine.text.words import TwoWayPrediction
from app.models.elmo import (
    ElmoConfig,
    ElmoForLanguageModeling,
    ElmoModel,
    ElmoTokenizer,
    find_published,
    load_published,
)
from app.models.elmo.encoding import PLACES_PER_BATCH, batches_by_length
from app.models.elmo.published import count_words
from app.models.elmo.tokenization import load_vocabulary

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded

# It reads any length; of so many words all layers take 25 MB at the published size.
MOST_WORDS = 2_000
# Positions other than words: the marks at a sentence's begin and end.
MARKS = 2


@dataclass(frozen=True)
class ElmoText:
    """A text as words; `offsets` are those of each word."""

    words: list[str]
    offsets: list[tuple[int, int]]


@dataclass(frozen=True)
class Asked:
    """A text and the layers whose vectors are wanted."""

    words: tuple[str, ...]
    layers: tuple[int, ...]


class ElmoEncoder:
    """Answers `TokenEncoder`. Layer 0 is the character CNN's vector, written twice: it knows no context."""

    text = None  # it reads whole words
    first_token_sums_up = False
    max_tokens = MOST_WORDS

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint = loaded, loaded.checkpoint
        self._tokenizer = loaded.tokenizer(ElmoTokenizer)
        self.layers: int = loaded.model.elmo.config.num_hidden_layers
        self.width: int = loaded.model.elmo.config.hidden_size
        self._batcher = loaded.batcher(
            "vectors", self._run, lambda asked: len(asked.words) + MARKS, lambda asked: (asked.words, asked.layers)
        )

    def encode(self, text: str, second: str | None = None) -> ElmoText:
        """See `app.engine.base.TokenEncoder`."""
        if second is not None:
            raise TypeError("ELMo reads no pairs")
        words = self._tokenizer.split(text)
        return ElmoText([word.text for word in words], [(word.start, word.end) for word in words])

    def hidden_states(self, rows: Sequence[ElmoText], layers: Sequence[int]) -> Iterator[tuple[int, np.ndarray]]:
        """See `app.engine.base.TokenEncoder`."""
        for had, batch in enumerate(batches_by_length([len(row.words) + MARKS for row in rows], PLACES_PER_BATCH)):
            asked = [Asked(tuple(rows[index].words), tuple(layers)) for index in batch]
            yield from zip(batch, self._batcher.answers(asked, had), strict=True)

    def _run(self, asked: list[Asked]) -> list[np.ndarray]:
        elmo, wanted = self.loaded.model.elmo, sorted({layer for one in asked for layer in one.layers})
        with torch.inference_mode():
            inputs = self._tokenizer([list(one.words) for one in asked]).to(elmo.device)
            states = elmo(**inputs).hidden_states
            kept = self.loaded.to_numpy(torch.stack([states[layer] for layer in wanted], dim=1))
        # kept: [row, layer, word, hidden]
        return [
            made[[wanted.index(layer) for layer in one.layers], : len(one.words)]
            for one, made in zip(asked, kept, strict=True)
        ]


class ElmoTwoWay:
    """Answers `TwoWayLM`."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint = loaded, loaded.checkpoint
        self._tokenizer = loaded.tokenizer(ElmoTokenizer)

    def predict(self, text: str, start: int, count: int) -> TwoWayPrediction:
        """See `app.engine.text.words.TwoWayLM`."""
        model, tokenizer = self.loaded.model, self._tokenizer
        words = tokenizer.split(text)
        place = next(index for index, word in enumerate(words) if word.start <= start < word.end)
        with self.loaded.lock, torch.inference_mode():
            inputs = tokenizer([[word.text for word in words]]).to(model.elmo.device)
            top = model.elmo(**inputs, keep_boundaries=True).last_hidden_state[0]  # [place, 2 * projection]
            left, right = top.chunk(2, dim=1)
            # The marks of the sentence take a place at each end, so the word itself is at place + 1.
            logits = model.softmax(torch.stack([left[place], right[place + 2]]))
            best = self.loaded.check(logits).log_softmax(dim=1).exp().topk(min(count, logits.size(1)))
        listed = tokenizer.vocabulary or []  # there with this head: see `lacks`
        found = [
            [(listed[index], value) for index, value in zip(*row, strict=True)]
            for row in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]
        return TwoWayPrediction(words[place].text, *found)


def read(folder: Path) -> tuple[nn.Module, ElmoTokenizer, set[str]]:
    """The model as `elmo` and, where the files have one, its `softmax`; the tokenizer; names of missing weights."""
    without_words = bool(lacks(folder))
    if not (folder / "config.json").is_file():
        options, weights, softmax = find_published(folder)
        model = load_published(options, weights, None if without_words else softmax)
        words = _word_list(folder) if isinstance(model, ElmoForLanguageModeling) else None
        return _parts(model), ElmoTokenizer(load_vocabulary(words) if words is not None else None), set()
    kind = ElmoForLanguageModeling if ElmoConfig.from_pretrained(folder).vocab_size else ElmoModel
    model, info = kind.from_pretrained(
        folder, dtype=torch.float32, output_loading_info=True, use_safetensors=True, local_files_only=True
    )
    prefix = "" if kind is ElmoForLanguageModeling else "elmo."
    tokenizer = ElmoTokenizer() if without_words else ElmoTokenizer.from_pretrained(folder)
    return _parts(model), tokenizer, {prefix + name for name in info["missing_keys"]}


def lacks(folder: Path) -> dict[str, str]:
    """A softmax predicts numbers: without the list of words that it was trained with, one word for each, no words."""
    if (folder / "config.json").is_file():
        words = ElmoConfig.from_pretrained(folder).vocab_size
    else:
        words = count_words(find_published(folder).softmax)
    if not words:
        return {}
    path = _word_list(folder)
    return {} if path is not None and len(load_vocabulary(path)) == words else {TWO_WAY_LM: "words"}


def _parts(model: ElmoModel | ElmoForLanguageModeling) -> nn.ModuleDict:
    if isinstance(model, ElmoForLanguageModeling):
        return nn.ModuleDict({"elmo": model.elmo, "softmax": model.softmax})
    return nn.ModuleDict({"elmo": model})


def _word_list(folder: Path) -> Path | None:
    """The list of words that was published with a softmax; None where there is not exactly one."""
    found = list(folder.glob("vocab*.txt"))
    return found[0] if len(found) == 1 else None


FAMILY = Family(
    model_class=ElmoModel,
    tokenizer_class=ElmoTokenizer,
    heads={TOKEN_VECTORS: ("elmo.",), TWO_WAY_LM: ("elmo.", "softmax.")},
    adapters=serves(TOKEN_VECTORS, ElmoEncoder) | serves(TWO_WAY_LM, ElmoTwoWay),
    read=read,
    lacks=lacks,
)
