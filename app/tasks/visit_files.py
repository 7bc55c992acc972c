"""Files made for one visitor, to be downloaded: in a folder of the visit, deleted with it."""

from __future__ import annotations

import shutil
import tempfile
import threading
from pathlib import Path

# By visitor. Files of a caller without a visit go into a folder that is deleted at the next such call.
_FOLDERS: dict[str, Path] = {}
_GUARD = threading.Lock()


def new_file(visitor: str, name: str) -> Path:
    """Where to write a file of that name; an older one of the same name and visit is replaced."""
    with _GUARD:
        if not visitor and "" in _FOLDERS:
            shutil.rmtree(_FOLDERS.pop(""), ignore_errors=True)
        if visitor not in _FOLDERS:
            _FOLDERS[visitor] = Path(tempfile.mkdtemp(prefix="plm-playground-"))
        return _FOLDERS[visitor] / name


def forget_files(visitor: str) -> None:
    """Delete all files of a visit."""
    with _GUARD:
        folder = _FOLDERS.pop(visitor, None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
