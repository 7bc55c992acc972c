"""GPT-2 (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners"): the next token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from transformers import GPT2LMHeadModel, GPT2TokenizerFast

from app.engine.families.family import Family

if TYPE_CHECKING:
    from app.engine.loader import Loaded

# Rows of logits turned into log-probabilities at a time: 64 x 50,257 floats are 13 MB.
ROWS = 64


class Gpt2CausalLM:
    """GPT-2's language-model head."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint, self.text = loaded, loaded.checkpoint, loaded.text
        self.max_tokens: int = loaded.model.config.n_positions

    def token_scores(self, input_ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """See `app.engine.base.CausalLM`."""
        model = self.loaded.model
        with self.loaded.lock, torch.inference_mode():
            ids = torch.tensor(input_ids, device=model.device)
            hidden = model.transformer(ids[None]).last_hidden_state[0, :-1]  # [token - 1, hidden]
            scores, ranks = [], []
            for start in range(0, len(hidden), ROWS):
                logits = model.lm_head(hidden[start : start + ROWS]).float()  # [row, vocabulary]
                chosen = logits.gather(-1, ids[1 + start : 1 + start + ROWS, None])  # [row, 1]
                scores.append((chosen[:, 0] - logits.logsumexp(dim=-1)).cpu())
                ranks.append(1 + (logits > chosen).sum(dim=-1).cpu())
        return torch.cat(scores).numpy(), torch.cat(ranks).numpy()


FAMILY = Family(
    model_class=GPT2LMHeadModel,
    tokenizer_class=GPT2TokenizerFast,
    heads={"causal_lm": ("transformer.", "lm_head.")},
    adapters={"causal_lm": Gpt2CausalLM},
)
