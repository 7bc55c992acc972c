"""GPT-2 (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners"): the next token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from transformers import GPT2LMHeadModel, GPT2TokenizerFast

from app.engine.base import MaskedRow
from app.engine.families.encoder import TransformerEncoder
from app.engine.families.family import Family
from app.engine.families.inside import TransformerInside
from app.registry.checkpoint import ATTENTION, TOKEN_VECTORS

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

    def layer_log_probabilities(self, row: MaskedRow) -> Iterator[np.ndarray]:
        """See `app.engine.base.Layered`. Below the last layer the final norm comes first ("logit lens")."""
        transformer, head = self.loaded.model.transformer, self.loaded.model.lm_head
        with self.loaded.lock, torch.inference_mode():
            ids = torch.tensor([row.input_ids], device=self.loaded.model.device)
            layers = transformer(ids, output_hidden_states=True).hidden_states  # each [1, token, hidden]
        for layer, hidden in reversed(list(enumerate(layers))):
            with self.loaded.lock, torch.inference_mode():
                at = hidden[0, row.positions]  # [position, hidden]; the last one comes out of the norm already
                logits = head(at if layer == len(layers) - 1 else transformer.ln_f(at))
                log_probabilities = logits.float().log_softmax(dim=-1).cpu().numpy()
            yield log_probabilities


def gpt2_projections(model: nn.Module, layer: int, given: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """GPT-2 normalises before it projects, and makes all three in one go."""
    block = model.transformer.h[layer]
    queries, keys, values = block.attn.c_attn(block.ln_1(given)).chunk(3, dim=-1)
    return queries, keys, values


class Gpt2Inside(TransformerInside):
    """GPT-2's layers."""

    base = staticmethod(lambda model: model.transformer)
    projections = staticmethod(gpt2_projections)
    position_table = staticmethod(lambda model: model.transformer.wpe.weight)
    takes_segments = False
    causal = True


class Gpt2Encoder(TransformerEncoder):
    """GPT-2's hidden states; the top ones come out of the final norm."""

    base = staticmethod(lambda model: model.transformer)
    takes_segments = False
    first_token_sums_up = False


FAMILY = Family(
    model_class=GPT2LMHeadModel,
    tokenizer_class=GPT2TokenizerFast,
    heads={
        "causal_lm": ("transformer.", "lm_head."),
        ATTENTION: ("transformer.",),
        TOKEN_VECTORS: ("transformer.",),
    },
    adapters={"causal_lm": Gpt2CausalLM, ATTENTION: Gpt2Inside, TOKEN_VECTORS: Gpt2Encoder},
)
