"""The panel below a picker: its messages in both languages, and its buttons."""

from __future__ import annotations

import gradio as gr
import pytest

from app.errors import PlaygroundError
from app.results.downloads import DownloadState
from app.ui.components.download_panel import _names, _show, draw_state, in_bytes, in_words, labelled
from app.ui.texts import LANGUAGES

RUNNING = DownloadState("m", "running", 120_000_000, 499_000_000, 3_200_000.0, 118.0)


def test_a_running_download_says_bytes_speed_and_time_left() -> None:
    drawn = draw_state(RUNNING, "en")
    assert "m: 120 MB of 499 MB · 3.2 MB/s · 2 min left" in drawn
    assert "value='120000000' max='499000000'" in drawn and "aria-label='Download of m'" in drawn
    assert "每秒 3.2 MB" in draw_state(RUNNING, "zh-CN")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("status", ["absent", "waiting", "running", "ready"])
def test_names_are_escaped(language: str, status: str) -> None:
    drawn = draw_state(DownloadState("<b>'", status, 1, 2, 1.0, 1.0), language)
    assert "<b>" not in drawn and "&lt;b&gt;" in drawn


def test_a_failure_is_a_sentence() -> None:
    error = PlaygroundError("model_unavailable", "crowded", model="<i>", names="bert-mini")
    drawn = draw_state(DownloadState("<i>", "failed", error=error), "en")
    assert "(429)" in drawn and "bert-mini" in drawn and "model_unavailable" not in drawn and "<i>" not in drawn


@pytest.mark.parametrize(
    ("status", "row", "start", "cancel", "timer"),
    [
        ("absent", True, True, False, True),
        ("waiting", True, False, True, True),
        ("running", True, False, True, True),
        ("failed", True, True, False, True),
        ("ready", False, False, False, False),
    ],
)
def test_buttons_follow_the_status(status: str, row: bool, start: bool, cancel: bool, timer: bool) -> None:
    error = PlaygroundError("busy") if status == "failed" else None
    _, buttons, starter, canceller, clock, _ = _show([DownloadState("m", status, 1, 2, error=error)], [], "en")
    assert (buttons.visible, starter.visible, canceller.visible, clock.active) == (row, start, cancel, timer)


def test_only_what_was_missed_is_said_to_have_come() -> None:
    here = [DownloadState("a", "ready"), DownloadState("b", "ready")]
    assert not _show(here, [], "en")[0].visible
    shown = _show(here, ["b"], "en")[0]
    assert "b is on this machine now" in shown.value and "a is" not in shown.value
    assert _show([DownloadState("c", "absent")], ["b"], "en")[-1] == ["b", "c"]


# Sample sets, and what was trained in the visit.
NO_CHECKPOINTS = ("fine_tune-sample", "fine_tune-own")


@pytest.mark.slow
def test_every_picker_of_models_says_anew_what_is_here_when_it_is_opened() -> None:
    import demos
    from app.ui.shell import discover, playground

    page = playground(discover(demos))
    filled = {
        component._id: component
        for event in page.fns.values()
        if event.name in ("on_open", "on_load")
        for component in event.outputs
        if isinstance(component, gr.Dropdown) and component.elem_id not in NO_CHECKPOINTS
    }
    opened = {target for event in page.fns.values() for target, trigger in event.targets if trigger == "focus"}
    assert len(filled) > 14
    assert [str(component.label) for key, component in filled.items() if key not in opened] == []


def test_a_picker_keeps_the_choice_and_says_that_it_has_come() -> None:
    def choices(request: gr.Request) -> list[tuple[str, str]]:
        return [("none", ""), ("a, on this machine", "a")]

    assert labelled(choices, ["a", "gone"], None).value == ["a"]
    assert [labelled(choices, name, None).value for name in ("a", "", "gone", None)] == ["a", "", None, None]
    assert labelled(choices, "a", None).choices == choices(None)


def test_one_picker_or_several() -> None:
    assert _names(["a", "", None]) == ["a"] and _names("a") == ["a"] and _names(None) == []


def test_sizes_and_durations() -> None:
    assert [in_bytes(count) for count in (1.2e9, 499e6, 3.2e6, 12e3)] == ["1.2 GB", "499 MB", "3.2 MB", "12 kB"]
    assert [in_words(s, "en") for s in (0.2, 40, 118, 9_000)] == ["1 s", "40 s", "2 min", "2.5 h"]
