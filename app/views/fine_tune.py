"""Draws the outcome of a fine-tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from app.results.tuning.fine_tune import FineTuneResult, Judged, JudgedTags, Mix, ValidationScores
from app.views.folds import draw_folds, summary_of_folds
from app.views.heat_map import plot_heat_map
from app.views.html import Markup, card, lines, listed, table, tag, th
from app.views.notes import draw_note
from app.views.tagging import draw_entity_scores, draw_wrong

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]
WORST_SHOWN, WATCHED_SHOWN = 10, 6
# From this share of pieces unknown to the encoder, readers are warned.
MANY_UNKNOWN = 0.1


class Progress(Protocol):
    """Where a training stands."""

    step: int
    steps: int
    loss: float
    seconds_left: float
    part: int
    parts: int


def status(ahead: int | None, progress: Progress | None, labels: Labels) -> str:
    """One sentence on its progress; `ahead` trainings are before it in the queue."""
    if ahead:
        return labels["waiting"].format(ahead=ahead)
    if progress is None or not progress.step:
        return labels["preparing"]
    values = {"step": progress.step, "steps": progress.steps, "loss": f"{progress.loss:.3f}"}
    said = labels["running"].format(left=f"{progress.seconds_left:.0f}", **values)
    if not progress.parts:
        return said
    which = labels["folds.running" if progress.part else "folds.first"]
    return f"{which.format(part=progress.part, parts=progress.parts)} · {said}"


def draw_outcome(
    result: FineTuneResult, judged: Sequence[Judged], labels: Labels, tagged: Sequence[JudgedTags] = ()
) -> Markup:
    """A run's outcome: scores, before and after, the worst mistakes; for tags, entities and wrong ones."""
    notes = []
    if result.unknown_share > MANY_UNKNOWN:
        notes.append(labels["unknown"].format(share=f"{result.unknown_share:.0%}", model=result.model))
    if result.cut_rows:
        notes.append(labels["cut_rows"].format(count=result.cut_rows))
    if result.trained_weights:
        notes.append(weights(result, labels))
    return card(
        tag("h3", result.name),
        *_headline(result, labels),
        tag("p", summary(result, labels)),
        draw_note(*notes),
        _mix(result.mix, labels) if result.mix else "",
        *_judgement(result, judged, labels, tagged),
        model=result.name,
    )


def _judgement(
    result: FineTuneResult, judged: Sequence[Judged], labels: Labels, tagged: Sequence[JudgedTags]
) -> list[Markup]:
    """What the rows kept back show."""
    if result.validation is None:
        return [draw_note(labels["folds.unjudged" if result.folds_asked else "no_validation"])]
    if result.entities is not None:
        return [draw_entity_scores(result.entities, labels), draw_wrong(tagged, labels)]
    wrong = sorted((row for row in judged if row.predicted != row.label), key=lambda row: row.probability)
    return [
        *([draw_folds(result.folds, labels)] if result.folds else []),
        _scores(result.validation, labels),
        _judged(labels["before_after"], judged[:WATCHED_SHOWN], labels),
        _judged(labels["worst"], wrong[:WORST_SHOWN], labels),
    ]


def _headline(result: FineTuneResult, labels: Labels) -> list[Markup]:
    """Guessing, before and after; if that is no better than luck, possible reasons."""
    scores = result.validation
    if scores is None or result.before_accuracy is None:
        return []
    shares = {"guessing": scores.guessing, "before": result.before_accuracy, "after": scores.accuracy}
    said = labels["headline_tags" if result.kind == "tags" else "headline"].format(
        **{key: f"{share:.0%}" for key, share in shares.items()}
    )
    parts = [tag("p", said, class_="headline")]
    if result.doubts:
        verdict = labels["doubt.below" if scores.accuracy <= scores.guessing else "doubt.hardly"]
        known = {"model": result.model, "rows": result.rows, "kept": result.validation_rows}
        reasons = listed("ul", (labels[f"doubt.{key}"].format(**known) for key in result.doubts))
        parts.append(tag("div", verdict.format(**known), reasons, class_="note"))
    return parts


def summary(result: FineTuneResult, labels: Labels) -> str:
    """One line on how the training ended."""
    if result.folds_asked:
        return summary_of_folds(result, labels)
    return labels[f"ended.{result.stopped}"].format(
        rows=result.rows,
        kept=result.validation_rows,
        seconds=f"{result.seconds:.0f}",
        steps=len(result.history),
        step=result.kept_step,
    )


def hint(result: FineTuneResult) -> str:
    """Key of the sentence that says where the new model answers and what it can do."""
    if result.kind == "tags":
        return "use_hint_tags"
    if result.pairs:
        return "use_hint_pairs"
    if not result.portable:
        return "use_hint_words"
    return "use_hint" if result.explains else "use_hint_last"


def weights(result: FineTuneResult, labels: Labels) -> str:
    """How many weights were trained, and how large the model is."""
    return labels["weights"].format(count=f"{result.trained_weights:,}", kilobytes=f"{result.kept_bytes / 1e3:,.0f}")


def _mix(mix: Mix, labels: Labels) -> Markup:
    """What was learnt about ELMo's layers: their weights and gamma."""
    rows = [(th(labels["mix.layer"].format(layer=layer)), f"{share:.1%}") for layer, share in enumerate(mix.weights)]
    rows.append((th(labels["mix.gamma"]), f"{mix.gamma:.3f}"))
    told = tag("h4", labels["mix.title"]) + tag("p", labels["mix.told"])
    return told + table((), rows, class_="scores mix")


def _scores(scores: ValidationScores, labels: Labels) -> Markup:
    shown = {
        "accuracy": f"{scores.accuracy:.1%}",
        "macro_f1": f"{scores.macro_f1:.3f}",
        "baseline": f"{scores.baseline_accuracy:.1%}",
    }
    return table((), ((th(labels[key]), value) for key, value in shown.items()), class_="scores")


def plot_confusion(result: FineTuneResult, labels: Labels) -> Figure | None:
    """True labels against predicted ones; None if no row was kept back."""
    if result.validation is None:
        return None
    counts = result.validation.confusion
    shares = [[count / (sum(row) or 1) for count in row] for row in counts]
    return plot_heat_map(
        result.labels,
        result.labels,
        shares,
        written=counts,
        told=labels["confusion_words" if result.kind == "tags" else "confusion"],
        name=f"confusion-{result.name}",
        scale=labels["confusion_scale"],
        axes=(labels["true_label"], labels["predicted"]),
        outlined={(place, place) for place in range(len(result.labels))},
    )


def _judged(title: str, rows: Sequence[Judged], labels: Labels) -> Markup:
    if not rows:
        return tag("h4", title) + tag("p", labels["none_wrong"])
    head = [labels[key] for key in ("text", "true_label", "predicted", "before", "after")]
    return tag("h4", title) + table(head, map(_cells, rows), class_="judged")


def _cells(row: Judged) -> tuple[str, ...]:
    shares = f"{row.probability_before:.0%}", f"{row.probability:.0%}"
    return lines(row.text, row.text_pair), row.label, row.predicted, *shares
