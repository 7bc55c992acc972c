"""Draws a model's parts (its weights by component, as bars and as a table) and its dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from app.results.about import About
from app.results.models import Anatomy, Part
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, table, tag, th
from app.views.plots import COLOURS, Trace, axis, figure, plain, table_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]
ROW_HEIGHT, AROUND = 34, 120


def total(parts: Iterable[Part]) -> int:
    """All weights, counting shared ones once."""
    return sum(part.parameters for part in parts)


def in_millions(count: float) -> str:
    """5322240 -> `5.32 M`, 109482240 -> `109 M`, 512 -> `512`."""
    if count < 10_000:
        return f"{count:,.0f}"
    return f"{count / 1e6:.{2 if count < 10e6 else 1 if count < 100e6 else 0}f} M"


def plot_parts(named: Sequence[tuple[str, Sequence[Part]]], told: str, name: str, labels: Labels) -> Figure:
    """A bar for each component, one trace per model.

    Args:
        named: models with their parts.
        told: what the plot shows.
        name: of saved files.
        labels: the tab's texts in one language.
    """
    there = {part.component for _, parts in named for part in parts}
    # Components from input to output, in the order of the texts.
    components = [key.removeprefix("part.") for key in labels if key.removeprefix("part.") in there]
    rows = [(model, part.component, part.parameters, part.times) for model, parts in named for part in parts]
    most = max(total(part for part in parts if part.component == one) for _, parts in named for one in components)
    traces = [_bars(model, parts, components, number, labels) for number, (model, parts) in enumerate(named)]
    return figure(
        traces,
        told=told,
        name=name,
        height=AROUND + ROW_HEIGHT * len(components) * (1 + len(named)) // 2,
        table=table_of(("model", "component", "parameters", "times_used"), rows),
        margin={"l": 10, "r": 40, "t": 34, "b": 10},  # for the longest bar's number
        xaxis=axis(labels["weights"], range=[0, 1.25 * most], tickformat="~s", nticks=4),
        yaxis=axis("", autorange="reversed", showgrid=False),
        barmode="group",
        showlegend=len(named) > 1,
    )


def _bars(model: str, parts: Sequence[Part], components: Sequence[str], number: int, labels: Labels) -> Trace:
    counts = [total(part for part in parts if part.component == component) for component in components]
    return {
        "type": "bar",
        "orientation": "h",
        "name": plain(model),
        "x": counts,
        "y": [labels[f"part.{component}"] for component in components],
        "marker": {"color": COLOURS[number]},
        "text": [in_millions(count) for count in counts],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{y}: %{x:,}",
    }


def draw_parts(parts: Sequence[Part], labels: Labels) -> Markup:
    """The same as a table, with a remark on parts that are used several times."""
    whole = total(parts)
    rows = [_cells(part, whole, labels) for part in parts]
    rows.append((th(labels["all_weights"]), tag("b", f"{whole:,}"), "", ""))
    return table([labels[key] for key in ("part", "weights", "share", "used")], rows, class_="parts")


def _cells(part: Part, whole: int, labels: Labels) -> tuple[str, ...]:
    used = labels["times"].format(times=part.times) if part.times > 1 else ""
    return th(labels[f"part.{part.component}"]), f"{part.parameters:,}", f"{part.parameters / whole:.1%}", used


def draw_anatomy(anatomy: Anatomy, about: About, labels: Labels) -> Markup:
    """One model: its dimensions and its parts."""
    measures = asdict(anatomy.measures).items()
    sizes = table((), ((th(labels[f"size.{key}"]), f"{n:,}" if n else "–") for key, n in measures), class_="scores")
    parts = draw_parts(anatomy.parts, labels)
    return draw_card(about, sizes, parts, _downloads(anatomy), model=anatomy.model)


def _downloads(anatomy: Anatomy) -> Markup:
    rows = ((part.component, part.parameters, part.times) for part in anatomy.parts)
    about = {"model": anatomy.model, "revision": anatomy.revision, **asdict(anatomy.measures)}
    return draw_downloads(f"weights-{anatomy.model}", ("component", "parameters", "times_used"), rows, **about)


def told_of(name: str, parts: Sequence[Part], labels: Labels) -> str:
    """The number of weights, and where most of them are."""
    counts = {part.component: total(one for one in parts if one.component == part.component) for part in parts}
    most = max(counts, key=counts.__getitem__)
    values = {
        "weights": f"{total(parts):,}",
        "part": labels[f"part.{most}"],
        "share": f"{counts[most] / total(parts):.0%}",
    }
    return labels["parts_told"].format(model=name, **values)
