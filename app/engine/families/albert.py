"""ALBERT (Lan et al. 2019, arXiv 1909.11942): masked words and sentence order."""

from __future__ import annotations

from torch import nn
from transformers import AlbertForPreTraining, AlbertForSequenceClassification, AlbertTokenizerFast

from app.engine.families.attention_reader import TransformerInside, of_three_modules
from app.engine.families.classifier import EncoderClassifier
from app.engine.families.encoder import TransformerEncoder
from app.engine.families.masked_lm import EncoderMaskedLM
from app.engine.families.pair_judge import EncoderPairJudge
from app.engine.family import Family
from app.registry.checkpoint import ATTENTION, CLASSIFICATION, KEYS_OF_PAIR_HEAD, SENTENCE_ORDER, TOKEN_VECTORS


class AlbertMaskedLM(EncoderMaskedLM):
    """ALBERT's masked-LM head."""

    encoder = staticmethod(lambda model: model.albert)
    vocabulary_head = staticmethod(lambda model: model.predictions)


class AlbertPairJudge(EncoderPairJudge):
    """ALBERT's sentence-order head."""

    encoder = staticmethod(lambda model: model.albert)
    pair_head = staticmethod(lambda model: model.sop_classifier)


def albert_attention(model: nn.Module, layer: int) -> nn.Module:
    """The attention that serves a layer: groups of layers share their weights, in the base model all twelve."""
    config, groups = model.config, model.albert.encoder.albert_layer_groups
    return groups[int(layer / (config.num_hidden_layers / config.num_hidden_groups))].albert_layers[0].attention


class AlbertInside(TransformerInside):
    """ALBERT's layers."""

    base = staticmethod(lambda model: model.albert)
    projections = staticmethod(lambda model, layer, given: of_three_modules(albert_attention(model, layer), given))
    position_table = staticmethod(lambda model: model.albert.embeddings.position_embeddings.weight)


class AlbertEncoder(TransformerEncoder):
    """ALBERT's hidden states."""

    base = staticmethod(lambda model: model.albert)


FAMILY = Family(
    model_class=AlbertForPreTraining,
    tokenizer_class=AlbertTokenizerFast,
    heads={
        "masked_lm": ("albert.embeddings.", "albert.encoder.", "predictions."),
        SENTENCE_ORDER: ("albert.embeddings.", "albert.encoder.", *KEYS_OF_PAIR_HEAD[SENTENCE_ORDER]),
        CLASSIFICATION: ("albert.", "classifier."),
        ATTENTION: ("albert.embeddings.", "albert.encoder."),
        TOKEN_VECTORS: ("albert.embeddings.", "albert.encoder."),
    },
    adapters={
        "masked_lm": AlbertMaskedLM,
        SENTENCE_ORDER: AlbertPairJudge,
        CLASSIFICATION: EncoderClassifier,
        ATTENTION: AlbertInside,
        TOKEN_VECTORS: AlbertEncoder,
    },
    classifier_class=AlbertForSequenceClassification,
    classifier_head=lambda model, hidden: model.classifier(
        model.albert.pooler_activation(model.albert.pooler(hidden[:, 0]))
    ),
)
