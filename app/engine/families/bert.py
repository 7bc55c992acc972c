"""BERT (Devlin et al. 2018, arXiv 1810.04805): masked words and next sentence."""

from __future__ import annotations

from torch import Tensor, nn
from transformers import (
    BertForPreTraining,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertTokenizerFast,
)

from app.engine.adapters.attention_reader import Projected, TransformerInside, of_three_modules
from app.engine.adapters.classifier import EncoderClassifier
from app.engine.adapters.encoder import TransformerEncoder
from app.engine.adapters.masked_lm import EncoderMaskedLM
from app.engine.adapters.pair_judge import EncoderPairJudge
from app.engine.adapters.quick_encoder import bert_blocks
from app.engine.adapters.token_heads import EncoderSpanFinder, EncoderTagger
from app.engine.family import Family
from app.engine.heads import (
    ATTENTION,
    CLASSIFICATION,
    MASKED_LM,
    NEXT_SENTENCE,
    QUESTION_ANSWERING,
    TOKEN_CLASSIFICATION,
    TOKEN_VECTORS,
)
from app.engine.runtime.loaded import serves
from app.registry.checkpoint import KEYS_OF_PAIR_HEAD


class BertMaskedLM(EncoderMaskedLM):
    """BERT's masked-LM head."""

    @property
    def encoder(self) -> nn.Module:
        """See `EncoderMaskedLM`."""
        return self.quick.bert

    @property
    def vocabulary_head(self) -> nn.Module:
        """See `EncoderMaskedLM`."""
        return self.model.cls.predictions


class BertPairJudge(EncoderPairJudge):
    """BERT's next-sentence head."""

    @property
    def encoder(self) -> nn.Module:
        """See `EncoderPairJudge`."""
        return self.quick.bert

    @property
    def pair_head(self) -> nn.Module:
        """See `EncoderPairJudge`."""
        return self.model.cls.seq_relationship


class BertInside(TransformerInside):
    """BERT's layers."""

    @property
    def base(self) -> nn.Module:
        """See `TransformerInside`."""
        return self.model.bert

    @property
    def position_table(self) -> Tensor:
        """See `TransformerInside`."""
        return self.base.embeddings.position_embeddings.weight

    def projections(self, layer: int, given: Tensor) -> Projected:
        """See `TransformerInside`."""
        return of_three_modules(self.base.encoder.layer[layer].attention.self, given)


class BertEncoder(TransformerEncoder):
    """BERT's hidden states."""

    @property
    def base(self) -> nn.Module:
        """See `TransformerEncoder`."""
        return self.quick.bert


FAMILY = Family(
    model_class=BertForPreTraining,
    tokenizer_class=BertTokenizerFast,
    heads={
        MASKED_LM: ("bert.embeddings.", "bert.encoder.", "cls.predictions."),
        NEXT_SENTENCE: ("bert.embeddings.", "bert.encoder.", *KEYS_OF_PAIR_HEAD[NEXT_SENTENCE]),
        CLASSIFICATION: ("bert.", "classifier."),
        TOKEN_CLASSIFICATION: ("bert.embeddings.", "bert.encoder.", "classifier."),
        QUESTION_ANSWERING: ("bert.embeddings.", "bert.encoder.", "qa_outputs."),
        ATTENTION: ("bert.embeddings.", "bert.encoder."),
        TOKEN_VECTORS: ("bert.embeddings.", "bert.encoder."),
    },
    adapters=serves(MASKED_LM, BertMaskedLM)
    | serves(NEXT_SENTENCE, BertPairJudge)
    | serves(CLASSIFICATION, EncoderClassifier)
    | serves(TOKEN_CLASSIFICATION, EncoderTagger)
    | serves(QUESTION_ANSWERING, EncoderSpanFinder)
    | serves(ATTENTION, BertInside)
    | serves(TOKEN_VECTORS, BertEncoder),
    classifier_class=BertForSequenceClassification,
    head_classes={
        TOKEN_CLASSIFICATION: BertForTokenClassification,
        QUESTION_ANSWERING: BertForQuestionAnswering,
    },
    encoder_blocks=bert_blocks,
    classifier_head=lambda model, hidden: model.classifier(model.bert.pooler(hidden)),
)
