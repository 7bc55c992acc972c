"""HTML in which escaping is the default: plain strings become text, only `Markup` stays as it is.

Everything built here is `Markup`, which is a string, so Gradio accepts it. The names are HTML's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from markupsafe import Markup

Child = str | float
Attribute = str | float | bool | None
# Elements that have no end tag.
VOID = frozenset({"br", "meta"})


class Cell(Markup):
    """A whole cell of a table, with its tag."""


def join(*children: Child) -> Markup:
    """Children in a row, without an element around them."""
    return Markup("".join([one if isinstance(one, Markup) else escape(str(one)) for one in children]))


def tag(name: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """An element.

    Args:
        name: of the element.
        children: its content in order: plain strings and numbers as text, `Markup` as HTML.
        attributes: by Python names: `class_`, `data_model`, `aria_label`. None and False omit an attribute, True writes
            only its name.
    """
    opened = f"<{name}{''.join([_attribute(*one) for one in attributes.items()])}>"
    return Markup(opened if name in VOID else f"{opened}{join(*children)}</{name}>")


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    # An attribute holds text, so even the signs of HTML are escaped.
    return f" {name}" if value is True else f" {name}='{escape(str(value))}'"


def lines(*parts: str | None) -> Markup:
    """Parts on separate lines, without those that are None."""
    return tag("br").join(part for part in parts if part is not None)


def card(*content: Child, kind: str = "", model: str | None = None, **attributes: Attribute) -> Markup:
    """An answer as an article; `kind` adds classes, `model` is the checkpoint that answered."""
    return tag("article", *content, class_=f"answer {kind}".strip(), data_model=model, **attributes)


def section(heading: str, *content: Child, **attributes: Attribute) -> Markup:
    """A part of a card under its heading."""
    return tag("section", tag("h4", heading), *content, **attributes)


def mixed(text: str, parts: Iterable[tuple[int, int, Child]]) -> Markup:
    """A text with some of its parts replaced by HTML.

    Args:
        text: the whole text.
        parts: start, end and replacement of each, in order. A part that starts within the previous one is left out.
    """
    drawn: list[Child] = []
    last = 0
    for start, end, part in parts:
        if start >= last:
            drawn += [text[last:start], part]
            last = end
    return join(*drawn, text[last:])


def details(summary: str, *content: Child) -> Markup:
    """Content that unfolds on demand."""
    return tag("details", tag("summary", summary), *content)


def listed(name: str, items: Iterable[Child], **attributes: Attribute) -> Markup:
    """A list, `ul` or `ol`, of items without attributes."""
    return tag(name, *(tag("li", item) for item in items), **attributes)


def td(*content: Child, **attributes: Attribute) -> Cell:
    """A cell with attributes or several parts; `tr` makes plain ones."""
    return Cell(tag("td", *content, **attributes))


def th(*content: Child, scope: str = "row", **attributes: Attribute) -> Cell:
    """A cell that names its row or column."""
    return Cell(tag("th", *content, scope=scope, **attributes))


def tr(*cells: Child, **attributes: Attribute) -> Markup:
    """A row; anything that is not a cell yet becomes one."""
    return tag("tr", *(cell if isinstance(cell, Cell) else td(cell) for cell in cells), **attributes)


def table(head: Iterable[str], rows: Iterable[Markup | Iterable[Child]], **attributes: Attribute) -> Markup:
    """A table; one with a head is wide and gets its own scroll bar on a phone.

    Args:
        head: names of the columns, as text or as cells; if empty, there is no head.
        rows: each made by `tr`, or its cells.
        attributes: of the table.
    """
    names = [name if isinstance(name, Cell) else th(name, scope="col") for name in head]
    body = tag("tbody", *(row if isinstance(row, Markup) else tr(*row) for row in rows))
    if not names:
        return tag("table", body, **attributes)
    return tag("div", tag("table", tag("thead", tr(*names)), body, **attributes), class_="scroll")


def bars(label: str | None, rows: Iterable[Markup]) -> Markup:
    """Bars, each made by `bar`; `label` tells a screen reader what they are, None if a heading does."""
    return tag("ol", *rows, class_="bars", aria_label=label)


def bar(word: Child, share: float | None, value: Child, kind: str = "", **attributes: Attribute) -> Markup:
    """A word, a bar and a number.

    Args:
        word: what is measured.
        share: length of the bar, from 0 to 1; None draws an empty track.
        value: the number as text.
        kind: an additional class of the bar.
        attributes: of the row.
    """
    parts = tag("span", word, class_="word"), track(share, kind), tag("span", value, class_="value")
    return tag("li", *parts, **attributes)


def track(share: float | None, kind: str = "") -> Markup:
    """The bar alone."""
    fill = {"class_": f"fill {kind}".strip(), "style": f"width:{(share or 0) * 100:.2f}%"}
    return tag("span", "" if share is None else tag("span", **fill), class_="track")
