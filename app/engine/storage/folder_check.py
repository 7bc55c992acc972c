"""What a checkpoint's folder lacks, read from its small files and from the headers of its weights: nothing is loaded.

The loader, the list of models and `python -m app.doctor` all ask here, so that they say the same.
"""

from __future__ import annotations

import json
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.engine.storage.hub import reason_of, refusal
from app.engine.text.tokenizers import TokenizerUnreadable, check_tokenizer
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.visits import own_prefix

WHOLE, INDEX, ADAPTER = "model.safetensors", "model.safetensors.index.json", "adapter_config.json"
# What a clone without Git LFS has in a large file's place begins so.
POINTER = b"version https://git-lfs"
MAY_RUN_CODE = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")
# Number formats of weights that were made smaller than transformers' own classes read.
PACKED = frozenset({"I8", "U8", "I16", "U16", "I32", "U32", "F8_E4M3", "F8_E5M2", "F4"})
# The format's own limit.
MAX_HEADER_BYTES = 100_000_000


def check_folder(checkpoint: Checkpoint, folder: Path) -> None:
    """Refuse a folder that cannot be loaded, for what it lacks.

    Raises:
        PlaygroundError: `model_unavailable`, naming the file and what to do.
    """
    error = fault_of(checkpoint, folder)
    if error is not None:
        raise error


