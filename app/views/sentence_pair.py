"""Draws verdicts on a pair of sentences, in words, never as label numbers."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from app.results.about import About
from app.results.sentence_pair import LabelProbability, SentencePairResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.notes import draw_note

Labels = Mapping[str, str]


def draw_sentence_pair(result: SentencePairResult, about: About, labels: Labels, note: str = "") -> str:
    """One model's verdict, and its verdict on the two the other way round, as an article.

    Args:
        result: the verdict.
        about: the model.
        labels: the tab's texts in one language.
        note: a remark on it.
    """
    question = labels[f"question.{result.objective}"]
    parts = [
        f"{draw_heading(about)}{draw_note(note)}",
        _bars(question, result.labels, labels),
        _bars(labels["other_way"], result.swapped, labels),
    ]
    if result.objective == "nsp" and min(result.labels[0].probability, result.swapped[0].probability) > 0.5:
        parts.append(f"<p class='note'>{escape(labels['both_ways'])}</p>")
    rows = [("as given", one.label, one.probability) for one in result.labels]
    rows += [("swapped", one.label, one.probability) for one in result.swapped]
    meta = {"model": result.model, "revision": result.revision, "objective": result.objective}
    parts.append(draw_downloads(f"sentence_pair-{result.model}", ("order", "label", "probability"), rows, **meta))
    return (
        f"<article class='answer' data-model='{escape(result.model)}' data-objective='{escape(result.objective)}'>"
        f"{''.join(parts)}</article>"
    )


def _bars(heading: str, entries: list[LabelProbability], labels: Labels) -> str:
    rows = "".join(
        f"<li data-label='{escape(entry.label)}'><span class='word'>{escape(labels[f'label.{entry.label}'])}</span>"
        f"<span class='track'><span class='fill' style='width:{entry.probability * 100:.2f}%'></span></span>"
        f"<span class='value'>{entry.probability * 100:.1f} %</span></li>"
        for entry in entries
    )
    return f"<section><h4>{escape(heading)}</h4><ol class='bars' aria-label='{escape(heading)}'>{rows}</ol></section>"
