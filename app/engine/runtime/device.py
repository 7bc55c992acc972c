"""Where and in which number format checkpoints run, and what happens when the memory there is full."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from app.engine.runtime.cuda import may_touch_cuda
from app.engine.runtime.openmp import end_helpers
from app.errors import PlaygroundError
from app.fork_lock import TurnLock
from app.late_imports import importing
from app.settings import settings

if TYPE_CHECKING:
    import torch
    from torch import nn

# The share of a card's memory that weights may take; the rest is for what is computed with them.
SHARE_FOR_WEIGHTS = 0.7


def choose_device() -> torch.device:
    """CUDA where there is one (and the host did not say otherwise), else the CPU."""
    with importing():
        import torch

    if not may_touch_cuda():
        return torch.device("cpu")
    wanted = settings().device
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(wanted)


def choose_dtype(device: torch.device) -> torch.dtype:
    """bfloat16 on CUDA where the card has it; always float32 on the CPU, in whichever type the checkpoint was saved."""
    with importing():
        import torch

    if device.type == "cuda" and torch.cuda.is_bf16_supported():
        return torch.bfloat16
    return torch.float32


def weights_budget(asked_bytes: int) -> int:
    """The memory for all weights together: as much as the host allows, on a card at most its share."""
    with importing():
        import torch

    device = choose_device()
    if device.type != "cuda":
        return asked_bytes
    return min(asked_bytes, int(SHARE_FOR_WEIGHTS * torch.cuda.get_device_properties(device).total_memory))


def place(model: nn.Module, device: torch.device, make_room: Callable[[], None]) -> bool:
    """Put a model on a device; where even an emptied card is too small for it, it runs on the CPU.

    Args:
        model: on the CPU.
        device: where it should run.
        make_room: drops every other model.

    Returns:
        Whether it is on that device.
    """
    with importing():
        import torch

    for tidy in (make_room, lambda: None):
        try:
            model.to(device)
            return True
        except torch.OutOfMemoryError:
            tidy()
            free_memory()
    logging.getLogger(__name__).warning("%s does not fit on %s: it runs on the CPU.", type(model).__name__, device)
    model.to("cpu", torch.float32)
    return False


def free_memory() -> None:
    """Release memory that is no longer referenced."""
    with importing():
        import torch

    gc.collect()
    if may_touch_cuda() and torch.cuda.is_available():
        torch.cuda.empty_cache()


def is_out_of_memory(error: BaseException | None) -> bool:
    """A full card or a full machine. PyTorch's own allocator on the CPU says so only in its message."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return isinstance(error, RuntimeError) and "can't allocate memory" in str(error)


@contextmanager
def memory_errors() -> Iterator[None]:
    """Turns out-of-memory errors inside the `with` block into the sentence for visitors.

    Raises:
        PlaygroundError: `busy`, the machine or its card has no memory left.
    """
    try:
        yield
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        free_memory()
        raise PlaygroundError("busy", "memory") from error


class RunLock:
    """Held while a model runs, by one after the other in the order in which they came.

    On exit it stops the OpenMP helpers and turns an out-of-memory error into `busy`.
    """

    def __init__(self) -> None:
        self._lock = TurnLock()

    def __enter__(self) -> RunLock:
        self._lock.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end_helpers()
        self._lock.release()
        if error is not None:
            with memory_errors():
                raise error
