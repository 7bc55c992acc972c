"""RoBERTa (Liu et al. 2019, arXiv 1907.11692): masked words only; it dropped next sentence."""

from __future__ import annotations

from transformers import RobertaForMaskedLM, RobertaTokenizerFast

from app.engine.families.family import Family
from app.engine.families.masked_lm import EncoderMaskedLM


class RobertaMaskedLM(EncoderMaskedLM):
    """RoBERTa's masked-LM head. Positions start behind the padding id, at 2: 514 rows hold 512 tokens."""

    encoder = staticmethod(lambda model: model.roberta)
    vocabulary_head = staticmethod(lambda model: model.lm_head)
    reserved_positions = 2


FAMILY = Family(
    model_class=RobertaForMaskedLM,
    tokenizer_class=RobertaTokenizerFast,
    heads={"masked_lm": ("roberta.embeddings.", "roberta.encoder.", "lm_head.")},
    adapters={"masked_lm": RobertaMaskedLM},
)
