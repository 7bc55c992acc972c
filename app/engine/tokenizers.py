"""Loads a checkpoint's tokenizer by what its files are: some models borrow another family's.

Chinese GPT-2 and Chinese ALBERT cut texts as BERT does, whatever their architecture's own tokenizer is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from app.engine.families.family import Family


def load_tokenizer(family: Family, folder: Path) -> PreTrainedTokenizerFast:
    """The tokenizer in a folder.

    Raises:
        OSError, ValueError: there is none that fits.
    """
    arguments: dict[str, Any] = {"local_files_only": True}
    if not is_wordpiece(folder) or family.tokenizer_class.__name__.startswith("Bert"):
        return family.tokenizer_class.from_pretrained(folder, **arguments)
    from transformers import BertTokenizerFast

    if "causal_lm" in family.heads:  # those were trained with BERT's marks around each text
        arguments |= {"bos_token": "[CLS]", "eos_token": "[SEP]"}
    return BertTokenizerFast.from_pretrained(folder, **arguments)


def is_wordpiece(folder: Path) -> bool:
    """Does the folder hold a WordPiece vocabulary?"""
    whole = folder / "tokenizer.json"
    if whole.is_file():
        return json.loads(whole.read_text(encoding="utf-8"))["model"].get("type") == "WordPiece"
    others = ("spiece.model", "merges.txt")
    return (folder / "vocab.txt").is_file() and not any((folder / name).is_file() for name in others)
