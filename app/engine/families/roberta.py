"""RoBERTa (Liu et al. 2019, arXiv 1907.11692): masked words only; it dropped next sentence."""

from __future__ import annotations

from torch import Tensor, nn
from transformers import (
    RobertaForMaskedLM,
    RobertaForQuestionAnswering,
    RobertaForSequenceClassification,
    RobertaForTokenClassification,
    RobertaTokenizerFast,
)

from app.engine.adapters.adapter import TransformerAdapter
from app.engine.adapters.attention_reader import Projected, TransformerInside, of_three_modules
from app.engine.adapters.classifier import EncoderClassifier
from app.engine.adapters.encoder import TransformerEncoder
from app.engine.adapters.masked_lm import EncoderMaskedLM
from app.engine.adapters.quick_encoder import bert_blocks
from app.engine.adapters.token_heads import EncoderSpanFinder, EncoderTagger
from app.engine.family import Family
from app.engine.heads import (
    ATTENTION,
    CLASSIFICATION,
    MASKED_LM,
    QUESTION_ANSWERING,
    TOKEN_CLASSIFICATION,
    TOKEN_VECTORS,
)
from app.engine.runtime.loaded import serves


class AfterPadding(TransformerAdapter):
    """Positions start after the padding id, which is 1 as published: 514 rows hold 512 tokens."""

    @property
    def reserved_positions(self) -> int:
        """See `TransformerAdapter`."""
        return self.model.config.pad_token_id + 1


class RobertaMaskedLM(AfterPadding, EncoderMaskedLM):
    """RoBERTa's masked-LM head."""

    @property
    def encoder(self) -> nn.Module:
        """See `EncoderMaskedLM`."""
        return self.quick.roberta

    @property
    def vocabulary_head(self) -> nn.Module:
        """See `EncoderMaskedLM`."""
        return self.model.lm_head


class RobertaInside(AfterPadding, TransformerInside):
    """RoBERTa's layers."""

    @property
    def base(self) -> nn.Module:
        """See `TransformerInside`."""
        return self.model.roberta

    @property
    def position_table(self) -> Tensor:
        """See `TransformerInside`."""
        return self.base.embeddings.position_embeddings.weight

    def projections(self, layer: int, given: Tensor) -> Projected:
        """See `TransformerInside`."""
        return of_three_modules(self.base.encoder.layer[layer].attention.self, given)


class RobertaClassifier(AfterPadding, EncoderClassifier):
    """RoBERTa's labels."""


class RobertaTagger(AfterPadding, EncoderTagger):
    """RoBERTa's labels of words."""


class RobertaSpanFinder(AfterPadding, EncoderSpanFinder):
    """RoBERTa's spans of a passage."""


class RobertaEncoder(AfterPadding, TransformerEncoder):
    """RoBERTa's hidden states."""

    @property
    def base(self) -> nn.Module:
        """See `TransformerEncoder`."""
        return self.quick.roberta


FAMILY = Family(
    model_class=RobertaForMaskedLM,
    tokenizer_class=RobertaTokenizerFast,
    heads={
        MASKED_LM: ("roberta.embeddings.", "roberta.encoder.", "lm_head."),
        CLASSIFICATION: ("roberta.", "classifier."),
        TOKEN_CLASSIFICATION: ("roberta.embeddings.", "roberta.encoder.", "classifier."),
        QUESTION_ANSWERING: ("roberta.embeddings.", "roberta.encoder.", "qa_outputs."),
        ATTENTION: ("roberta.embeddings.", "roberta.encoder."),
        TOKEN_VECTORS: ("roberta.embeddings.", "roberta.encoder."),
    },
    adapters=serves(MASKED_LM, RobertaMaskedLM)
    | serves(CLASSIFICATION, RobertaClassifier)
    | serves(TOKEN_CLASSIFICATION, RobertaTagger)
    | serves(QUESTION_ANSWERING, RobertaSpanFinder)
    | serves(ATTENTION, RobertaInside)
    | serves(TOKEN_VECTORS, RobertaEncoder),
    classifier_class=RobertaForSequenceClassification,
    head_classes={
        TOKEN_CLASSIFICATION: RobertaForTokenClassification,
        QUESTION_ANSWERING: RobertaForQuestionAnswering,
    },
    encoder_blocks=bert_blocks,
    classifier_head=lambda model, hidden: model.classifier(hidden),
)
