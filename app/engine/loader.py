"""Loads checkpoints, once each, within a memory budget.

One load path for all of them: `from_pretrained` on a folder or on a repo id with a pinned revision; safetensors only,
no remote code. A head whose weights the checkpoint does not have is noticed here and never used.
"""

from __future__ import annotations

import gc
import importlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError

from app.engine.device import RunLock, choose_device, choose_dtype, is_out_of_memory, place, weights_budget
from app.engine.files import Location, check_safetensors, local_folder, locate, unavailable
from app.engine.helper_threads import end_helpers
from app.engine.hub import refusal
from app.engine.memory import bytes_in_memory
from app.engine.text import TextTokenizer
from app.engine.tokenizers import TokenizerUnreadable, load_tokenizer
from app.engine.zero_gpu import may_touch_cuda, on_zero_gpu
from app.errors import PlaygroundError
from app.registry.checkpoint import CAUSAL_LM, CLASSIFICATION, UNPINNED, Checkpoint
from app.registry.lookup import for_task
from app.registry.remarks import CARD_FULL, remark
from app.settings import settings

if TYPE_CHECKING:
    import torch
    from torch import nn
    from transformers import PreTrainedModel

    from app.engine.families.family import Family


@dataclass(frozen=True)
class Loaded:
    """A checkpoint in memory."""

    checkpoint: Checkpoint
    family: Family
    model: nn.Module
    text: Any  # a TextTokenizer; in families that `read` for themselves their own
    heads: frozenset[str]  # those whose weights were all in the file
    bytes: int
    lock: RunLock  # held while the model runs

    def head(self, name: str) -> Any:
        """The adapter that serves a head.

        Raises:
            PlaygroundError: `missing_head`, the checkpoint was saved without these weights.
        """
        if name not in self.heads:
            having = [c.name for c in for_task("") if name in c.heads and c.name != self.checkpoint.name]
            raise PlaygroundError("missing_head", name, model=self.checkpoint.name, names=", ".join(having) or "—")
        return self.family.adapters[name](self)


class Loader:
    """Keeps checkpoints in memory up to a budget; the least recently used goes first.

    Args:
        budget_bytes: all weights together. One checkpoint is always kept, however large.
    """

    def __init__(self, budget_bytes: int) -> None:
        self.budget_bytes = budget_bytes
        self._loaded: OrderedDict[str, Loaded] = OrderedDict()
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}

    def get(self, checkpoint: Checkpoint) -> Loaded:
        """The checkpoint, loaded if need be; two callers at once load it once.

        Raises:
            PlaygroundError: `model_unavailable`, it cannot be had, with the reason.
        """
        with self._guard:
            lock = self._locks.setdefault(checkpoint.name, threading.Lock())
        with lock:
            with self._guard:
                here = self._loaded.get(checkpoint.name)
                if here is not None:
                    self._loaded.move_to_end(checkpoint.name)
            if here is not None:
                return on_its_device(here)
            budget, coming_bytes = weights_budget(self.budget_bytes), stored_bytes(checkpoint)
            with self._guard:
                self._evict(budget, coming_bytes)
            loaded = load(checkpoint)
            with self._guard:
                self._loaded[checkpoint.name] = loaded
                self._evict(budget)
            return loaded

    def names(self) -> list[str]:
        """What is in memory, the most recently used last."""
        with self._guard:
            return list(self._loaded)

    def renew_locks(self) -> None:
        """Make them anew, in a fork: whoever held one does not exist there."""
        self._guard, self._locks = threading.Lock(), {}
        for loaded in self._loaded.values():
            loaded.lock.renew()

    def clear(self) -> None:
        """Drop all of them."""
        with self._guard:
            self._loaded.clear()

    def _evict(self, budget: int, coming_bytes: int = 0) -> None:
        """Drop until the rest fits, beside one that is about to be loaded; else the newest is always kept."""
        fewest = 0 if coming_bytes else 1
        while len(self._loaded) > fewest and coming_bytes + sum(k.bytes for k in self._loaded.values()) > budget:
            self._loaded.popitem(last=False)
            gc.collect()


def on_its_device(loaded: Loaded) -> Loaded:
    """A checkpoint that came along with a fork moves to the card that is there."""
    if not may_touch_cuda() or not on_zero_gpu():
        return loaded
    device = choose_device()
    if next(loaded.model.parameters()).device.type != device.type:
        put(loaded.checkpoint, loaded.model, device)
    return loaded


