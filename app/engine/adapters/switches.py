"""What a configuration switches on: computed here as transformers does, or refused by name.

transformers leaves a setting aside that its class does not know, and so would this program: the answers would be those
of another model than the one that was trained.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from app.engine.storage.hub import refusal
from app.late_imports import importing
from app.registry.checkpoint import Checkpoint

OFF: tuple[object, ...] = (None, False, 0, "", (), [], {})
ONE = (None, 1, False)

_ENCODER = {
    "is_decoder": OFF,
    "add_cross_attention": OFF,
    "is_encoder_decoder": OFF,
    "position_embedding_type": (None, "absolute"),
}
# Per family: settings that are neither computed by transformers' class for it nor by the decoder here, with the values
# that change nothing.
SWITCHES: dict[str, dict[str, tuple[Any, ...]]] = {
    "bert": _ENCODER,
    "roberta": _ENCODER,
    # Of several repetitions inside a layer only the first could be looked into.
    "albert": {**_ENCODER, "inner_group_num": ONE},
    "gpt2": {"add_cross_attention": OFF, "is_encoder_decoder": OFF, "is_decoder": (*OFF, True)},
    "llama": {
        "is_encoder_decoder": OFF,
        "add_cross_attention": OFF,
        "sliding_window": OFF,
        "attention_chunk_size": OFF,
        "no_rope_layers": OFF,
        "attn_logit_softcapping": OFF,
        "final_logit_softcapping": OFF,
        "logit_scale": ONE,
        "clip_qkv": OFF,
        "qk_norm": OFF,
        "use_qk_norm": OFF,
        "num_local_experts": OFF,
        "num_experts": OFF,
        "alibi": OFF,
        "partial_rotary_factor": ONE,
        "residual_multiplier": ONE,
        "embedding_multiplier": ONE,
        "attention_multiplier": (None, False),
        "logits_scaling": ONE,
    },
}
ACTIVATIONS = ("hidden_act", "activation_function")
# Rotary positions that depend on nothing but the position, inside the window that a model was made for.
ROTARY = ("default", "linear", "dynamic", "llama3", "yarn")
# A weight inside a layer or an embedding, and buffers there that older versions of transformers stored.
INSIDE = re.compile(r"(^|\.)(layer|layers|h|albert_layer_groups|embeddings)\.")
BUFFERS = re.compile(r"(\.attn\.(masked_)?bias|inv_freq|position_ids|token_type_ids)$")


def check_switches(checkpoint: Checkpoint, config: dict[str, Any]) -> None:
    """Refuse a configuration that asks for something which nothing here computes.

    Raises:
        PlaygroundError: `model_unavailable`, naming the setting.
    """
    named = str(config.get("model_type") or checkpoint.family)
    if named.replace("-", "_") != checkpoint.family:
        raise _refused(checkpoint, "model_type", named)
    for name, neutral in SWITCHES.get(checkpoint.family, {}).items():
        value = config.get(name)
        if value not in neutral and not (name == "sliding_window" and config.get("use_sliding_window") is False):
            raise _refused(checkpoint, name, value)
    kinds = config.get("layer_types") or []
    if any(kind != "full_attention" for kind in kinds):
        raise _refused(checkpoint, "layer_types", next(kind for kind in kinds if kind != "full_attention"))
    if checkpoint.family == "llama":
        _check_rotary(checkpoint, config)
    _check_activation(checkpoint, config)


def _check_rotary(checkpoint: Checkpoint, config: dict[str, Any]) -> None:
    for name in ("rope_parameters", "rope_scaling"):
        said = config.get(name)
        if isinstance(said, dict):
            kind = said.get("rope_type", said.get("type", "default"))
            if kind not in ROTARY or said.get("partial_rotary_factor") not in ONE:
                raise _refused(checkpoint, name, kind)


def _check_activation(checkpoint: Checkpoint, config: dict[str, Any]) -> None:
    with importing():
        from transformers.activations import ACT2FN

    for name in ACTIVATIONS:
        value = config.get(name)
        if value is not None and (not isinstance(value, str) or value not in ACT2FN):
            raise _refused(checkpoint, name, value)


def check_unexpected(checkpoint: Checkpoint, names: Iterable[str]) -> None:
    """Refuse a file with weights inside its layers that the configuration knows nothing of: further layers, biases.

    Raises:
        PlaygroundError: `model_unavailable`, naming the first of them.
    """
    inside = sorted(name for name in names if INSIDE.search(name) and not BUFFERS.search(name))
    if inside:
        raise refusal(checkpoint, "extra_weights", weight=inside[0], count=len(inside))


def _refused(checkpoint: Checkpoint, name: str, value: object) -> Exception:
    said = str(value)[:60]
    return refusal(checkpoint, "switch", switch=f"{name}: {said.lower() if isinstance(value, bool) else said}")
