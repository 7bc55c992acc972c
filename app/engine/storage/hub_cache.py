"""The folders in which downloaded checkpoints are kept, in the layout of the Hub's own cache."""

from __future__ import annotations

import json
import os
from pathlib import Path

# A Space's persistent storage, where its owner has bought one; what is elsewhere is lost at a restart.
PERSISTENT = Path("/data")


def caches() -> list[Path]:
    """Where to look; new downloads go into the first.

    The library's own cache stays in the list: a Space's `preload_from_hub` fills it when the image is built.
    """
    from huggingface_hub import constants

    usual = Path(constants.HF_HUB_CACHE)
    chosen = "HF_HOME" in os.environ or "HF_HUB_CACHE" in os.environ
    if "SPACE_ID" in os.environ and not chosen and PERSISTENT.is_dir() and os.access(PERSISTENT, os.W_OK):
        return [PERSISTENT / "hub", usual]
    return [usual]


def folder_of(repo_id: str, name: str, revision: str) -> Path | None:
    """The folder of a checkpoint at a revision, if that file of it is in a cache."""
    from huggingface_hub import try_to_load_from_cache

    for cache in caches():
        found = try_to_load_from_cache(repo_id, name, revision=revision, cache_dir=cache)
        if isinstance(found, str):
            return Path(found).parent
    return None


def snapshot(repo_id: str, revision: str) -> Path | None:
    """The folder of a checkpoint at a revision, if its weights are in a cache."""
    whole = folder_of(repo_id, "model.safetensors", revision)
    parts = folder_of(repo_id, "model.safetensors.index.json", revision) if whole is None else None
    return whole or (parts if parts is not None and _has_all_parts(parts / "model.safetensors.index.json") else None)


def partial(repo_id: str, revision: str) -> Path | None:
    """The folder of a checkpoint of which only a part is in a cache, or whose weights bear other names."""
    for name in ("config.json", "adapter_config.json", "model.safetensors.index.json"):
        if (folder := folder_of(repo_id, name, revision)) is not None:
            return folder
    return None


def _has_all_parts(index: Path) -> bool:
    """Are all the files here that the index of a model in parts names?"""
    try:
        parts = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (ValueError, KeyError, AttributeError, TypeError):
        return False
    return all((index.parent / part).exists() for part in parts)


def remember_branch(repo_id: str, branch: str, commit: str) -> None:
    """Note which commit a branch pointed to when it was fetched, as the library does."""
    from huggingface_hub.file_download import repo_folder_name

    reference = caches()[0] / repo_folder_name(repo_id=repo_id, repo_type="model") / "refs" / branch
    reference.parent.mkdir(parents=True, exist_ok=True)
    reference.write_text(commit)


def stored_bytes(repo_id: str) -> int:
    """What is here of a repository, half-fetched files included."""
    from huggingface_hub.file_download import repo_folder_name

    blobs = caches()[0] / repo_folder_name(repo_id=repo_id, repo_type="model") / "blobs"
    return sum(path.stat().st_size for path in blobs.iterdir() if path.is_file()) if blobs.is_dir() else 0
