"""Which columns of a table hold texts and labels, and whether its first line holds names: by names, then by values."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Column names in published sets and in people's own files, in two languages, in lower case.
TEXTS = (
    "text", "sentence", "sentence1", "sentence_1", "sentence 1", "text_a", "premise", "question1", "review", "comment",
    "content", "tweet", "message", "question", "utterance", "body", "document", "first", "文本", "句子", "评论", "内容",
    "句子1", "文本1", "第一句", "前提", "评价", "正文", "问题", "原文", "留言", "文字", "評論", "內容", "評價", "問題",
)  # fmt: skip
SECONDS = (
    "text_pair", "sentence2", "sentence_2", "sentence 2", "text_b", "text2", "hypothesis", "question2", "second",
    "句子2", "文本2", "第二句", "假设", "假設",
)  # fmt: skip
LABELS = (
    "label", "labels", "class", "category", "sentiment", "target", "polarity", "topic", "intent", "emotion", "rating",
    "stars", "gold_label",
    "标签", "类别", "分类", "情感", "类型", "情绪", "极性", "评级", "意图", "主题", "標籤", "類別",
)  # fmt: skip
LONGEST_LABEL, MOST_LABELS = 40, 50
# More words than in a column's name, or the end of a sentence.
SENTENCE = re.compile(r"(\S+\s+){5}\S|[.!?。！？]\s*$")

Guess = tuple[str | None, str, str | None]


def is_row(cells: Sequence[Sequence[str]]) -> bool:
    """Whether a table's first line is a row like the others instead of the columns' names."""
    first, others = cells[0], cells[1:]
    if not others or any(_plain(cell) in (*TEXTS, *SECONDS, *LABELS) for cell in first):
        return False
    if any(SENTENCE.search(cell) for cell in first):
        return True
    return any(_continues(cell, [row[place] for row in others]) for place, cell in enumerate(first))


def _continues(cell: str, below: list[str]) -> bool:
    """Whether a cell continues the values below it: a label that occurs there, or a number among numbers."""
    if not cell.strip():
        return False
    return cell in below or (_is_number(cell) and all(_is_number(other) for other in below))


def guess_columns(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Guess:
    """The likely columns of the text, the second text (empty if none) and the label (None if none).

    Args:
        columns: their names.
        rows: the cells.
    """
    values = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
    text, second, label = (_named(columns, known) for known in (TEXTS, SECONDS, LABELS))
    label = label or _fewest([name for name in columns if name not in (text, second)], values)
    rest = [name for name in columns if name not in (second, label)]
    text = text or max(rest, key=lambda name: sum(map(len, values[name])), default=None)
    if label is None and len(rest) > 1 and len(rows) < 2 * MOST_LABELS:  # too few rows to tell by their values
        label = next((name for name in reversed(columns) if name not in (text, second)), None)
    return text, second or "", label


def _named(columns: Sequence[str], known: Sequence[str]) -> str | None:
    """The column with the first of these names that occurs."""
    plain = {_plain(name): name for name in reversed(columns)}
    return next((plain[name] for name in known if name in plain), None)


def _plain(name: str) -> str:
    return name.strip().strip("\"'").lower()


def _fewest(columns: Sequence[str], values: dict[str, list[str]]) -> str | None:
    """The column whose values repeat most, if they are as short as labels."""
    repeating = [name for name in columns if _repeat(values[name])]
    return min(reversed(repeating), key=lambda name: len(set(values[name])), default=None)


def _repeat(cells: Sequence[str]) -> bool:
    """Whether these look like labels: few different ones, short, none missing."""
    different = {cell.strip() for cell in cells}
    short = all(0 < len(cell) <= LONGEST_LABEL for cell in different)
    return short and 1 < len(different) <= min(MOST_LABELS, len(cells) / 2)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
