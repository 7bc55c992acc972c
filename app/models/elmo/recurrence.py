"""The bidirectional LSTM of ELMo: projected cells with clips, skip connections, both directions at once.

The cell is that of Sak et al. 2014 (arXiv 1402.1128) without peepholes. The clips act within the recurrence, which
`nn.LSTM` cannot do. It is fast for three reasons: one product over many steps computes the inputs' share of the gates;
one batched product serves both directions; rows are sorted by length, so a step computes only unfinished sentences.

Axes: direction 0 reads forward, 1 backward; `step` counts from the side where that direction starts to read.
"""

from collections.abc import Iterator
from typing import NamedTuple, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from .configuration import ElmoConfig

# How many gate values are computed ahead of the recurrence at a time: 64 MB in float32.
GATES_AHEAD = 2**24


class ElmoState(NamedTuple):
    """State of the recurrences.

    Args:
        hidden: [layer, direction, row, projection].
        cell: [layer, direction, row, cell].
    """

    hidden: Tensor
    cell: Tensor

    def detach(self) -> Self:
        """The same state, detached from the graph that led to it."""
        return type(self)(*(part.detach() for part in self))

    def rows(self, index: Tensor | slice) -> Self:
        """The states of some rows."""
        return type(self)(*(part[:, :, index] for part in self))

    def followed_by(self, other: Self) -> Self:
        """These rows, followed by the rows of another state."""
        return type(self)(*(torch.cat(parts, dim=2) for parts in zip(self, other, strict=True)))


class ElmoLstmLayer(nn.Module):
    """One layer of both directions. The gates' blocks are input, candidate, forget, output, as published.

    The stored bias of the forget gate includes the 1 that the published code adds at run time.
    """

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__()
        projection, cell = config.projection_size, config.cell_size
        self.cell_clip, self.projection_clip = config.cell_clip, config.projection_clip
        self.input_weight = nn.Parameter(torch.empty(2, projection, 4 * cell))
        self.hidden_weight = nn.Parameter(torch.empty(2, projection, 4 * cell))
        self.bias = nn.Parameter(torch.empty(2, 1, 4 * cell))
        self.projection_weight = nn.Parameter(torch.empty(2, cell, projection))

    def forward(
        self, inputs: Tensor, running: list[int], hidden: Tensor, cell: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Runs over all steps.

        Args:
            inputs: [direction, step, row, projection], longest sentence first.
            running: number of unfinished rows per step; they come first.
            hidden, cell: [direction, row, projection] and [direction, row, cell] before the first step.

        Returns:
            outputs like `inputs`, 0 where a row has ended; hidden and cell of each row after its last step.
        """
        rows, outputs, ended = inputs.size(2), [], []
        for step, gates in enumerate(self._input_gates(inputs, running)):
            if running[step] < hidden.size(1):
                ended.append((hidden[:, running[step] :], cell[:, running[step] :]))
                hidden, cell = hidden[:, : running[step]], cell[:, : running[step]]
            hidden, cell = self._step(gates, hidden, cell)
            outputs.append(functional.pad(hidden, (0, 0, 0, rows - running[step])))
        hiddens, cells = zip((hidden, cell), *reversed(ended), strict=True)
        return torch.stack(outputs, dim=1), torch.cat(hiddens, dim=1), torch.cat(cells, dim=1)

    def _input_gates(self, inputs: Tensor, running: list[int]) -> Iterator[Tensor]:
        """Yields the inputs' share of each step's gates, [direction, running row, gate], computed some steps ahead."""
        directions, steps, rows, _ = inputs.shape
        block = max(1, GATES_AHEAD // (directions * rows * self.bias.size(2)))
        for start in range(0, steps, block):
            ahead = inputs[:, start : start + block, : running[start]]
            gates = affine(ahead.flatten(1, 2), self.input_weight, self.bias)
            gates = gates.unflatten(1, ahead.shape[1:3])
            # Not one slice per step: each would need a gradient of the size of all steps.
            for step, of_step in enumerate(gates.unbind(dim=1)):
                rows_left = running[start + step]
                yield of_step if rows_left == of_step.size(1) else of_step[:, :rows_left]

    def _step(self, gates: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        gates = affine(hidden, self.hidden_weight, gates)
        input_gate, candidate, forget_gate, output_gate = gates.chunk(4, dim=2)
        cell = forget_gate.sigmoid() * cell + input_gate.sigmoid() * candidate.tanh()
        cell = clip(cell, self.cell_clip)
        hidden = affine(output_gate.sigmoid() * cell.tanh(), self.projection_weight)
        return clip(hidden, self.projection_clip), cell


class ElmoEncoder(nn.Module):
    """The stack of layers. The two directions never see each other: each reads its own lower layer."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(ElmoLstmLayer(config) for _ in range(config.num_hidden_layers))
        self.dropout = nn.Dropout(config.dropout)
        self.use_skip_connections = config.use_skip_connections

    def forward(self, words: Tensor, lengths: Tensor, state: ElmoState) -> tuple[list[Tensor], ElmoState]:
        """Runs all layers over sentences.

        Args:
            words: context-free vectors [row, step, projection].
            lengths: [row], number of real steps of each row.
            state: the start state of each row's recurrences.

        Returns:
            each LSTM layer's output [row, step, 2 * projection], forward then backward, 0 at the padding; and the state
            of each row after its own last real word (forward) and first word (backward).
        """
        lengths, order = lengths.sort(descending=True, stable=True)
        back = order.argsort()
        words, state = words[order], state.rows(order)
        running = (lengths[:, None] > torch.arange(words.size(1), device=lengths.device)).sum(dim=0).tolist()
        layer_input = torch.stack([words, reverse_sentences(words, lengths)]).transpose(1, 2)
        outputs, states = [], []
        for number, layer in enumerate(self.layers):
            layer_input = self.dropout(layer_input)
            output, *after = layer(layer_input, running, state.hidden[number], state.cell[number])
            # The recurrence continues with the bare output; only the layer's output has the input added.
            layer_input = output + layer_input if number and self.use_skip_connections else output
            forward, backward = layer_input.transpose(1, 2)
            outputs.append(torch.cat([forward, reverse_sentences(backward, lengths)], dim=2)[back])
            states.append(after)
        hidden, cell = (torch.stack(parts) for parts in zip(*states, strict=True))
        return outputs, ElmoState(hidden, cell).rows(back)


def reverse_sentences(vectors: Tensor, lengths: Tensor) -> Tensor:
    """Reverses [row, step, feature] within each row's own length; the padding stays at the end, as zeros."""
    steps = lengths[:, None] - 1 - torch.arange(vectors.size(1), device=vectors.device)
    turned = vectors.gather(1, steps.clamp(min=0)[:, :, None].expand_as(vectors))
    return turned.masked_fill((steps < 0)[:, :, None], 0.0)


def affine(rows: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """rows @ weight + bias in each direction.

    Matrix libraries choose their routine by the number of rows and by the processor, and each adds in its own order, so
    a sentence's vectors differ by rounding (about 1e-6) with the rest of the batch.

    Args:
        rows: [direction, row, input].
        weight: [direction, input, output].
        bias: [direction, row or 1, output].
    """
    return torch.bmm(rows, weight) if bias is None else torch.baddbmm(bias, rows, weight)


def clip(values: Tensor, bound: float | None) -> Tensor:
    """Limits values to -bound..bound; None leaves them."""
    return values if bound is None else values.clamp(-bound, bound)
