"""How visitors write a blank, including the brackets and strokes of Chinese keyboards."""

from __future__ import annotations

import re

PATTERN = r"[\[［【]MASK[\]］】]|[<＜《]mask[>＞》]|[_＿]{3,}"
BLANK = re.compile(PATTERN, re.IGNORECASE)
