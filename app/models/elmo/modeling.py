"""ElmoModel: turns rows of character ids into three layers of word vectors.

Start state. The published ELMo carries its LSTM state from one batch to the next, so a sentence gets other vectors at
each call. Here every sentence starts from the same state, so its vectors are always the same: alone, in a batch, in any
order. That state is zero unless the checkpoint has another one. The authors warn that zero costs quality, since the
model was trained on running text; `store_start_state` makes the state after some sentences the start of every sentence,
and `save_pretrained` writes it. A state settles within about five to ten sentences. `stateful=True` gives the published
behaviour.

Zero was kept after `python -m tests.benchmarks.bench_elmo_start` with the bundled `elmo-mini` (up to 300 training and
300 test occurrences of each of 10 words of CoarseWSD-20; the sense of the nearest training occurrence; most frequent
sense 66.8 %). So few occurrences cannot show differences below one point:

    start        layer 1   layer 2   mean of the layers
    zero          71.8 %    71.3 %    71.3 %
    warmed        71.3 %    71.3 %    71.8 %
    carried on    71.5 %    72.0 %    72.4 %   (published behaviour: depends on what was read before)

A checkpoint trained on running text should be measured anew and may bring its own start state.
"""

import math
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers import initialization as init
from transformers.utils import ModelOutput

from .characters import ElmoCharacterEncoder, ElmoHighway, WordVectorCache, encode_distinct
from .configuration import ElmoConfig
from .recurrence import ElmoEncoder, ElmoLstmLayer, ElmoState
from .tokenization import BEGIN_SENTENCE


@dataclass
class ElmoModelOutput(ModelOutput):
    """Output of ElmoModel.

    Args:
        last_hidden_state: the top layer [sentence, word, 2 * projection], forward then backward; 0 at the padding.
        hidden_states: all layers, beginning with layer 0: the context-free word vector, twice.
        attention_mask: [sentence, word], 1 for each word that has a vector.
        state: state of each row's recurrences after it.
    """

    last_hidden_state: Tensor | None = None
    hidden_states: tuple[Tensor, ...] | None = None
    attention_mask: Tensor | None = None
    state: ElmoState | None = None


