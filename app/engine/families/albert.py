"""ALBERT (Lan et al. 2019, arXiv 1909.11942): masked words and sentence order."""

from __future__ import annotations

from transformers import AlbertForPreTraining, AlbertTokenizerFast

from app.engine.families.family import Family
from app.engine.families.masked_lm import EncoderMaskedLM
from app.engine.families.pair_judge import EncoderPairJudge
from app.registry.checkpoint import KEYS_OF_PAIR_HEAD, SENTENCE_ORDER


class AlbertMaskedLM(EncoderMaskedLM):
    """ALBERT's masked-LM head."""

    encoder = staticmethod(lambda model: model.albert)
    vocabulary_head = staticmethod(lambda model: model.predictions)


class AlbertPairJudge(EncoderPairJudge):
    """ALBERT's sentence-order head."""

    encoder = staticmethod(lambda model: model.albert)
    pair_head = staticmethod(lambda model: model.sop_classifier)


FAMILY = Family(
    model_class=AlbertForPreTraining,
    tokenizer_class=AlbertTokenizerFast,
    heads={
        "masked_lm": ("albert.embeddings.", "albert.encoder.", "predictions."),
        SENTENCE_ORDER: ("albert.embeddings.", "albert.encoder.", *KEYS_OF_PAIR_HEAD[SENTENCE_ORDER]),
    },
    adapters={"masked_lm": AlbertMaskedLM, SENTENCE_ORDER: AlbertPairJudge},
)
