"""One pass for every causal Transformer: GPT, GPT-2, Llama and their like, over the weights that transformers loaded.

Transformers' own classes pad sequences of different lengths, copy the cache at every token and run the vocabulary head
everywhere. Here the tokens of all sequences lie behind each other in one matrix, so that every linear layer runs once
and without padding; only attention goes sequence by sequence, over a cache that is filled in place. The numbers are
those of transformers (tested).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

# From states [token, in] to states [token, out].
Layer = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class FeedForward:
    """Two layers with an activation between them; where `gated`, the first gives a gate and the values it opens for."""

    first: Layer
    act: Layer
    second: Layer
    gated: bool = False

    def __call__(self, states: Tensor) -> Tensor:
        """From [token, hidden] to [token, hidden]."""
        inner = self.first(states)
        if not self.gated:
            return self.second(self.act(inner))
        gate, value = inner.chunk(2, dim=-1)
        return self.second(self.act(gate) * value)


@dataclass(frozen=True)
class Block:
    """One layer's parts.

    Attributes:
        attention_norm: before attention, or behind it and the residual where the decoder is `post_norm`.
        query_key_value: one projection for all three: queries [heads * size], then keys, then values.
        attention_output: from the heads' outputs back to hidden states.
        mlp_norm: as `attention_norm`, for the other half.
        mlp: the feed-forward part.
        scale: what query times key is multiplied by; None for one over the root of a head's size.
    """

    attention_norm: Layer
    query_key_value: Layer
    attention_output: Layer
    mlp_norm: Layer
    mlp: FeedForward
    scale: float | None = None


@dataclass(frozen=True)
class Shape:
    """Sizes that attention needs."""

    heads: int
    key_heads: int  # fewer than `heads` where several heads share keys and values (grouped-query attention)
    size: int  # of one head


class Cache:
    """Keys and values of one sequence, each [key head, capacity, size] per layer; grows by doubling."""

    def __init__(self, layers: int, shape: Shape, like: Tensor) -> None:
        self.length = 0
        self._capacity = 0
        self._layers = [
            [like.new_empty(shape.key_heads, 0, shape.size), like.new_empty(shape.key_heads, 0, shape.size)]
            for _ in range(layers)
        ]

    def reserve(self, tokens: int) -> None:
        """Room for so many tokens in all."""
        if tokens <= self._capacity:
            return
        self._capacity = max(64, 2 * self._capacity, tokens)
        for layer in self._layers:
            for index, kept in enumerate(layer):
                layer[index] = kept.new_empty(kept.shape[0], self._capacity, kept.shape[2])
                layer[index][:, : self.length] = kept[:, : self.length]

    def extend(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Write new keys and values [key head, new, size] behind those kept; returns all of them."""
        start, end = self.length, self.length + keys.shape[1]
        kept_keys, kept_values = self._layers[layer]
        kept_keys[:, start:end] = keys
        kept_values[:, start:end] = values
        return kept_keys[:, :end], kept_values[:, :end]

    def cut(self, length: int) -> None:
        """Forget what lies behind so many tokens."""
        self.length = min(self.length, length)


@dataclass(frozen=True)
class Row:
    """What one sequence adds in a pass.

    Attributes:
        input_ids: its new tokens.
        cache: what was run before; the new tokens are added.
        positions: of the new tokens; None counts on behind the cache.
        sees: [new, new] which new tokens each of them sees, all cached ones besides; None for itself and those before.
    """

    input_ids: Sequence[int]
    cache: Cache
    positions: Sequence[int] | None = None
    sees: Tensor | None = None


