"""Components: their numbers, what they take from the browser, and their values as updates and properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from types import SimpleNamespace
from typing import Any

import gradio as gr
from anyio import to_thread
from gradio.components import Component
from gradio.components.plot import PlotData
from gradio.context import LocalContext
from gradio.utils import is_prop_update

from app.ui.gradio_internals.sessions import LightSession

# Properties of components by the components' ids.
Props = dict[int, dict[str, Any]]


def number_of(component: Component) -> int:
    """A component's number in its page."""
    return component._id


def take_choices_that_come_later(page: gr.Blocks) -> None:
    """Let what is drawn without choices accept any value until a session's own arrive, a moment after its page.

    Gradio refuses a value that is not among the choices it knows; a visitor who is quicker would read that the model
    shown to him does not exist. What is chosen is checked where it is used, as it is for calls from programs.
    """
    for block in page.blocks.values():
        if isinstance(block, gr.Dropdown | gr.Radio | gr.CheckboxGroup) and not block.choices:
            block.preprocess = lambda payload: payload


def take_numbers_as_shown() -> None:
    """Let Gradio take from now on what a number's field shows, of every page.

    It refuses in English what is out of range, and fails at a slider's field that was cleared; the slider itself
    shows its least value then, and otherwise the nearest. What is typed without a slider is checked where it is used.
    """
    gr.Slider.preprocess = _slid
    gr.Number.preprocess = _typed


def _slid(slider: gr.Slider, payload: float | None) -> float:
    return min(max(slider.minimum if payload is None else payload, slider.minimum), slider.maximum)


def _typed(field: gr.Number, payload: float | None) -> float | None:
    return None if payload is None else field.round_to_precision(payload, field.precision)


def as_in_event(work: Callable[[], Any]) -> Any:
    """Do what makes components outside of a page as an event does it: as changes, without checks that fit no change."""

    def done() -> Any:
        LocalContext.in_event_listener.set(True)
        return work()

    return copy_context().run(done)


async def as_props(page: gr.Blocks, work: Callable[[], tuple[Sequence[gr.blocks.Block], Sequence[Any]]]) -> Props:
    """What a handler returns, as properties with which components can be part of a page from the start, by their ids.

    Warnings of the handler (`gr.Warning`) are dropped: no page is open yet to show them.

    Args:
        page: whose components they are.
        work: gives the components and the values for them.
    """

    def done() -> tuple[Sequence[gr.blocks.Block], Sequence[Any]]:
        LocalContext.blocks.set(page)
        LocalContext.event_id.set("")
        return as_in_event(work)

    components, values = await to_thread.run_sync(copy_context().run, done)
    pairs = [(one, value) for one, value in zip(components, values, strict=True) if value != gr.skip()]
    shown, values = [one for one, _ in pairs], [value for _, value in pairs]
    event = SimpleNamespace(outputs=shown, name="", postprocess=True, batch=False, is_validator_function=False)
    said = await page.postprocess_data(event, values[0] if len(values) == 1 else values, LightSession(page))
    return {
        component._id: _without_marks(value) if is_prop_update(value) else {"value": value}
        for component, value in zip(shown, said, strict=True)
        if not component.stateful
    }


def _without_marks(change: dict[str, Any]) -> dict[str, Any]:
    """A change of properties without what says that it is one; of HTML that mark comes among the `props` as well."""
    marks = ("__type__", {"__type__": "update"})
    return {key: value for key, value in change.items() if key not in marks and value not in marks[1:]}


def as_update(value: Any) -> Any:
    """What a handler returned, as plain data: a component means a change of its properties."""
    if isinstance(value, PlotData):
        return value.model_dump()
    if not isinstance(value, gr.blocks.Block):
        return value
    return {"__type__": "update", **{key: as_update(one) for key, one in value.constructor_args.items()}}


def from_update(output: gr.blocks.Block, value: Any) -> Any:
    """The same as a handler would return it: a plot takes its own kind of value."""
    if isinstance(output, gr.Plot) and isinstance(value, dict) and isinstance(value.get("value"), dict):
        return {**value, "value": PlotData(**value["value"])}
    return value
