"""What the Hub has of a checkpoint, and why it could not be had: one short question, before anything is fetched."""

from __future__ import annotations

import errno
import fnmatch
import shutil
from dataclasses import dataclass
from pathlib import Path

from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import comes_along, for_task
from app.settings import settings

TIMEOUT_SECONDS = 5.0
# Left free on the disk after a download, so that a full cache does not stop the machine.
SPARE_BYTES = 300_000_000

# The rest of what a checkpoint needs: configuration, tokenizer, and the list of its parts where it comes in several.
SMALL = (
    "config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "vocab.txt", "vocab.json", "merges.txt", "spiece.model", "tokenizer.model",
    "model.safetensors.index.json", "options.json",
)  # fmt: skip


@dataclass(frozen=True)
class Listing:
    """A checkpoint's files on the Hub that are wanted here.

    Attributes:
        commit: the commit that the revision points to.
        small: paths in the repository of configuration and tokenizer.
        weights: paths of the weights.
        total_bytes: all of them together.
    """

    commit: str
    small: tuple[str, ...]
    weights: tuple[str, ...]
    total_bytes: int


def list_files(checkpoint: Checkpoint) -> Listing:
    """Ask the Hub what there is.

    Raises:
        PlaygroundError: `model_unavailable`, with the reason; nothing but safetensors is taken.
    """
    import httpx2  # what huggingface_hub speaks HTTP with; its errors reach us as they are
    from huggingface_hub import HfApi

    try:
        info = HfApi().model_info(
            checkpoint.repo_id, revision=checkpoint.revision, timeout=TIMEOUT_SECONDS, files_metadata=True
        )
    except (httpx2.HTTPError, OSError, ValueError) as error:
        raise unavailable(checkpoint, error) from error
    sizes = {sibling.rfilename: sibling.size or 0 for sibling in info.siblings or []}
    # Arrays without code: what ELMo's authors published is taken under its own name.
    named = checkpoint.weights_file in sizes and checkpoint.weights_file.endswith(".hdf5")
    weights = [checkpoint.weights_file] if named else weight_files(list(sizes))
    if not weights:
        raise _no_weights(checkpoint, list(sizes))
    small = tuple(name for name in sizes if name in SMALL)
    total = sum(sizes[name] for name in (*small, *weights))
    return Listing(info.sha or checkpoint.revision, small, tuple(weights), total)


def _no_weights(checkpoint: Checkpoint, names: list[str]) -> PlaygroundError:
    if "adapter_config.json" in names:
        return refusal(checkpoint, "adapter_alone")
    others = sorted(fnmatch.filter(names, "*.safetensors"))
    if others:
        return refusal(checkpoint, "other_name", file=others[0], wanted="model.safetensors")
    return refusal(checkpoint, "no_safetensors")


def weight_files(names: list[str]) -> list[str]:
    """The safetensors files that make up a model: one, or the parts that an index lists."""
    if "model.safetensors" in names:
        return ["model.safetensors"]
    if "model.safetensors.index.json" in names:
        return sorted(fnmatch.filter(names, "model-*-of-*.safetensors"))
    return []


def check_allowed(checkpoint: Checkpoint) -> None:
    """May this server fetch it?

    Raises:
        PlaygroundError: `model_unavailable`: offline, or its host wants no downloads.
    """
    if settings().offline:
        raise refusal(checkpoint, "offline")
    if not settings().downloads:
        raise refusal(checkpoint, "closed")


def check_size(checkpoint: Checkpoint, total_bytes: int) -> None:
    """Refuse what is larger than the host wants.

    Raises:
        PlaygroundError: `model_unavailable`, naming size and limit.
    """
    if total_bytes > settings().max_download_mb * 1_000_000:
        raise refusal(checkpoint, "too_large", size=_megabytes(total_bytes), limit=settings().max_download_mb)


def check_space(checkpoint: Checkpoint, missing_bytes: int, cache: Path) -> None:
    """Refuse what does not fit on the disk.

    Raises:
        PlaygroundError: `model_unavailable`, naming both sizes.
    """
    place = next(folder for folder in (cache, *cache.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    if missing_bytes + SPARE_BYTES > free:
        raise refusal(checkpoint, "no_space", needed=_megabytes(missing_bytes + SPARE_BYTES), free=_megabytes(free))


def _megabytes(count: int) -> int:
    return round(count / 1e6)


# What the Hub's client reports, by the name of the error class, to the sentence a visitor gets.
REASONS = {
    "GatedRepoError": "gated",
    "DisabledRepoError": "gated",
    "RepositoryNotFoundError": "not_found",
    "RevisionNotFoundError": "not_found",
    "HFValidationError": "not_found",
    "EntryNotFoundError": "no_safetensors",
    "RemoteEntryNotFoundError": "no_safetensors",
    "OfflineModeIsEnabled": "offline",
    "LocalEntryNotFoundError": "unreachable",
    "ConnectError": "unreachable",
    "ConnectTimeout": "slow",
    "ReadTimeout": "slow",
    "ReadError": "broke_off",
    "RemoteProtocolError": "broke_off",
    "SafetensorError": "damaged",
    "DownloadDamaged": "came_damaged",
}
# The same by HTTP status, for errors that have no class of their own.
REASONS_OF_STATUS = {401: "gated", 403: "gated", 404: "not_found", 410: "not_found", 429: "crowded"}
# The same for files of this machine.
REASONS_OF_ERRNO = {
    errno.ENOSPC: "disk_full", errno.EDQUOT: "disk_full",
    errno.EACCES: "not_allowed", errno.EPERM: "not_allowed", errno.EROFS: "not_allowed",
}  # fmt: skip


def reason_of(error: BaseException) -> str:
    """The key of the sentence for an error, found along the chain of causes; empty for an unknown one."""
    seen: BaseException | None = error
    while seen is not None:
        if type(seen).__name__ in REASONS:
            return REASONS[type(seen).__name__]
        if isinstance(seen, OSError) and seen.errno in REASONS_OF_ERRNO:
            return REASONS_OF_ERRNO[seen.errno]
        status = getattr(getattr(seen, "response", None), "status_code", None)
        if status in REASONS_OF_STATUS:
            return REASONS_OF_STATUS[status]
        seen = seen.__cause__ or seen.__context__
    return ""


def unavailable(checkpoint: Checkpoint, error: BaseException) -> PlaygroundError:
    """The sentence for an error on the way to the Hub."""
    return refusal(checkpoint, reason_of(error) or "unreachable")


def refusal(checkpoint: Checkpoint, reason: str, **values: object) -> PlaygroundError:
    """The error for a checkpoint that cannot be fetched; it names those here with the same task and language."""
    here = [other for other in for_task("") if comes_along(other) and other.name != checkpoint.name]
    names = ", ".join(other.name for other in here if _does_the_same(checkpoint, other))
    if not names and checkpoint.heads and reason in ("offline", "closed", "unreachable", "not_installed"):
        reason = f"{reason}_alone"
    return PlaygroundError("model_unavailable", reason, model=checkpoint.name, names=names or "—", **values)


def _does_the_same(checkpoint: Checkpoint, other: Checkpoint) -> bool:
    """A language and a head in common; of two without heads, such as ELMo's, the same family."""
    if checkpoint.language != other.language and "multi" not in (checkpoint.language, other.language):
        return False
    if checkpoint.heads:
        return bool(set(checkpoint.heads) & set(other.heads))
    return checkpoint.family == other.family
