"""Where and in which number format checkpoints run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.settings import settings

if TYPE_CHECKING:
    import torch


def choose_device() -> torch.device:
    """CUDA where there is one (and the host did not say otherwise), else the CPU."""
    import torch

    wanted = settings().device
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(wanted)


def choose_dtype(device: torch.device) -> torch.dtype:
    """bfloat16 on CUDA where the card has it; always float32 on the CPU, whatever the checkpoint was saved in."""
    import torch

    if device.type == "cuda" and torch.cuda.is_bf16_supported():
        return torch.bfloat16
    return torch.float32
