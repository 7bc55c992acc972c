"""ALBERT (Lan et al. 2019, arXiv 1909.11942): masked words and sentence order."""

from __future__ import annotations

from torch import Tensor, nn
from transformers import (
    AlbertForPreTraining,
    AlbertForQuestionAnswering,
    AlbertForSequenceClassification,
    AlbertForTokenClassification,
    AlbertTokenizerFast,
)

from app.engine.adapters.attention_reader import Projected, TransformerInside, of_three_modules
from app.engine.adapters.classifier import EncoderClassifier
from app.engine.adapters.encoder import TransformerEncoder
from app.engine.adapters.masked_lm import EncoderMaskedLM
from app.engine.adapters.pair_judge import EncoderPairJudge
from app.engine.adapters.quick_encoder import albert_blocks
from app.engine.adapters.token_heads import EncoderSpanFinder, EncoderTagger
from app.engine.family import Family
from app.engine.heads import (
    ATTENTION,
    CLASSIFICATION,
    MASKED_LM,
    QUESTION_ANSWERING,
    SENTENCE_ORDER,
    TOKEN_CLASSIFICATION,
    TOKEN_VECTORS,
)
from app.engine.runtime.loaded import serves
from app.registry.checkpoint import KEYS_OF_PAIR_HEAD


class AlbertMaskedLM(EncoderMaskedLM):
    """ALBERT's masked-LM head."""

    @property
    def encoder(self) -> nn.Module:
        """See `EncoderMaskedLM`."""
        return self.quick.albert

    @property
    def vocabulary_head(self) -> nn.Module:
        """See `EncoderMaskedLM`."""
        return self.model.predictions


class AlbertPairJudge(EncoderPairJudge):
    """ALBERT's sentence-order head."""

    @property
    def encoder(self) -> nn.Module:
        """See `EncoderPairJudge`."""
        return self.quick.albert

    @property
    def pair_head(self) -> nn.Module:
        """See `EncoderPairJudge`."""
        return self.model.sop_classifier


def albert_attention(model: nn.Module, layer: int) -> nn.Module:
    """The attention that serves a layer: groups of layers share their weights, in the base model all twelve."""
    config, groups = model.config, model.albert.encoder.albert_layer_groups
    return groups[int(layer / (config.num_hidden_layers / config.num_hidden_groups))].albert_layers[0].attention


class AlbertInside(TransformerInside):
    """ALBERT's layers."""

    @property
    def base(self) -> nn.Module:
        """See `TransformerInside`."""
        return self.model.albert

    @property
    def position_table(self) -> Tensor:
        """See `TransformerInside`."""
        return self.base.embeddings.position_embeddings.weight

    def projections(self, layer: int, given: Tensor) -> Projected:
        """See `TransformerInside`."""
        return of_three_modules(albert_attention(self.model, layer), given)


class AlbertEncoder(TransformerEncoder):
    """ALBERT's hidden states."""

    @property
    def base(self) -> nn.Module:
        """See `TransformerEncoder`."""
        return self.quick.albert


FAMILY = Family(
    model_class=AlbertForPreTraining,
    tokenizer_class=AlbertTokenizerFast,
    heads={
        MASKED_LM: ("albert.embeddings.", "albert.encoder.", "predictions."),
        SENTENCE_ORDER: ("albert.embeddings.", "albert.encoder.", *KEYS_OF_PAIR_HEAD[SENTENCE_ORDER]),
        CLASSIFICATION: ("albert.", "classifier."),
        TOKEN_CLASSIFICATION: ("albert.embeddings.", "albert.encoder.", "classifier."),
        QUESTION_ANSWERING: ("albert.embeddings.", "albert.encoder.", "qa_outputs."),
        ATTENTION: ("albert.embeddings.", "albert.encoder."),
        TOKEN_VECTORS: ("albert.embeddings.", "albert.encoder."),
    },
    adapters=serves(MASKED_LM, AlbertMaskedLM)
    | serves(SENTENCE_ORDER, AlbertPairJudge)
    | serves(CLASSIFICATION, EncoderClassifier)
    | serves(TOKEN_CLASSIFICATION, EncoderTagger)
    | serves(QUESTION_ANSWERING, EncoderSpanFinder)
    | serves(ATTENTION, AlbertInside)
    | serves(TOKEN_VECTORS, AlbertEncoder),
    classifier_class=AlbertForSequenceClassification,
    head_classes={
        TOKEN_CLASSIFICATION: AlbertForTokenClassification,
        QUESTION_ANSWERING: AlbertForQuestionAnswering,
    },
    encoder_blocks=albert_blocks,
    classifier_head=lambda model, hidden: model.classifier(
        model.albert.pooler_activation(model.albert.pooler(hidden[:, 0]))
    ),
)
