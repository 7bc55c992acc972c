"""The scripts behind download buttons and plots: once per page, in its head."""

from __future__ import annotations

from app.ui.components.attention import script


def downloads_script() -> str:
    """The scripts as an element; the names in each stay its own."""
    parts = (script(("canvas.js", name)) for name in ("downloads.js", "plots.js"))
    return "".join(f"<script>(() => {{\n{part}\n}})();</script>" for part in parts)
