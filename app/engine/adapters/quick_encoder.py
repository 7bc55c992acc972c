"""The pass of BERT, RoBERTa and ALBERT for whoever wants answers only, with a second copy of the weights in blocks.

One request costs what multiplying its few tokens by all weights costs. In blocks, and with query, key and value in one
multiplication, the encoder of BERT base takes 0.55 of transformers' time at 8 tokens, 0.64 at 20, 0.8 from 64 on (one
thread of a busy AMD EPYC with AVX-512; `tests/benchmarks/bench_encoder.py`). The numbers are those of transformers
(tested). Attentions and gradients still come from its own modules, whose weights are left as they are.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers.modeling_outputs import BaseModelOutputWithPooling

from app.engine.adapters.blocks import Blocks, has_blocks, most_rows
from app.engine.families.decoding.decoder import Block, FeedForward
from app.engine.families.decoding.layers import activation, change_block, joined, linear
from app.engine.runtime.loader import loader

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded


def bert_blocks(base: nn.Module) -> list[Block]:
    """The layers of BERT and RoBERTa, in blocks."""
    return [_in_blocks(_bert_block(layer, base.config.hidden_act)) for layer in base.encoder.layer]


def albert_blocks(base: nn.Module) -> list[Block]:
    """The layers of ALBERT, in blocks: groups of them share their weights, and so their second copy."""
    config, groups = base.config, base.encoder.albert_layer_groups
    made = [_in_blocks(_albert_block(group.albert_layers[0], config.hidden_act)) for group in groups]
    per_group = config.num_hidden_layers / config.num_hidden_groups
    return [made[int(layer / per_group)] for layer in range(config.num_hidden_layers)]


def _in_blocks(block: Block) -> Block:
    return change_block(block, Blocks)


def _bert_block(layer: nn.Module, activation_name: str) -> Block:
    attention = layer.attention.self
    return Block(
        attention_norm=layer.attention.output.LayerNorm,
        query_key_value=joined([attention.query, attention.key, attention.value]),
        attention_output=linear(layer.attention.output.dense),
        mlp_norm=layer.output.LayerNorm,
        mlp=FeedForward(linear(layer.intermediate.dense), activation(activation_name), linear(layer.output.dense)),
    )


def _albert_block(layer: nn.Module, activation_name: str) -> Block:
    attention = layer.attention
    return Block(
        attention_norm=attention.LayerNorm,
        query_key_value=joined([attention.query, attention.key, attention.value]),
        attention_output=linear(attention.dense),
        mlp_norm=layer.full_layer_layer_norm,
        mlp=FeedForward(linear(layer.ffn), activation(activation_name), linear(layer.ffn_output)),
    )


class QuickEncoder(nn.Module):
    """Stands in a model for its base model, and answers like it.

    Args:
        base: of transformers; it is asked for everything but plain answers, and for more tokens than blocks are good
            for.
        blocks: its layers.
        most_rows: most tokens of a batch, padding included.
    """

    def __init__(self, base: nn.Module, blocks: Sequence[Block], most_rows: int) -> None:
        super().__init__()
        self.base, self.blocks, self.most_rows = base, blocks, most_rows
        self.heads: int = base.config.num_attention_heads

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        output_hidden_states: bool = False,
        return_dict: bool = True,
        **others: Any,
    ) -> BaseModelOutputWithPooling:
        """As the base model's; what comes back is never a tuple."""
        wanted = {name: value for name, value in others.items() if value is not None}
        if torch.is_grad_enabled() or wanted or input_ids.numel() > self.most_rows:
            return self.base(
                input_ids=input_ids,
                attention_mask=attention_mask,
                token_type_ids=token_type_ids,
                output_hidden_states=output_hidden_states,
                **wanted,
            )
        sees = None if attention_mask is None or bool(attention_mask.all()) else attention_mask[:, None, None].bool()
        states = [self._embed(input_ids, token_type_ids)]
        for block in self.blocks:
            states.append(self._layer(block, states[-1], sees))
            if not output_hidden_states:
                del states[:-1]
        return BaseModelOutputWithPooling(
            last_hidden_state=states[-1],
            pooler_output=self._pooled(states[-1]),
            hidden_states=tuple(states) if output_hidden_states else None,
        )

    def _embed(self, input_ids: Tensor, token_type_ids: Tensor | None) -> Tensor:
        embedded = self.base.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        widen = getattr(self.base.encoder, "embedding_hidden_mapping_in", None)  # ALBERT's vectors of tokens are narrow
        return embedded if widen is None else widen(embedded)

    def _layer(self, block: Block, hidden: Tensor, sees: Tensor | None) -> Tensor:
        """From [row, token, hidden] to the same."""
        split = block.query_key_value(hidden).unflatten(-1, (3, self.heads, -1))  # [row, token, 3, head, size]
        queries, keys, values = split.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(queries, keys, values, attn_mask=sees)  # [row, head, token, size]
        hidden = block.attention_norm(hidden + block.attention_output(attended.transpose(1, 2).flatten(2)))
        return block.mlp_norm(hidden + block.mlp(hidden))

    def _pooled(self, hidden: Tensor) -> Tensor | None:
        if self.base.pooler is None:
            return None
        act = getattr(self.base, "pooler_activation", None)
        return self.base.pooler(hidden) if act is None else act(self.base.pooler(hidden[:, 0]))


def quick_model(loaded: Loaded) -> nn.Module:
    """A checkpoint's model, with its heads, for answers only.

    From the second pass on it is one with a second copy of weights, if that is quicker and has room: who asks once does
    not wait until it is made.
    """
    if loaded.second is not None:
        return loaded.second
    if not loaded.has_run:
        loaded.has_run = True
        return loaded.model
    model, make = loaded.model, loaded.family.encoder_blocks
    weight = next(model.parameters())
    if make is None or weight.device.type != "cpu" or weight.dtype != torch.float32 or not has_blocks():
        return model
    most = most_rows(model.config.hidden_size, model.config.intermediate_size)
    linears = [module.weight for module in model.base_model.encoder.modules() if isinstance(module, nn.Linear)]
    size = sum(weight.numel() * weight.element_size() for weight in linears)
    made = loader().with_second(loaded, size, lambda: _with_blocks(model, make, most)) if most else None
    return made or model


def _with_blocks(model: nn.Module, make: Callable[[nn.Module], list[Block]], most: int) -> nn.Module:
    """A model of the same modules, but for its base model's layers."""
    base, other = model.base_model, copy.copy(model)
    other._modules = {**model._modules, model.base_model_prefix: QuickEncoder(base, make(base), most)}
    return other
