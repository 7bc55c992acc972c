"""Looks: a theme without web fonts, and the styles of everything the views draw (light, dark, 390 px)."""

from __future__ import annotations

import gradio as gr

from app.settings import ROOT

FOLDER = ROOT / "app" / "ui"
FILES = {
    "css_paths": [FOLDER / name for name in ("playground.css", "controls.css", "navigation.css", "start.css")],
    "favicon_path": ROOT / "assets" / "icon.svg",
}


# Dark enough on white, and light enough on the dark page, for a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3).
SUBDUED, SUBDUED_DARK = "*neutral_600", "*neutral_400"
ACTION, ACTION_HOVER = "*primary_700", "*primary_800"
STOP, STOP_HOVER = "#b91c1c", "#991b1b"


def theme() -> gr.themes.Base:
    """System fonts only: a web font would be a request to another host."""
    looks = gr.themes.Default(
        primary_hue=gr.themes.colors.teal,
        neutral_hue=gr.themes.colors.slate,
        font=["system-ui", "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", "sans-serif"],
        font_mono=["ui-monospace", "Consolas", "Noto Sans Mono", "monospace"],
    )
    texts = ("body_text_color_subdued", "block_info_text_color", "input_placeholder_color")
    buttons = {"button_primary": (ACTION, ACTION_HOVER), "button_cancel": (STOP, STOP_HOVER)}
    return looks.set(
        **dict.fromkeys(texts, SUBDUED),
        **{f"{name}_dark": SUBDUED_DARK for name in texts},
        **{
            f"{name}_{part}{state}{scheme}": colour
            for name, colours in buttons.items()
            for part in ("background_fill", "border_color")
            for state, colour in zip(("", "_hover"), colours, strict=True)
            for scheme in ("", "_dark")
        },
        color_accent=ACTION,
        link_text_color_dark="*secondary_400",
        checkbox_border_color="*neutral_400",
        checkbox_border_color_dark="*neutral_400",
        checkbox_background_color_dark="*neutral_800",
        button_cancel_text_color="white",
        button_cancel_text_color_dark="white",
    )
