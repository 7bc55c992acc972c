"""BERT (Devlin et al. 2018, arXiv 1810.04805): masked words and next sentence."""

from __future__ import annotations

from transformers import BertForPreTraining, BertForSequenceClassification, BertTokenizerFast

from app.engine.families.attention_reader import TransformerInside, of_three_modules
from app.engine.families.classifier import EncoderClassifier
from app.engine.families.encoder import TransformerEncoder
from app.engine.families.masked_lm import EncoderMaskedLM
from app.engine.families.pair_judge import EncoderPairJudge
from app.engine.family import Family
from app.registry.checkpoint import ATTENTION, CLASSIFICATION, KEYS_OF_PAIR_HEAD, NEXT_SENTENCE, TOKEN_VECTORS


class BertMaskedLM(EncoderMaskedLM):
    """BERT's masked-LM head."""

    encoder = staticmethod(lambda model: model.bert)
    vocabulary_head = staticmethod(lambda model: model.cls.predictions)


class BertPairJudge(EncoderPairJudge):
    """BERT's next-sentence head."""

    encoder = staticmethod(lambda model: model.bert)
    pair_head = staticmethod(lambda model: model.cls.seq_relationship)


class BertInside(TransformerInside):
    """BERT's layers."""

    base = staticmethod(lambda model: model.bert)
    projections = staticmethod(
        lambda model, layer, given: of_three_modules(model.bert.encoder.layer[layer].attention.self, given)
    )
    position_table = staticmethod(lambda model: model.bert.embeddings.position_embeddings.weight)


class BertEncoder(TransformerEncoder):
    """BERT's hidden states."""

    base = staticmethod(lambda model: model.bert)


FAMILY = Family(
    model_class=BertForPreTraining,
    tokenizer_class=BertTokenizerFast,
    heads={
        "masked_lm": ("bert.embeddings.", "bert.encoder.", "cls.predictions."),
        NEXT_SENTENCE: ("bert.embeddings.", "bert.encoder.", *KEYS_OF_PAIR_HEAD[NEXT_SENTENCE]),
        CLASSIFICATION: ("bert.", "classifier."),
        ATTENTION: ("bert.embeddings.", "bert.encoder."),
        TOKEN_VECTORS: ("bert.embeddings.", "bert.encoder."),
    },
    adapters={
        "masked_lm": BertMaskedLM,
        NEXT_SENTENCE: BertPairJudge,
        CLASSIFICATION: EncoderClassifier,
        ATTENTION: BertInside,
        TOKEN_VECTORS: BertEncoder,
    },
    classifier_class=BertForSequenceClassification,
    classifier_head=lambda model, hidden: model.classifier(model.bert.pooler(hidden)),
)
