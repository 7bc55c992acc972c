"""The script behind the download buttons that `views/downloads.py` draws: once per page, in its head."""

from __future__ import annotations

from app.ui.components.attention import script


def downloads_script() -> str:
    """The script as an element; its names stay its own."""
    return f"<script>(() => {{\n{script(('canvas.js', 'downloads.js'))}\n}})();</script>"
