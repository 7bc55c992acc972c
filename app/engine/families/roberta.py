"""RoBERTa (Liu et al. 2019, arXiv 1907.11692): masked words only; it dropped next sentence."""

from __future__ import annotations

from transformers import RobertaForMaskedLM, RobertaForSequenceClassification, RobertaTokenizerFast

from app.engine.families.attention_reader import TransformerInside, of_three_modules
from app.engine.families.classifier import EncoderClassifier
from app.engine.families.encoder import TransformerEncoder
from app.engine.families.masked_lm import EncoderMaskedLM
from app.engine.family import Family
from app.registry.checkpoint import ATTENTION, CLASSIFICATION, TOKEN_VECTORS


class AfterPadding:
    """Positions start after the padding id, which is 1 as published: 514 rows hold 512 tokens."""

    @property
    def reserved_positions(self) -> int:
        """Rows of the position table that no token may use."""
        return self.loaded.model.config.pad_token_id + 1


class RobertaMaskedLM(AfterPadding, EncoderMaskedLM):
    """RoBERTa's masked-LM head."""

    encoder = staticmethod(lambda model: model.roberta)
    vocabulary_head = staticmethod(lambda model: model.lm_head)


class RobertaInside(AfterPadding, TransformerInside):
    """RoBERTa's layers."""

    base = staticmethod(lambda model: model.roberta)
    projections = staticmethod(
        lambda model, layer, given: of_three_modules(model.roberta.encoder.layer[layer].attention.self, given)
    )
    position_table = staticmethod(lambda model: model.roberta.embeddings.position_embeddings.weight)


class RobertaClassifier(AfterPadding, EncoderClassifier):
    """RoBERTa's labels."""


class RobertaEncoder(AfterPadding, TransformerEncoder):
    """RoBERTa's hidden states."""

    base = staticmethod(lambda model: model.roberta)


FAMILY = Family(
    model_class=RobertaForMaskedLM,
    tokenizer_class=RobertaTokenizerFast,
    heads={
        "masked_lm": ("roberta.embeddings.", "roberta.encoder.", "lm_head."),
        CLASSIFICATION: ("roberta.", "classifier."),
        ATTENTION: ("roberta.embeddings.", "roberta.encoder."),
        TOKEN_VECTORS: ("roberta.embeddings.", "roberta.encoder."),
    },
    adapters={
        "masked_lm": RobertaMaskedLM,
        CLASSIFICATION: RobertaClassifier,
        ATTENTION: RobertaInside,
        TOKEN_VECTORS: RobertaEncoder,
    },
    classifier_class=RobertaForSequenceClassification,
    classifier_head=lambda model, hidden: model.classifier(hidden),
)
