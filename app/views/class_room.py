"""Draws what a class answers with: the page on a phone; for the teacher, code, QR picture and the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path

import segno
from jinja2 import Template

Labels = Mapping[str, str]
# For the choice that is right; the style sheet shows it once the answers are shown.
MARKED = " class='right'"

PHONE = Template((Path(__file__).parent / "phone.html").read_text(encoding="utf-8"), autoescape=True)


def draw_phone(language: str, longest: int, labels: Labels) -> str:
    """The whole page that a phone opens; it asks the server for the question every few seconds."""
    said = {key: labels[f"phone_{key}"] for key in ("sent", "none", "shown")}
    said |= {"refused": labels["phone_refused"].format(longest=longest), "unread": labels["class_unread"]}
    return PHONE.render(language=language, longest=longest, labels=labels, said=said)


def draw_room(code: str, address: str, unreachable: str, labels: Labels) -> str:
    """The panel of an open room: how to join, how many have answered, and their answers, hidden until they are shown.

    Args:
        code: of the room.
        address: that phones open.
        unreachable: an address as phones could reach it, where this one is for this machine only; else empty.
        labels: the tab's texts in the visitor's language.
    """
    warning = f"<p class='local'>{escape(labels['class_local'].format(address=unreachable))}</p>" if unreachable else ""
    return (
        f"<section id='class-room' aria-label='{escape(labels['class_words'])}'>"
        f"<div class='qr'>{draw_qr(address)}</div>"
        f"<div><div class='join'><p>{escape(labels['class_join'])} <b class='address'>{escape(address)}</b></p>"
        f"<p>{escape(labels['class_code'])} <b class='code'>{escape(code)}</b></p>{warning}</div>"
        "<p class='count' role='status'></p>"
        f"<button type='button' class='close-room'>{escape(labels['class_close'])}</button></div>"
        "<div class='words'></div></section>"
    )


def draw_qr(address: str) -> str:
    """The address as a QR picture, SVG; dark on light in both schemes, as cameras expect."""
    drawn = BytesIO()
    segno.make(address, error="m").save(
        drawn, kind="svg", scale=4, border=2, light="#fff", xmldecl=False, svgclass=None
    )
    return drawn.getvalue().decode()


def draw_words(counted: Sequence[tuple[str, int]], labels: Labels, right: str = "") -> str:
    """What the class answered, as bars by how many gave an answer; `right` is the choice to mark."""
    most = max((count for _, count in counted), default=0) or 1
    rows = "".join(
        f"<li{MARKED * (text == right)}><span class='word'>{escape(text)}</span><span class='track'>"
        f"<i class='fill' style='width:{100 * count / most:.0f}%'></i></span><span class='value'>{count}</span></li>"
        for text, count in counted
    )
    return f"<h3>{escape(labels['class_words'])}</h3><ol class='bars'>{rows}</ol>"
