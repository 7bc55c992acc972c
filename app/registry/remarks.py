"""What a reader of a checkpoint's answers should know of how it runs on this server just now.

The engine notes it when a checkpoint is loaded; the page shows it next to the checkpoint's name, the API as `notes`.
"""

from __future__ import annotations

from collections.abc import Mapping

# The graphics card had no room for it: it runs on the CPU, more slowly. A key of `assets/tabs/models.json`.
CARD_FULL = "note.card_full"

_remarks: dict[str, str] = {}


def remark(name: str, key: str) -> None:
    """Note one thing of a checkpoint, in place of what was noted before; an empty key takes it back."""
    if key:
        _remarks[name] = key
    else:
        _remarks.pop(name, None)


def remark_on(name: str) -> str:
    """What was noted: the key of its sentence, or nothing."""
    return _remarks.get(name, "")


def all_remarks() -> dict[str, str]:
    """Every checkpoint with its remark, to be handed to another process."""
    return dict(_remarks)


def take_remarks(remarks: Mapping[str, str]) -> None:
    """Note what another process handed over, in place of all that was noted here."""
    for name in {*_remarks, *remarks}:
        remark(name, remarks.get(name, ""))
