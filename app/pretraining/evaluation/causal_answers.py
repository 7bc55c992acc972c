"""Asks a trained decoder for log-probabilities of texts, likeliest next pieces, and golden answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

BATCH = 32
# Rows of logits at a time: 512 x 8,192 floats are 17 MB.
POSITIONS = 512
# Five fixed prompts; their answers are kept beside the weights to reveal a damaged file.
GOLDEN_PROMPTS = {
    "en": (
        "The dog barked at the",
        "She opened the door and",
        "The president of the United",
        "Once upon a time there was a",
        "He was born in 1950 and died in",
    ),
    "zh": ("中华人民共", "他出生于一九五", "这座城市位于", "第二次世界大", "是一种生活在"),
}


@dataclass(frozen=True)
class NextJudge:
    """A decoder with its tokenizer, in float32, on the model's device."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerFast
    language: str = "en"

    @torch.inference_mode()
    def log_probabilities(self, rows: list[np.ndarray]) -> list[np.ndarray]:
        """The natural log of P(id | ids before it in its row) for every id but each row's first."""
        scores: list[np.ndarray] = [np.empty(0)] * len(rows)
        order = sorted(range(len(rows)), key=lambda number: len(rows[number]))
        for at in range(0, len(order), BATCH):
            chosen = order[at : at + BATCH]
            for number, row in zip(chosen, self._batch([rows[number] for number in chosen]), strict=True):
                scores[number] = row
        return scores

    def _batch(self, rows: list[np.ndarray]) -> list[np.ndarray]:
        width = max(map(len, rows))
        ids = torch.zeros(len(rows), width, dtype=torch.long)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = torch.from_numpy(np.asarray(row))
        # The padding comes last, so no position attends to it.
        hidden = self.model.base_model(ids.to(self.model.device)).last_hidden_state[:, :-1].flatten(0, 1)
        wanted = ids[:, 1:].flatten().to(hidden.device)
        scores = []
        for at in range(0, len(hidden), POSITIONS):
            logits = self.model.lm_head(hidden[at : at + POSITIONS])
            own = logits.gather(-1, wanted[at : at + POSITIONS, None])[:, 0]
            scores.append((own - logits.logsumexp(dim=-1)).double().cpu())
        made = torch.cat(scores).reshape(len(rows), width - 1).numpy()
        return [made[number, : len(row) - 1] for number, row in enumerate(rows)]

    @torch.inference_mode()
    def golden_answers(self) -> list[dict]:
        """The five likeliest next pieces with their probabilities for the golden prompts."""
        answers = []
        for text in GOLDEN_PROMPTS[self.language]:
            ids = [self.tokenizer.eos_token_id, *self.tokenizer(text, add_special_tokens=False)["input_ids"]]
            hidden = self.model.base_model(torch.tensor([ids], device=self.model.device)).last_hidden_state[0, -1]
            best = self.model.lm_head(hidden).softmax(-1).topk(5)
            pieces = [self.tokenizer.decode([piece]) for piece in best.indices.tolist()]
            answers.append(
                {
                    "text": text,
                    "top_5": [[piece, round(p, 5)] for piece, p in zip(pieces, best.values.tolist(), strict=True)],
                }
            )
        return answers
