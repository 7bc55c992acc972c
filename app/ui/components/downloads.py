"""The scripts of download buttons, plots and what is wider than the page."""

from __future__ import annotations

from app.ui.components.attention import script


def downloads_script() -> str:
    """All three; the names in each stay its own."""
    files = (("canvas.js", "downloads.js"), ("canvas.js", "plots.js"), ("scrollers.js",))
    parts = map(script, files)
    return "".join(f"(() => {{\n{part}\n}})();\n" for part in parts)
