"""Where a checkpoint's files are: bundled, in a package, in the host's folder, in the Hub's cache, or on the Hub."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.engine.packages import package_folder
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import for_task, is_installed
from app.settings import BUNDLED, settings

HUB_TIMEOUT_SECONDS = 5.0


@dataclass(frozen=True)
class Location:
    """What `from_pretrained` is called with."""

    name_or_path: str
    arguments: dict[str, Any] = field(default_factory=dict)


def local_folder(checkpoint: Checkpoint) -> Path | None:
    """The folder on this machine that holds the checkpoint, if there is one. The host's own folder goes first.

    For a packaged one it is what was bundled of it: config, scores, and the change to the package's weights.
    """
    if (own := _hosts_folder(checkpoint)) is not None:
        return own
    if checkpoint.source == "package":
        return BUNDLED / checkpoint.name if is_installed(checkpoint) else None
    return BUNDLED / checkpoint.name if checkpoint.source == "bundled" else cached_folder(checkpoint)


def _hosts_folder(checkpoint: Checkpoint) -> Path | None:
    folder = Path(settings().models) / checkpoint.name
    return folder if settings().models and (folder / "config.json").is_file() else None


def cached_folder(checkpoint: Checkpoint) -> Path | None:
    """The checkpoint's snapshot in the Hub's cache, if its weights are there."""
    from huggingface_hub import try_to_load_from_cache

    weights = try_to_load_from_cache(checkpoint.repo_id, "model.safetensors", revision=checkpoint.revision)
    return Path(weights).parent if isinstance(weights, str) else None


def locate(checkpoint: Checkpoint) -> Location:
    """Where to load from; the Hub only when nothing is on this machine.

    Raises:
        PlaygroundError: `model_unavailable`, the files are not here and the Hub may not be asked.
    """
    folder = local_folder(checkpoint)
    if checkpoint.source == "package" and _hosts_folder(checkpoint) is None:
        folder = _unpacked(checkpoint)
    if folder is not None:
        if not (folder / "config.json").is_file():
            raise _error(checkpoint, "incomplete")
        return Location(str(folder), {"local_files_only": True})
    if settings().offline:
        raise _error(checkpoint, "offline")
    _ask_hub(checkpoint)
    return Location(checkpoint.repo_id, {"revision": checkpoint.revision})


def _unpacked(checkpoint: Checkpoint) -> Path:
    from safetensors import SafetensorError  # brings torch

    try:
        folder = package_folder(checkpoint)
    except (OSError, ValueError, SafetensorError) as error:
        raise unavailable(checkpoint, error) from error
    if folder is None:
        raise _error(checkpoint, "not_installed")
    return folder


def _ask_hub(checkpoint: Checkpoint) -> None:
    """One short question before the download, whose own retries would keep a visitor waiting for a minute."""
    import httpx2  # what huggingface_hub speaks HTTP with; its errors reach us as they are
    from huggingface_hub import HfApi

    try:
        info = HfApi().model_info(checkpoint.repo_id, revision=checkpoint.revision, timeout=HUB_TIMEOUT_SECONDS)
    except (httpx2.HTTPError, OSError, ValueError) as error:
        raise unavailable(checkpoint, error) from error
    if not any(sibling.rfilename.endswith(".safetensors") for sibling in info.siblings or []):
        raise _error(checkpoint, "no_safetensors")


def status(checkpoint: Checkpoint, loaded: list[str]) -> str:
    """`loaded` in memory, `ready` on this machine, or `not downloaded`."""
    if checkpoint.name in loaded:
        return "loaded"
    return "ready" if local_folder(checkpoint) is not None else "not downloaded"


def check_safetensors(checkpoint: Checkpoint, location: Location) -> None:
    """Refuse a folder whose weights are only a pickle: loading one would run what is in it.

    Raises:
        PlaygroundError: `model_unavailable`.
    """
    folder = Path(location.name_or_path)
    if folder.is_dir() and not list(folder.glob("*.safetensors")):
        raise _error(checkpoint, "no_safetensors")


# What the Hub's client reports, by the name of the error class, to the sentence a visitor gets.
REASONS = {
    "GatedRepoError": "gated",
    "RepositoryNotFoundError": "not_found",
    "RevisionNotFoundError": "not_found",
    "EntryNotFoundError": "no_safetensors",
    "OfflineModeIsEnabled": "offline",
    "LocalEntryNotFoundError": "unreachable",
    "ConnectError": "unreachable",
    "ConnectTimeout": "unreachable",
    "ReadTimeout": "unreachable",
    "SafetensorError": "damaged",
}


def unavailable(checkpoint: Checkpoint, error: BaseException) -> PlaygroundError:
    """The sentence for an error while loading, found along the chain of causes."""
    seen: BaseException | None = error
    while seen is not None:
        if type(seen).__name__ in REASONS:
            return _error(checkpoint, REASONS[type(seen).__name__])
        seen = seen.__cause__ or seen.__context__
    return _error(checkpoint, "damaged" if local_folder(checkpoint) else "unreachable")


def _error(checkpoint: Checkpoint, reason: str) -> PlaygroundError:
    instead = [
        other.name
        for other in for_task("")
        if other.source == "bundled" and set(checkpoint.heads) & set(other.heads) and other != checkpoint
    ]
    return PlaygroundError("model_unavailable", reason, model=checkpoint.name, names=", ".join(instead) or "—")
