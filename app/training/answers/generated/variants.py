"""Written questions, varied each time: other names and numbers, fewer sentences, a passage beside, another wording."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.training.answers.generated.rewording import reworded
from app.training.answers.generated.wording import Words, chinese
from app.training.answers.rows import Asked, beside

_SENTENCE = re.compile(r"[^。！？；]+[。！？；”]*")
_NUMBER = re.compile(
    r"\d+(?:\.\d+)?|[一二三四五六七八九十百千两]{2,}|[二三四五六七八九两](?=[个名只条位间座本张岁次棵])"
)
_ASKED_PERSON = re.compile(r"谁|什么人|叫什么|哪位|名字")
# Characters of foreign names.
_FOREIGN = set(
    "阿埃艾安奥巴贝比伯布达德迪蒂杜恩尔法菲费弗夫盖戈格哈海赫霍基吉加杰卡凯科克奎拉莱兰雷里利列林卢鲁罗洛马曼梅米莫姆纳奈"
    "内尼努诺欧帕佩皮普奇齐切琼萨塞沙斯舒丝索塔泰坦特图瓦威韦维沃西希夏休雅亚伊尤扎兹詹朱娜莎丽玛汉森"
)
# Question words by what they ask for.
_KINDS = (
    ("谁", "什么人", "哪位"),
    ("哪里", "哪儿", "什么地方", "哪座城市", "哪个城市"),
    ("为什么", "原因"),
    ("什么时候", "哪年", "哪一年", "几点", "哪天"),
    ("什么颜色",),
    ("哪国", "哪个国家"),
    ("怎么", "怎样"),
    ("叫什么", "名字"),
    ("多", "几"),
    ("哪",),
    ("什么",),
)
RENAMED, RENUMBERED, SHORTENED, REWORDED, LENGTHENED, CUT, FOREIGN = 0.4, 0.5, 0.4, 0.25, 0.1, 0.05, 0.03


class Variants:
    """Draws written rows, each time a little changed.

    Args:
        rows: written.
        words: for other names.
        seed: of the changes.
    """

    def __init__(self, rows: Sequence[Asked], words: Words, seed: int) -> None:
        self.rows, self.words, self.drawn = list(rows), words, random.Random(seed)
        self._passages = sorted({row.passage for row in rows})
        surnames = tuple(words.lists["姓"])
        self._names: dict[str, dict[str, str]] = {}  # of a passage: the names in it, and the list of others
        for row in rows:
            text = row.answer_text
            if not _ASKED_PERSON.search(row.question) or not text:
                continue
            if set(text) <= _FOREIGN and len(text) > 1:
                self._names.setdefault(row.passage, {})[text] = "外名"
            elif 2 <= len(text) <= 3 and text.startswith(surnames):
                self._names.setdefault(row.passage, {})[text] = "姓名"
        self._order: list[Asked] = []
        self._lists = {word: name for name, some in words.lists.items() for word in some if len(some) > 8}
        self._pools: dict[str, list[str]] = {}
        self._slots: dict[str, dict[str, str]] = {}  # of a passage: its answers, and what each one's question asks for
        for row in rows:
            if row.answer is not None and 2 <= len(row.answer_text) <= 12:
                kind = _kind(row.question)
                self._pools.setdefault(kind, []).append(row.answer_text)
                self._slots.setdefault(row.passage, {})[row.answer_text] = kind

    def draw(self) -> Asked:
        """The next row, changed; each one comes once before any comes again."""
        if not self._order:
            self._order = self.drawn.sample(self.rows, len(self.rows))
        row = self._order.pop()
        first = self._renamed if self.drawn.random() < 0.4 else self._refilled
        for share, change in (
            (0.85, first),
            (SHORTENED, self._shortened),
            (RENUMBERED, self._renumbered),
            (REWORDED, self._reworded),
            (CUT, self._cut),
            (FOREIGN, self._foreign),
            (LENGTHENED, self._lengthened),
        ):
            if self.drawn.random() < share:
                row = change(row)
        return row

    def _renamed(self, row: Asked) -> Asked:
        """Other names for people that questions about the passage ask for."""
        for name, source in self._names.get(row.passage, {}).items():
            other = self.words.draw(source, self.drawn)
            row = _replaced(row, re.compile(re.escape(name)), lambda _, other=other: other)
        return row

    def _refilled(self, row: Asked) -> Asked:
        """Other answers of the same kind in place of some that questions about the passage have."""
        original = row.passage
        for text, kind in self._slots.get(original, {}).items():
            if text in row.passage and not _NUMBER.search(text) and self.drawn.random() < 0.6:
                other = self._other(text, kind)
                row = _replaced(row, re.compile(re.escape(text)), lambda _, other=other: other)
        return row

    def _other(self, text: str, kind: str) -> str:
        if text in self._lists:
            return self.words.draw(self._lists[text], self.drawn)
        some = [one for one in self._pools[kind] if abs(len(one) - len(text)) <= 2 and not _NUMBER.search(one)]
        return self.drawn.choice(some) if some else text

    def _renumbered(self, row: Asked) -> Asked:
        """Other numbers of the same length, the same one for the same."""
        swaps: dict[str, str] = {}

        def other(found: str) -> str:
            if found not in swaps:
                swaps[found] = _like(found, self.drawn)
            return swaps[found]

        return _replaced(row, _NUMBER, other)

    def _shortened(self, row: Asked) -> Asked:
        """Without one sentence that does not hold the answer; never without the first, which says who it is about."""
        parts = [found.span() for found in _SENTENCE.finditer(row.passage)]
        free = [part for part in parts[1:] if row.answer is None or not _touch(part, row.answer)]
        return _without(row, self.drawn.choice(free)) if free else row

    def _cut(self, row: Asked) -> Asked:
        """Without the sentence that holds the answer, so that there is none."""
        if row.answer is None:
            return row
        parts = [found.span() for found in _SENTENCE.finditer(row.passage)]
        held = [part for part in parts if _touch(part, row.answer)]
        if len(parts) < 2 or len(held) != 1 or row.passage.count(row.answer_text) > 1:
            return row
        return replace(_without(row, held[0]), answer=None)

    def _foreign(self, row: Asked) -> Asked:
        """The question of another passage, which has no answer here."""
        other = self.drawn.choice(self.rows)
        return row if other.passage == row.passage else Asked(row.passage, other.question, None)

    def _reworded(self, row: Asked) -> Asked:
        return replace(row, question=reworded(row.question, self.drawn))

    def _lengthened(self, row: Asked) -> Asked:
        other = self.drawn.choice(self._passages)
        return row if len(other) + row.length > 220 else beside(row, other, self.drawn.random() < 0.5)


def _touch(part: tuple[int, int], answer: tuple[int, int]) -> bool:
    return part[0] < answer[1] and answer[0] < part[1]


def _without(row: Asked, part: tuple[int, int]) -> Asked:
    moved = part[1] - part[0]
    answer = row.answer
    if answer is not None and answer[0] >= part[1]:
        answer = (answer[0] - moved, answer[1] - moved)
    elif answer is not None and _touch(part, answer):
        answer = None
    return Asked(row.passage[: part[0]] + row.passage[part[1] :], row.question, answer)


def _replaced(row: Asked, pattern: re.Pattern[str], other: Callable[[str], str]) -> Asked:
    """The same in passage and question, while the answer keeps its place; a change across its edge is left out."""
    made, at, edges = "", 0, list(row.answer or ())
    for found in pattern.finditer(row.passage):
        made += row.passage[at : found.start()]
        crossing = any(found.start() < edge < found.end() for edge in row.answer or ())
        word = found[0] if crossing else other(found[0])
        made += word
        for place, edge in enumerate(row.answer or ()):
            if edge >= found.end():
                edges[place] += len(word) - len(found[0])
        at = found.end()
    made += row.passage[at:]
    question = pattern.sub(lambda found: other(found[0]) if found[0] in row.passage else found[0], row.question)
    return Asked(made, question, (edges[0], edges[1]) if edges else None)


def _like(number: str, drawn: random.Random) -> str:
    """A number as long as that one, in the same writing."""
    if number[0].isdigit():
        if len(number) == 4:
            return str(drawn.randint(1100, 2024))
        return "".join(str(drawn.randint(1, 9)) if place == 0 else str(drawn.randint(0, 9)) if sign.isdigit() else sign
                       for place, sign in enumerate(number))  # fmt: skip
    if len(number) == 1:
        return drawn.choice("二三四五六七八九")
    if number in ("一千", "一百", "一十"):
        return number
    low, high = (1_000, 9_999) if "千" in number else (100, 999) if "百" in number else (11, 99)
    value = drawn.randint(low, high)
    size = 10 ** max(0, len(str(value)) - max(1, len(number) // 2))
    return chinese(max(low, value // size * size))


def _kind(question: str) -> str:
    """What a question asks for, by its question word."""
    return next((some[0] for some in _KINDS if any(word in question for word in some)), "")
