"""Learns where answers begin and end: two scores of each token (Devlin et al. 2018, sections 4.2 and 4.3)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from statistics import fmean

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.adapters.batching import length_sorted_batches
from app.engine.runtime.loaded import Loaded
from app.engine.text.passages import PassageWindow, passage_windows
from app.engine.text.spans import ANSWER_TOKENS, SHARED_TOKENS, WINDOW_TOKENS, possible, spans_in
from app.registry.checkpoint import QUESTION_ANSWERING, TOKEN_VECTORS
from app.results.tuning.fine_tune import ValidationPoint
from app.training.answers.rows import Asked, beside
from app.training.answers.scores import exact, overlap
from app.training.classifier_model import build_classifier, finish, make_trainable
from app.training.labelled import batches
from app.training.learners.gradient import GradientLearner
from app.training.learners.learner import Made, size
from app.training.plan import Plan
from app.training.reading import Reader, longest

# Share of the rows whose passage is lengthened by another one, if rows are augmented.
LENGTHENED = 0.4


class SpanNetwork:
    """transformers' own class for question answering around an encoder.

    Args:
        base: left as it is.
        plan: how it will be trained.
    """

    def __init__(self, base: Loaded, plan: Plan) -> None:
        self.base = base
        self.model = self.learning = build_classifier(
            base, ("begin", "end"), plan.seed, from_scratch=plan.from_scratch,
            made=base.family.head_classes[QUESTION_ANSWERING],
        )  # fmt: skip
        make_trainable(self.model, plan.method, plan.seed, plan.rank)
        self.trained = sum(weight.numel() for weight in self.model.parameters() if weight.requires_grad)
        self._reader = Reader(base.text, min(WINDOW_TOKENS, longest(base)))

    def read(self, rows: Sequence[Asked]) -> None:
        """Compute nothing before the training, because each epoch reads the rows again."""

    def window(self, row: Asked) -> PassageWindow:
        """A question with its passage, as the page reads them; of a long passage, only the first window."""
        return passage_windows(self.base.text, row.question, row.passage, self._reader.limit, SHARED_TOKENS)[0]

    def logits(self, windows: Sequence[PassageWindow]) -> Tensor:
        """[row, 2, token], of begin and end; minus infinity where no answer can be."""
        return self.logits_and_hidden(windows)[0]

    def logits_and_hidden(self, windows: Sequence[PassageWindow]) -> tuple[Tensor, tuple[Tensor, ...]]:
        """The logits, and what each layer passes on, each [row, token, hidden]; the embeddings come first."""
        inputs = self._reader.batch([window.encoded for window in windows], next(self.model.parameters()).device)
        made = self.model(**inputs, output_hidden_states=True)
        both = torch.stack([made.start_logits, made.end_logits], dim=1).float()
        allowed = torch.zeros(both.shape[0], both.shape[2], dtype=torch.bool, device=both.device)
        for number, window in enumerate(windows):
            allowed[number, : len(window.words)] = torch.from_numpy(possible(window))
        return both.masked_fill(~allowed[:, None], -torch.inf), made.hidden_states

    def penalty(self) -> float:
        """See `Network`."""
        return 0.0

    def made(self) -> Made:
        """See `Network`."""
        finish(self.model)
        heads = frozenset({QUESTION_ANSWERING, TOKEN_VECTORS})
        return Made(self.model, self.base.family, self.base.text, heads, self.trained, size(self.model))


class SpanLearner(GradientLearner[Asked]):
    """Implements `Learner` for questions about passages; keeps the weights with the best F1."""

    network: SpanNetwork

    def answers(self, rows: Sequence[Asked]) -> tuple[list[str], float]:
        """The best answer to each question, empty where "no answer" is likelier, and the mean loss.

        Training mode is restored afterwards.
        """
        training = self.network.learning.training
        self.network.learning.eval()
        found, losses = [""] * len(rows), 0.0
        with torch.inference_mode():
            for batch in length_sorted_batches([row.length for row in rows]):
                windows = [self.network.window(rows[index]) for index in batch]
                logits = self.network.logits(windows)
                wanted = wanted_tokens([rows[index] for index in batch], windows, logits)
                losses += float(cross_entropy(logits, wanted)) * len(batch)
                for index, window, shares in zip(batch, windows, logits.softmax(dim=-1).cpu().numpy(), strict=True):
                    found[index] = best_answer(rows[index].passage, window, shares[:, : len(window.words)])
        self.network.learning.train(training)
        return found, losses / max(len(rows), 1)

    def _batches(self, train: Sequence[Asked], plan: Plan) -> Iterator[list[Asked]]:
        drawn, passages = random.Random(plan.seed + 1), sorted({row.passage for row in train})
        for indices in batches([row.length for row in train], plan.batch_size, plan.seed):
            chosen = [train[index] for index in indices]
            yield [_lengthened(row, passages, drawn) for row in chosen] if plan.augment else chosen

    def _loss(self, batch: Sequence[Asked]) -> Tensor:
        windows = [self.network.window(row) for row in batch]
        logits = self.network.logits(windows)
        return cross_entropy(logits, wanted_tokens(batch, windows, logits))

    def _judge(self, kept_back: Sequence[Asked], step: int) -> tuple[ValidationPoint, tuple[float, float]]:
        found, loss = self.answers(kept_back)
        pairs = [(text, row.answer_text) for row, text in zip(kept_back, found, strict=True)]
        right, f1 = (fmean(float(score(*pair)) for pair in pairs) for score in (exact, overlap))
        return ValidationPoint(step, loss, right), (f1, -loss)


def best_answer(passage: str, window: PassageWindow, probabilities: np.ndarray) -> str:
    """The likeliest answer; empty if "no answer" is likelier.

    Args:
        passage: the whole text.
        window: a part of it.
        probabilities: [2, token], of begin and end.
    """
    (span, share), *_ = spans_in(window, probabilities) or [((0, 0), 0.0)]
    return passage[slice(*span)] if share >= probabilities[0, 0] * probabilities[1, 0] else ""


def _lengthened(row: Asked, passages: Sequence[str], drawn: random.Random) -> Asked:
    other = drawn.choice(passages)
    return beside(row, other, drawn.random() < 0.5) if drawn.random() < LENGTHENED and other != row.passage else row


def wanted_tokens(rows: Sequence[Asked], windows: Sequence[PassageWindow], logits: Tensor) -> Tensor:
    """[row, 2]: the tokens where the answers begin and end; the first one where the window has no answer."""
    return torch.tensor([_tokens(row, window) for row, window in zip(rows, windows, strict=True)], device=logits.device)


def _tokens(row: Asked, window: PassageWindow) -> tuple[int, int]:
    inside = [] if row.answer is None else [
        place for place, (at, word) in enumerate(zip(window.encoded.offsets, window.words, strict=True))
        if at is not None and word is not None and at[0] < row.answer[1] and row.answer[0] < at[1]
    ]  # fmt: skip
    return (inside[0], inside[-1]) if inside else (0, 0)


def joint_cross_entropy(logits: Tensor, wanted: Tensor) -> Tensor:
    """The mean over answers: begin and end together, among all that are no longer than an answer may be.

    Learnt besides the two alone, it keeps the begin of one answer from being joined with the end of another.
    """
    both = logits[:, 0, :, None] + logits[:, 1, None, :]  # [row, begin, end]
    possible = torch.ones(both.shape[1:], dtype=torch.bool, device=both.device).triu().tril(ANSWER_TOKENS - 1)
    possible[0, 1:] = False  # the first token stands for "no answer", and only alone
    flat = both.masked_fill(~possible, -torch.inf).flatten(1)
    place = wanted[:, 0] * both.shape[2] + wanted[:, 1]
    return (flat.logsumexp(1) - flat.gather(1, place[:, None])[:, 0]).clamp(max=50.0).mean()


def cross_entropy(logits: Tensor, wanted: Tensor) -> Tensor:
    """The mean over begins and ends."""
    return nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten())