class ElmoPreTrainedModel(PreTrainedModel):
    """What all ELMo models share: the configuration and the random initial weights."""

    config_class = ElmoConfig
    base_model_prefix = "elmo"
    main_input_name = "input_ids"

    @torch.no_grad()
    def _init_weights(self, module: nn.Module) -> None:
        """The distributions of the published training code."""
        if isinstance(module, nn.Embedding):
            init.uniform_(module.weight, -1.0, 1.0)
        elif isinstance(module, nn.Conv1d):
            init.uniform_(module.weight, -0.05, 0.05)
            init.zeros_(module.bias)
        elif isinstance(module, nn.Linear):
            init.normal_(module.weight, std=1 / math.sqrt(module.in_features))
            init.zeros_(module.bias)
        elif isinstance(module, ElmoHighway):
            init.constant_(module.gate.bias, -2.0)  # at first, lets the word through unchanged
        elif isinstance(module, ElmoLstmLayer):
            self._init_lstm(module)
        elif isinstance(module, ElmoModel):
            init.zeros_(module.start_hidden)
            init.zeros_(module.start_cell)

    def _init_lstm(self, layer: ElmoLstmLayer) -> None:
        _, projection, gates = layer.input_weight.shape
        # Input and hidden weights are one matrix of 2 P rows in the published code.
        bound = math.sqrt(6 / (2 * projection + gates))
        init.uniform_(layer.input_weight, -bound, bound)
        init.uniform_(layer.hidden_weight, -bound, bound)
        bound = math.sqrt(6 / (gates // 4 + projection))
        init.uniform_(layer.projection_weight, -bound, bound)
        forget_gate_open = torch.zeros_like(layer.bias)
        forget_gate_open[..., gates // 2 : gates * 3 // 4] = 1.0
        init.copy_(layer.bias, forget_gate_open)


class ElmoModel(ElmoPreTrainedModel):
    """Word vectors in context, from the characters of the words."""

    start_hidden: Tensor
    start_cell: Tensor

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__(config)
        self.cache = WordVectorCache()
        self.characters = ElmoCharacterEncoder(config)
        self.encoder = ElmoEncoder(config)
        self.carried: ElmoState | None = None
        layers = config.num_hidden_layers
        self.register_buffer("start_hidden", torch.zeros(layers, 2, 1, config.projection_size))
        self.register_buffer("start_cell", torch.zeros(layers, 2, 1, config.cell_size))
        self.post_init()

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        keep_boundaries: bool = False,
        stateful: bool = False,
        output_hidden_states: bool = True,
    ) -> ElmoModelOutput:
        """Computes every layer for a batch of sentences.

        Args:
            input_ids: [sentence, word, character] as `ElmoTokenizer` makes them, a mark at both ends of a sentence.
            attention_mask: [sentence, word], 1 for words and marks; if omitted, every row with an id above 0 is real.
            keep_boundaries: whether the two marks' vectors stay in the result: n + 2 places for n words.
            stateful: whether row k starts where row k of the last stateful call ended (published behaviour; see
                `reset_state`). Rows missing from a smaller batch keep their state; no gradient flows between calls.
            output_hidden_states: whether to return all layers.

        Raises:
            ValueError: `input_ids` does not have three axes, or a mark to remove is missing.
        """
        if input_ids.dim() != 3:
            raise ValueError(f"input_ids must be [sentence, word, character], got shape {tuple(input_ids.shape)}")
        mask = input_ids.any(dim=2) if attention_mask is None else attention_mask.bool()
        state = self._start(len(input_ids), stateful)
        layers, state = self._layers(input_ids, mask, state)
        if stateful:
            self._carry(state)
        if not keep_boundaries:
            check_boundaries(input_ids, mask)
            # Shifting the mask by the two marks also blanks the end mark of the shorter sentences.
            mask = mask[:, 2:]
            layers = [layer[:, 1:-1] * mask[:, :, None] for layer in layers]
        hidden_states = tuple(layers) if output_hidden_states else None
        return ElmoModelOutput(layers[-1], hidden_states, mask.long(), state)

    def _layers(self, input_ids: Tensor, mask: Tensor, state: ElmoState) -> tuple[list[Tensor], ElmoState]:
        vectors = self.word_vectors(input_ids[mask])
        words = vectors.new_zeros(*mask.shape, vectors.size(-1))
        words[mask] = vectors
        outputs, state = self.encoder(words, mask.sum(dim=1), state)
        return [torch.cat([words, words], dim=2), *outputs], state

    def word_vectors(self, character_ids: Tensor) -> Tensor:
        """Context-free vectors, one half of layer 0: [word, character] to [word, projection]."""
        if self.training or torch.is_grad_enabled():
            return encode_distinct(character_ids, self.characters)
        return encode_distinct(character_ids, lambda distinct: self.cache.look_up(distinct, self.characters))

    def _start(self, rows: int, stateful: bool) -> ElmoState:
        start = ElmoState(*(part.expand(-1, -1, rows, -1) for part in (self.start_hidden, self.start_cell)))
        if not stateful or self.carried is None:
            return start
        carried = self.carried.rows(slice(rows))
        return carried.followed_by(start.rows(slice(carried.hidden.size(2), None)))

    def _carry(self, state: ElmoState) -> None:
        state, rows = state.detach(), state.hidden.size(2)
        self.carried = state if self.carried is None else state.followed_by(self.carried.rows(slice(rows, None)))

    def train(self, mode: bool = True) -> Self:
        """Switches between training and evaluation, and forgets cached words because weights may be about to change."""
        self.cache.clear()
        return super().train(mode)

    def reset_state(self) -> None:
        """Lets the next stateful call start afresh."""
        self.carried = None

    @torch.no_grad()
    def store_start_state(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> None:
        """Makes the state after these sentences, read one after another, the start of every sentence."""
        mask = input_ids.any(dim=2) if attention_mask is None else attention_mask.bool()
        state = ElmoState(torch.zeros_like(self.start_hidden), torch.zeros_like(self.start_cell))
        for row in range(len(input_ids)):
            _, state = self._layers(input_ids[row : row + 1], mask[row : row + 1], state)
        self.start_hidden.copy_(state.hidden)
        self.start_cell.copy_(state.cell)

    def get_input_embeddings(self) -> nn.Module:
        """The table of character vectors."""
        return self.characters.embedding


def check_boundaries(input_ids: Tensor, mask: Tensor) -> None:
    """Raises ValueError unless each sentence has its begin mark, so that no word is removed instead of a mark."""
    if mask.size(1) < 2 or not bool((input_ids[:, 0, 1] == BEGIN_SENTENCE + 1).all()):
        raise ValueError("a sentence must begin and end with a mark: make input_ids with ElmoTokenizer")
