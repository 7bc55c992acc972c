"""Checkpoints that are not in the catalog: a visitor names one as `owner/name`, and its files define it.

Its configuration and the names of its weights are read before anything else is fetched. What would need program code
of its own, or has no safetensors, is refused with the reason.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.adapters.switches import check_switches
from app.engine.storage.downloads import Silent
from app.engine.storage.folder_check import check_folder
from app.engine.storage.hub import Listing, check_allowed, list_files, refusal, unavailable
from app.engine.storage.hub_cache import caches, partial, remember_branch, snapshot
from app.engine.storage.transfer import DownloadDamaged, fetch_file
from app.late_imports import importing
from app.registry.checkpoint import READ_BY_TRANSFORMERS, SAVED_AS, UNPINNED, Checkpoint
from app.settings import settings

if TYPE_CHECKING:
    from app.engine.family import Family


def look_up(name: str) -> Checkpoint:
    """What a repository holds, from its own files; those on this machine where they are here, else the Hub's.

    Args:
        name: `owner/name`.

    Raises:
        PlaygroundError: `model_unavailable`, with the reason.
    """
    asked = Checkpoint(name, "", "", "hub", name, UNPINNED, (), 0, 0, "")
    if not settings().any_checkpoint:
        raise refusal(asked, "catalog_only")
    here = snapshot(name, UNPINNED)
    if here is None and (settings().offline or not settings().downloads):
        here = partial(name, UNPINNED)  # no download will follow: what is missing is reported
    return _from_folder(asked, here) if here is not None else _from_hub(asked)


def _from_hub(asked: Checkpoint) -> Checkpoint:
    import httpx2
    from huggingface_hub import HfApi
    from huggingface_hub.errors import SafetensorsParsingError

    check_allowed(asked)
    listing = list_files(asked)
    remember_branch(asked.repo_id, UNPINNED, listing.commit)  # so that it is found again without the Hub
    if "config.json" not in listing.small:
        raise refusal(asked, "architecture", family="—", families=", ".join(families()))
    try:
        path = fetch_file(asked.repo_id, listing.commit, "config.json", caches()[0], Silent())
        config = _read(path)
        family = family_of(asked, config)
        weights = HfApi().get_safetensors_metadata(asked.repo_id, revision=listing.commit)
    except (SafetensorsParsingError, DownloadDamaged, httpx2.HTTPError, OSError, ValueError) as error:
        raise unavailable(asked, error) from error
    names = set(weights.weight_map)
    return _described(asked, listing, family, config, names, sum(weights.parameter_count.values()))


def _from_folder(asked: Checkpoint, folder: Path) -> Checkpoint:
    with importing():
        from safetensors import SafetensorError, safe_open

    check_folder(asked, folder)
    try:
        config = _read(folder / "config.json")
        family = family_of(asked, config)
        count, names, size = 0, set(), 0
        for path in folder.glob("*.safetensors"):
            size += path.stat().st_size
            with safe_open(path, "np") as opened:
                for name in opened.keys():  # noqa: SIM118 (it is no dictionary)
                    names.add(name)
                    elements = 1
                    for dimension in opened.get_slice(name).get_shape():
                        elements *= dimension
                    count += elements
    except (SafetensorError, OSError, ValueError) as error:
        raise unavailable(asked, error) from error
    return _described(asked, Listing(folder.name, (), (), size), family, config, names, count)


def _described(
    asked: Checkpoint, listing: Listing, family: str, config: dict, names: set[str], parameters: int
) -> Checkpoint:
    from app.engine.runtime.loader import load_family

    check_switches(replace(asked, family=family), config)
    heads = heads_of(load_family(family), config, names)
    if not heads:
        raise refusal(asked, "no_heads")
    return Checkpoint(
        name=asked.name,
        family=family,
        language="",
        source="hub",
        repo_id=asked.repo_id,
        revision=listing.commit,
        heads=heads,
        parameters=parameters,
        download_bytes=listing.total_bytes,
        licence="see its page on the Hub",
    )


def _read(path: Path) -> dict:
    """A configuration.

    Raises:
        ValueError: it is no JSON object.
    """
    config = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(config, dict):
        raise ValueError(f"{path.name} is no object")
    return config


def family_of(asked: Checkpoint, config: dict) -> str:
    """The architecture family, by what the configuration says.

    Raises:
        PlaygroundError: `model_unavailable`: it needs code of its own, or its family is not supported.
    """
    if "auto_map" in config:
        raise refusal(asked, "remote_code")
    named = str(config.get("model_type", ""))
    family = named.replace("-", "_")
    if family not in families():
        raise refusal(asked, "architecture", family=named or "—", families=", ".join(families()))
    return family


def families() -> list[str]:
    """The families whose checkpoints transformers reads."""
    return sorted(READ_BY_TRANSFORMERS)


def heads_of(family: Family, config: dict, names: set[str]) -> tuple[str, ...]:
    """The heads whose weights a file names.

    A file with only the base model omits its prefix, and a vocabulary head that is tied to the embedding
    is not stored. What `classifier.` is, the class says that the file was saved with: the head of a model for sentences
    and that of one for words are called the same.
    """
    base = f"{family.model_class.base_model_prefix}."
    bare = not any(name.startswith(base) for name in names)
    stored = {base + name for name in names} if bare else names
    tied = config.get("tie_word_embeddings", True)
    kinds = [str(kind) for kind in config.get("architectures") or []]

    def has(prefix: str) -> bool:
        return any(name.startswith(prefix) for name in stored) or (prefix == "lm_head." and tied and _causal(family))

    return tuple(
        head
        for head, prefixes in family.heads.items()
        if all(has(prefix) for prefix in prefixes)
        and (head not in SAVED_AS or any(kind.endswith(SAVED_AS[head]) for kind in kinds))
    )


def _causal(family: Family) -> bool:
    return "causal_lm" in family.heads
