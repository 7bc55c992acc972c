"""Words for generated passages: lists, patterns of lists, numbers, dates and times, in digits or characters."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

_SLOT = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"(\d+)-(\d+)(\D+)")
_DIGITS = "零一二三四五六七八九"
# How often a number is written in digits, and how often it is said to be rough.
IN_DIGITS, ROUGH = 0.45, 0.12


@dataclass(frozen=True)
class Words:
    """Lists by name.

    Attributes:
        lists: the words of each; a word may hold other lists' names in braces.
    """

    lists: dict[str, list[str]]

    def draw(self, source: str, drawn: random.Random) -> str:
        """A word of a list, or of the forms `3-90米`, `钟点`, `年份`, `日期`."""
        span = _RANGE.fullmatch(source)
        if span:
            return amount(int(span[1]), int(span[2]), span[3], drawn)
        made = _MADE.get(source)
        if made:
            return made(drawn)
        word = drawn.choice(self.lists[source])
        return _SLOT.sub(lambda slot: self.draw(slot[1], drawn), word)


def read_words(path: Path) -> Words:
    """The lists of a file: `# name`, below it words with spaces between, or whole lines that begin with `=`."""
    lists: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            current = lists.setdefault(line.removeprefix("#").strip(), [])
        elif line.startswith("="):
            current.append(line.removeprefix("=").strip())
        else:
            current.extend(line.split())
    return Words(lists)


def chinese(number: int) -> str:
    """A number below 100 million in characters."""
    if number >= 10_000:
        rest = number % 10_000
        gap = "零" if 0 < rest < 1_000 else ""
        return chinese(number // 10_000) + "万" + (gap + chinese(rest) if rest else "")
    if number < 10:
        return _DIGITS[number]
    size, name = next(pair for pair in ((1_000, "千"), (100, "百"), (10, "十")) if number >= pair[0])
    first, rest = divmod(number, size)
    head = name if size == 10 and first == 1 else _DIGITS[first] + name
    if not rest:
        return head
    return head + ("零" if rest < size // 10 else "") + ("一" if rest // 10 == 1 and size > 10 else "") + chinese(rest)


def amount(low: int, high: int, unit: str, drawn: random.Random) -> str:
    """A number with its measure word; large ones are mostly round."""
    number = drawn.randint(low, high)
    if number > 1_000 and drawn.random() < 0.7:
        number = max(low, number // 100 * 100)
    elif number > 100 and drawn.random() < 0.6:
        number = max(low, number // 10 * 10)
    digits = drawn.random() < IN_DIGITS
    text = str(number) if digits else "两" if number == 2 else chinese(number)
    if number >= 10_000 and digits and number % 10_000 == 0:
        text = f"{number // 10_000}万"
    if drawn.random() < ROUGH and high > 20:
        return drawn.choice(("约", "大约", "将近")) + text + unit
    if not digits and number >= 20 and number % 10 == 0 and drawn.random() < ROUGH:
        return text + "多" + unit
    return text + unit


def _clock(drawn: random.Random) -> str:
    hour, part = drawn.randint(1, 12), drawn.choice(("", "", "早上", "上午", "中午", "下午", "晚上", "傍晚"))
    ranges = {"早上": (5, 9), "上午": (8, 11), "中午": (11, 12), "下午": (1, 6), "晚上": (6, 11), "傍晚": (5, 7)}
    if part:
        hour = drawn.randint(*ranges[part])
    minutes = drawn.choice(("", "", "半", "一刻", "十分", "二十分", "四十分", "五十分"))
    said = "两" if hour == 2 else chinese(hour)
    if drawn.random() < 0.2:
        return f"{part}{hour}点{drawn.choice(('', '半', '20分', '45分'))}"
    return f"{part}{said}点{minutes}"


def _year(drawn: random.Random) -> str:
    return f"{drawn.randint(1120, 2024) if drawn.random() < 0.3 else drawn.randint(1850, 2024)}年"


def _date(drawn: random.Random) -> str:
    month, day = drawn.randint(1, 12), drawn.randint(1, 28)
    form = drawn.random()
    if form < 0.4:
        return f"{month}月{day}日"
    if form < 0.6:
        return f"{chinese(month)}月{chinese(day)}日"
    if form < 0.75:
        return drawn.choice(("下周", "上周", "这周", "本周")) + drawn.choice("一二三四五六日")
    if form < 0.9:
        return f"{chinese(month)}月{drawn.choice(('初', '底', '中旬', ''))}"
    return drawn.choice(("昨天", "前天", "明天", "后天", "去年春天", "去年冬天", "今年夏天", "上个月", "下个月"))


_MADE = {"钟点": _clock, "年份": _year, "日期": _date}
