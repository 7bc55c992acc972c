"""Draws labels of words: entities marked in their text, a table of the words, what a training came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.results.about import About
from app.results.fine_tune import EntityScores, JudgedTags, MarkedSpan
from app.results.tagging import TagResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.notes import draw_note

Labels = Mapping[str, str]
# Begin, end, kind, and what stands behind the name of the kind.
Marked = tuple[int, int, str, str]
COLOURS = 7  # classes `row-0` and so on
WRONG_SHOWN = 10


def draw_tagged(result: TagResult, about: About, labels: Labels, text: str, note: str = "") -> str:
    """A text with its entities, and on demand the label of each word."""
    head = "".join(f"<th scope='col'>{escape(labels[key])}</th>" for key in ("word", "label", "probability"))
    rows = "".join(
        f"<tr><td>{escape(word.text)}</td><td>{escape(word.label)}</td><td>{word.probability:.1%}</td></tr>"
        for word in result.words
    )
    return (
        f"<article class='answer tagged' data-model='{escape(result.model)}'>{draw_heading(about)}{draw_note(note)}"
        f"{draw_entities(text, _marked(result))}{draw_note('' if result.entities else labels['none'])}"
        f"<details><summary>{escape(labels['by_word'])}</summary><div class='scroll'><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>{_downloads(result)}</article>"
    )


def draw_many_tagged(results: Sequence[tuple[str, TagResult]], about: About, labels: Labels) -> str:
    """Several texts with their entities, one below the other."""
    drawn = "".join(draw_entities(text, _marked(result)) for text, result in results)
    none = "" if any(result.entities for _, result in results) else labels["tags.none"]
    return f"<article class='answer tagged'>{draw_heading(about)}{draw_note(none)}{drawn}</article>"


def _marked(result: TagResult) -> list[Marked]:
    return [(one.start, one.end, one.label, f"{one.probability:.0%}") for one in result.entities]


def draw_entities(text: str, entities: Sequence[Marked], kinds: Sequence[str] = ()) -> str:
    """The text with each entity marked and its kind behind it; a kind has one colour.

    Args:
        text: whole.
        entities: in the order of the text.
        kinds: in the order of their colours; for none, those of this text in alphabetical order.
    """
    ordered = list(kinds) or sorted({kind for _, _, kind, _ in entities})
    parts, last = [], 0
    for start, end, kind, said in entities:
        colour = f"row-{ordered.index(kind) % COLOURS}"
        behind = f"<small>{escape(kind)}{f' {escape(said)}' if said else ''}</small>"
        parts.append(escape(text[last:start]))
        parts.append(
            f"<mark class='entity {colour}' data-label='{escape(kind)}'>{escape(text[start:end])} {behind}</mark>"
        )
        last = end
    return f"<p class='entities' dir='auto'>{''.join(parts)}{escape(text[last:])}</p>"


def _downloads(result: TagResult) -> str:
    rows = ((word.text, word.start, word.end, word.label, word.probability) for word in result.words)
    return draw_downloads(f"tags-{result.model}", ("word", "start", "end", "label", "probability"), rows)


def draw_entity_scores(scores: EntityScores, labels: Labels) -> str:
    """Precision, recall and F1, of each kind and of all together."""
    keys = ("tags.kind", "tags.precision", "tags.recall", "f1", "tags.count")
    head = "".join(f"<th scope='col'>{escape(labels[key])}</th>" for key in keys)
    total = sum(one.count for one in scores.types)
    rows = [(one.label, one.precision, one.recall, one.f1, one.count) for one in scores.types]
    body = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td>{precision:.1%}</td><td>{recall:.1%}</td><td>{f1:.3f}</td>"
        f"<td>{count}</td></tr>"
        for name, precision, recall, f1, count in [
            *rows,
            (labels["tags.all"], scores.precision, scores.recall, scores.f1, total),
        ]
    )
    return (
        f"<h4>{escape(labels['tags.scores'])}</h4><p class='note'>{escape(labels['tags.told'])}</p><div class='scroll'>"
        f"<table class='scores entity-scores'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def draw_wrong(rows: Sequence[JudgedTags], labels: Labels) -> str:
    """Sentences in which an entity was missed, cut wrongly, given another kind, or found where none is."""
    title, wrong = f"<h4>{escape(labels['tags.wrong'])}</h4>", [row for row in rows if row.true != row.predicted]
    if not wrong:
        return f"{title}<p>{escape(labels['none_wrong'])}</p>"
    kinds = sorted({span.label for row in wrong for span in (*row.true, *row.predicted)})
    return title + "".join(
        f"<dl class='tagged-pair'><dt>{escape(labels['tags.true'])}</dt><dd>{_spans(row.text, row.true, kinds)}</dd>"
        f"<dt>{escape(labels['tags.found'])}</dt><dd>{_spans(row.text, row.predicted, kinds)}</dd></dl>"
        for row in wrong[:WRONG_SHOWN]
    )


def _spans(text: str, spans: Sequence[MarkedSpan], kinds: Sequence[str]) -> str:
    return draw_entities(text, [(span.start, span.end, span.label, "") for span in spans], kinds)
