"""A file of texts in place of a box: its columns, its encoding, and whether its first line holds names.

The tab hands over what reads a file: this package knows no task.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from app.results.files import FileSeen
from app.ui.events import PRIVATE
from app.ui.texts import mark, say
from app.views.notes import draw_note

SLUG = "files"
# A column that a file may lack.
OPTIONAL = "second"


@dataclass(frozen=True)
class FilePanel:
    """Its parts; `given` are those that say what file is meant and how it is read, in a handler's order."""

    file: gr.File
    encoding: gr.Dropdown
    names: gr.Checkbox
    columns: list[gr.Dropdown]
    note: gr.HTML

    @property
    def given(self) -> list[Component]:
        """Path, encoding, names."""
        return [self.file, self.encoding, self.names]


def file_panel(slug: str, label: Any, columns: Sequence[str], encodings: Sequence[str]) -> FilePanel:
    """Draw the panel.

    Args:
        slug: of the tab, whose texts name the columns.
        label: of the file.
        columns: keys of the columns' names in the tab's texts.
        encodings: what may be chosen.
    """
    # Any file is taken: Gradio would refuse others by their ending, in English and without a word on what to do.
    file = gr.File(label=label, type="filepath", height=140, elem_classes="own-file")
    with gr.Row():
        drawn = [gr.Dropdown(label=mark(slug, key), visible=False, min_width=130) for key in columns]
    with gr.Row():
        choices = [(mark(SLUG, "encoding_auto"), ""), *((name, name) for name in encodings)]
        encoding = gr.Dropdown(choices, value="", label=mark(SLUG, "encoding"), visible=False, min_width=130)
        names = gr.Checkbox(value=None, label=mark(SLUG, "names"), visible=False, min_width=130)
    return FilePanel(file, encoding, names, drawn, gr.HTML(elem_id=f"{slug}-file-note"))


def follow_file(
    panel: FilePanel,
    on_file: Callable[..., tuple[object, ...]],
    given: Sequence[Component] = (),
    also: Sequence[Component] = (),
) -> None:
    """Read a file when it comes, and again when the visitor says how it is to be read.

    Args:
        panel: the panel.
        on_file: handler of path, encoding and names; returns what `show_file` makes.
        given: what else the handler is given, after these.
        also: what else it fills, after what `show_file` makes.
    """
    nothing, auto = gr.State(None), gr.State("")
    shown = [*panel.columns, panel.encoding, panel.names, panel.note, *also]
    # The encoding can be chosen before the file has been understood.
    came = panel.file.change(_choose_encoding, panel.file, panel.encoding, **PRIVATE)
    came.then(on_file, [panel.file, auto, nothing, *given], shown, **PRIVATE)
    panel.encoding.input(on_file, [panel.file, panel.encoding, nothing, *given], shown, **PRIVATE)
    panel.names.input(on_file, [*panel.given, *given], shown, **PRIVATE)


def _choose_encoding(path: str | None) -> dict[str, Any]:
    return gr.update(value="", visible=bool(path))


def show_file(seen: FileSeen | None, kinds: Sequence[str], language: str) -> tuple[object, ...]:
    """Updates of the panel for a file, or for none.

    Args:
        seen: what was found.
        kinds: what each column dropdown is for: `text`, `second`, `label`.
        language: of the visitor.
    """
    if seen is None:
        hidden = [gr.Dropdown(visible=False, value=None) for _ in kinds]
        return *hidden, gr.update(visible=False, value=""), gr.Checkbox(visible=False, value=None), ""
    said = say(language, SLUG, "read", count=seen.rows, encoding=seen.encoding)
    if seen.names is not None:
        said += " " + say(language, SLUG, "first_names" if seen.names else "first_row")
    return (
        *(_column(seen, kind) for kind in kinds),
        gr.update(value=seen.encoding, visible=True),
        gr.Checkbox(value=seen.names, visible=seen.names is not None),
        draw_note(said),
    )


def _column(seen: FileSeen, kind: str) -> gr.Dropdown:
    several = len(seen.columns) > 1
    if kind == OPTIONAL:
        return gr.Dropdown(choices=["", *seen.columns], value=seen.second, visible=several)
    return gr.Dropdown(choices=seen.columns, value=getattr(seen, kind), visible=several)