def put(checkpoint: Checkpoint, model: nn.Module, device: torch.device) -> None:
    """Place a checkpoint's model, and have it said wherever it answers when it had to stay on the CPU."""
    remark(checkpoint.name, "" if place(model, device, loader().clear) else CARD_FULL)


def renew_locks() -> None:
    """Make every lock anew, in a fork."""
    global ONE_AT_A_TIME
    ONE_AT_A_TIME = threading.Lock()
    loader().renew_locks()


@cache
def loader() -> Loader:
    """The one loader of this process."""
    return Loader(settings().memory_mb * 1_000_000)


def load_family(name: str) -> Family:
    """The module of an architecture family, found by its file name."""
    return importlib.import_module(f"app.engine.families.{name}").FAMILY


def load(checkpoint: Checkpoint) -> Loaded:
    """Load a checkpoint into memory.

    Raises:
        PlaygroundError: `model_unavailable`, with the reason; `busy`, the machine has no memory left for it.
    """
    location = locate(checkpoint)
    check_safetensors(checkpoint, location)
    with ONE_AT_A_TIME:
        family, device = load_family(checkpoint.family), choose_device()
        try:
            if family.read is not None:
                model, text, missing_keys = family.read(Path(location.name_or_path))
            else:
                model, text, missing_keys = _from_pretrained(family, checkpoint, location, choose_dtype(device))
        except TokenizerUnreadable as error:
            raise refusal(checkpoint, error.reason, **error.values) from error
        except (OSError, ValueError, RuntimeError, MemoryError, SafetensorError) as error:
            if is_out_of_memory(error):
                raise PlaygroundError("busy", "memory") from error
            raise unavailable(checkpoint, error) from error
    put(checkpoint, model.eval(), device)
    end_helpers()
    heads = trained_heads(family, model, missing_keys)
    return Loaded(
        checkpoint=replace(checkpoint, revision=commit_of(checkpoint, Path(location.name_or_path))),
        family=family,
        model=model,
        text=text,
        heads=heads,
        bytes=bytes_in_memory(model, writes=CAUSAL_LM in heads),
        lock=RunLock(),
    )


def _from_pretrained(
    family: Family, checkpoint: Checkpoint, location: Location, dtype: torch.dtype
) -> tuple[nn.Module, TextTokenizer, set[str]]:
    model, info = model_class(family, checkpoint).from_pretrained(
        location.name_or_path, dtype=dtype, output_loading_info=True, **SAFE, **location.arguments
    )
    tokenizer = load_tokenizer(family, Path(location.name_or_path))
    return model, TextTokenizer(tokenizer), info["missing_keys"]


def stored_bytes(checkpoint: Checkpoint) -> int:
    """Size of the weights on the disk, about what they will take in memory; 0 while they are not here."""
    folder = local_folder(checkpoint)
    return sum(path.stat().st_size for path in folder.glob("*.safetensors")) if folder is not None else 0


def commit_of(checkpoint: Checkpoint, folder: Path) -> str:
    """The revision that an answer names: of an entry that is not pinned, the commit whose snapshot was loaded."""
    unpinned = checkpoint.revision == UNPINNED and folder.parent.name == "snapshots"
    return folder.name if unpinned else checkpoint.revision


SAFE = {"use_safetensors": True, "trust_remote_code": False}
# While `from_pretrained` runs, it changes how every module of the process is made (without memory, without random
# weights): of two at once in different threads, one came out with weights that hold no data.
ONE_AT_A_TIME = threading.Lock()


def model_class(family: Family, checkpoint: Checkpoint) -> type[PreTrainedModel]:
    """The class whose heads the checkpoint was saved with."""
    if CLASSIFICATION in checkpoint.heads and family.classifier_class is not None:
        return family.classifier_class
    return family.model_class


def trained_heads(family: Family, model: nn.Module, missing_keys: set[str]) -> frozenset[str]:
    """The heads that the model has and none of whose weights are missing from the file."""
    names = list(model.state_dict())

    def is_trained(prefix: str) -> bool:
        there = any(name.startswith(prefix) for name in names)
        return there and not any(name.startswith(prefix) for name in missing_keys)

    return frozenset(head for head, prefixes in family.heads.items() if all(is_trained(prefix) for prefix in prefixes))


def load_head(checkpoint: Checkpoint, head: str) -> Any:
    """A checkpoint, loaded, through the adapter of one head."""
    return loader().get(checkpoint).head(head)
