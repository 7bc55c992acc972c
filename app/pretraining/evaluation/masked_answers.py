"""Asks a trained checkpoint for likeliest pieces at holes, whether a sentence follows, and golden answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.evaluation.masked_scores import Segment

BATCH = 32
# Five fixed inputs; their answers are kept beside the weights to reveal a damaged file.
GOLDEN_TEXTS = {
    "en": (
        "The [MASK] barked at the cat.",
        "She opened the door and walked into the [MASK].",
        "The president of the United [MASK] gave a speech.",
        "He was born in the [MASK] of 1950.",
        "The old man [MASK] down and closed his eyes.",
    ),
    "zh": (
        "北京是中国的首[MASK]。",
        "他出生于[MASK]国。",
        "这部电影很好[MASK]。",
        "她在大学学习历[MASK]。",
        "今天天[MASK]很好。",
    ),
}


@dataclass(frozen=True)
class Judge:
    """A checkpoint with its tokenizer, in float32, on the model's device."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerFast
    language: str = "en"

    def rank(self, segments: list[Segment]) -> np.ndarray:
        """The five likeliest pieces at each hidden position, best first, int64 [all masked, 5]."""
        ranked: list[np.ndarray] = [np.empty(0)] * len(segments)
        order = sorted(range(len(segments)), key=lambda index: len(segments[index].input_ids))
        for at in range(0, len(order), BATCH):
            chosen = order[at : at + BATCH]
            for index, five in zip(chosen, self._rank_batch([segments[index] for index in chosen]), strict=True):
                ranked[index] = five
        return np.concatenate(ranked)

    @torch.inference_mode()
    def _rank_batch(self, segments: list[Segment]) -> list[np.ndarray]:
        batch = self.tokenizer.pad(
            {"input_ids": [segment.input_ids.tolist() for segment in segments]}, return_tensors="pt"
        )
        hidden = self.model.base_model(**batch.to(self.model.device)).last_hidden_state  # [batch, token, hidden]
        at_holes = torch.cat([hidden[row, segment.chosen] for row, segment in enumerate(segments)])
        five = self.prediction_logits(at_holes).topk(5, dim=-1).indices.cpu().numpy()
        return np.split(five, np.cumsum([len(segment.chosen) for segment in segments])[:-1])

    @property
    def has_pair_head(self) -> bool:
        """Whether the model was trained on pairs."""
        return hasattr(self.model, "cls") or hasattr(self.model, "sop_classifier")

    def prediction_logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """The masked-LM head, whatever the family calls it: [..., hidden] -> [..., vocab]."""
        heads = self.model
        if hasattr(heads, "lm_head"):
            return heads.lm_head(hidden)
        return heads.cls.predictions(hidden) if hasattr(heads, "cls") else heads.predictions(hidden)

    def _pair_logits(self, pooled: torch.Tensor) -> torch.Tensor:
        heads = self.model
        return heads.cls.seq_relationship(pooled) if hasattr(heads, "cls") else heads.sop_classifier(pooled)

    @torch.inference_mode()
    def pair_is_in_order(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """The pair head's answer, True for its class 0 (the next sentence; the right order), bool [pairs]."""
        answers = []
        for at in range(0, len(pairs), BATCH):
            first, second = zip(*pairs[at : at + BATCH], strict=True)
            encoded = self.tokenizer(
                list(first), list(second), padding=True, truncation=True, max_length=128, return_tensors="pt"
            )
            # The vocabulary head is skipped: at every position it would cost as much as the encoder.
            logits = self._pair_logits(self.model.base_model(**encoded.to(self.model.device)).pooler_output)
            answers.append((logits[:, 0] >= logits[:, 1]).cpu().numpy())
        return np.concatenate(answers)

    @torch.inference_mode()
    def golden_answers(self) -> list[dict]:
        """The five likeliest pieces with their probabilities for the golden texts."""
        answers = []
        for text in GOLDEN_TEXTS[self.language]:
            text = text.replace("[MASK]", self.tokenizer.mask_token)
            encoded = self.tokenizer(text, return_tensors="pt").to(self.model.device)
            hidden = self.model.base_model(**encoded).last_hidden_state[0]
            hole = (encoded["input_ids"][0] == self.tokenizer.mask_token_id).nonzero()[0, 0]
            best = self.prediction_logits(hidden[hole]).softmax(-1).topk(5)
            pieces = self.tokenizer.convert_ids_to_tokens(best.indices.tolist())
            answers.append(
                {
                    "text": text,
                    "top_5": [[piece, round(p, 5)] for piece, p in zip(pieces, best.values.tolist(), strict=True)],
                }
            )
        return answers
