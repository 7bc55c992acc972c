"""Looks: a theme without web fonts, and the styles of everything the views draw (light, dark, 390 px)."""

from __future__ import annotations

import gradio as gr

from app.settings import ROOT

CSS_FILE = ROOT / "app" / "ui" / "playground.css"
HEAD_FILE = ROOT / "app" / "ui" / "head.html"


def theme() -> gr.themes.Base:
    """System fonts only: a web font would be a request to another host."""
    return gr.themes.Default(
        primary_hue=gr.themes.colors.teal,
        neutral_hue=gr.themes.colors.slate,
        font=["system-ui", "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", "sans-serif"],
        font_mono=["ui-monospace", "Consolas", "Noto Sans Mono", "monospace"],
    )
