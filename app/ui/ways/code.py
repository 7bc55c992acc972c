"""The few lines of transformers that compute what a tab shows, with the values of its fields.

`assets/code` has them as programs that run as they are; the page puts its own values in place of theirs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import gradio as gr

from app.registry.checkpoint import MASKED_LM
from app.registry.checkpoint_rows import CATALOG
from app.registry.lookup import BY_NAME
from app.settings import BUNDLED, ROOT
from app.ui.events import QUICK
from app.ui.links import links_of
from app.ui.texts import mark

FOLDER = ROOT / "assets" / "code"
# Families that this project computes itself; of static vectors a program can read the file.
NOT_TRANSFORMERS = ("elmo", "static_vectors")
VECTORS = "vectors.safetensors"
STANDS_IN = "# {name} is not a checkpoint that transformers loads as it is; here is a published one in its place.\n"


def code_panel(page: gr.Blocks, slug: str) -> None:
    """Draw the panel of a tab whose fields are linked, if there is a program for it; filled when it is opened."""
    link = links_of(page).get(slug)
    if link is None or not (FOLDER / f"{slug}.py").is_file():
        return
    with gr.Accordion(mark("playground", "code_title"), open=False, elem_id=f"{slug}-code") as panel:
        code = gr.Markdown(latex_delimiters=[])  # a `gr.Code` brings 150 kB of an editor

    def on_open(*values: Any) -> str:
        return f"```python\n{code_of(slug, dict(zip(link.fields, values, strict=True)))}\n```"

    panel.expand(on_open, list(link.fields.values()), code, **QUICK)


def code_of(slug: str, values: Mapping[str, Any]) -> str:
    """A tab's program with the page's values.

    Args:
        slug: of the tab.
        values: by the keys of its links; of several models the first is taken. What the program does not name is left
            out.
    """
    chosen = values.get("model")
    name = (chosen[0] if chosen else "") if isinstance(chosen, list) else chosen or ""
    program = _program(slug, name)
    loadable = _loadable(name, VECTORS in program)
    for key, value in values.items():
        value = (loadable or _published(name)) if key == "model" else value
        if isinstance(value, str | int | float) and value != "":
            written = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
            line = f"{key} = {written}"
            program = re.sub(rf"^{key} = .*$", lambda _, line=line: line, program, count=1, flags=re.MULTILINE)
    return program if loadable or not name else STANDS_IN.format(name=name) + program


def _published(name: str) -> str:
    """On the Hub, what reads the language of a Chinese checkpoint and has a head of its; empty for an English one."""
    own = BY_NAME.get(name)
    if own is None or own.language != "zh":
        return ""
    found = (one for one in CATALOG if one.source == "hub" and one.language == "zh" and {*one.heads} & {*own.heads})
    return next((one.repo_id for one in found), "")


def _program(slug: str, name: str) -> str:
    masked = FOLDER / f"{slug}.masked.py"
    reads_both_sides = name in BY_NAME and MASKED_LM in BY_NAME[name].heads
    path = masked if reads_both_sides and masked.is_file() else FOLDER / f"{slug}.py"
    return path.read_text(encoding="utf-8")


def _loadable(name: str, reads_vectors: bool) -> str:
    """What transformers loads a checkpoint by: a folder of the checkout, or its name on the Hub; empty for neither.

    Args:
        name: of the checkpoint.
        reads_vectors: the program wants the folder of static vectors.
    """
    checkpoint = BY_NAME.get(name)
    if reads_vectors and (BUNDLED / name / VECTORS).is_file():
        return (BUNDLED / name).relative_to(ROOT).as_posix()
    if checkpoint is None:
        return name
    if checkpoint.family in NOT_TRANSFORMERS or (BUNDLED / name / "delta.safetensors").is_file():
        return ""
    if (BUNDLED / name / "model.safetensors").is_file():
        return (BUNDLED / name).relative_to(ROOT).as_posix()
    return checkpoint.repo_id or ""
