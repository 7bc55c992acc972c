"""What differs between the kinds of checkpoint: one file per kind, each with one `FAMILY`."""

from __future__ import annotations

from app.pretraining.families import albert, bert, bert_adapter, elmo, gpt2, roberta
from app.pretraining.families.family import Family

FAMILIES: dict[str, Family] = {
    "albert": albert.FAMILY,
    "bert": bert.FAMILY,
    "bert_adapter": bert_adapter.FAMILY,
    "elmo": elmo.FAMILY,
    "gpt2": gpt2.FAMILY,
    "roberta": roberta.FAMILY,
}
