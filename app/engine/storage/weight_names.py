"""Which pair head a checkpoint's own file holds, read from the names of its weights. Loads no weights and no torch."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from app.engine.storage.locate import local_folder
from app.registry.checkpoint import KEYS_OF_PAIR_HEAD, PAIR_HEAD_OF_FAMILY, Checkpoint


def pair_head(checkpoint: Checkpoint) -> str:
    """The checkpoint's trained pair head, or nothing.

    Its files decide where they are on this machine; before a download the catalog does, which was read off the files.
    """
    head = PAIR_HEAD_OF_FAMILY.get(checkpoint.family, "")
    folder = local_folder(checkpoint)
    names = weight_names(folder) if head and folder is not None else set()
    if not names:
        return head if head in checkpoint.heads else ""
    return head if all(any(name.startswith(key) for name in names) for key in KEYS_OF_PAIR_HEAD[head]) else ""


def weight_names(folder: Path) -> set[str]:
    """The names in the headers of the folder's safetensors files; a damaged file has none (the loader will say so)."""
    names: set[str] = set()
    for path in folder.glob("*.safetensors"):
        with path.open("rb") as opened:
            try:
                (length,) = struct.unpack("<Q", opened.read(8))
                names |= json.loads(opened.read(min(length, MAX_HEADER_BYTES))).keys()
            except (struct.error, ValueError):
                continue
    return names


# The format's own limit.
MAX_HEADER_BYTES = 100_000_000
