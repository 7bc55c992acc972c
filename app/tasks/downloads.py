"""Whether checkpoints are on this machine, and downloading them."""

from __future__ import annotations

from app.engine.storage.downloads import downloads
from app.engine.storage.hub import refusal
from app.engine.storage.locate import check_fetchable, is_usable, local_folder, problem
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.hub_reach import hub_reach
from app.registry.lookup import find, for_task
from app.results.downloads import DownloadState

# Reasons that another request from the page cannot change.
FINAL = (
    "not_installed",
    "not_installed_alone",
    "offline",
    "offline_alone",
    "closed",
    "closed_alone",
    "catalog_only",
    "by_hand",
)


def download_states(models: list[str]) -> list[DownloadState]:
    """The state of each; a model that cannot be downloaded at all is `failed`, with its error."""
    return [_state(model) for model in models]


def ready_models(task: str) -> set[str]:
    """Models on this machine that serve a task."""
    return {checkpoint.name for checkpoint in for_task(task) if is_usable(checkpoint)}


def start_downloads(models: list[str], visitor: str) -> list[DownloadState]:
    """Start downloads of missing models, or join running ones."""
    for state in download_states(models):
        if state.status in ("absent", "failed"):
            try:
                downloads().start(find(state.model, ""), visitor)
            except PlaygroundError:
                continue  # `_state` says why
    return download_states(models)


def cancel_downloads(models: list[str], visitor: str) -> list[DownloadState]:
    """Withdraw this visitor's request; a download stops when no other request is left."""
    for model in models:
        downloads().cancel(model, visitor)
    return download_states(models)


def _state(model: str) -> DownloadState:
    try:
        checkpoint: Checkpoint = find(model, "")
    except PlaygroundError as error:
        if error.code == "unknown_model":  # a visitor trained it here, and it exists nowhere else
            return DownloadState(model, "ready")
        return _failed(model, error)
    if local_folder(checkpoint) is not None:
        fault = problem(checkpoint)
        return DownloadState(checkpoint.name, "ready" if fault is None else "failed", error=fault)
    under_way = downloads().state(checkpoint)
    if under_way is not None:
        return under_way
    try:
        check_fetchable(checkpoint)
    except PlaygroundError as error:
        return _failed(checkpoint.name, error)
    if not hub_reach().answers():
        return DownloadState(checkpoint.name, "failed", error=refusal(checkpoint, "unreachable"), startable=False)
    return DownloadState(checkpoint.name, "absent", total_bytes=checkpoint.download_bytes)


def _failed(model: str, error: PlaygroundError) -> DownloadState:
    return DownloadState(model, "failed", error=error, startable=error.reason not in FINAL)
