"""Which files answer under a name: changes whenever a checkpoint is replaced by another one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from app.registry.checkpoint import UNPINNED
from app.registry.lookup import BY_NAME, hosts_folder, is_installed
from app.settings import BUNDLED


def stamp(name: str) -> str:
    """Names, sizes and times of a checkpoint's files, or its commit; empty where nothing tells one from the next."""
    checkpoint = BY_NAME[name]
    if (own := hosts_folder(checkpoint)) is not None:
        return _of_files(own.iterdir())
    if checkpoint.source == "hub":
        return "" if checkpoint.revision == UNPINNED else checkpoint.revision
    folders = [BUNDLED / one for one in (checkpoint.name, checkpoint.base) if one]
    files = [file for folder in folders if folder.is_dir() for file in folder.iterdir()]
    if checkpoint.package is not None:
        if not is_installed(checkpoint):
            return ""
        files.append(checkpoint.package.find())
    return f"{checkpoint.revision}\n{_of_files(files)}"


def revision_said(name: str) -> str:
    """A checkpoint's revision for a reader; of bundled weights, which have none, how their file's SHA-256 begins."""
    checkpoint = BY_NAME[name]
    if hosts_folder(checkpoint) is not None or checkpoint.source == "hub":
        return checkpoint.revision[:7]
    files = [file for file in (BUNDLED / name).glob("*.safetensors") if file.is_file()]
    return ", ".join([checkpoint.revision, *(_sha256(file, file.stat().st_mtime_ns)[:7] for file in sorted(files))])


@cache
def _sha256(file: Path, _written: int) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _of_files(files: Iterable[Path]) -> str:
    found = [(file, file.stat()) for file in sorted(files) if file.is_file()]
    return "\n".join(f"{file} {seen.st_size} {seen.st_mtime_ns}" for file, seen in found)
