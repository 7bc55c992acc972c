"""How common a text's characters are in its language: text read in a wrong encoding has rare ones.

The encodings of Chinese and Japanese put the most frequent characters first, so no list of them is needed here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

# UTF-8 read as Windows-1252 looks like this.
READ_WRONGLY = re.compile("[ÂÃ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€")
KANA = re.compile("[\u3041-\u30fc]")
WESTERN = frozenset("àâäáãåæçèéêëíîïñóôöòõøœßúùûüÿÄÖÜÉÀÇ‘’“”–—«»…€°¿¡")
CYRILLIC_SMALL = re.compile("[а-яё]")
LAST_FIVE = re.compile("[ыьэюя]")
MIXED_WORD = re.compile("[A-Za-z][А-яё]|[А-яё][A-Za-z]")


def _share(text: str, common: Callable[[str], bool]) -> float:
    counts = Counter(sign for sign in text if ord(sign) > 127)
    return sum(count for sign, count in counts.items() if common(sign)) / counts.total() if counts else 0.0


def _in_rows(decoder: str, first: int, last: int) -> Callable[[str], bool]:
    """A test whether a character is among those an encoding puts first by frequency: some rows of its table."""

    def test(sign: str) -> bool:
        try:
            coded = sign.encode(decoder)
        except UnicodeEncodeError:
            return False
        return len(coded) == 2 and first <= coded[0] <= last

    return test


PUNCTUATION = frozenset("，。！？；：、“”‘’（）《》〈〉「」『』【】…—～·　％－／＋＝．＆＠＃")


def _chinese(text: str, content: bytes) -> float:
    # GB 2312's first level has the 3,755 most common characters, its second the 3,008 rarer ones.
    level_1 = _in_rows("gb2312", 0xB0, 0xD7)
    level_2 = _in_rows("gb2312", 0xD8, 0xF7)
    if _is_korean(content):
        return 0.0
    return _share(text, lambda sign: sign in PUNCTUATION or level_1(sign)) + 0.5 * _share(text, level_2)


def _traditional(text: str, content: bytes) -> float:
    if _is_korean(content):
        return 0.0
    level_1, level_2 = _in_rows("big5", 0xA4, 0xC6), _in_rows("big5", 0xC9, 0xF9)
    return _share(text, lambda sign: sign in PUNCTUATION or level_1(sign)) + 0.4 * _share(text, level_2)


def _japanese(text: str, content: bytes) -> float:
    if not KANA.search(text):
        return 0.0
    level_1 = _in_rows("cp932", 0x88, 0x97)
    # Kana carry the grammar: text with few of them is another language in the wrong encoding.
    enough = _share(text, lambda sign: KANA.match(sign) is not None) >= 0.2
    return enough * (0.1 + _share(text, lambda sign: sign in PUNCTUATION or bool(KANA.match(sign)) or level_1(sign)))


def _korean(text: str, content: bytes) -> float:
    return _share(text, lambda sign: "가" <= sign <= "힣" or sign in PUNCTUATION) if _is_korean(content) else 0.0


def _is_korean(content: bytes) -> bool:
    """Korean has spaces between words of a few syllables; read as Chinese, the same bytes would be full of spaces."""
    pairs = len(re.findall(rb"[\xa1-\xfe]{2}", content))
    gaps = len(re.findall(rb"[\xa1-\xfe] [\xa1-\xfe]", content))
    return pairs > 0 and gaps / pairs > 0.12


def _western(text: str, content: bytes) -> float:
    """Accented letters are rare among the others, and wrongly read UTF-8 is recognisable."""
    letters = [sign for sign in text if sign.isalpha()]
    foreign = [sign for sign in letters if ord(sign) > 127]
    if READ_WRONGLY.search(text) or len(foreign) > 0.3 * len(letters):
        return 0.0
    odd = sum(sign in "\u00ad¤¦¨¬¯¶¸¹¼½¾×÷ðÐþÞ" for sign in text)
    return 0.8 - odd / max(1, sum(ord(sign) > 127 for sign in text))


def _macintosh(text: str, content: bytes) -> float:
    """Files of older Macs, in which reading as Windows-1252 gives stranger signs: "cafŽ" for "café"."""
    own, windows = (_share(read, lambda sign: sign in WESTERN) for read in (text, content.decode("cp1252", "replace")))
    return 0.81 if own >= 0.9 and own > windows else 0.0


def _cyrillic(text: str, content: bytes) -> float:
    """Words of Cyrillic letters only, mostly lower case, with Russian's six most frequent letters at their usual share.

    German read wrongly mixes them with Latin letters, Greek has other frequent ones, Hebrew has none of the last five.
    """
    small = _share(text, lambda sign: CYRILLIC_SMALL.match(sign) is not None)
    frequent = _share(text, lambda sign: sign in "оеаинт")
    if MIXED_WORD.search(text) or not LAST_FIVE.search(text) or small < 0.6 or frequent < 0.35:
        return 0.0
    return small + _share(text, lambda sign: "А" <= sign <= "Я" or sign in "«»—№“”")


COMMON: dict[str, Callable[[str, bytes], float]] = {
    "gb18030": _chinese,
    "big5hkscs": _traditional,
    "cp932": _japanese,
    "euc_jp": _japanese,
    "cp949": _korean,
    "cp1252": _western,
    "mac_roman": _macintosh,
    "cp1251": _cyrillic,
}
