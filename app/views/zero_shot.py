"""Draws zero-shot answers: every method's scores side by side, and how often each is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.results.about import About
from app.results.prompting import BenchResult, ZeroShotResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, details, table, tag, td, th
from app.views.token_choice import visible

Labels = Mapping[str, str]


def draw_methods(answers: Sequence[ZeroShotResult], about: About, labels: Labels, note: str = "") -> Markup:
    """One question: a remark, then each method's tokens, log-probabilities and shares of labels; favourites in bold."""
    first = answers[0]
    favourites = [max(answer.scores, key=lambda entry: entry.score).label for answer in answers]
    rows = []
    for index, entry in enumerate(first.scores):
        tokens = tag("code", " · ".join(map(visible, entry.tokens)))
        scores = zip((answer.scores[index] for answer in answers), favourites, strict=True)
        cells = (_share(one.probability, one.score, entry.label == favourite) for one, favourite in scores)
        rows.append((th(entry.label), tokens, f"{entry.log_probability:.2f}", *cells))
    head = [labels[key] for key in ("label", "tokens", "log_probability")]
    head += [labels[f"method.{answer.method}"] for answer in answers]
    return draw_card(
        about,
        details(labels["prompt_shown"], tag("p", first.prompt, class_="written")),
        table(head, rows, class_="zero-shot"),
        tag("p", labels["cells"], class_="trust"),
        _saved_methods(answers),
        model=first.model,
        note=note,
    )


def _saved_methods(answers: Sequence[ZeroShotResult]) -> Markup:
    rows = (
        (answer.method, entry.label, entry.log_probability, entry.score, entry.probability)
        for answer in answers
        for entry in answer.scores
    )
    columns = ("method", "label", "log_probability", "score", "probability")
    return draw_downloads(f"zero_shot-{answers[0].model}", columns, rows, model=answers[0].model)


def _share(probability: float, score: float, favourite: bool) -> Markup:
    shown, kind = f"{probability * 100:.1f}%", "cell favourite" if favourite else "cell"
    bold = tag("b", shown) if favourite else shown
    return td(bold, class_=kind, style=f"--strength:{probability:.3f}", title=f"{score:.4f}")


def draw_bench(result: BenchResult, about: About, labels: Labels) -> Markup:
    """What was measured and what it teaches, then every text with each method's favourite."""
    said = labels["bench_said"].format(count=len(result.rows), shots=result.shots)
    head = [labels["text"], labels["expected"], *(labels[f"method.{method}"] for method in result.accuracy)]
    rows = (
        (row.text, row.expected, *(_verdict(one, one == row.expected, labels) for one in row.favourites.values()))
        for row in result.rows
    )
    told = tag("p", said) + tag("p", _lesson(result, labels))
    bench = table(head, rows, class_="bench")
    return draw_card(about, told, bench, _saved_bench(result), model=result.model)


def _saved_bench(result: BenchResult) -> Markup:
    rows = ((row.text, row.expected, *row.favourites.values()) for row in result.rows)
    about = {"shots": result.shots, "accuracy": result.accuracy, "chance": result.chance, "majority": result.majority}
    columns = ("text", "expected", *result.accuracy)
    return draw_downloads(f"zero_shot_bench-{result.model}", columns, rows, model=result.model, **about)


def _verdict(label: str, right: bool, labels: Labels) -> Markup:
    sign, key = ("✓", "right") if right else ("✗", "wrong")
    return td(tag("span", sign, aria_label=labels[key]), f" {label}", class_=key)


def _lesson(result: BenchResult, labels: Labels) -> str:
    """What the figures say: a method that does not beat a constant answer has understood nothing."""
    best = max(result.accuracy.values())
    spread = best - min(result.accuracy.values())
    key = "lesson.below" if best <= result.majority else "lesson.spread" if spread >= 0.2 else "lesson.above"
    return labels[key].format(best=f"{best * 100:.0f}%", majority=f"{result.majority * 100:.0f}%")
