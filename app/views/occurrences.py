"""Draws the occurrences of a word as a list of buttons, each with its sentence and the word in bold."""

from __future__ import annotations

from app.results.word_sense import Occurrence, SensePanel
from app.views.html import Markup, details, join, listed, tag
from app.views.neighbourhood import in_sentence
from app.views.sense_axes import ONE_SPOT
from app.views.word_sense import Shown


def coincide(panel: SensePanel) -> bool:
    """Is there one vector for all the uses, as static vectors have it unless the word is written in several ways?"""
    return panel.family == "static_vectors" and all(layer.similarity.min() > ONE_SPOT for layer in panel.layers)


def draw_occurrences(panel: SensePanel, shown: Shown, folded: bool = False) -> Markup:
    """The list; the page's script shows only the part that is selected in a plot, and unfolds a folded list for it.

    Args:
        panel: the occurrences.
        shown: the language, and the group of plots the list belongs to.
        folded: because another list has the same sentences.
    """
    labels = shown.labels
    every = tag("button", labels["list_all"], type="button", class_="all", hidden=True)
    drawn = join(
        tag("p", labels["list_help"], class_="plot-told"),
        tag("p", tag("span"), " ", every, class_="selected", role="status", data_some=labels["list_some"]),
        listed("ol", (_button(panel, number, one) for number, one in enumerate(panel.occurrences))),
    )
    content = details(labels["list"], drawn) if folded else drawn
    return tag("div", content, class_="occurrences", data_group=shown.group, data_model=panel.model)


def _button(panel: SensePanel, number: int, one: Occurrence) -> Markup:
    said = in_sentence(panel.sentences[one.sentence], one.start, one.end, one.sense or "")
    return tag("button", said, type="button", data_occurrence=number, tabindex=-1 if number else 0)
