"""What differs between the kinds of checkpoint: one file per kind, each with one subclass of `Family`."""

from __future__ import annotations

from app.pretraining.families.albert import AlbertFamily
from app.pretraining.families.bert import BertFamily
from app.pretraining.families.bert_adapter import BertAdapterFamily
from app.pretraining.families.elmo import ElmoFamily
from app.pretraining.families.family import Family
from app.pretraining.families.gpt2 import GPT2Family
from app.pretraining.families.roberta import RobertaFamily
from app.pretraining.recipes import Recipe

FAMILIES: dict[str, type[Family]] = {
    "albert": AlbertFamily,
    "bert": BertFamily,
    "bert_adapter": BertAdapterFamily,
    "elmo": ElmoFamily,
    "gpt2": GPT2Family,
    "roberta": RobertaFamily,
}


def family_of(recipe: Recipe) -> Family:
    return FAMILIES[recipe.family](recipe)
