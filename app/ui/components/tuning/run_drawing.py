"""What the page shows of a training, while it runs and afterwards. Knows no task and no view; the tab hands them over.

The components, in this order: a sentence, the curves, which labels were confused, the outcome, the table of runs, the
picker of the visitor's models, the runs themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from app.ui.components.plots import Figure, shown
from app.ui.events import visitor_of
from app.ui.texts import language_of, texts

Labels = Mapping[str, str]


@dataclass(frozen=True)
class RunViews:
    """How the parts are drawn, and which models the visitor has."""

    note: Callable[[str], str]
    status: Callable[..., str]
    hint: Callable[..., str]
    curves: Callable[..., Figure]
    confusion: Callable[..., Figure | None]
    outcome: Callable[..., str]
    table: Callable[..., str]
    own: Callable[[str], Mapping[str, str]]


class RunDrawing:
    """Makes the values of the components.

    Args:
        slug: of the tab.
        views: what draws the parts.
    """

    def __init__(self, slug: str, views: RunViews) -> None:
        self.slug, self.views = slug, views

    def follow(self, states: Iterable[Any], runs: list[Any], request: gr.Request) -> Iterator[tuple[Any, ...]]:
        """Yields a training's state repeatedly; the finished run joins the others.

        Args:
            states: of the training; in the end the run, which has a `result`.
            runs: those before it.
            request: the visitor's.
        """
        labels, run, drawn = self._labels(request), None, None
        for state in states:
            if hasattr(state, "result"):
                run = state
                continue
            before, drawn = drawn, len(state.history) + len(state.validations)
            curves = self.curves(runs, state, request) if drawn != (before or 0) else gr.skip()
            yield self.views.note(self.views.status(state.ahead, state.report, labels)), curves, *_SAME, runs
        if drawn is run is None:  # nothing runs; what never yields would empty the page
            yield gr.skip(), gr.skip(), *_SAME, gr.skip()
            return
        if run is None:
            yield self.views.note(labels["nothing"]), self.curves(runs, None, request), *_SAME, runs
            return
        said = self.views.note(labels[self.views.hint(run.result)])
        yield said, *self.stand([*runs, run], run.result.name, request)

    def stand(self, runs: list[Any], name: str, request: gr.Request) -> tuple[Any, ...]:
        """All but the sentence, with the outcome of the named run; of the newest where none has the name."""
        labels = self._labels(request)
        run = next((run for run in runs if run.result.name == name), runs[-1] if runs else None)
        confusion = [self.views.confusion(run.result, labels)] if run else []
        return (
            self.curves(runs, None, request),
            *shown(confusion, 1, language_of(request)),
            self.views.outcome(run.result, run.judged, labels, run.tagged) if run else "",
            self.table(runs, request),
            self.own(request, name),
            runs,
        )

    def curves(self, runs: Sequence[Any], tuning: Any, request: gr.Request) -> gr.Plot:
        """Of all runs, and of the training in progress."""
        if not runs and tuning is None:
            return shown([], 1, language_of(request))[0]
        going = (tuning.history, tuning.validations, tuning.report.steps) if tuning and tuning.report else None
        figure = self.views.curves([run.result for run in runs], going, self._labels(request))
        return shown([figure], 1, language_of(request))[0]

    def table(self, runs: Sequence[Any], request: gr.Request) -> str:
        """Of all runs."""
        return self.views.table(runs, self._labels(request)) if runs else ""

    def own(self, request: gr.Request, name: str = "") -> gr.Dropdown:
        """The picker with the visitor's models, the named one chosen; the newest where there is none of the name."""
        own = self.views.own(visitor_of(request))
        return gr.Dropdown(choices=[*own], value=name if name in own else next(reversed(own), None))

    def _labels(self, request: gr.Request) -> Labels:
        return texts(self.slug)[language_of(request)]


# Curve of labels, outcome, table and picker stay as they are.
_SAME = (gr.skip(),) * 4
