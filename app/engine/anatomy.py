"""Counts a model's weights by what they are for: one that is loaded, or one that is only drawn up.

A weight's name in a checkpoint says what it does. Architectures are built on torch's "meta" device: transformers builds
the modules with their shapes, without memory for weights.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import ONE_AT_A_TIME
from app.late_imports import importing
from app.results.models import Measures, Part

if TYPE_CHECKING:
    from torch import nn

# The first that fits decides: a head has norms of its own, and an attention block, too.
COMPONENTS = {
    "heads": r"^(cls|lm_head|classifier|score|predictions|sop_classifier|softmax)\.|\.?\bpooler\.",
    "norms": r"(layer_?norm|\bln_\w+|\bnorm)\.",
    "token_embeddings": r"word_embeddings|\bwte\b|embed_tokens|tokens_embed|^vectors$",
    "positions": r"position_embeddings|\bwpe\b|positions_embed",
    "segments": r"token_type_embeddings",
    "embedding_projection": r"embedding_hidden_mapping_in",
    "attention": r"\battention\.|\b(self_)?attn\.",
    "feed_forward": r"\bmlp\.|\bffn|\bintermediate\.|\boutput\.dense\.",
    "characters": r"\bcharacters\.",
    "recurrence": r"^elmo\.encoder\.layers\.",
}
ORDER = ("token_embeddings", "characters", "embedding_projection", "positions", "segments", "attention", "feed_forward",
         "recurrence", "norms", "heads", "other")  # fmt: skip
# A layer's number: transformers' lists of layers have these names.
LAYER = re.compile(r"\b(?:layers?|h|albert_layer_groups)\.(\d+)\.")


@dataclass(frozen=True)
class Blueprint:
    """Sizes that BERT and ALBERT were published in."""

    hidden_size: int
    layers: int
    heads: int


BLUEPRINTS = {"base": Blueprint(768, 12, 12), "large": Blueprint(1024, 24, 16)}


def parts_of(model: nn.Module) -> list[Part]:
    """The weights by component. Those that two modules share are counted once, at the first."""
    counts: Counter[tuple[str, int]] = Counter()
    places = Counter(id(weight) for name, weight in model.named_parameters(remove_duplicate=False))
    passes = _passes_through_layers(model)
    for name, weight in model.named_parameters():
        component = component_of(name)
        # The embeddings serve once more at the end, as the rows that the last states are compared with.
        at_both_ends = places[id(weight)] if component == "token_embeddings" else 1
        counts[component, passes if LAYER.search(name) else at_both_ends] += weight.numel()
    return [
        Part(component, count, times)
        for (component, times), count in sorted(counts.items(), key=lambda item: (ORDER.index(item[0][0]), -item[1]))
    ]


def component_of(name: str) -> str:
    """What a weight is for, by its name."""
    fits = (component for component, pattern in COMPONENTS.items() if re.search(pattern, name, re.IGNORECASE))
    return next(fits, "other")


def _passes_through_layers(model: nn.Module) -> int:
    """How often one pass goes through each layer that is stored: once, but where ALBERT's are shared."""
    stored = len({found.group(1) for name, _ in model.named_parameters() if (found := LAYER.search(name))})
    layers = getattr(getattr(model, "config", None), "num_hidden_layers", None)
    return layers // stored if stored and layers else 1


def measures_of(loaded: Loaded) -> Measures:
    """The sizes of a loaded checkpoint."""
    model = loaded.model
    config = getattr(model, "config", None) or getattr(getattr(model, "elmo", None), "config", None)
    if config is None:  # static vectors: [word, feature]
        words, size = model.vectors.shape
        return Measures(words, None, None, None, size)

    def said(*names: str) -> Any:
        return next((getattr(config, name) for name in names if getattr(config, name, None) is not None), None)

    # ELMo reads the characters of any word: its only vocabulary is its softmax's.
    embeddings = model.get_input_embeddings() if hasattr(model, "get_input_embeddings") else None
    window = said("max_position_embeddings", "n_positions")
    # RoBERTa's positions begin after the padding's number.
    reserved = config.pad_token_id + 1 if loaded.checkpoint.family == "roberta" else 0
    return Measures(
        vocabulary=said("vocab_size") if embeddings is not None else None,
        window=window - reserved if window else None,
        layers=said("num_hidden_layers"),
        heads=said("num_attention_heads"),
        hidden_size=said("hidden_size"),
    )


@cache
def drawn_up(size: str, factorised: bool, shared: bool) -> list[Part]:
    """BERT at a published size, or with ALBERT's two changes; the encoder with its pooler."""
    with importing():
        import torch
        from transformers import AlbertConfig, AlbertModel, BertConfig, BertModel

    plan = BLUEPRINTS[size]
    sizes = {"hidden_size": plan.hidden_size, "num_hidden_layers": plan.layers,
             "num_attention_heads": plan.heads, "intermediate_size": 4 * plan.hidden_size}  # fmt: skip
    with ONE_AT_A_TIME, torch.device("meta"):
        if not factorised and not shared:
            return parts_of(BertModel(BertConfig(**sizes)))
        width = 128 if factorised else plan.hidden_size
        groups = 1 if shared else plan.layers
        return parts_of(AlbertModel(AlbertConfig(**sizes, embedding_size=width, num_hidden_groups=groups)))
