"""Which lines of a source are prose: no headings, lists, tables, markup, or lines full of digits or foreign letters."""

from __future__ import annotations

import re

_PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\u00a0": " ", "\u2009": " ", "\u200b": None})
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
FEWEST_WORDS, FEWEST_CHARACTERS = 5, 12
MOST_FIGURES, MOST_FOREIGN, FEWEST_CHINESE = 0.15, 0.03, 0.6


def as_prose(line: str, language: str) -> str:
    """The line with plain quotation marks and spaces, or nothing if it is not prose."""
    if language == "zh":
        text = " ".join(line.replace("\u200b", "").split())
        known = len(_CHINESE.findall(text))
        fits = known >= FEWEST_CHARACTERS and known >= FEWEST_CHINESE * len(text) and text.endswith(tuple("。！？”」"))
    else:
        text = " ".join(line.translate(_PLAIN).split())
        letters = [letter for letter in text if letter.isalpha()]
        foreign = sum(ord(letter) > 0x24F for letter in letters)
        figures = sum(letter.isdigit() for letter in text)
        fits = (
            len(text.split()) >= FEWEST_WORDS
            and text.endswith((".", "!", "?", '"', ")", "'"))
            and foreign <= MOST_FOREIGN * len(letters)
            and figures <= MOST_FIGURES * len(text)
            and not re.search(r"[<>{}|\[\]]|^[*#;:=]", text)
        )
    return text if fits else ""
