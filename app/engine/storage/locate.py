"""Where a checkpoint's files are: bundled, in a package, in the host's folder, in the Hub's cache, or on the Hub."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.engine.storage.converted import is_made, made_folder
from app.engine.storage.downloads import downloads, fetch_small_files
from app.engine.storage.folder_check import check_folder, fault_of
from app.engine.storage.hub import check_allowed, reason_of, refusal
from app.engine.storage.hub_cache import folder_of, partial, snapshot
from app.errors import PlaygroundError
from app.late_imports import importing
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import hosts_folder, is_complete, is_installed
from app.results.text import LOADED, NOT_DOWNLOADED, READY, UNUSABLE
from app.settings import BUNDLED, settings


@dataclass(frozen=True)
class Location:
    """What `from_pretrained` is called with."""

    name_or_path: str
    arguments: dict[str, Any] = field(default_factory=dict)


def local_folder(checkpoint: Checkpoint) -> Path | None:
    """The folder on this machine that holds the checkpoint, if there is one. The host's own folder has priority.

    For one that `is_made` it is what was bundled of it: config, scores, and the change to the other's weights.
    """
    if (own := hosts_folder(checkpoint)) is not None:
        return own
    if checkpoint.source == "package":
        return BUNDLED / checkpoint.name if is_installed(checkpoint) else None
    if checkpoint.source == "bundled":
        return BUNDLED / checkpoint.name
    if not checkpoint.repo_id:
        return None
    if is_published_elmo(checkpoint):
        return folder_of(checkpoint.repo_id, checkpoint.weights_file, checkpoint.revision)
    return snapshot(checkpoint.repo_id, checkpoint.revision)


def is_published_elmo(checkpoint: Checkpoint) -> bool:
    """Does it come as its authors published it, as options.json and weights.hdf5?"""
    return checkpoint.weights_file.endswith(".hdf5")


def check_fetchable(checkpoint: Checkpoint) -> None:
    """Can what is not on this machine be brought here?

    Raises:
        PlaygroundError: `model_unavailable`, with the reason.
    """
    if checkpoint.source == "package":
        raise refusal(checkpoint, "not_installed")
    if not checkpoint.repo_id:
        raise refusal(checkpoint, "by_hand")
    check_allowed(checkpoint)


def locate(checkpoint: Checkpoint) -> Location:
    """Where to load from; fetched from the Hub only when nothing is on this machine, and waited for.

    Raises:
        PlaygroundError: `model_unavailable`, the files are not here and cannot be fetched.
    """
    folder = local_folder(checkpoint)
    if is_made(checkpoint) and hosts_folder(checkpoint) is None:
        folder = _made(checkpoint)
    if folder is None:
        _check_half(checkpoint)
        if not checkpoint.repo_id:
            raise refusal(checkpoint, "by_hand")
        downloads().fetch(checkpoint)
        folder = local_folder(checkpoint)
    if folder is None or not is_complete(folder):
        raise refusal(checkpoint, "incomplete")
    return Location(str(folder), {"local_files_only": True})


def _check_half(checkpoint: Checkpoint) -> None:
    """Say what a folder lacks that is here in part, where nothing else will take its place.

    Raises:
        PlaygroundError: `model_unavailable`, naming the file.
    """
    own = Path(settings().models) / checkpoint.name if settings().models else None
    if own is not None and own.is_dir() and any(own.iterdir()):
        check_folder(checkpoint, own)
    if checkpoint.repo_id and settings().offline:
        half = partial(checkpoint.repo_id, checkpoint.revision)
        if half is not None:
            check_folder(checkpoint, half)


def locate_tokenizer(checkpoint: Checkpoint) -> Location:
    """The same for the tokenizer alone: the weights are not fetched for its sake.

    Raises:
        PlaygroundError: as `locate`.
    """
    if checkpoint.source != "hub" or local_folder(checkpoint) is not None:
        return locate(checkpoint)
    return Location(str(fetch_small_files(checkpoint)), {"local_files_only": True})


def _made(checkpoint: Checkpoint) -> Path:
    with importing():
        from safetensors import SafetensorError  # brings torch

    try:
        folder = made_folder(checkpoint)
    except (OSError, ValueError, SafetensorError) as error:
        raise unavailable(checkpoint, error) from error
    if folder is None:
        raise refusal(checkpoint, "not_installed")
    return folder


def status(checkpoint: Checkpoint, loaded: list[str]) -> str:
    """Where it is, as `ModelEntry` says it; `loaded` are the names of those in memory."""
    if checkpoint.name in loaded:
        return LOADED
    if local_folder(checkpoint) is None:
        return NOT_DOWNLOADED
    return READY if problem(checkpoint) is None else UNUSABLE


def problem(checkpoint: Checkpoint) -> PlaygroundError | None:
    """What the folder of a checkpoint on this machine lacks; None where nothing was found, or it is not here."""
    own = hosts_folder(checkpoint)
    if own is None and checkpoint.source != "hub":  # what is bundled, or made from a package, is complete
        return None
    folder = own or local_folder(checkpoint)
    return None if folder is None else fault_of(checkpoint, folder)


def is_usable(checkpoint: Checkpoint) -> bool:
    """Is a checkpoint on this machine, with all its files?"""
    return local_folder(checkpoint) is not None and problem(checkpoint) is None


def unavailable(checkpoint: Checkpoint, error: BaseException) -> PlaygroundError:
    """The sentence for an error while loading what is on this machine."""
    return refusal(checkpoint, reason_of(error) or "damaged")
