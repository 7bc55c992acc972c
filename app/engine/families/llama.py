"""Llama (Touvron et al. 2023, arXiv 2302.13971), the architecture of SmolLM2: what became of GPT-2 in six years."""

from __future__ import annotations

import torch
from torch import nn
from transformers import AutoTokenizer, LlamaForCausalLM, LlamaForSequenceClassification

from app.engine.adapters.causal_lm import DecoderCausalLM
from app.engine.adapters.classifier import LastTokenClassifier
from app.engine.families.decoding.decoder import Decoder, Shape
from app.engine.families.decoding.layers import gated_block
from app.engine.family import Family
from app.engine.heads import CAUSAL_LM, CLASSIFICATION
from app.engine.runtime.loaded import serves


def llama_decoder(model: nn.Module) -> Decoder:
    """Llama's parts: positions by turning queries and keys, heads that share keys, a gate in the feed-forward part."""
    body, config = model.model, model.config
    with torch.inference_mode(False), torch.no_grad():
        places = torch.arange(config.max_position_embeddings, device=model.device)[None]
        cosines, sines = body.rotary_emb(body.embed_tokens.weight[:1, None], places)  # [1, position, size]
        blocks = [gated_block(block, config.hidden_act) for block in body.layers]
    return Decoder(
        embed=lambda ids, at: body.embed_tokens(ids),
        blocks=blocks,
        final_norm=body.norm,
        head=model.lm_head,
        shape=Shape(config.num_attention_heads, config.num_key_value_heads, body.layers[0].self_attn.head_dim),
        like=body.embed_tokens.weight,
        rotary=(cosines[0], sines[0]),
    )


class LlamaCausalLM(DecoderCausalLM):
    """Llama's language-model head."""

    def decoder(self) -> Decoder:
        """See `DecoderCausalLM`."""
        return llama_decoder(self.model)


FAMILY = Family(
    model_class=LlamaForCausalLM,
    tokenizer_class=AutoTokenizer,  # each checkpoint of this family has its own class
    heads={CAUSAL_LM: ("model.", "lm_head.")},
    adapters=serves(CAUSAL_LM, LlamaCausalLM) | serves(CLASSIFICATION, LastTokenClassifier),
    classifier_class=LlamaForSequenceClassification,
    classifier_head=lambda model, hidden: model.score(hidden[:, 0]),
    classifier_reads="last",
)
