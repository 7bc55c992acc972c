"""Draws the pages for a class's answers: the page on a phone; for the teacher, code, QR code and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path

import segno
from jinja2 import Template

from app.views.html import Markup, bar, bars, join, tag

Labels = Mapping[str, str]
PHONE = Template((Path(__file__).parent / "phone.html").read_text(encoding="utf-8"), autoescape=True)


def draw_phone(language: str, longest: int, labels: Labels) -> str:
    """The complete page that a phone opens; it asks the server for the question every few seconds."""
    said = {key: labels[f"phone_{key}"] for key in ("sent", "none", "shown")}
    said |= {"refused": labels["phone_refused"].format(longest=longest), "unread": labels["class_unread"]}
    return PHONE.render(language=language, longest=longest, labels=labels, said=said)


def draw_room(code: str, address: str, unreachable: str, labels: Labels) -> Markup:
    """The panel of an open room: how to join, how many have answered, and the answers, hidden until they are revealed.

    Args:
        code: of the room.
        address: that phones open.
        unreachable: where `address` works only on this machine, one that phones could reach; else empty.
        labels: the tab's texts in the visitor's language.
    """
    local = tag("p", labels["class_local"].format(address=unreachable), class_="local") if unreachable else ""
    opened = tag("p", labels["class_join"], " ", tag("b", address, class_="address"))
    typed = tag("p", labels["class_code"], " ", tag("b", code, class_="code"))
    count = tag("p", class_="count", role="status")
    close = tag("button", labels["class_close"], type="button", class_="close-room")
    return tag(
        "section",
        tag("div", draw_qr(address), class_="qr"),
        tag("div", tag("div", opened, typed, local, class_="join"), count, close),
        tag("div", class_="words"),
        id="class-room",
        aria_label=labels["class_words"],
    )


def draw_qr(address: str) -> Markup:
    """The address as a QR code in SVG; dark on light in both colour schemes, as cameras expect."""
    drawn = BytesIO()
    segno.make(address, error="m").save(
        drawn, kind="svg", scale=4, border=2, light="#fff", xmldecl=False, svgclass=None
    )
    return Markup(drawn.getvalue().decode())


def draw_words(counted: Sequence[tuple[str, int]], labels: Labels, right: str = "") -> Markup:
    """The class's answers as bars of their counts; `right` is the choice to mark.

    The style sheet shows which one is right only once the answers are revealed.
    """
    most = max((count for _, count in counted), default=0) or 1
    rows = (bar(text, count / most, count, class_=text == right and "right") for text, count in counted)
    return join(tag("h3", labels["class_words"]), bars(None, rows))
