"""Loads checkpoints, once each, within a memory budget.

One load path for all of them: `from_pretrained` on a folder or on a repo id with a pinned revision; safetensors only,
no remote code. A head whose weights the checkpoint does not have is noticed here and never used.
"""

from __future__ import annotations

import gc
import importlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError

from app.engine.adapters.switches import check_switches, check_unexpected
from app.engine.heads import CAUSAL_LM, Head
from app.engine.runtime.cuda import may_touch_cuda, on_zero_gpu
from app.engine.runtime.device import RunLock, choose_device, choose_dtype, is_out_of_memory, place, weights_budget
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.memory import bytes_in_memory
from app.engine.runtime.openmp import end_helpers
from app.engine.runtime.resting import Resting, rest
from app.engine.runtime.served import Engine
from app.engine.runtime.trained_heads import model_class, trained_heads
from app.engine.storage.folder_check import check_folder, read_object, without_adapter
from app.engine.storage.hub import refusal
from app.engine.storage.locate import Location, local_folder, locate, unavailable
from app.engine.text.text_tokenizer import TextTokenizer
from app.engine.text.tokenizers import TokenizerUnreadable, load_tokenizer
from app.errors import PlaygroundError
from app.fork_lock import ForkLock
from app.late_imports import importing
from app.metrics import count_checkpoints
from app.registry.checkpoint import HOSTS_FOLDER, UNPINNED, Checkpoint
from app.registry.lookup import hosts_folder
from app.registry.remarks import CARD_FULL, remark
from app.settings import LOCAL, settings

if TYPE_CHECKING:
    import torch
    from torch import nn

    from app.engine.family import Family

Answers = TypeVar("Answers")


class Loader:
    """Keeps checkpoints in memory up to a budget; the least recently used is evicted first.

    Args:
        budget_bytes: all weights together. One checkpoint is always kept, however large.
    """

    def __init__(self, budget_bytes: int) -> None:
        self.budget_bytes = budget_bytes
        self._loaded: OrderedDict[str, Loaded] = OrderedDict()
        self._guard = ForkLock()
        self._locks: dict[str, ForkLock] = {}
        self._resting = Resting()

    def get(self, checkpoint: Checkpoint) -> Loaded:
        """The checkpoint, loaded if need be; two callers at once load it once.

        Raises:
            PlaygroundError: `model_unavailable`, it cannot be loaded, with the reason.
        """
        with self._guard:
            lock = self._locks.setdefault(checkpoint.name, ForkLock())
        with lock:
            with self._guard:
                here = self._loaded.get(checkpoint.name)
                if here is not None:
                    self._loaded.move_to_end(checkpoint.name)
            if here is not None:
                self._resting.wake(here.model)
                return on_its_device(here)
            budget, coming_bytes = weights_budget(self.budget_bytes), stored_bytes(checkpoint)
            with self._guard:
                self._evict(budget, coming_bytes)
            loaded = load(checkpoint)
            with self._guard:
                self._loaded[checkpoint.name] = loaded
                self._evict(budget)
                self._count()
            self._resting.rest_unused(0.0)
            self._resting.wake(loaded.model)
            return loaded

    def with_second(self, loaded: Loaded, size: int, make: Callable[[], nn.Module]) -> nn.Module | None:
        """A checkpoint's model with a second copy of weights, if that pushes nothing out of memory.

        Args:
            loaded: only one that is kept here gets any.
            size: bytes of the copy.
            make: makes it.
        """
        with self._guard:
            if not self._has_room(loaded, size):
                return None
        made = make()
        with self._guard:
            if self._has_room(loaded, size):
                loaded.second, loaded.second_bytes = made, size
                self._count()
        rest([loaded.model])
        return loaded.second

    def names(self) -> list[str]:
        """What is in memory, the most recently used last."""
        with self._guard:
            return list(self._loaded)

    def clear(self) -> None:
        """Drop all of them."""
        with self._guard:
            self._loaded.clear()

    def _evict(self, budget: int, coming_bytes: int = 0) -> None:
        """Evict until the rest fits together with one about to be loaded; otherwise the newest is always kept.

        Second copies are dropped first.
        """
        self._drop_seconds(budget - coming_bytes)
        fewest = 0 if coming_bytes else 1
        while len(self._loaded) > fewest and coming_bytes + self._bytes() > budget:
            self._loaded.popitem(last=False)
            gc.collect()

    def _drop_seconds(self, budget: int) -> None:
        # Not in `_evict`: there no name may hold a checkpoint while garbage is collected.
        for loaded in self._loaded.values():
            if self._bytes() > budget:
                loaded.drop_second()

    def _has_room(self, loaded: Loaded, more: int) -> bool:
        fits = more + self._bytes() <= weights_budget(self.budget_bytes)
        return fits and self._loaded.get(loaded.checkpoint.name) is loaded

    def _bytes(self) -> int:
        return sum(loaded.all_bytes for loaded in self._loaded.values())

    def _count(self) -> None:
        count_checkpoints(len(self._loaded), self._bytes())


