"""How a visitor writes a blank, with the brackets and strokes of Chinese keyboards too."""

from __future__ import annotations

import re

PATTERN = r"[\[［【]MASK[\]］】]|[<＜《]mask[>＞》]|[_＿]{3,}"
BLANK = re.compile(PATTERN, re.IGNORECASE)