def fault_of(checkpoint: Checkpoint, folder: Path) -> PlaygroundError | None:
    """What a folder lacks; None where nothing was found. Files that changed are looked at again."""
    try:
        state = tuple(sorted((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in _files(folder)))
        found = _fault(checkpoint, folder, state)
    except PermissionError as error:
        return refusal(checkpoint, "not_readable", file=Path(str(error.filename or folder)).name)
    except OSError as error:
        return refusal(checkpoint, reason_of(error) or "damaged")
    # A new one each time: an error that is raised keeps where it was raised.
    return None if found is None else PlaygroundError(found.code, found.reason, **found.values)


@lru_cache(maxsize=200)
def _fault(checkpoint: Checkpoint, folder: Path, state: tuple[tuple[str, int, int], ...]) -> PlaygroundError | None:
    """`state` is there as part of the key."""
    try:
        _check_pointers(checkpoint, folder)
        if checkpoint.family == "elmo":
            _check_elmo(checkpoint, folder)
        elif checkpoint.family != "static_vectors":
            _check_config(checkpoint, folder)
            _check_weights(checkpoint, folder)
            check_tokenizer(folder)
    except TokenizerUnreadable as error:
        return refusal(checkpoint, error.reason, **error.values)
    except PlaygroundError as error:
        return error
    return None


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []


def _check_pointers(checkpoint: Checkpoint, folder: Path) -> None:
    for path in sorted(_files(folder)):
        if path.stat().st_size < 1_000:
            with path.open("rb") as opened:
                if opened.read(len(POINTER)) == POINTER:
                    raise refusal(checkpoint, "lfs_pointer", file=path.name)


def _check_config(checkpoint: Checkpoint, folder: Path) -> None:
    if not (folder / "config.json").is_file():
        if (folder / ADAPTER).is_file():
            raise _adapter(checkpoint, folder)
        raise refusal(checkpoint, "no_config", file="config.json")
    config = read_object(checkpoint, folder / "config.json")
    packed = config.get("quantization_config") or config.get("compression_config")
    if packed:
        raise refusal(checkpoint, "packed", how=_method(packed))


def _method(packed: object) -> str:
    said = packed.get("quant_method") or packed.get("format") if isinstance(packed, dict) else None
    return str(said or "quantization_config")[:40]


def _adapter(checkpoint: Checkpoint, folder: Path) -> PlaygroundError:
    said = read_object(checkpoint, folder / ADAPTER)
    return refusal(checkpoint, "adapter", base=str(said.get("base_model_name_or_path") or "—")[:100])


def read_object(checkpoint: Checkpoint, path: Path) -> dict[str, Any]:
    """A JSON file's object.

    Raises:
        PlaygroundError: `model_unavailable`, it is none.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise refusal(checkpoint, "file_damaged", file=path.name) from error
    if not isinstance(content, dict):
        raise refusal(checkpoint, "file_damaged", file=path.name)
    return content


def _check_weights(checkpoint: Checkpoint, folder: Path) -> None:
    for path in weight_paths(checkpoint, folder):
        header = read_header(path)
        if header is None:
            raise refusal(checkpoint, "file_damaged", file=path.name)
        for name, about in header.items():
            if about.get("dtype") in PACKED and not name.endswith(("position_ids", "token_type_ids")):
                raise refusal(checkpoint, "packed", how=about["dtype"])


def weight_paths(checkpoint: Checkpoint, folder: Path) -> list[Path]:
    """The safetensors files that make up a folder's model.

    Raises:
        PlaygroundError: `model_unavailable`: they are not all there, or bear other names.
    """
    if (folder / WHOLE).is_file():
        return [folder / WHOLE]
    if (folder / INDEX).is_file():
        parts = read_object(checkpoint, folder / INDEX).get("weight_map")
        if not isinstance(parts, dict) or not parts:
            raise refusal(checkpoint, "file_damaged", file=INDEX)
        names = sorted({str(part) for part in parts.values()})
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            raise refusal(checkpoint, "missing_part", file=missing[0], count=len(missing), total=len(names))
        return [folder / name for name in names]
    raise _nothing_to_load(checkpoint, folder)


def _nothing_to_load(checkpoint: Checkpoint, folder: Path) -> PlaygroundError:
    if (folder / ADAPTER).is_file():
        return _adapter(checkpoint, folder)
    others = sorted(path.name for path in folder.glob("*.safetensors"))
    if others:
        return refusal(checkpoint, "other_name", file=others[0], wanted=WHOLE)
    unsafe = sorted(path.name for pattern in MAY_RUN_CODE for path in folder.glob(pattern))
    if unsafe:
        return refusal(checkpoint, "unsafe_file", file=unsafe[0])
    return refusal(checkpoint, "no_weights", wanted=WHOLE)


def read_header(path: Path) -> dict[str, dict[str, Any]] | None:
    """A safetensors file's weights with their formats and places; None where it is cut off or is none."""
    try:
        with path.open("rb") as opened:
            (length,) = struct.unpack("<Q", opened.read(8))
            header = json.loads(opened.read(min(length, MAX_HEADER_BYTES)))
    except (struct.error, ValueError):
        return None
    if not isinstance(header, dict):
        return None
    weights = {name: about for name, about in header.items() if name != "__metadata__"}
    try:
        end = max((about["data_offsets"][1] for about in weights.values()), default=0)
    except (KeyError, TypeError, IndexError):
        return None
    return weights if path.stat().st_size == 8 + length + end else None


def _check_elmo(checkpoint: Checkpoint, folder: Path) -> None:
    if (folder / "config.json").is_file():
        weight_paths(checkpoint, folder)
        return
    for ending in ("options.json", "weights.hdf5"):
        found = [path for path in folder.glob(f"*{ending}") if not path.name.endswith("softmax_weights.hdf5")]
        if not found:
            raise refusal(checkpoint, "no_config", file=f"*{ending}")
        if len(found) > 1:
            raise refusal(checkpoint, "several", files=", ".join(sorted(path.name for path in found)))
    (options,) = folder.glob("*options.json")
    if not isinstance(read_object(checkpoint, options).get("char_cnn"), dict):
        raise refusal(checkpoint, "no_characters")


@contextmanager
def without_adapter(folder: Path) -> Iterator[Path]:
    """The folder without the change to its model that is also in it.

    Where the package peft is installed, transformers would put the change into the model unasked.
    """
    if not (folder / ADAPTER).is_file():
        return (yield folder)
    with tempfile.TemporaryDirectory(prefix=own_prefix()) as made:
        for path in folder.iterdir():
            if not path.name.startswith("adapter_"):
                (Path(made) / path.name).symlink_to(path.resolve())
        yield Path(made)