def on_its_device(loaded: Loaded) -> Loaded:
    """A checkpoint that came along with a fork moves to the card that is there."""
    if not may_touch_cuda() or not on_zero_gpu():
        return loaded
    device = choose_device()
    if next(loaded.model.parameters()).device.type != device.type:
        put(loaded.checkpoint, loaded.model, device)
        loaded.moved()
    return loaded


def put(checkpoint: Checkpoint, model: nn.Module, device: torch.device) -> None:
    """Place a checkpoint's model, and add a note to its answers if it had to stay on the CPU."""
    remark(checkpoint.name, "" if place(model, device, loader().clear) else CARD_FULL)


@cache
def loader() -> Loader:
    """The one loader of this process."""
    return Loader(settings().memory_mb * 1_000_000)


def load_family(name: str) -> Family:
    """The module of an architecture family, found by its file name."""
    with importing():
        return importlib.import_module(f"app.engine.families.{name}").FAMILY


def load(checkpoint: Checkpoint) -> Loaded:
    """Load a checkpoint into memory.

    Raises:
        PlaygroundError: `model_unavailable`, with the reason; `busy`, the machine has no memory left for it.
    """
    location = locate(checkpoint)
    check_folder(checkpoint, Path(location.name_or_path))
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
    _check_numbers(checkpoint, model)
    put(checkpoint, model.eval(), device)
    end_helpers()
    lacks = family.lacks(Path(location.name_or_path)) if family.lacks is not None else {}
    heads = trained_heads(family, model, missing_keys) - lacks.keys()
    return Loaded(
        checkpoint=replace(checkpoint, revision=commit_of(checkpoint, Path(location.name_or_path))),
        family=family,
        model=model,
        text=text,
        heads=heads,
        bytes=bytes_in_memory(model, writes=CAUSAL_LM in heads),
        lock=RunLock(),
        lacks=lacks,
    )


def _from_pretrained(
    family: Family, checkpoint: Checkpoint, location: Location, dtype: torch.dtype
) -> tuple[nn.Module, TextTokenizer, set[str]]:
    folder = Path(location.name_or_path)
    check_switches(checkpoint, read_object(checkpoint, folder / "config.json"))
    tokenizer = load_tokenizer(family, folder)
    with without_adapter(folder) as bare:
        try:
            model, info = model_class(family, checkpoint).from_pretrained(
                bare, dtype=dtype, output_loading_info=True, **SAFE, **location.arguments
            )
        except (StrictDataclassError, TypeError, KeyError, AttributeError) as error:
            raise ValueError("the configuration does not fit its architecture") from error
    check_unexpected(checkpoint, info["unexpected_keys"])
    _whole_feed_forward(model)
    rows, segments = model.get_input_embeddings().num_embeddings, getattr(model.config, "type_vocab_size", None)
    return model, TextTokenizer(tokenizer, rows, segments), info["missing_keys"]


def _check_numbers(checkpoint: Checkpoint, model: nn.Module) -> None:
    """Refuse weights of which one is no number.

    What comes out would not always show it: fused attention takes a score that is none for a masked one.

    Raises:
        PlaygroundError: `model_unavailable`.
    """
    for weight in model.parameters():
        if not weight.detach().sum().isfinite() and not weight.isfinite().all():
            raise PlaygroundError("model_unavailable", "not_a_number", model=checkpoint.name)


def _whole_feed_forward(model: nn.Module) -> None:
    """Let each layer take all tokens at once: in chunks it computes the same, and only where the length divides."""
    for module in model.modules():
        if getattr(module, "chunk_size_feed_forward", 0):
            module.chunk_size_feed_forward = 0


def stored_bytes(checkpoint: Checkpoint) -> int:
    """Size of the weights on the disk, about what they will take in memory; 0 while they are not here."""
    folder = local_folder(checkpoint)
    return sum(path.stat().st_size for path in folder.glob("*.safetensors")) if folder is not None else 0


def commit_of(checkpoint: Checkpoint, folder: Path) -> str:
    """The revision that an answer names: the host's folder, or of an unpinned entry the commit that was loaded."""
    if hosts_folder(checkpoint) == folder:
        return HOSTS_FOLDER
    unpinned = checkpoint.revision == UNPINNED and folder.parent.name == "snapshots"
    return folder.name if unpinned else checkpoint.revision


SAFE = {"use_safetensors": True, "trust_remote_code": False}
# While `from_pretrained` runs, it changes how every module of the process is made (without memory, without random
# weights): of two at once in different threads, one came out with weights that hold no data.
ONE_AT_A_TIME = ForkLock()


def engine() -> Engine:
    """Who answers: this process, or a cluster. Its part is found by name, as a family is: it loads as this one does."""
    if settings().engine == LOCAL:
        return loader()
    with importing():
        return importlib.import_module("app.engine.ray.remote").cluster()


def load_head(checkpoint: Checkpoint, head: Head[Answers]) -> Answers:
    """A checkpoint, loaded, through the adapter of one head."""
    return engine().get(checkpoint).head(head)
