"""Sequence classification for every encoder family, with attributions by integrated gradients (captum).

The model is transformers' own `...ForSequenceClassification`; nothing here depends on the family.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.adapters.adapter import TransformerAdapter
from app.engine.adapters.batching import key_of_ids, length_sorted_batches, pad
from app.engine.base import Attribution
from app.engine.text.text_tokenizer import Encoded
from app.late_imports import importing
from app.results.classification import NUMBER, ONE, SEVERAL, Kind

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded

# What transformers writes where a checkpoint's author gave no names.
NAMELESS = re.compile(r"LABEL_(\d+)")
# Points on the path from the baseline: doubled until the attributions add up to within this share of the difference.
FEWEST_STEPS, MOST_STEPS, LARGEST_DELTA = 32, 512, 0.02
# Points on the path that are run through the model at once, in tokens.
TOKENS_AT_ONCE = 2_048


class EncoderClassifier(TransformerAdapter):
    """Answers `Classifier`."""

    explains = True
    reads_pairs = True

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        config = loaded.model.config
        self.labels: list[str] = label_names(config.id2label)
        self.kind: Kind = kind_of(config.problem_type, len(self.labels))
        self._batcher = loaded.batcher("labels", self._run, lambda row: len(row.input_ids), key_of_ids)

    def encode(self, text: str, second: str | None = None) -> Encoded:
        """See `app.engine.base.Classifier`."""
        return self.text.encode(text, second)

    def label_logits(self, rows: list[Encoded]) -> Iterator[tuple[list[int], np.ndarray]]:
        """See `app.engine.base.Classifier`."""
        for had, batch in enumerate(length_sorted_batches([len(row.input_ids) for row in rows])):
            yield batch, np.stack(self._batcher.answers([rows[index] for index in batch], had))  # [row, label]

    def _run(self, rows: list[Encoded]) -> list[np.ndarray]:
        with torch.inference_mode():
            return list(self.loaded.to_numpy(self.quick(**self._inputs(rows)).logits))

    def attribute(self, row: Encoded, label: int) -> Attribution:
        """See `app.engine.base.Classifier`."""
        given = self._inputs([row])
        baseline = torch.tensor([self._baseline(row)], device=self.loaded.model.device)
        steps = FEWEST_STEPS
        while True:
            made = self._integrate(given, baseline, label, steps)
            if abs(made.delta) <= LARGEST_DELTA * abs(made.logit - made.baseline_logit) or steps >= MOST_STEPS:
                return made
            steps *= 2

    def _integrate(self, given: dict[str, Tensor], baseline: Tensor, label: int, steps: int) -> Attribution:
        """Over a path of so many points. The model is held for a few of them at a time, so that others get between."""
        with importing():
            from captum.attr import IntegratedGradients

        model, others = self.loaded.model, (given["attention_mask"], given["token_type_ids"])

        def logit_of(embedded: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
            arrays = {"attention_mask": attention_mask, "token_type_ids": token_type_ids}
            with self.loaded.lock:
                return model(inputs_embeds=embedded, **arrays).logits[:, label].float()

        with torch.no_grad():
            embedded, missing = map(model.get_input_embeddings(), (given["input_ids"], baseline))
        with torch.enable_grad():
            attributions, delta = IntegratedGradients(logit_of).attribute(
                inputs=embedded,
                baselines=missing,
                additional_forward_args=others,
                n_steps=steps,
                internal_batch_size=max(1, TOKENS_AT_ONCE // baseline.shape[1]),
                return_convergence_delta=True,
            )
        with torch.inference_mode():
            logits = [float(logit_of(one, *others)) for one in (embedded, missing)]
        per_token = self.loaded.to_numpy(attributions[0].sum(dim=-1).detach())  # [token]
        return Attribution(per_token, float(delta), *logits)

    def _baseline(self, row: Encoded) -> list[int]:
        """Every piece of the text as the mask token: "a word is missing here". What the model adds stays."""
        missing = self.text.mask_id if self.text.mask_id is not None else self.text.pad_id
        return [
            token_id if offsets is None else missing
            for token_id, offsets in zip(row.input_ids, row.offsets, strict=True)
        ]

    def _inputs(self, rows: list[Encoded]) -> dict[str, Tensor]:
        device = self.loaded.model.device
        return {
            "input_ids": torch.tensor(pad([row.input_ids for row in rows], self.text.pad_id), device=device),
            "attention_mask": torch.tensor(pad([[1] * len(row.input_ids) for row in rows], 0), device=device),
            "token_type_ids": torch.tensor(pad([row.token_type_ids for row in rows], 0), device=device),
        }


class LastTokenClassifier(EncoderClassifier):
    """Answers `Classifier` for models that read from the left: a linear layer on the last token (Radford et al. 2018).

    transformers' own class looks for the last token that is not the padding one; here the mask says which it is,
    whatever the batch was filled with.
    """

    # Nothing stands for "a word is missing here" in these vocabularies.
    explains = False
    reads_pairs = False

    def _run(self, rows: list[Encoded]) -> list[np.ndarray]:
        with torch.inference_mode():
            vectors = told_vectors(self.model, self._inputs(rows), "last")
            return list(self.loaded.to_numpy(self.loaded.family.class_logits(self.model, vectors)))


def told_vectors(model: nn.Module, inputs: dict[str, Tensor], reads: str) -> Tensor:
    """The top vector that stands for each text, [row, 1, hidden]: the first token's or the last real one's.

    Args:
        model: a sequence classifier of transformers.
        inputs: a batch that is padded at its right end.
        reads: "first" or "last"; a model that reads from the left is given no segments.
    """
    if reads == "first":
        return model.base_model(**inputs).last_hidden_state[:, :1]
    mask = inputs["attention_mask"]
    hidden = model.base_model(input_ids=inputs["input_ids"], attention_mask=mask, use_cache=False).last_hidden_state
    return hidden[torch.arange(len(mask), device=mask.device), mask.sum(dim=1) - 1][:, None].float()


def kind_of(problem_type: str | None, outputs: int) -> Kind:
    """What the outputs are, by the configuration's `problem_type` and their number, as transformers' pipeline decides.

    Returns:
        `several` where labels hold independently of each other, `number` where an output is a score, else `one`.
    """
    if problem_type == "multi_label_classification":
        return SEVERAL
    return NUMBER if problem_type == "regression" or outputs == 1 else ONE


def label_names(id2label: dict[int, str]) -> list[str]:
    """The checkpoint's own names by index; where its author gave none (`LABEL_0`), `class 0` says just that."""
    names = [str(id2label[index]) for index in sorted(id2label)]
    return [f"class {match[1]}" if (match := NAMELESS.fullmatch(name)) else name for name in names]
