"""Which language the rows of a table are in, as far as the encoders here tell languages apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from app.registry.lookup import CJK

CHINESE = re.compile(f"[{CJK}]")


def language_of_rows(rows: Iterable[Sequence[str]]) -> str:
    """Chinese ("zh") where most rows hold some, else "en"; of a row its longest field counts, the others are labels."""
    chinese = [bool(CHINESE.search(max(fields, key=len, default=""))) for fields in rows]
    return "zh" if sum(chinese) * 2 > len(chinese) else "en"
