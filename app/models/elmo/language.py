"""ELMo's language model: what comes next, from the left; what came before, from the right.

Both directions share one softmax over a vocabulary of whole words. The published softmax is a separate file.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.utils import ModelOutput

from .configuration import ElmoConfig
from .modeling import ElmoModel, ElmoPreTrainedModel
from .recurrence import ElmoState
from .tokenization import IGNORED_LABEL

# Positions whose full softmax is held at a time: 40 MB for 20,000 words, 1.6 GB for the published 793,471 words.
POSITIONS_PER_CHUNK = 512


@dataclass
class ElmoLanguageModelingOutput(ModelOutput):
    """Output of ElmoForLanguageModeling; positions include the mark at both ends of a sentence.

    Args:
        loss: mean of the two directions' losses, in nats per word; only with labels.
        forward_loss: mean over all positions but the first of -log p(word | words to its left).
        backward_loss: mean over all positions but the last of -log p(word | words to its right).
        forward_logits: [sentence, position - 1, word]: index i predicts position i + 1 from 0..i.
        backward_logits: [sentence, position - 1, word]: index i predicts position i from i + 1 on.
        hidden_states: all layers [sentence, position, 2 * projection].
        attention_mask: [sentence, position].
        state: state of each row's recurrences after it.
    """

    loss: Tensor | None = None
    forward_loss: Tensor | None = None
    backward_loss: Tensor | None = None
    forward_logits: Tensor | None = None
    backward_logits: Tensor | None = None
    hidden_states: tuple[Tensor, ...] | None = None
    attention_mask: Tensor | None = None
    state: ElmoState | None = None


class ElmoForLanguageModeling(ElmoPreTrainedModel):
    """ELMo with its softmax: predicts the next and the previous word, and can be trained."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__(config)
        if config.vocab_size < 1:
            raise ValueError("a language model needs a vocabulary: config.vocab_size is 0")
        self.elmo = ElmoModel(config)
        self.dropout = nn.Dropout(config.dropout)
        self.softmax = nn.Linear(config.projection_size, config.vocab_size)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        stateful: bool = False,
    ) -> ElmoLanguageModelingOutput:
        """Predicts from both sides; returns losses with labels, and logits without.

        It never returns both, since the logits of a training batch are far larger than everything else.

        Args:
            input_ids, attention_mask, stateful: as for `ElmoModel`.
            labels: [sentence, position] vocabulary ids of the same positions (not shifted); -100 is ignored.
        """
        encoded = self.elmo(input_ids, attention_mask, keep_boundaries=True, stateful=stateful)
        forward, backward = self.dropout(encoded.last_hidden_state).chunk(2, dim=2)
        output = ElmoLanguageModelingOutput(
            hidden_states=encoded.hidden_states, attention_mask=encoded.attention_mask, state=encoded.state
        )
        if labels is None:
            output.forward_logits = self.softmax(forward[:, :-1])
            output.backward_logits = self.softmax(backward[:, 1:])
        else:
            output.forward_loss = self._loss(forward[:, :-1], labels[:, 1:])
            # If a sentence ends before the batch does, nothing is to the right of its last position.
            ended = labels[:, 1:] == IGNORED_LABEL
            output.backward_loss = self._loss(backward[:, 1:], labels[:, :-1].masked_fill(ended, IGNORED_LABEL))
            output.loss = (output.forward_loss + output.backward_loss) / 2
        return output

    def _loss(self, vectors: Tensor, labels: Tensor) -> Tensor:
        """Mean of -log p over the labels that count; in training, a sampled estimate if so configured."""
        counted = labels != IGNORED_LABEL
        vectors, labels = vectors[counted], labels[counted]
        if self.training and self.config.num_sampled_words:
            return sampled_softmax_loss(vectors, labels, self.softmax, self.config.num_sampled_words)
        chunks = zip(vectors.split(POSITIONS_PER_CHUNK), labels.split(POSITIONS_PER_CHUNK), strict=True)
        sums = [functional.cross_entropy(self.softmax(part), true, reduction="sum") for part, true in chunks]
        return torch.stack(sums).sum() / len(labels)

    def get_output_embeddings(self) -> nn.Module:
        """The softmax: one vector and one bias per word."""
        return self.softmax


def sampled_softmax_loss(vectors: Tensor, labels: Tensor, softmax: nn.Linear, num_samples: int) -> Tensor:
    """Mean cross entropy with the softmax's denominator estimated from words drawn for all positions together.

    The sum over all wrong words is replaced by the mean of exp(logit) / probability of the draw over drawn ones, which
    has the same expectation (importance sampling, Bengio and Senecal 2003). Word k is drawn with probability
    log((k + 2) / (k + 1)) / log(V + 1), close to the frequency of words in a vocabulary sorted by decreasing frequency.

    Args:
        vectors: [position, projection].
        labels: [position], vocabulary ids.
        softmax: the layer whose rows are the words.
        num_samples: words to draw.
    """
    log_size = math.log(softmax.out_features + 1)
    drawn = (torch.rand(num_samples, device=vectors.device) * log_size).exp().long() - 1
    drawn = drawn.clamp(0, softmax.out_features - 1)

    log_expected = torch.log(num_samples * torch.log1p(1 / (drawn + 1.0)) / log_size)  # times a word is drawn
    true_logits = (vectors * softmax.weight[labels]).sum(dim=1) + softmax.bias[labels]
    wrong_logits = functional.linear(vectors, softmax.weight[drawn], softmax.bias[drawn] - log_expected)
    wrong_logits = wrong_logits.masked_fill(labels[:, None] == drawn, float("-inf"))
    logits = torch.cat([true_logits[:, None], wrong_logits], dim=1)
    return functional.cross_entropy(logits, torch.zeros_like(labels))
