"""Learns labels of words: a linear layer on each word's first token (Devlin et al. 2018, section 5.3)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor, nn

from app.engine.adapters.batching import length_sorted_batches
from app.engine.runtime.loaded import Loaded
from app.engine.text.tags import first_pieces
from app.engine.text.text_tokenizer import Encoded
from app.registry.checkpoint import TOKEN_CLASSIFICATION, TOKEN_VECTORS
from app.results.tuning.fine_tune import ValidationPoint
from app.training.classifier_model import build_classifier, finish, make_trainable
from app.training.labelled import batches
from app.training.learners.gradient import GradientLearner
from app.training.learners.learner import Made, size
from app.training.plan import Plan
from app.training.reading import longest
from app.training.tags.rows import TaggedText, score_entities

# Cross entropy ignores this: pieces after a word's first, special tokens, padding.
IGNORED = -100


class TagNetwork:
    """transformers' own token classifier around an encoder.

    Args:
        base: left as it is.
        labels: their names in order.
        plan: how it will be trained.
    """

    def __init__(self, base: Loaded, labels: Sequence[str], plan: Plan) -> None:
        self.base, self.labels, self.limit = base, labels, longest(base)
        made = base.family.head_classes[TOKEN_CLASSIFICATION]
        self.model = self.learning = build_classifier(
            base, labels, plan.seed, from_scratch=plan.from_scratch, made=made
        )
        make_trainable(self.model, plan.method, plan.seed, plan.rank)
        self.trained = sum(weight.numel() for weight in self.model.parameters() if weight.requires_grad)

    def read(self, rows: Sequence[TaggedText]) -> None:
        """Compute nothing before the training, because each epoch reads the rows again."""

    def logits(
        self, rows: Sequence[TaggedText], shown: Callable[[Encoded], list[int]] = lambda text: text.input_ids
    ) -> Tensor:
        """[row, token, label]; of rows that are too long for the model, only the beginning.

        Args:
            rows: the texts.
            shown: the tokens of a text that the model sees.
        """
        device = next(self.model.parameters()).device
        encoded = [self.base.text.encode(row.text) for row in rows]
        width = min(self.limit, max(len(one.input_ids) for one in encoded))
        columns = {
            "input_ids": _filled([shown(one) for one in encoded], width, self.base.text.pad_id),
            "attention_mask": _filled([[1] * len(one.input_ids) for one in encoded], width, 0),
            "token_type_ids": _filled([one.token_type_ids for one in encoded], width, 0),
        }
        return self.model(**{name: torch.tensor(column, device=device) for name, column in columns.items()}).logits

    def places(self, row: TaggedText) -> list[int | None]:
        """Each word's first token, or None if the model does not read it."""
        pieces = first_pieces(self.base.text.encode(row.text), row.words)
        return [piece if piece is not None and piece < self.limit else None for piece in pieces]

    def penalty(self) -> float:
        """See `Network`."""
        return 0.0

    def made(self) -> Made:
        """See `Network`."""
        finish(self.model)
        heads = frozenset({TOKEN_CLASSIFICATION, TOKEN_VECTORS})
        return Made(self.model, self.base.family, self.base.text, heads, self.trained, size(self.model))


class TagLearner(GradientLearner[TaggedText]):
    """Implements `Learner` for texts with labels of words; keeps the weights with the best F1 of entities."""

    network: TagNetwork
    _hidden = 0.0

    def tags(self, rows: Sequence[TaggedText]) -> tuple[list[list[str]], float]:
        """The most probable label of each word (`O` if the model does not read it) and the words' mean loss.

        Training mode is restored afterwards.
        """
        training = self.network.learning.training
        self.network.learning.eval()
        answers: list[list[str]] = [[]] * len(rows)
        losses, words = 0.0, 0
        with torch.inference_mode():
            for batch in length_sorted_batches([row.length for row in rows]):
                chosen = [rows[index] for index in batch]
                logits = self.network.logits(chosen).float()
                wanted = self._wanted(chosen, logits)
                losses += float(_cross_entropy(logits, wanted, reduction="sum"))
                words += int((wanted != IGNORED).sum())
                for index, row, best in zip(batch, chosen, logits.argmax(dim=-1).tolist(), strict=True):
                    places = self.network.places(row)
                    answers[index] = [self.labels[0 if place is None else best[place]] for place in places]
        self.network.learning.train(training)
        return answers, losses / max(words, 1)

    def _wanted(self, rows: Sequence[TaggedText], logits: Tensor) -> Tensor:
        """The number of the true label at each word's first token, [row, token]."""
        wanted = torch.full(logits.shape[:2], IGNORED, device=logits.device)
        for number, row in enumerate(rows):
            for place, tag in zip(self.network.places(row), row.tags, strict=True):
                if place is not None:
                    wanted[number, place] = self.labels.index(tag)
        return wanted

    def _batches(self, train: Sequence[TaggedText], plan: Plan) -> Iterator[list[TaggedText]]:
        self._drawn, self._hidden = random.Random(plan.seed), plan.hidden
        for indices in batches([row.length for row in train], plan.batch_size, plan.seed):
            yield [train[index] for index in indices]

    def _loss(self, batch: Sequence[TaggedText]) -> Tensor:
        logits = self.network.logits(batch, self._shown).float()
        return _cross_entropy(logits, self._wanted(batch, logits))

    def _shown(self, text: Encoded) -> list[int]:
        """Its pieces, some hidden: so the words around a name are learnt, and not the names by heart."""
        if not self._hidden:
            return text.input_ids
        mask = self.network.base.text.mask
        hides = [at is not None and self._drawn.random() < self._hidden for at in text.offsets]
        return [mask if hide else piece for piece, hide in zip(text.input_ids, hides, strict=True)]

    def _judge(self, kept_back: Sequence[TaggedText], step: int) -> tuple[ValidationPoint, tuple[float, float]]:
        found, loss = self.tags(kept_back)
        pairs = [pair for row, tags in zip(kept_back, found, strict=True) for pair in zip(row.tags, tags, strict=True)]
        right = sum(true == said for true, said in pairs) / max(len(pairs), 1)
        f1 = score_entities([row.tags for row in kept_back], found).f1
        return ValidationPoint(step, loss, right), (f1, -loss)


def _cross_entropy(logits: Tensor, wanted: Tensor, reduction: str = "mean") -> Tensor:
    return nn.functional.cross_entropy(
        logits.flatten(0, 1), wanted.flatten(), ignore_index=IGNORED, reduction=reduction
    )


def _filled(rows: Sequence[Sequence[int]], width: int, filler: int) -> list[list[int]]:
    """Rows of one width: longer ones are cut, shorter ones filled."""
    return [[*row[:width], *[filler] * (width - len(row))] for row in rows]
