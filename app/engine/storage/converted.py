"""Checkpoints that are stored as a change to another one's weights, or in another format inside a package: made once
into a folder in Hub layout.

After that they load like any other folder. The folder is in the cache (`PLAYGROUND_CACHE`) and is made again when a
source file has changed: weights, change, configuration or tokenizer.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from pathlib import Path

from app.engine.storage.gguf import convert_gguf
from app.fork_lock import ForkLock
from app.late_imports import importing
from app.registry.checkpoint import TOKEN_CLASSIFICATION, Checkpoint
from app.registry.lookup import is_installed
from app.settings import BUNDLED, cache_folder
from app.visits import own_prefix, remove_leftovers

DELTA = "delta.safetensors"
WHOLE_TOKENIZER = "tokenizer.json"
TOKENIZER_FILES = ("vocab.txt", "tokenizer_config.json", "special_tokens_map.json")


def is_made(checkpoint: Checkpoint) -> bool:
    """Does it load from a folder that is made here first?"""
    return checkpoint.package is not None or bool(checkpoint.base)


def made_folder(checkpoint: Checkpoint) -> Path | None:
    """The folder that such a checkpoint loads from, made if need be; None where its package is not installed.

    Raises:
        ValueError: the package's file is not the published one.
        OSError: there is no room for the folder.
    """
    if checkpoint.package is not None and not is_installed(checkpoint):
        return None
    folder = cache_folder() / f"{checkpoint.name}-{_stamp(checkpoint)}"
    with ONE_AT_A_TIME:
        if not (folder / "config.json").is_file():
            _fill(folder, checkpoint)
    return folder


# Simultaneous requests wait for the same folder.
ONE_AT_A_TIME = ForkLock()


def _stamp(checkpoint: Checkpoint) -> str:
    """Changes with every source file of the folder: the weights by size and time, the others by content."""
    package, weights = checkpoint.package, _weights(checkpoint)
    found, bundle = weights.stat(), BUNDLED / checkpoint.name
    digest = hashlib.sha256(f"{package.sha256 if package else ''} {found.st_size} {found.st_mtime_ns}".encode())
    small = [weights.parent / name for name in (WHOLE_TOKENIZER, *TOKENIZER_FILES)] if weights.suffix != ".gguf" else []
    for path in (bundle / "config.json", bundle / DELTA, *small):
        digest.update(f"{path.name}\0".encode() + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()[:16]


def _weights(checkpoint: Checkpoint) -> Path:
    """The package's file, unchecked, or that of the bundled base."""
    if checkpoint.package is None:
        return BUNDLED / checkpoint.base / "model.safetensors"
    found = checkpoint.package.find()
    if found is None:
        raise FileNotFoundError(checkpoint.package.path)
    return found


def _fill(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a folder next to the target and rename it when complete: half of a conversion is never taken for done."""
    weights = checkpoint.package.checked() if checkpoint.package else _weights(checkpoint)
    folder.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(folder.parent)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=own_prefix()) as made:
        half = Path(made) / "half"
        half.mkdir()
        if weights.suffix == ".gguf":
            convert_gguf(weights, half)
        else:
            _merge(weights, checkpoint, half)
        if not (folder / "config.json").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            half.rename(folder)


def _merge(weights: Path, checkpoint: Checkpoint, target: Path) -> None:
    """The base's weights with the change that is bundled."""
    with importing():
        from safetensors.torch import load_file, save_file  # these bring torch

    with importing():
        from app.models.delta import merge_delta

    bundle = BUNDLED / checkpoint.name
    tensors = merge_delta(load_file(weights), bundle / DELTA)
    if checkpoint.heads == (TOKEN_CLASSIFICATION,):  # it reads every word, and has no pooler
        tensors = {name: tensor for name, tensor in tensors.items() if ".pooler." not in name}
    save_file({name: tensor.contiguous().clone() for name, tensor in tensors.items()}, target / "model.safetensors")
    _write_tokenizer(weights.parent, target)
    shutil.copy(bundle / "config.json", target / "config.json")


def _write_tokenizer(source: Path, target: Path) -> None:
    """The base's tokenizer, without the padding and the cut at 128 pieces that a package's file sets."""
    content = json.loads((source / WHOLE_TOKENIZER).read_text(encoding="utf-8"))
    content |= {"padding": None, "truncation": None}
    (target / WHOLE_TOKENIZER).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    for name in TOKENIZER_FILES:
        if (source / name).is_file():
            shutil.copy(source / name, target / name)
