"""Draws zero-shot answers: every method's scores side by side, and how often each is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.results.about import About
from app.results.prompting import BenchResult, ZeroShotResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.notes import draw_note
from app.views.token_choice import visible

Labels = Mapping[str, str]


def draw_methods(answers: Sequence[ZeroShotResult], about: About, labels: Labels, note: str = "") -> str:
    """One question: a remark, the labels' tokens, log-probabilities and shares by every method; favourites in bold."""
    first = answers[0]
    head = "".join(f"<th scope='col'>{escape(labels[f'method.{answer.method}'])}</th>" for answer in answers)
    favourites = [max(answer.scores, key=lambda entry: entry.score).label for answer in answers]
    rows = []
    for index, entry in enumerate(first.scores):
        tokens = " · ".join(escape(visible(token)) for token in entry.tokens)
        cells = "".join(
            _share(answer.scores[index].probability, answer.scores[index].score, entry.label == favourite)
            for answer, favourite in zip(answers, favourites, strict=True)
        )
        rows.append(
            f"<tr><th scope='row'>{escape(entry.label)}</th><td><code>{tokens}</code></td>"
            f"<td>{entry.log_probability:.2f}</td>{cells}</tr>"
        )
    columns = "".join(f"<th scope='col'>{escape(labels[key])}</th>" for key in ("label", "tokens", "log_probability"))
    return (
        f"<article class='answer' data-model='{escape(first.model)}'>"
        f"{draw_heading(about)}{draw_note(note)}"
        f"<details><summary>{escape(labels['prompt_shown'])}</summary>"
        f"<p class='written'>{escape(first.prompt)}</p></details><div class='scroll'>"
        f"<table class='zero-shot'><thead><tr>{columns}{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"<p class='trust'>{escape(labels['cells'])}</p>{_saved_methods(answers)}</article>"
    )


def _saved_methods(answers: Sequence[ZeroShotResult]) -> str:
    rows = (
        (answer.method, entry.label, entry.log_probability, entry.score, entry.probability)
        for answer in answers
        for entry in answer.scores
    )
    columns = ("method", "label", "log_probability", "score", "probability")
    return draw_downloads(f"zero_shot-{answers[0].model}", columns, rows, model=answers[0].model)


def _share(probability: float, score: float, favourite: bool) -> str:
    shown = f"{probability * 100:.1f} %"
    return (
        f"<td class='cell{' favourite' if favourite else ''}' style='--strength:{probability:.3f}' "
        f"title='{score:.4f}'>{f'<b>{shown}</b>' if favourite else shown}</td>"
    )


def draw_bench(result: BenchResult, about: About, labels: Labels) -> str:
    """What was measured and what it teaches, then every text with each method's favourite."""
    said = labels["bench_said"].format(count=len(result.rows), shots=result.shots)
    head = "".join(f"<th scope='col'>{escape(labels[f'method.{method}'])}</th>" for method in result.accuracy)
    rows = "".join(
        f"<tr><td>{escape(row.text)}</td><td>{escape(row.expected)}</td>"
        + "".join(_verdict(label, label == row.expected, labels) for label in row.favourites.values())
        + "</tr>"
        for row in result.rows
    )
    columns = "".join(f"<th scope='col'>{escape(labels[key])}</th>" for key in ("text", "expected"))
    return (
        f"<article class='answer' data-model='{escape(result.model)}'>"
        f"{draw_heading(about)}<p>{escape(said)}</p>"
        f"<p>{escape(_lesson(result, labels))}</p><div class='scroll'><table class='bench'><thead><tr>{columns}{head}"
        f"</tr></thead><tbody>{rows}</tbody></table></div>{_saved_bench(result)}</article>"
    )


def _saved_bench(result: BenchResult) -> str:
    rows = ((row.text, row.expected, *row.favourites.values()) for row in result.rows)
    about = {"shots": result.shots, "accuracy": result.accuracy, "chance": result.chance, "majority": result.majority}
    columns = ("text", "expected", *result.accuracy)
    return draw_downloads(f"zero_shot_bench-{result.model}", columns, rows, model=result.model, **about)


def _verdict(label: str, right: bool, labels: Labels) -> str:
    sign, key = ("✓", "right") if right else ("✗", "wrong")
    return f"<td class='{key}'><span aria-label='{escape(labels[key])}'>{sign}</span> {escape(label)}</td>"


def _lesson(result: BenchResult, labels: Labels) -> str:
    """What the figures say: a method that does not beat always giving the same answer has understood nothing."""
    best = max(result.accuracy.values())
    spread = best - min(result.accuracy.values())
    key = "lesson.below" if best <= result.majority else "lesson.spread" if spread >= 0.2 else "lesson.above"
    return labels[key].format(best=f"{best * 100:.0f} %", majority=f"{result.majority * 100:.0f} %")
