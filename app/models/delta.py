"""Small deltas on another checkpoint's encoder: their file format, making and merging them.

Pure torch: loading one needs nothing of peft. A delta file (safetensors, float16) has these entries, under
transformers' names for the whole model (BERT's encoder begins with `bert.`, RoBERTa's with `roberta.`):

- `<module>.lora_A` [rank, in] and `<module>.lora_B` [out, rank]: `<module>.weight` becomes W + scale * B @ A
  (LoRA, Hu et al. 2021, arXiv 2106.09685); `scale` is in the file's metadata;
- `<module>.change` [out, in]: `<module>.weight` becomes W + change, the change of full training;
- `<any of these>_scale`, where they are int8: the size of a step of each row, or of each column of `lora_B`;
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
CHANGE_SUFFIX = ".change"
STEP = "_scale"  # behind the name of a tensor that is stored in steps
STEPS = 127  # either way
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


def make_delta(
    base: dict[str, Tensor], tuned: dict[str, Tensor], rank: int, *, in_steps: bool = False
) -> dict[str, Tensor]:
    """What to store besides a base to restore tuned weights: the inverse of `merge_delta`, with a scale of 1.

    Args:
        base: state dict with the encoder, as for `merge_delta`.
        tuned: state dict of the whole model, including heads.
        rank: matrices of layers and embeddings are stored as the best change of this rank (their truncated singular
            value decomposition), which is exact if LoRA of at most this rank changed them. Small ones and heads are
            stored whole.
        in_steps: store the change of a rank in int8, half the bytes.

    Returns:
        The delta's tensors, float16 where not in int8, without what did not change.
    """
    start, delta = with_prefix(base), {}
    for name, weight in tuned.items():
        weight = weight.detach().float().cpu()
        if name in start and torch.equal(start[name], weight):
            continue
        if name in start and _stored_at_rank(name, weight, rank):
            inner, outer = (name.removesuffix(".weight") + suffix for suffix in (A_SUFFIX, B_SUFFIX))
            a, b = _best_of_rank(weight - start[name], rank)
            delta |= (_in_steps(inner, a, 1) | _in_steps(outer, b, 0)) if in_steps else {inner: a, outer: b}
        elif weight.is_floating_point():
            delta[name] = weight
    return {name: (one if one.dtype == torch.int8 else one.half()).contiguous() for name, one in delta.items()}


def nearest_of_rank(name: str, base: Tensor, tuned: Tensor, rank: int) -> Tensor:
    """What `merge_delta` would make of a tuned weight, apart from float16's rounding."""
    if not _stored_at_rank(name, tuned, rank):
        return tuned
    inner, outer = _best_of_rank(tuned - base, rank)
    return base + outer @ inner


def _stored_at_rank(name: str, weight: Tensor, rank: int) -> bool:
    return weight.ndim == 2 and min(weight.shape) > 2 * rank and any(part in name for part in LOW_RANK)


def _best_of_rank(change: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """The best change of that rank, as A [rank, in] and B [out, rank]."""
    left, sizes, right = torch.linalg.svd(change, full_matrices=False)
    root = sizes[:rank].sqrt()
    return root[:, None] * right[:rank], left[:, :rank] * root


def change_in_steps(module: str, base: Tensor, tuned: Tensor) -> dict[str, Tensor]:
    """A matrix's change in up to 127 steps either way, with each row's own step size.

    Args:
        module: its name, without `.weight`.
        base: [out, in].
        tuned: [out, in].

    Returns:
        The delta's two tensors; no weight is off by more than half a step, 1/254 of its row's largest change.
    """
    return _in_steps(module + CHANGE_SUFFIX, tuned.detach().float().cpu() - base.float().cpu(), 1)


def _in_steps(name: str, exact: Tensor, dim: int) -> dict[str, Tensor]:
    """A matrix in int8 with the size of a step along a dimension."""
    step = (exact.abs().amax(dim=dim, keepdim=True) / STEPS).half()
    steps = (exact / step.float().clamp(min=1e-12)).round().clamp(-STEPS, STEPS)
    return {name: steps.to(torch.int8), name + STEP: step}


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
    """The delta's tensors as float32, those in steps multiplied by the steps' sizes, and its scale."""
    with safe_open(path, framework="pt") as opened:
        scale = float((opened.metadata() or {})["scale"])
        stored = {name: opened.get_tensor(name).float() for name in opened.keys()}  # noqa: SIM118
    sizes = {name: stored.pop(name) for name in [*stored] if name.endswith(STEP)}
    return {name: one * sizes[name + STEP] if name + STEP in sizes else one for name, one in stored.items()}, scale


def _merge_one(merged: dict[str, Tensor], name: str, tensor: Tensor, delta: dict[str, Tensor], scale: float) -> None:
    row = _ROW.fullmatch(name)
    if name.endswith(B_SUFFIX):
        return  # handled with its A
    if name.endswith(CHANGE_SUFFIX):
        merged[name.removesuffix(CHANGE_SUFFIX) + ".weight"] += tensor
    elif name.endswith(A_SUFFIX):
        module = name.removesuffix(A_SUFFIX)
        merged[module + ".weight"] += scale * delta[module + B_SUFFIX] @ tensor
    elif row:
        merged[row["parameter"]][int(row["index"])] = tensor
    else:
        merged[name] = tensor
