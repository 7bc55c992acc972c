"""Base checkpoints that recipes adapt; each comes inside a Python package (`app.registry.packages`)."""

from __future__ import annotations

from pathlib import Path

from transformers import AutoTokenizer, PreTrainedTokenizerFast

from app.registry.packages import MINILM_L6, PackagedFile

BASES: dict[str, PackagedFile] = {"minilm-l6": MINILM_L6}


def base_weights(base: str) -> Path:
    """The checked weights file of a base; its config and tokenizer are in the same folder.

    Raises:
        FileNotFoundError: the package or the file is not there.
        ValueError: the file is not the published one.
    """
    return BASES[base].checked()


def base_tokenizer(base: str) -> PreTrainedTokenizerFast:
    """The checkpoint's own tokenizer, without the padding and the truncation to 128 pieces that its file sets."""
    tokenizer = AutoTokenizer.from_pretrained(base_weights(base).parent)
    tokenizer.backend_tokenizer.no_padding()
    tokenizer.backend_tokenizer.no_truncation()
    return tokenizer
