"""GPT (Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training"): GPT-2's forerunner."""

from __future__ import annotations

from torch import nn
from transformers import OpenAIGPTLMHeadModel, OpenAIGPTTokenizerFast

from app.engine.adapters.causal_lm import DecoderCausalLM
from app.engine.families.decoding.decoder import Decoder, Shape
from app.engine.families.decoding.layers import gpt_block, learned_positions
from app.engine.family import Family
from app.engine.heads import CAUSAL_LM
from app.engine.runtime.loaded import serves

# The configuration names the activation "gelu" and means its tanh form, as the published code does.
ACTIVATION = {"gelu": "gelu_new", "swish": "silu"}


def gpt_decoder(model: nn.Module) -> Decoder:
    """GPT's parts: norms after the halves of each layer, none at the end."""
    body, config = model.transformer, model.config
    return Decoder(
        embed=learned_positions(body.tokens_embed, body.positions_embed),
        blocks=[gpt_block(block, ACTIVATION.get(config.afn, config.afn)) for block in body.h],
        final_norm=nn.Identity(),
        head=model.lm_head,
        shape=Shape(config.n_head, config.n_head, config.n_embd // config.n_head),
        like=body.tokens_embed.weight,
        post_norm=True,
    )


class GptCausalLM(DecoderCausalLM):
    """GPT's language-model head."""

    def decoder(self) -> Decoder:
        """See `DecoderCausalLM`."""
        return gpt_decoder(self.model)


FAMILY = Family(
    model_class=OpenAIGPTLMHeadModel,
    tokenizer_class=OpenAIGPTTokenizerFast,
    heads={CAUSAL_LM: ("transformer.", "lm_head.")},
    adapters=serves(CAUSAL_LM, GptCausalLM),
)
