"""Small deltas on another checkpoint's encoder: their file format, making and merging them.

Pure torch: loading one needs nothing of peft. A delta file (safetensors, float16) has these entries, under
transformers' names for the whole model (BERT's encoder begins with `bert.`, RoBERTa's with `roberta.`):

- `<module>.lora_A` [rank, in] and `<module>.lora_B` [out, rank]: `<module>.weight` becomes W + scale * B @ A
  (LoRA, Hu et al. 2021, arXiv 2106.09685); `scale` is in the file's metadata;
- `<module>.change` [out, in], int8, and `<module>.change_scale` [out, 1]: `<module>.weight` becomes W + scale * change,
  the change of full training, in steps whose size depends on the row;
- `<parameter>.row.<index>` [width]: replaces one row of an embedding table;
- any other name: a whole parameter, replaced or added (layer norms, biases, the pre-training heads).

The decoder of the masked-LM head is tied to the word embeddings and therefore never in the file.
"""

from __future__ import annotations

import re
from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor

A_SUFFIX, B_SUFFIX = ".lora_A", ".lora_B"
CHANGE_SUFFIX, SCALE_SUFFIX = ".change", ".change_scale"
PREFIXES = ("bert.", "roberta.")  # of the encoder, in a model with heads
WORD_EMBEDDINGS = "bert.embeddings.word_embeddings.weight"
LOW_RANK = (".encoder.", ".word_embeddings.", ".position_embeddings.")
# The tied decoder's weights: its own name -> the name of the original.
TIED = {
    "cls.predictions.decoder.weight": WORD_EMBEDDINGS,
    "cls.predictions.decoder.bias": "cls.predictions.bias",
}

_ROW = re.compile(r"(?P<parameter>.+)\.row\.(?P<index>\d+)")


def merge_delta(base: dict[str, Tensor], delta_path: str | Path) -> dict[str, Tensor]:
    """The weights of a `BertForPreTraining` or of a classifier: an encoder's weights with a delta merged in.

    Args:
        base: state dict of a bare `BertModel`, or of a BERT or RoBERTa with heads, which are ignored; not changed.
        delta_path: the delta's safetensors file.

    Returns:
        A new state dict in float32, complete for `load_state_dict(strict=True)`.

    Raises:
        KeyError: the delta names a weight that the base does not have.
    """
    merged = with_prefix(base)
    delta, scale = read_delta(delta_path)
    for name, tensor in delta.items():
        _merge_one(merged, name, tensor, delta, scale)
    if not any(name.startswith("cls.") for name in merged):
        return merged  # a classifier has no decoder to tie
    return merged | {name: merged[source] for name, source in TIED.items() if source in merged}


def make_delta(base: dict[str, Tensor], tuned: dict[str, Tensor], rank: int) -> dict[str, Tensor]:
    """What to store besides a base to restore tuned weights: the inverse of `merge_delta`, with a scale of 1.

    Args:
        base: state dict with the encoder, as for `merge_delta`.
        tuned: state dict of the whole model, including heads.
        rank: matrices of layers and embeddings are stored as the best change of this rank (their truncated singular
            value decomposition), which is exact if LoRA of at most this rank changed them. Small ones and heads are
            stored whole.

    Returns:
        The delta's tensors, float16, without what did not change.
    """
    start, delta = with_prefix(base), {}
    for name, weight in tuned.items():
        weight = weight.detach().float().cpu()
        if name in start and torch.equal(start[name], weight):
            continue
        large = weight.ndim == 2 and min(weight.shape) > 2 * rank
        if name in start and large and any(part in name for part in LOW_RANK):
            left, sizes, right = torch.linalg.svd(weight - start[name], full_matrices=False)
            root, module = sizes[:rank].sqrt(), name.removesuffix(".weight")
            delta[module + A_SUFFIX] = root[:, None] * right[:rank]
            delta[module + B_SUFFIX] = left[:, :rank] * root
        elif weight.is_floating_point():
            delta[name] = weight
    return {name: tensor.half().contiguous() for name, tensor in delta.items()}


def change_in_steps(module: str, base: Tensor, tuned: Tensor) -> dict[str, Tensor]:
    """A matrix's change in up to 127 steps either way, with each row's own step size.

    Args:
        module: its name, without `.weight`.
        base: [out, in].
        tuned: [out, in].

    Returns:
        The delta's two tensors; no weight is off by more than half a step, 1/254 of its row's largest change.
    """
    change = tuned.detach().float().cpu() - base.float().cpu()
    step = (change.abs().amax(dim=1, keepdim=True) / 127).half()
    steps = (change / step.float().clamp(min=1e-12)).round().clamp(-127, 127)
    return {module + CHANGE_SUFFIX: steps.to(torch.int8), module + SCALE_SUFFIX: step}


def with_prefix(base: dict[str, Tensor]) -> dict[str, Tensor]:
    """The encoder's weights under a whole model's names, as float32, without heads and buffers of older files."""
    whole = any(name.startswith(PREFIXES) for name in base)
    named = {name if whole else PREFIXES[0] + name: tensor for name, tensor in base.items()}
    return {
        name: tensor.to(torch.float32, copy=True)
        for name, tensor in named.items()
        if tensor.is_floating_point() and name.startswith(PREFIXES)
    }


def read_delta(path: str | Path) -> tuple[dict[str, Tensor], float]:
    """The delta's tensors as float32, and its scale."""
    with safe_open(path, framework="pt") as opened:
        scale = float((opened.metadata() or {})["scale"])
        return {name: opened.get_tensor(name).float() for name in opened.keys()}, scale  # noqa: SIM118


def _merge_one(merged: dict[str, Tensor], name: str, tensor: Tensor, delta: dict[str, Tensor], scale: float) -> None:
    row = _ROW.fullmatch(name)
    if name.endswith((B_SUFFIX, SCALE_SUFFIX)):
        return  # handled with its A, or its change
    if name.endswith(CHANGE_SUFFIX):
        module = name.removesuffix(CHANGE_SUFFIX)
        merged[module + ".weight"] += delta[module + SCALE_SUFFIX] * tensor
        return
    if name.endswith(A_SUFFIX):
        module = name.removesuffix(A_SUFFIX)
        merged[module + ".weight"] += scale * delta[module + B_SUFFIX] @ tensor
    elif row:
        merged[row["parameter"]][int(row["index"])] = tensor
    else:
        merged[name] = tensor
