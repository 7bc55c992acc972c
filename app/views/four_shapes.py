"""Figure 4 of BERT's paper (Devlin et al. 2018): four tasks, one encoder, and what of it each task's layer reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any

# A Chinese character is a word of its own.
WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:['’-]\w+)*|[^\w\s]")
# As many words as a narrow picture has room for, by the letter of its task.
ROOM = {"a": 2, "b": 4, "c": 3, "d": 4}
CLS, SEP, MORE = "[CLS]", "[SEP]", "…"


def draw_shapes(text: str, labels: Mapping[str, Any]) -> str:
    """The four tasks with a text's first words in them, each a link to its tab.

    Args:
        text: whatever stands in the box.
        labels: of the tab, in the visitor's language.
    """
    cards = "".join(f"<li>{_card(shape, WORD.findall(text), labels)}</li>" for shape in labels["shapes"])
    title, intro = escape(labels["shapes_title"]), escape(labels["shapes_intro"])
    return f"<section class='shapes'><h3>{title}</h3><p>{intro}</p><ul>{cards}</ul></section>"


def _card(shape: Mapping[str, str], words: list[str], labels: Mapping[str, Any]) -> str:
    letter, tab = shape["letter"], escape(shape["tab"])
    tokens, read = _tokens(letter, words, labels)
    given = "".join(f"<b>{escape(token)}</b>" for token in tokens)
    above = "".join(f"<i class='read'>{escape(read[at])}</i>" if at in read else "<i></i>" for at in range(len(tokens)))
    picture = f"<span class='shape' aria-hidden='true'><span>{above}</span><em>BERT</em><span>{given}</span></span>"
    return (
        f"<a href='?tab={tab}' data-tab='{tab}'><strong>{letter} · {escape(shape['name'])}</strong>{picture}"
        f"<span>{escape(shape['read'])}</span></a>"
    )


def _tokens(letter: str, words: list[str], labels: Mapping[str, Any]) -> tuple[list[str], dict[int, str]]:
    """What goes in, and what is said at which of it."""
    room, label = ROOM[letter], labels["shapes_label"]
    shown = words if len(words) <= room else [*words[: room - 1], MORE]
    if letter == "a":
        return [CLS, *shown, SEP, *labels["shapes_second"], SEP], {0: label}
    if letter == "c":
        passage = [CLS, labels["shapes_question"], SEP, *shown, SEP]
        ends = dict(zip(range(3, 3 + len(shown)), (labels["shapes_begin"], labels["shapes_end"]), strict=False))
        return passage, ends
    return [CLS, *shown, SEP], {0: label} if letter == "b" else dict.fromkeys(range(1, 1 + len(shown)), label)
