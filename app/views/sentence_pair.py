"""Draws verdicts on a pair of sentences in words, never as label numbers."""

from __future__ import annotations

from collections.abc import Mapping

from app.results.about import About
from app.results.sentence_pair import LabelProbability, SentencePairResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, bar, bars, section
from app.views.notes import draw_note

Labels = Mapping[str, str]


def draw_sentence_pair(result: SentencePairResult, about: About, labels: Labels, note: str = "") -> Markup:
    """One model's verdict on the pair, and on the reversed pair, as an article.

    Args:
        result: the verdict.
        about: the model.
        labels: the tab's texts in one language.
        note: a remark on it.
    """
    rows = [("as given", one.label, one.probability) for one in result.labels]
    rows += [("swapped", one.label, one.probability) for one in result.swapped]
    meta = {"model": result.model, "revision": result.revision, "objective": result.objective}
    return draw_card(
        about,
        _bars(labels[f"question.{result.objective}"], result.labels, labels),
        _bars(labels["other_way"], result.swapped, labels),
        draw_note(_lesson(result, labels)),
        draw_downloads(f"sentence_pair-{result.model}", ("order", "label", "probability"), rows, **meta),
        model=result.model,
        data_objective=result.objective,
        note=note,
    )


def _lesson(result: SentencePairResult, labels: Labels) -> str:
    """What the two answers together say about the model."""
    given, swapped = (answers[0].probability for answers in (result.labels, result.swapped))
    if result.objective == "nsp":
        return labels["both_ways"] if min(given, swapped) > 0.5 else ""
    return labels["one_way"] if given > 0.5 > swapped else ""


def _bars(heading: str, entries: list[LabelProbability], labels: Labels) -> Markup:
    rows = (
        bar(labels[f"label.{one.label}"], one.probability, f"{one.probability * 100:.1f}%", data_label=one.label)
        for one in entries
    )
    return section(heading, bars(heading, rows))
