"""Figure 4 of BERT's paper (Devlin et al. 2018): four tasks, one encoder, and which outputs each task's layer reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.results.expressions.writing import WORD
from app.views.html import Markup, listed, tag

# The number of words that fit into a narrow picture, by the letter of its task.
ROOM = {"a": 2, "b": 4, "c": 3, "d": 4}
CLS, SEP, MORE = "[CLS]", "[SEP]", "…"


def draw_shapes(text: str, labels: Mapping[str, Any]) -> Markup:
    """The four tasks with a text's first words in them, each a link to its tab.

    Args:
        text: the content of the text box.
        labels: of the tab, in the visitor's language.
    """
    cards = listed("ul", (_card(shape, WORD.findall(text), labels) for shape in labels["shapes"]))
    return tag("section", tag("h3", labels["shapes_title"]), tag("p", labels["shapes_intro"]), cards, class_="shapes")


def _card(shape: Mapping[str, str], words: list[str], labels: Mapping[str, Any]) -> Markup:
    letter, tab = shape["letter"], shape["tab"]
    tokens, read = _tokens(letter, words, labels)
    above = tag("span", *(tag("i", read.get(at, ""), class_=at in read and "read") for at in range(len(tokens))))
    given = tag("span", *(tag("b", token) for token in tokens))
    picture = tag("span", above, tag("em", "BERT"), given, class_="shape", aria_hidden="true")
    name = tag("strong", f"{letter} · {shape['name']}")
    return tag("a", name, picture, tag("span", shape["read"]), href=f"?tab={tab}", data_tab=tab)


def _tokens(letter: str, words: list[str], labels: Mapping[str, Any]) -> tuple[list[str], dict[int, str]]:
    """The input tokens, and the labels at some of them."""
    room, label = ROOM[letter], labels["shapes_label"]
    shown = words if len(words) <= room else [*words[: room - 1], MORE]
    if letter == "a":
        return [CLS, *shown, SEP, *labels["shapes_second"], SEP], {0: label}
    if letter == "c":
        passage = [CLS, labels["shapes_question"], SEP, *shown, SEP]
        ends = dict(zip(range(3, 3 + len(shown)), (labels["shapes_begin"], labels["shapes_end"]), strict=False))
        return passage, ends
    return [CLS, *shown, SEP], {0: label} if letter == "b" else dict.fromkeys(range(1, 1 + len(shown)), label)
