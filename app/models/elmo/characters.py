"""The context-free word encoder: a word's characters become one vector, the same in every sentence (layer 0).

Character CNN after Kim et al. 2016 (arXiv 1508.06615), highways after Srivastava et al. 2015 (arXiv 1505.00387),
in the form of the published ELMo.
"""

from collections import OrderedDict
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from .configuration import ElmoConfig
from .tokenization import PAD_CHARACTER

# Before its maximum, the widest published convolution takes 180 kB per word: this many words take 12 MB.
WORDS_PER_CHUNK = 64
# At the published size, a cached word takes 2 kB, so a full cache takes 40 MB.
CACHED_WORDS = 20_000
PADDING_ID = PAD_CHARACTER + 1


class ElmoHighway(nn.Module):
    """y = g * relu(W x + b) + (1 - g) * x with the gate g = sigmoid(V x + c)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        # Published as "carry", though it scales the transformed part.
        self.gate = nn.Linear(size, size)
        self.transform = nn.Linear(size, size)

    def forward(self, vectors: Tensor) -> Tensor:
        """Maps [word, feature] to the same shape. Always relu, whatever the convolutions use."""
        gate = torch.sigmoid(self.gate(vectors))
        return gate * torch.relu(self.transform(vectors)) + (1 - gate) * vectors


class ElmoCharacterEncoder(nn.Module):
    """Embedding, convolutions, maximum over positions, highways, projection."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__()
        self.activation = torch.relu if config.activation == "relu" else torch.tanh
        self.embedding = nn.Embedding(config.character_vocab_size, config.character_embedding_size, padding_idx=0)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(config.character_embedding_size, count, width) for width, count in config.filters
        )
        self.highways = nn.ModuleList(ElmoHighway(config.num_filters) for _ in range(config.num_highway_layers))
        same_size = config.num_filters == config.projection_size  # the published code then leaves out the projection
        self.projection = nn.Identity() if same_size else nn.Linear(config.num_filters, config.projection_size)
        self.max_width = max(width for width, _ in config.filters)

    def forward(self, character_ids: Tensor) -> Tensor:
        """Maps [word, character] to [word, projection], in chunks of words of similar length.

        The last chunk is filled up with empty words, so that the matrix products have few different sizes.
        """
        words = len(character_ids)
        filled = functional.pad(character_ids, (0, 0, 0, -words % WORDS_PER_CHUNK), value=PADDING_ID)
        lengths = (filled != PADDING_ID).sum(dim=1)
        order = lengths.argsort()
        chunks = [
            self._encode(filled[rows, : int(lengths[rows[-1]]) + self.max_width])
            for rows in order.split(WORDS_PER_CHUNK)
        ]
        return torch.cat(chunks)[order.argsort()[:words]]

    def _encode(self, character_ids: Tensor) -> Tensor:
        # Positions after a window full of padding repeat it, so cutting them off changes no maximum.
        characters = self.embedding(character_ids).transpose(1, 2)  # [word, embedding, character]
        maxima = [convolution(characters).amax(dim=2) for convolution in self.convolutions]
        vectors = self.activation(torch.cat(maxima, dim=1))  # [word, filter]
        for highway in self.highways:
            vectors = highway(vectors)
        return self.projection(vectors)


class WordVectorCache:
    """The vectors of the latest words, by their character ids; forgets them when the encoder's weights change.

    It needs no lock: every step on the dictionary is atomic, and two threads may at most encode a word twice.
    """

    def __init__(self, capacity: int = CACHED_WORDS) -> None:
        self.capacity = capacity
        self._vectors: OrderedDict[bytes, Tensor] = OrderedDict()
        self._stamp: tuple[tuple[int, int], ...] = ()

    def __len__(self) -> int:
        return len(self._vectors)

    def look_up(self, character_ids: Tensor, encoder: nn.Module) -> Tensor:
        """`encoder` on distinct words, [word, character] to [word, projection]; runs only for new ones."""
        self._forget_if_changed(encoder)
        keys = [row.tobytes() for row in character_ids.short().cpu().numpy()]
        known = {key: vector for key in keys if (vector := self._vectors.pop(key, None)) is not None}
        missing = [number for number, key in enumerate(keys) if key not in known]
        if missing:
            encoded = encoder(character_ids[missing])
            for number, vector in zip(missing, encoded, strict=True):
                known[keys[number]] = vector.clone()  # a view would keep the whole batch alive
        vectors = [known[key] for key in keys]
        self._vectors.update(zip(keys, vectors, strict=True))
        while len(self._vectors) > self.capacity:
            self._vectors.popitem(last=False)
        return torch.stack(vectors)

    def clear(self) -> None:
        self._vectors.clear()

    def _forget_if_changed(self, encoder: nn.Module) -> None:
        # An optimizer, load_state_dict and .to() all change a parameter's version or its place in memory.
        stamp = tuple((weight.data_ptr(), weight._version) for weight in encoder.parameters())
        if stamp != self._stamp:
            self.clear()
            self._stamp = stamp


def encode_distinct(character_ids: Tensor, encode: Callable[[Tensor], Tensor]) -> Tensor:
    """Runs `encode` once per distinct word: [word, character] to [word, projection]."""
    distinct, inverse = torch.unique(character_ids, dim=0, return_inverse=True)
    return encode(distinct)[inverse]
