"""Controls that every tab has, so that they look and work alike."""

from __future__ import annotations

from app.registry.checkpoint import Checkpoint
from app.registry.lookup import fetches
from app.ui.texts import in_millions, say


def _where(checkpoint: Checkpoint, ready: set[str]) -> str:
    if checkpoint.name in ready or checkpoint.source == "bundled":
        return checkpoint.source
    if checkpoint.source == "package":
        return "not_installed"
    return "download" if checkpoint.repo_id and fetches() else "not_here"


def model_choices(language: str, checkpoints: list[Checkpoint], ready: set[str]) -> list[tuple[str, str]]:
    """Choices of a model picker: name, size, and whether it is on this machine. What cannot be had goes last."""
    last = ("not_installed", "not_here")
    checkpoints = sorted(checkpoints, key=lambda checkpoint: _where(checkpoint, ready) in last)
    return [
        (
            say(
                language,
                "models",
                f"choice.{_where(checkpoint, ready)}",
                name=checkpoint.name,
                parameters=in_millions(checkpoint.parameters),
                megabytes=round(checkpoint.download_bytes / 1e6),
            ),
            checkpoint.name,
        )
        for checkpoint in checkpoints
    ]
