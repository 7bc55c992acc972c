"""GPT-2 (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners"): the next token."""

from __future__ import annotations

from torch import Tensor, nn
from transformers import GPT2ForSequenceClassification, GPT2LMHeadModel, GPT2TokenizerFast

from app.engine.adapters.attention_reader import Projected, TransformerInside
from app.engine.adapters.causal_lm import DecoderCausalLM
from app.engine.adapters.classifier import LastTokenClassifier
from app.engine.adapters.encoder import TransformerEncoder
from app.engine.families.decoding.decoder import Decoder, Shape
from app.engine.families.decoding.layers import gpt_block, learned_positions
from app.engine.family import Family
from app.engine.heads import ATTENTION, CAUSAL_LM, CLASSIFICATION, TOKEN_VECTORS
from app.engine.runtime.loaded import serves


def gpt2_decoder(model: nn.Module) -> Decoder:
    """GPT-2's parts: norms before the halves of each layer, and one at the end."""
    body, config = model.transformer, model.config
    return Decoder(
        embed=learned_positions(body.wte, body.wpe),
        # By layer: Stanford's GPT-2s divide by the layer's number, too (`scale_attn_by_inverse_layer_idx`).
        blocks=[gpt_block(block, config.activation_function, block.attn.scaling) for block in body.h],
        final_norm=body.ln_f,
        head=model.lm_head,
        shape=Shape(config.n_head, config.n_head, config.n_embd // config.n_head),
        like=body.wte.weight,
    )


class Gpt2CausalLM(DecoderCausalLM):
    """GPT-2's language-model head."""

    def decoder(self) -> Decoder:
        """See `DecoderCausalLM`."""
        return gpt2_decoder(self.model)


class Gpt2Inside(TransformerInside):
    """GPT-2's layers."""

    takes_segments = False
    causal = True

    @property
    def base(self) -> nn.Module:
        """See `TransformerInside`."""
        return self.model.transformer

    @property
    def position_table(self) -> Tensor:
        """See `TransformerInside`."""
        return self.base.wpe.weight

    def projections(self, layer: int, given: Tensor) -> Projected:
        """See `TransformerInside`. GPT-2 normalises before it projects, and makes all three in one go."""
        block = self.base.h[layer]
        queries, keys, values = block.attn.c_attn(block.ln_1(given)).chunk(3, dim=-1)
        return queries, keys, values


class Gpt2Encoder(TransformerEncoder):
    """GPT-2's hidden states; the top ones come out of the final norm."""

    takes_segments = False
    first_token_sums_up = False

    @property
    def base(self) -> nn.Module:
        """See `TransformerEncoder`."""
        return self.model.transformer


FAMILY = Family(
    model_class=GPT2LMHeadModel,
    tokenizer_class=GPT2TokenizerFast,
    heads={
        CAUSAL_LM: ("transformer.", "lm_head."),
        ATTENTION: ("transformer.",),
        TOKEN_VECTORS: ("transformer.",),
    },
    adapters=serves(CAUSAL_LM, Gpt2CausalLM)
    | serves(CLASSIFICATION, LastTokenClassifier)
    | serves(ATTENTION, Gpt2Inside)
    | serves(TOKEN_VECTORS, Gpt2Encoder),
    classifier_class=GPT2ForSequenceClassification,
    classifier_head=lambda model, hidden: model.score(hidden[:, 0]),
    classifier_reads="last",
)
