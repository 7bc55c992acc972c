"""The encoding of a text file: by its byte order mark, else by strict decoders and how common the characters are.

Nothing is replaced or left out: if no decoder gives common characters, the visitor is asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.errors import PlaygroundError
from app.tasks.files.common_signs import COMMON

# Byte order marks, the longer ones first.
MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"),
         (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))  # fmt: skip
# The choices for visitors and their decoders; Windows' versions, because they cover more than the standards.
ENCODINGS = {
    "UTF-8": "utf-8", "UTF-16": "utf-16-le", "UTF-16 (big-endian)": "utf-16-be", "GB18030": "gb18030",
    "Big5": "big5hkscs", "Shift-JIS": "cp932", "EUC-JP": "euc_jp", "EUC-KR": "cp949", "Windows-1252": "cp1252",
    "Windows-1251": "cp1251", "Windows-1250": "cp1250", "Mac Roman": "mac_roman", "UTF-32": "utf-32",
}  # fmt: skip
NAMES = {decoder: name for name, decoder in ENCODINGS.items()} | {"utf-16": "UTF-16"}
# If a smaller share of a text's foreign characters is common, the encoding is another one.
COMMON_ENOUGH = 0.75
CONTROL, BETWEEN = re.compile("[\x00-\x08\x0e-\x1f]"), re.compile("[\t\n\r ,;|]")


@dataclass(frozen=True)
class Decoded:
    """A file's text and the name of its encoding."""

    text: str
    encoding: str


def decode(content: bytes, language: str = "", chosen: str = "") -> Decoded:
    """Decode bytes into text.

    Args:
        content: the file.
        language: of the page; a hint if two encodings can read the same bytes.
        chosen: a name of `ENCODINGS` that the visitor chose; empty to detect it.

    Raises:
        PlaygroundError: `bad_value`, it is not text, or no encoding fits.
    """
    for mark, decoder in MARKS:
        if content.startswith(mark):
            try:
                # The decoders of UTF-16 and UTF-32 remove their mark themselves.
                return _checked(content[3:] if decoder == "utf-8" else content, decoder)
            except PlaygroundError:
                if chosen in ("", NAMES[decoder]):
                    raise
            content = content[len(mark) :]  # a mark that some program put in front of another encoding
            break
    if chosen:
        if chosen not in ENCODINGS:
            raise PlaygroundError("bad_value", "choice", field="encoding", choices=", ".join(ENCODINGS))
        return _checked(content, ENCODINGS[chosen])
    if b"\x00" in content:
        return _utf16_without_mark(content)
    try:
        return _checked(content, "utf-8")
    except PlaygroundError as error:
        best = _best(content, language)
        if best is None:
            raise PlaygroundError("bad_value", "encoding") from error
        return best


def _checked(content: bytes, decoder: str) -> Decoded:
    try:
        text = content.decode(decoder)
    except UnicodeDecodeError as error:
        raise PlaygroundError("bad_value", "other_encoding", encoding=NAMES[decoder]) from error
    if "\x00" in text:
        raise PlaygroundError("bad_value", "table")
    return Decoded(text.removeprefix("\ufeff"), NAMES[decoder])


def _utf16_without_mark(content: bytes) -> Decoded:
    """The byte order that gives line breaks, spaces and delimiters.

    Raises:
        PlaygroundError: `bad_value`, neither has any, so it is not text.
    """
    readings = []
    for decoder in ("utf-16-le", "utf-16-be"):
        text = content.decode(decoder, errors="replace")
        if "\ufffd" not in text and not CONTROL.search(text):
            readings.append((len(BETWEEN.findall(text)), Decoded(text, NAMES[decoder])))
    count, found = max(readings, key=lambda one: one[0], default=(0, None))
    if not count or found is None:
        raise PlaygroundError("bad_value", "table")
    return found


def _best(content: bytes, language: str) -> Decoded | None:
    """The reading with the most common characters; None if none has enough of them."""
    scored: list[tuple[float, Decoded]] = []
    for decoder, common in COMMON.items():
        try:
            text = content.decode(decoder)
        except UnicodeDecodeError:
            continue
        share = common(text, content)
        if share >= COMMON_ENOUGH:
            scored.append((share + HINTS.get((language, decoder), 0.0), Decoded(text, NAMES[decoder])))
    return max(scored, key=lambda one: one[0])[1] if scored else None


# If the same bytes are common characters in two encodings, the page's language decides.
HINTS = {("zh-CN", "gb18030"): 0.1, ("zh-CN", "big5hkscs"): 0.05}
