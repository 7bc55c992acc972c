"""Controls that every tab has, so that they look and work alike."""

from __future__ import annotations

from collections.abc import Iterable

import gradio as gr

from app.registry.checkpoint import Checkpoint
from app.registry.lookup import fetches
from app.ui.components.words import sentences
from app.ui.texts import mark, say, short_number, title
from app.views.html import Markup, join, listed, tag


def sides() -> tuple[gr.Column, gr.Column]:
    """Two columns to draw in: the question left and its answer right.

    Where there is no room the answer follows the question, and then comes what has the class `later` (examples,
    settings).
    """
    with gr.Row(equal_height=False, elem_classes="sides"):
        return gr.Column(scale=4, min_width=400), gr.Column(scale=5, min_width=400)


def example_list(slug: str, name: str = "examples") -> gr.HTML:
    """Buttons with prepared inputs (`draw_examples`); the `click` event carries `at`, the place of the clicked one.

    Args:
        slug: of the tab.
        name: tells two lists of a tab apart; the key of their title begins with it.
    """
    return sentences(f"{slug}-{name}")


def draw_examples(language: str, slug: str, shown: Iterable[str], name: str = "examples") -> Markup:
    """What fills a list of examples when its page opens: its title and buttons, numbered from 0 in `data-at`."""
    titled = say(language, slug, f"{name}_title")
    buttons = (tag("button", tag("span", one), type="button", data_at=at) for at, one in enumerate(shown))
    return join(tag("p", titled), listed("ul", buttons, aria_label=titled))


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
