"""BERT (Devlin et al. 2018, arXiv 1810.04805): masked words and next sentence."""

from __future__ import annotations

from transformers import BertForPreTraining, BertTokenizerFast

from app.engine.families.family import Family
from app.engine.families.masked_lm import EncoderMaskedLM


class BertMaskedLM(EncoderMaskedLM):
    """BERT's masked-LM head."""

    encoder = staticmethod(lambda model: model.bert)
    vocabulary_head = staticmethod(lambda model: model.cls.predictions)


FAMILY = Family(
    model_class=BertForPreTraining,
    tokenizer_class=BertTokenizerFast,
    heads={
        "masked_lm": ("bert.embeddings.", "bert.encoder.", "cls.predictions."),
        "next_sentence": ("bert.embeddings.", "bert.encoder.", "bert.pooler.", "cls.seq_relationship."),
    },
    adapters={"masked_lm": BertMaskedLM},
)
