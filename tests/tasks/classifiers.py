"""Tiny random classifiers of every encoder family, under names that are in the catalog for one test."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import torch

from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import load_family
from app.engine.text.text_tokenizer import TextTokenizer
from app.registry.checkpoint import CLASSIFICATION, Checkpoint
from tests.checkpoints import build_classifier, save, tiny_tokenizers

FAMILIES = ("bert", "roberta", "albert")


def entry(family: str, name: str = "") -> Checkpoint:
    """A catalog entry of a classifier."""
    return Checkpoint(
        name or f"{family}-classifier", family, "en", "bundled", "", "bundled", (CLASSIFICATION,), 1, 0, "MIT"
    )


def build_loaded(family: str, name: str = "") -> Loaded:
    """A tiny classifier in memory, as the loader would give it."""
    torch.manual_seed(3)
    tokenizer = tiny_tokenizers()[family]
    model = build_classifier(family, tokenizer).eval()
    heads = frozenset({CLASSIFICATION, "token_vectors"})
    size = sum(weight.numel() * weight.element_size() for weight in model.parameters())
    return Loaded(
        entry(family, name), load_family(family), model, TextTokenizer(tokenizer), heads, size, threading.Lock()
    )


def add_to_catalog(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Save one classifier of each family into the folder and let the catalog know them."""
    from app.registry import lookup

    entries = tuple(entry(family) for family in FAMILIES)
    for family, added in zip(FAMILIES, entries, strict=True):
        torch.manual_seed(3)
        tokenizer = tiny_tokenizers()[family]
        save(folder / added.name, build_classifier(family, tokenizer), tokenizer)
    monkeypatch.setattr(lookup, "CATALOG", (*lookup.CATALOG, *entries))
    monkeypatch.setattr(lookup, "BY_NAME", {**lookup.BY_NAME, **{added.name: added for added in entries}})
