"""Draws a race: score against number of examples, and the result of each starting point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from app.results.tuning.race import Race, Racer
from app.views.html import Markup, card, listed, table, tag
from app.views.plots import INK, Trace, axis, figure, look_of, shortened, table_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]
COLUMNS = ("name", "method", "accuracy", "f1", "weights", "seconds", "kilobytes")
HEIGHT = 420
# The racers' bars stand side by side, this many hundredths apart.
APART = 0.03
HOVER = "%{customdata[0]}: %{y:.3f} (%{customdata[1]:.3f} – %{customdata[2]:.3f})"
# Not pre-trained: the yardstick for the others.
PLAIN = "bag-of-words"


def race_status(ahead: int | None, race: Race | None, labels: Labels) -> str:
    """One sentence on its progress: what is running, what is left."""
    if ahead:
        return labels["waiting"].format(ahead=ahead)
    if race is None or not race.racers:
        return labels["preparing"]
    waiting = ", ".join(race.waiting) or labels["race.none"]
    values = {"done": race.done, "total": race.total, "seconds": f"{race.seconds:.0f}", "waiting": waiting}
    return labels["race.running"].format(model=race.racers[-1].model, **values)


def draw_race(race: Race, labels: Labels) -> Markup:
    """How it ended, how many examples pre-training saves, and a table."""
    parts = []
    if race.ended:
        values = {"seconds": f"{race.seconds:.0f}", "done": race.done, "total": race.total, "kept": race.kept_rows}
        parts = [tag("p", labels[f"race.ended.{race.ended}"].format(**values)), _saved(race, labels)]
    rows = (_cells(race, racer, labels) for racer in race.racers)
    return card(*parts, table([labels[f"race.{name}"] for name in COLUMNS], rows, class_="runs"))


def _cells(race: Race, racer: Racer, labels: Labels) -> list[str]:
    largest = max((point.examples for point in racer.points), default=0)

    def score(name: str, written: Callable[[float], str]) -> str:
        mean = racer.mean(largest, name)
        behind = labels["race.at"].format(count=largest) if 0 < largest < race.sizes[-1] else ""
        return "–" if mean is None else f"{written(mean)}{behind}"

    return [
        racer.model,
        labels[f"method.{racer.method}"],
        score("accuracy", lambda mean: f"{mean:.1%}"),
        score("macro_f1", lambda mean: f"{mean:.3f}"),
        f"{racer.trained_weights:,}" if racer.points else "–",
        f"{racer.seconds:.0f}" if racer.points else "–",
        f"{racer.kept_bytes / 1e3:,.0f}" if racer.points else "–",
    ]


def _saved(race: Race, labels: Labels) -> Markup:
    """How many examples each pre-trained racer needs to equal the bag of words trained on all."""
    plain = next((racer for racer in race.racers if racer.model == PLAIN), None)
    goal = plain.mean(race.sizes[-1]) if plain else None
    if goal is None:
        return Markup()
    if goal <= race.guessing:
        return tag("p", labels["race.blind"].format(all=race.sizes[-1]))
    lines = []
    for racer in race.racers:
        if racer is not plain and racer.mean(race.sizes[-1]) is not None:
            fewest = race.enough(racer, plain)
            key = "race.never" if fewest is None else "race.enough"
            lines.append(labels[key].format(model=racer.model, fewest=fewest))
    told = labels["race.saved"].format(all=race.sizes[-1], score=f"{goal:.2f}")
    return tag("p", told, class_="headline") + listed("ul", lines) if lines else Markup()


def plot_race(race: Race, labels: Labels) -> Figure | None:
    """Macro-F1 against the number of examples: the mean of the draws, with bars from the worst to the best."""
    if not race.done:
        return None
    traces = [_of_racer(race, number, racer, labels) for number, racer in enumerate(race.racers) if racer.points]
    ends = [min(race.sizes) * 0.85, race.sizes[-1] * 1.18]
    traces.append({
        "type": "scatter", "mode": "lines", "name": labels["race.guessing"], "x": ends, "y": [race.guessing] * 2,
        "line": {"color": INK, "width": 1, "dash": "dash"}, "hovertemplate": "%{y:.3f}",
    })  # fmt: skip
    rows = [
        (racer.model, point.examples, point.draw, point.accuracy, point.macro_f1)
        for racer in race.racers for point in racer.points
    ]  # fmt: skip
    ticks = {"tickvals": race.sizes, "ticktext": [str(size) for size in race.sizes]}
    return figure(
        traces,
        told=labels["race.told"].format(kept=race.kept_rows),
        name="race",
        height=HEIGHT,
        table=table_of(("model", "examples", "draw", "accuracy", "macro_f1"), rows),
        xaxis=axis(labels["race.examples"], type="log", **ticks),
        yaxis=axis(labels["race.f1"], range=[0, 1.02]),
    )


def _of_racer(race: Race, number: int, racer: Racer, labels: Labels) -> Trace:
    colour, symbol = look_of(number)
    sizes = [size for size in race.sizes if racer.at(size)]
    means = [racer.mean(size) for size in sizes]
    scores = [[point.macro_f1 for point in racer.at(size)] for size in sizes]
    beside = 1.0 + APART * (number - (len(race.racers) - 1) / 2)
    return {
        "type": "scatter", "mode": "lines+markers", "name": shortened(racer.model),
        "x": [size * beside for size in sizes], "y": means,
        "customdata": [[size, min(one), max(one)] for size, one in zip(sizes, scores, strict=True)],
        "error_y": {
            "type": "data", "symmetric": False, "thickness": 1.2, "width": 3, "color": colour,
            "array": [max(one) - mean for one, mean in zip(scores, means, strict=True)],
            "arrayminus": [mean - min(one) for one, mean in zip(scores, means, strict=True)],
        },
        "line": {"color": colour, "width": 2}, "marker": {"symbol": symbol, "size": 8, "color": colour},
        "hovertemplate": HOVER,
    }  # fmt: skip
