"""Controls that every tab has, so that they look and work alike."""

from __future__ import annotations

import json

import gradio as gr
from gradio.components import Component

from app.registry.checkpoint import Checkpoint
from app.ui.events import PRIVATE
from app.ui.texts import in_millions, mark, say


def copy_link(slug: str, fields: dict[str, Component]) -> gr.Button:
    """A button that puts the tab's fields into the address and the address on the clipboard."""
    button = gr.Button(mark("playground", "copy_link"), size="sm", variant="secondary", elem_id=f"{slug}-link")
    names = json.dumps(list(fields))
    button.click(
        None,
        list(fields.values()),
        None,
        js=f"(...values) => playground.copyLink({json.dumps(slug)}, {names}, values)",
        **PRIVATE,
    )
    return button


def _where(checkpoint: Checkpoint, ready: set[str]) -> str:
    if checkpoint.name in ready or checkpoint.source == "bundled":
        return checkpoint.source
    return "not_installed" if checkpoint.source == "package" else "download"


def model_choices(language: str, checkpoints: list[Checkpoint], ready: set[str]) -> list[tuple[str, str]]:
    """Choices of a model picker: name, size, and whether it is on this machine."""
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
