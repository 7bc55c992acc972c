"""Draws the occurrences of a word as a list of buttons, each with its sentence, the word in bold."""

from __future__ import annotations

from html import escape

from app.results.word_sense import SensePanel
from app.views.neighbourhood import in_sentence
from app.views.word_sense import Shown


def draw_occurrences(panel: SensePanel, shown: Shown) -> str:
    """The list; the page's script shows those of it that a plot has selected.

    Args:
        panel: the occurrences.
        shown: the language, and the group of plots that the list belongs to.
    """
    labels = shown.labels
    rows = "".join(
        f"<li><button type='button' data-occurrence='{number}' tabindex='{0 if number == 0 else -1}'>"
        f"{f'<i>{escape(one.sense)}</i> ' if one.sense else ''}"
        f"{in_sentence(panel.sentences[one.sentence], one.start, one.end)}</button></li>"
        for number, one in enumerate(panel.occurrences)
    )
    return (
        f"<div class='occurrences' data-group='{escape(shown.group)}' data-model='{escape(panel.model)}'>"
        f"<p class='plot-told'>{escape(labels['list_help'])}</p>"
        f"<p class='selected' role='status' data-some='{escape(labels['list_some'])}'><span></span> "
        f"<button type='button' class='all' hidden>{escape(labels['list_all'])}</button></p><ol>{rows}</ol></div>"
    )
