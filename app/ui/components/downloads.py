"""The scripts behind download buttons and plots."""

from __future__ import annotations

from app.ui.components.attention import script


def downloads_script() -> str:
    """Both; the names in each stay its own."""
    parts = (script(("canvas.js", name)) for name in ("downloads.js", "plots.js"))
    return "".join(f"(() => {{\n{part}\n}})();\n" for part in parts)
