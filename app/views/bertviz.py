"""Puts bertviz's own views into a frame that may only run scripts: it reaches no host and cannot leave the frame.

Its three ties to a CDN are cut: there is no `<script src>`, and `requirejs` returns the two libraries put before it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.results.attention import BertvizPage, BertvizReach
from app.views.html import Markup, join, tag
from app.views.notes import draw_note

Labels = Mapping[str, str]

# The frame's content policy: whatever a text contains, nothing can be fetched or sent from here.
RULE = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
STYLE = "body{margin:8px;background:white;color:black} select{font:inherit;max-width:100%}"
FONT = "font-family:'Helvetica Neue',Helvetica,Arial,sans-serif"
# Replaces require.js, and passes the parameters as bertviz expects them.
BEFORE = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
PAIRS = ("A -> Sentence A", "B -> Sentence B", "A -> Sentence B", "B -> Sentence A")
NAMES = ("All", *(f"Sentence {pair}" for pair in PAIRS))
TOKEN_HEIGHT = 22.5  # of bertviz's head view


def draw_reach(views: Sequence[BertvizReach], labels: Labels) -> Markup:
    """How long a text each view can handle, and how large its page would be."""
    if not all(view.installed for view in views):
        return draw_note(labels["bertviz_absent"])
    lines = (
        labels["bertviz_within" if view.tokens <= view.most_tokens else "bertviz_beyond"].format(
            view=labels[f"bertviz_{view.view}"],
            tokens=view.tokens,
            most=view.most_tokens,
            megabytes=f"{view.page_bytes / 1e6:.1f}",
        )
        for view in views
    )
    return join(*(tag("p", line) for line in lines))


def draw_bertviz(page: BertvizPage, labels: Labels) -> Markup:
    """The frame, as high as its content, up to the height of a screen."""
    title = f"bertviz: {labels[f'bertviz_{page.view}']}"
    height = min(640, round(len(page.tokens) * TOKEN_HEIGHT) + 90) if page.view == "head" else 640
    frame = {"class_": "bertviz", "sandbox": "allow-scripts", "height": height, "data_view": page.view}
    return tag("iframe", title=title, srcdoc=compose(page), **frame)


def compose(page: BertvizPage) -> Markup:
    """The complete document of one view."""
    options = (tag("option", name, value=at) for at, name in enumerate(NAMES))
    layer = join("Layer: ", tag("select", id="layer"), " ") if page.view == "head" else ""
    pairs = join("Attention: ", tag("select", *options, id="filter")) if page.second_start is not None else ""
    # What bertviz's head_view.py and model_view.py put around their scripts.
    chosen = tag("span", layer, pairs, style="user-select:none")
    sent = {"tokens": page.tokens, "second_start": page.second_start, "parts": page.parts, "weights": page.weights}
    *libraries, view = page.scripts
    # bertviz also names its parameters in a comment; replacing that too would send them twice.
    view = view.replace("PYTHON_PARAMS", "bertvizParameters", 1)
    head = (
        tag("meta", charset="utf-8"),
        tag("title", "bertviz"),
        tag("style", STYLE),
        tag("meta", http_equiv="Content-Security-Policy", content=RULE),
    )
    body = (
        tag("div", chosen, tag("div", id="vis"), id="bertviz", style=FONT),
        tag("script", inside_script(sent), id="sent", type="application/json"),
        *(tag("script", Markup(script)) for script in (*libraries, BEFORE, view)),
    )
    return Markup("<!doctype html>") + tag("html", tag("head", *head), tag("body", *body))


def inside_script(value: object) -> Markup:
    """JSON that cannot close its script element, whatever a text contains."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))
