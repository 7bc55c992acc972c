"""Draws what came out of a fine-tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Protocol

from app.results.fine_tune import FineTuneResult, Judged, JudgedTags, Mix, ValidationScores
from app.views.folds import draw_folds, summary_of_folds
from app.views.heat_map import plot_heat_map
from app.views.tagging import draw_entity_scores, draw_wrong

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]
WORST_SHOWN, WATCHED_SHOWN = 10, 6
# From this share of pieces that the encoder does not know on, a reader is told so.
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
    """One sentence on where it stands; `ahead` are before it in line."""
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
) -> str:
    """What a run came to: scores, before and after, the worst mistakes; of tags, entities and those that are wrong."""
    parts = [f"<h3>{escape(result.name)}</h3>", *_headline(result, labels), f"<p>{escape(summary(result, labels))}</p>"]
    if result.unknown_share > MANY_UNKNOWN:
        values = {"share": f"{result.unknown_share:.0%}", "model": result.model}
        parts.append(f"<p class='note'>{escape(labels['unknown'].format(**values))}</p>")
    if result.cut_rows:
        parts.append(f"<p class='note'>{escape(labels['cut_rows'].format(count=result.cut_rows))}</p>")
    if result.trained_weights:
        parts.append(f"<p class='note'>{escape(weights(result, labels))}</p>")
    if result.mix is not None:
        parts.append(_mix(result.mix, labels))
    if result.validation is None:
        why = "folds.unjudged" if result.folds_asked else "no_validation"
        parts.append(f"<p class='note'>{escape(labels[why])}</p>")
    elif result.entities is not None:
        parts += [draw_entity_scores(result.entities, labels), draw_wrong(tagged, labels)]
    else:
        parts += [draw_folds(result.folds, labels)] if result.folds else []
        parts.append(_scores(result.validation, labels))
        parts.append(_judged(labels["before_after"], judged[:WATCHED_SHOWN], labels))
        wrong = sorted((row for row in judged if row.predicted != row.label), key=lambda row: row.probability)
        parts.append(_judged(labels["worst"], wrong[:WORST_SHOWN], labels))
    return f"<article class='answer' data-model='{escape(result.name)}'>{''.join(parts)}</article>"


def _headline(result: FineTuneResult, labels: Labels) -> list[str]:
    """Guessing, before, after; where that is no more than luck, what may be the reason."""
    scores = result.validation
    if scores is None or result.before_accuracy is None:
        return []
    shares = {"guessing": scores.guessing, "before": result.before_accuracy, "after": scores.accuracy}
    said = labels["headline_tags" if result.kind == "tags" else "headline"].format(
        **{key: f"{share:.0%}" for key, share in shares.items()}
    )
    lines = [f"<p class='headline'>{escape(said)}</p>"]
    if result.doubts:
        verdict = labels["doubt.below" if scores.accuracy <= scores.guessing else "doubt.hardly"]
        known = {"model": result.model, "rows": result.rows, "kept": result.validation_rows}
        reasons = [labels[f"doubt.{key}"].format(**known) for key in result.doubts]
        listed = "".join(f"<li>{escape(reason)}</li>" for reason in reasons)
        lines.append(f"<div class='note'>{escape(verdict.format(**known))}<ul>{listed}</ul></div>")
    return lines


def summary(result: FineTuneResult, labels: Labels) -> str:
    """One line on how it went."""
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
    """Key of the sentence on where the new model answers and what it can do."""
    if result.kind == "tags":
        return "use_hint_tags"
    if result.pairs:
        return "use_hint_pairs"
    if not result.portable:
        return "use_hint_words"
    return "use_hint" if result.explains else "use_hint_last"


def weights(result: FineTuneResult, labels: Labels) -> str:
    """How many weights learned, and what the model takes."""
    return labels["weights"].format(count=f"{result.trained_weights:,}", kilobytes=f"{result.kept_bytes / 1e3:,.0f}")


def _mix(mix: Mix, labels: Labels) -> str:
    """What was learned of ELMo's layers: their weights and gamma."""
    rows = "".join(
        f"<tr><th scope='row'>{escape(labels['mix.layer'].format(layer=layer))}</th><td>{share:.1%}</td></tr>"
        for layer, share in enumerate(mix.weights)
    )
    gamma = f"<tr><th scope='row'>{escape(labels['mix.gamma'])}</th><td>{mix.gamma:.3f}</td></tr>"
    title = f"<h4>{escape(labels['mix.title'])}</h4><p>{escape(labels['mix.told'])}</p>"
    return f"{title}<table class='scores mix'><tbody>{rows}{gamma}</tbody></table>"


def _scores(scores: ValidationScores, labels: Labels) -> str:
    shown = {
        "accuracy": f"{scores.accuracy:.1%}",
        "macro_f1": f"{scores.macro_f1:.3f}",
        "baseline": f"{scores.baseline_accuracy:.1%}",
    }
    rows = "".join(
        f"<tr><th scope='row'>{escape(labels[key])}</th><td>{value}</td></tr>" for key, value in shown.items()
    )
    return f"<table class='scores'><tbody>{rows}</tbody></table>"


def plot_confusion(result: FineTuneResult, labels: Labels) -> Figure | None:
    """True labels against predicted ones; nothing where no row was kept back."""
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


def _texts(row: Judged) -> str:
    """The text; of a pair one below the other."""
    return "<br>".join(escape(text) for text in (row.text, row.text_pair) if text is not None)


def _judged(title: str, rows: Sequence[Judged], labels: Labels) -> str:
    if not rows:
        return f"<h4>{escape(title)}</h4><p>{escape(labels['none_wrong'])}</p>"
    keys = ("text", "true_label", "predicted", "before", "after")
    head = "".join(f"<th scope='col'>{escape(labels[key])}</th>" for key in keys)
    body = "".join(
        f"<tr><td>{_texts(row)}</td><td>{escape(row.label)}</td><td>{escape(row.predicted)}</td>"
        f"<td>{row.probability_before:.0%}</td><td>{row.probability:.0%}</td></tr>"
        for row in rows
    )
    return (
        f"<h4>{escape(title)}</h4><div class='scroll'><table class='judged'><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )
