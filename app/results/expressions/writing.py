"""Scripts and words as regular expressions, for code that splits text before a model does."""

from __future__ import annotations

import re

CJK = "\u3400-\u9fff\uf900-\ufaff"  # Chinese characters, for use between brackets
CHINESE = re.compile(f"[{CJK}]")
# What people point at: a Chinese character, a word with its apostrophes and hyphens, or a single sign.
WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:['’-][^\W_{CJK}]+)*|[^\s\w]|_+")
