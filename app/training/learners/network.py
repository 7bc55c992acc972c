"""What gradients can train, from rows to logits: Transformers with a head, and ELMo's mix with a small layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor, nn

from app.engine.adapters.batching import length_sorted_batches
from app.engine.adapters.classifier import told_vectors
from app.engine.adapters.words_classifier import WORDS, MeansOfWords, WordsReader
from app.engine.runtime.loaded import Loaded
from app.models.small_heads import MixedHead
from app.registry.checkpoint import CLASSIFICATION, TOKEN_VECTORS
from app.training.classifier_model import build_classifier, finish, make_trainable
from app.training.labelled import Example
from app.training.learners.learner import Made, Vectors, count, size
from app.training.plan import Plan
from app.training.reading import Reader, longest

# Decay of ELMo's mix weights, as published (Peters et al. 2018, section 3.4: small values let them differ).
MIX_DECAY = 1e-3


class Network(Protocol):
    """Something that is trained step by step."""

    learning: nn.Module  # its weights that require a gradient are trained

    def read(self, rows: Sequence[Example]) -> None:
        """Compute once what training does not change."""
        ...

    def logits(self, rows: Sequence[Example]) -> Tensor:
        """[row, label]."""
        ...

    def penalty(self) -> Tensor | float:
        """A term added to the loss."""
        ...

    def made(self) -> Made:
        """End the training: plain weights, evaluation mode."""
        ...


class TransformerNetwork:
    """transformers' own sequence classifier around a Transformer.

    Args:
        base: left as it is. Its Transformer is shared, not copied, if only a head outside it is trained.
        labels: their names in order.
        plan: how it will be trained.
        vectors: the frozen Transformer's output for rows read before; filled with those read now.
    """

    def __init__(self, base: Loaded, labels: Sequence[str], plan: Plan, vectors: Vectors) -> None:
        self.base, self.family, self.plan, self.vectors = base, base.family, plan, vectors
        self.reads = base.family.classifier_reads
        self.shares = plan.method == "frozen" and self.reads == "last" and not plan.from_scratch
        self.model = build_classifier(base, labels, plan.seed, from_scratch=plan.from_scratch, shares=self.shares)
        self.learning = self.model.score if self.shares else self.model
        self.reader = Reader(base.text, longest(base))
        if not self.shares:
            make_trainable(self.model, plan.method, plan.seed, plan.rank)
        self.trained = sum(weight.numel() for weight in self.learning.parameters() if weight.requires_grad)

    def read(self, rows: Sequence[Example]) -> None:
        """See `Network`."""
        if not self.plan.reads_once:
            return
        new = [row for row in dict.fromkeys(rows) if row not in self.vectors]
        encoded = self.reader.rows(new)
        self.model.eval()
        with torch.no_grad():
            for batch in length_sorted_batches([len(row.input_ids) for row in encoded]):
                given = self.reader.batch([encoded[index] for index in batch], self._device)
                with self.base.lock:
                    made = told_vectors(self.model, given, self.reads)  # [row, 1, hidden]
                self.vectors.update({new[index]: vector for index, vector in zip(batch, made, strict=True)})

    @property
    def _device(self) -> torch.device:
        return next(self.model.parameters()).device

    def logits(self, rows: Sequence[Example]) -> Tensor:
        """See `Network`."""
        if self.plan.reads_once:
            given = torch.stack([self.vectors[row] for row in rows])
        else:
            inputs = self.reader.inputs(rows, self._device)
            if self.reads == "first":
                return self.model(**inputs).logits
            given = told_vectors(self.model, inputs, self.reads)
        return self.family.class_logits(self.model, given)

    def penalty(self) -> float:
        """See `Network`."""
        return 0.0

    def made(self) -> Made:
        """See `Network`."""
        finish(self.model)
        heads = {CLASSIFICATION, *({TOKEN_VECTORS} & self.family.adapters.keys())}
        kept = size(self.learning)
        return Made(self.model, self.family, self.base.text, frozenset(heads), self.trained, kept)


class MixNetwork:
    """ELMo with all layers frozen; only the weights of their mix, gamma, and a linear layer are trained.

    Args:
        base: an ELMo.
        labels: their names in order.
        plan: its seed sets the linear layer's first weights.
        vectors: as in `TransformerNetwork`.
    """

    def __init__(self, base: Loaded, labels: Sequence[str], plan: Plan, vectors: Vectors) -> None:
        self.reader: WordsReader = MeansOfWords(base.checkpoint)
        self.vectors = vectors
        config = base.model.elmo.config
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(plan.seed)
            self.learning = MixedHead(config.num_hidden_layers + 1, config.hidden_size, labels)

    def read(self, rows: Sequence[Example]) -> None:
        """See `Network`."""
        read_words(self.reader, rows, self.vectors)

    def logits(self, rows: Sequence[Example]) -> Tensor:
        """See `Network`."""
        return self.learning(torch.stack([self.vectors[row] for row in rows]))

    def penalty(self) -> Tensor:
        """See `Network`."""
        return MIX_DECAY * self.learning.mix.weights.square().sum()

    def made(self) -> Made:
        """See `Network`."""
        head = self.learning.eval()
        return Made(head, WORDS, self.reader, frozenset({CLASSIFICATION}), count(head), size(head))


def read_words(reader: WordsReader, rows: Sequence[Example], vectors: Vectors) -> None:
    """Add a reader's output for new rows, each [layer, feature]; all in one call, because it decides their width.

    Longer texts are cut to the reader's limit.
    """
    new = [row for row in dict.fromkeys(rows) if row not in vectors]
    if new:
        made = torch.from_numpy(reader.vectors([reader.encode(row.text) for row in new]))
        vectors.update(zip(new, made, strict=True))
