"""Controls that every tab has, so that they look and work alike."""

from __future__ import annotations

import gradio as gr
from gradio.components import Component

from app.registry.checkpoint import Checkpoint
from app.registry.lookup import fetches
from app.ui.texts import mark, say, short_number, title


def sides() -> tuple[gr.Column, gr.Column]:
    """Two columns to draw in: the question left and its answer right.

    Where there is no room the answer follows the question, and then comes what has the class `later` (examples,
    settings).
    """
    with gr.Row(equal_height=False, elem_classes="sides"):
        return gr.Column(scale=4, min_width=400), gr.Column(scale=5, min_width=400)


def example_list(slug: str, shown: Component, name: str = "examples") -> gr.Dataset:
    """Buttons with prepared inputs, which a handler fills; all on one page, as Gradio numbers pages in English.

    Args:
        slug: of the tab.
        shown: a component like those in which a sample is put.
        name: tells two lists of a tab apart; the key of their title begins with it.
    """
    return gr.Dataset(
        components=[shown], samples=[[""]], type="index", label=mark(slug, f"{name}_title"),
        samples_per_page=100, elem_id=f"{slug}-{name}", elem_classes=["later", "long-list"],
    )  # fmt: skip


def deeper(slug: str, name: str, visible: bool = True) -> gr.Accordion:
    """A part of a tab for those who want to know more, to draw in: folded, and built in the browser when opened.

    Args:
        slug: of the tab.
        name: of the part; its title and what it is about are the texts `<name>_title` and `<name>_about`.
        visible: False where there is something in it only with an answer.
    """
    title, elem_id = mark(slug, f"{name}_title"), f"{slug}-{name}-more"
    with gr.Accordion(title, open=False, visible=visible, elem_id=elem_id) as part:
        gr.Markdown(mark(slug, f"{name}_about"))
    return part


def _where(checkpoint: Checkpoint, ready: set[str]) -> str:
    if checkpoint.name in ready or checkpoint.source == "bundled":
        return checkpoint.source
    if checkpoint.source == "package":
        return "not_installed"
    return "download" if checkpoint.repo_id and fetches() else "not_here"


def model_choices(language: str, checkpoints: list[Checkpoint], ready: set[str]) -> list[tuple[str, str]]:
    """Choices of a model picker: name, size, and whether it is on this machine. What cannot be fetched comes last."""
    last = ("not_installed", "not_here")
    checkpoints = sorted(checkpoints, key=lambda checkpoint: _where(checkpoint, ready) in last)
    return [
        (
            say(
                language,
                "models",
                f"choice.{_where(checkpoint, ready)}",
                title=title(language, checkpoint.name),
                parameters=short_number(language, checkpoint.parameters),
                megabytes=round(checkpoint.download_bytes / 1e6),
            ),
            checkpoint.name,
        )
        for checkpoint in checkpoints
    ]
