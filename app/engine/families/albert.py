"""ALBERT (Lan et al. 2019, arXiv 1909.11942): masked words and sentence order."""

from __future__ import annotations

from transformers import AlbertForPreTraining, AlbertTokenizerFast

from app.engine.families.family import Family
from app.engine.families.masked_lm import EncoderMaskedLM


class AlbertMaskedLM(EncoderMaskedLM):
    """ALBERT's masked-LM head."""

    encoder = staticmethod(lambda model: model.albert)
    vocabulary_head = staticmethod(lambda model: model.predictions)


FAMILY = Family(
    model_class=AlbertForPreTraining,
    tokenizer_class=AlbertTokenizerFast,
    heads={
        "masked_lm": ("albert.embeddings.", "albert.encoder.", "predictions."),
        "sentence_order": ("albert.embeddings.", "albert.encoder.", "albert.pooler.", "sop_classifier."),
    },
    adapters={"masked_lm": AlbertMaskedLM},
)
