"""Draws labels of words: entities marked in their text, a table of the words, the outcome of a training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.results.about import About
from app.results.tagging import TagResult
from app.results.tuning.fine_tune import EntityScores, JudgedTags, MarkedSpan
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, details, join, mixed, table, tag, th
from app.views.notes import draw_note

Labels = Mapping[str, str]
# Start, end, kind, and the text after the kind's name.
Marked = tuple[int, int, str, str]
COLOURS = 7  # classes `row-0` and so on
WRONG_SHOWN = 10


def draw_tagged(result: TagResult, about: About, labels: Labels, text: str, note: str = "") -> Markup:
    """A text with its entities, and on demand each word's label."""
    rows = ((word.text, word.label, f"{word.probability:.1%}") for word in result.words)
    words = table((labels["word"], labels["label"], labels["probability"]), rows)
    return draw_card(
        about,
        draw_entities(text, _marked(result), result.kinds),
        draw_note("" if result.entities else labels["none"]),
        details(labels["by_word"], words),
        _downloads(result),
        kind="tagged",
        model=result.model,
        note=note,
    )


def draw_many_tagged(results: Sequence[tuple[str, TagResult]], about: About, labels: Labels) -> Markup:
    """Several texts with their entities, one below the other."""
    drawn = (draw_entities(text, _marked(result), result.kinds) for text, result in results)
    none = "" if any(result.entities for _, result in results) else labels["tags.none"]
    return draw_card(about, *drawn, kind="tagged", note=none)


def _marked(result: TagResult) -> list[Marked]:
    return [(one.start, one.end, one.label, f"{one.probability:.0%}") for one in result.entities]


def draw_entities(text: str, entities: Sequence[Marked], kinds: Sequence[str]) -> Markup:
    """The text with each entity marked and followed by its kind; each kind has one colour in every text.

    Args:
        text: the whole text.
        entities: in order of appearance.
        kinds: all that the model knows, in the order of their colours.
    """
    parts = []
    for start, end, kind, said in entities:
        look, behind = f"entity row-{kinds.index(kind) % COLOURS}", tag("small", f"{kind} {said}".rstrip())
        parts.append((start, end, tag("mark", f"{text[start:end]} ", behind, class_=look, data_label=kind)))
    return tag("p", mixed(text, parts), class_="entities", dir="auto")


def _downloads(result: TagResult) -> Markup:
    rows = ((word.text, word.start, word.end, word.label, word.probability) for word in result.words)
    return draw_downloads(f"tags-{result.model}", ("word", "start", "end", "label", "probability"), rows)


def draw_entity_scores(scores: EntityScores, labels: Labels) -> Markup:
    """Precision, recall and F1 of each kind and of all together."""
    keys = ("tags.kind", "tags.precision", "tags.recall", "f1", "tags.count")
    total = sum(one.count for one in scores.types)
    rows = [(one.label, one.precision, one.recall, one.f1, one.count) for one in scores.types]
    rows.append((labels["tags.all"], scores.precision, scores.recall, scores.f1, total))
    drawn = (
        (th(name), f"{precision:.1%}", f"{recall:.1%}", f"{f1:.3f}", count)
        for name, precision, recall, f1, count in rows
    )
    told = tag("h4", labels["tags.scores"]) + draw_note(labels["tags.told"])
    return told + table([labels[key] for key in keys], drawn, class_="scores entity-scores")


def draw_wrong(rows: Sequence[JudgedTags], labels: Labels) -> Markup:
    """Sentences in which an entity was missed, cut wrongly, given another kind, or found where there is none."""
    title, wrong = tag("h4", labels["tags.wrong"]), [row for row in rows if row.true != row.predicted]
    if not wrong:
        return title + tag("p", labels["none_wrong"])
    kinds = sorted({span.label for row in wrong for span in (*row.true, *row.predicted)})
    return join(title, *(_pair(row, kinds, labels) for row in wrong[:WRONG_SHOWN]))


def _pair(row: JudgedTags, kinds: Sequence[str], labels: Labels) -> Markup:
    ways = (("tags.true", row.true), ("tags.found", row.predicted))
    parts = (tag("dt", labels[key]) + tag("dd", _spans(row.text, spans, kinds)) for key, spans in ways)
    return tag("dl", *parts, class_="tagged-pair")


def _spans(text: str, spans: Sequence[MarkedSpan], kinds: Sequence[str]) -> Markup:
    return draw_entities(text, [(span.start, span.end, span.label, "") for span in spans], kinds)
