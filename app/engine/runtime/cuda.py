"""Whether this process may touch CUDA. On Hugging Face's ZeroGPU only the fork that answers a request may."""

from __future__ import annotations

import os

from app.settings import TRUE

# Set in the fork, where there is a card.
_fork: list[bool] = []


def on_zero_gpu() -> bool:
    """Is this a Space on ZeroGPU?"""
    return os.environ.get("SPACES_ZERO_GPU", "").lower() in TRUE


def may_touch_cuda() -> bool:
    """False in ZeroGPU's main process, where CUDA is emulated."""
    return not on_zero_gpu() or in_fork()


def in_fork() -> bool:
    """Is this a process that ZeroGPU forked for one request?"""
    return bool(_fork)


def enter_fork() -> None:
    """Note that this is such a process."""
    if not _fork:
        _fork.append(True)