@dataclass(frozen=True)
class Decoder:
    """A causal Transformer as its parts.

    Attributes:
        embed: from ids and positions, both [token], to states [token, hidden].
        blocks: the layers.
        final_norm: behind the last layer.
        head: from states to logits [token, vocabulary].
        shape: sizes of attention.
        rotary: cosines and sines [position, size] that queries and keys are turned by; None for learned positions.
        post_norm: norms stand behind the residuals (GPT 2018) instead of before the halves of a layer.
    """

    embed: Callable[[Tensor, Tensor], Tensor]
    blocks: Sequence[Block]
    final_norm: Layer
    head: Layer
    shape: Shape
    like: Tensor  # a weight, for device and number format
    rotary: tuple[Tensor, Tensor] | None = None
    post_norm: bool = False

    def cache(self) -> Cache:
        """An empty cache."""
        return Cache(len(self.blocks), self.shape, self.like)

    def run(self, rows: Sequence[Row], each: Callable[[Tensor], None] | None = None) -> Tensor:
        """Run the new tokens of all rows; returns their states [token, hidden] behind each other, after the final norm.

        Args:
            rows: no two with the same cache.
            each: is called with the states before the first layer and after each, [token, hidden].
        """
        positions = [position for row in rows for position in _positions(row)]
        ids = torch.tensor([token for row in rows for token in row.input_ids], device=self.like.device)
        at = torch.tensor(positions, device=self.like.device)
        turned = None if self.rotary is None else (self.rotary[0][at, None], self.rotary[1][at, None])
        for row in rows:
            row.cache.reserve(row.cache.length + len(row.input_ids))
        masks = [_mask(row, self.like.device) for row in rows]
        hidden = self.embed(ids, at)
        for layer, block in enumerate(self.blocks):
            if each:
                each(hidden)
            hidden = self._layer(hidden, layer, block, rows, masks, turned)
        if each:
            each(hidden)
        for row in rows:
            row.cache.length += len(row.input_ids)
        return self.final_norm(hidden)

    def _layer(
        self,
        hidden: Tensor,
        layer: int,
        block: Block,
        rows: Sequence[Row],
        masks: Sequence[Tensor | None],
        turned: tuple[Tensor, Tensor] | None,
    ) -> Tensor:
        def attention(given: Tensor) -> Tensor:
            return block.attention_output(self._attend(block, given, layer, rows, masks, turned))

        if self.post_norm:
            hidden = block.attention_norm(hidden + attention(hidden))
            return block.mlp_norm(hidden + block.mlp(hidden))
        hidden = hidden + attention(block.attention_norm(hidden))
        return hidden + block.mlp(block.mlp_norm(hidden))

    def _attend(
        self,
        block: Block,
        given: Tensor,
        layer: int,
        rows: Sequence[Row],
        masks: Sequence[Tensor | None],
        turned: tuple[Tensor, Tensor] | None,
    ) -> Tensor:
        shape, projected = self.shape, block.query_key_value(given)
        split = projected.unflatten(-1, (shape.heads + 2 * shape.key_heads, shape.size))  # [token, all heads, size]
        if turned is not None:
            turning = split[:, : shape.heads + shape.key_heads]
            split = torch.cat([_turn(turning, *turned), split[:, shape.heads + shape.key_heads :]], dim=1)
        outputs, start = [], 0
        for row, mask in zip(rows, masks, strict=True):
            mine = split[start : start + len(row.input_ids)].transpose(0, 1)  # [all heads, new, size]
            start += len(row.input_ids)
            queries, keys, values = mine.split((shape.heads, shape.key_heads, shape.key_heads))
            outputs.append(self._attend_one(queries, *row.cache.extend(layer, keys, values), mask, block.scale))
        return outputs[0] if len(outputs) == 1 else torch.cat(outputs)

    def _attend_one(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, scale: float | None
    ) -> Tensor:
        """One sequence's attention: queries [head, new, size] over [key head, all, size] give [new, heads * size]."""
        heads, new, size = queries.shape
        if new == 1 and mask is None:  # heads that share keys can be asked as if they were several new tokens
            queries = queries.reshape(len(keys), heads // len(keys), size)
            attended = F.scaled_dot_product_attention(queries[None], keys[None], values[None], scale=scale)
            return attended.reshape(1, heads * size)
        attended = F.scaled_dot_product_attention(
            queries[None],
            keys[None],
            values[None],
            attn_mask=mask,
            is_causal=mask is None,
            scale=scale,
            enable_gqa=heads != len(keys),
        )
        return attended[0].transpose(0, 1).reshape(new, heads * size)


def _positions(row: Row) -> Sequence[int]:
    if row.positions is not None:
        return row.positions
    return range(row.cache.length, row.cache.length + len(row.input_ids))


def _mask(row: Row, device: torch.device) -> Tensor | None:
    """What the new tokens see, [new, all]; None where attention needs no mask of its own."""
    new, kept = len(row.input_ids), row.cache.length
    if row.sees is None and (new == 1 or kept == 0):
        return None
    among = torch.ones(new, new, dtype=torch.bool).tril() if row.sees is None else row.sees
    return torch.cat([torch.ones(new, kept, dtype=torch.bool), among], dim=1).to(device)


def _turn(split: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    """Rotary positions (Su et al. 2021, arXiv 2104.09864), in the half-and-half layout that Llama's weights have."""
    first, second = split.chunk(2, dim=-1)
    return split * cosines + torch.cat([-second, first], dim=-1) * sines
