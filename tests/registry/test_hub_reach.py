"""The Hub's last known state: queried in the background, and again when the answer is old."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from app.registry import lookup
from app.registry.hub_reach import SECONDS_HELD, HubReach, ask_hub
from app.registry.lookup import BY_NAME
from app.tasks.downloads import download_states
from app.ui.widgets import model_choices
from tests.conftest import SetVariables


class Hub:
    """Answers what it is told to, when it is let."""

    def __init__(self) -> None:
        self.up, self.asked, self.now = False, threading.Semaphore(0), 0.0
        self.let, self.threads = threading.Event(), 0

    def ask(self) -> bool:
        self.threads += 1
        self.asked.release()
        self.let.wait(10)
        return self.up


def settled(reach: HubReach) -> None:
    """Wait until nothing is being asked."""
    with reach._asking:
        pass


def test_nobody_waits_and_an_old_answer_is_asked_for_anew() -> None:
    hub = Hub()
    reach = HubReach(hub.ask, lambda: hub.now)
    assert reach.answers() and reach.answers(), "nothing is known against it yet"
    assert hub.asked.acquire(timeout=10) and hub.threads == 1, "asked once, however many want to know"
    hub.let.set()
    settled(reach)
    assert not reach.answers() and hub.threads == 1
    hub.let.clear()
    hub.up, hub.now = True, SECONDS_HELD[False]
    assert not reach.answers(), "as it was last seen"
    assert hub.asked.acquire(timeout=10)
    hub.let.set()
    settled(reach)
    assert reach.answers() and hub.threads == 2


def test_a_hub_that_does_not_answer_is_offered_by_nobody(
    tiny: object, monkeypatch: pytest.MonkeyPatch, set_variables: SetVariables
) -> None:
    set_variables(HF_HUB_OFFLINE=None)
    silent = SimpleNamespace(answers=lambda: False)
    monkeypatch.setattr(lookup, "hub_reach", lambda: silent)
    monkeypatch.setattr("app.tasks.downloads.hub_reach", lambda: silent)
    (state,) = download_states(["bert-large-cased"])
    assert (state.status, state.startable, state.error.reason) == ("failed", False, "unreachable")
    ((label, _),) = model_choices("en", [BY_NAME["bert-large-cased"]], set())
    assert label == "BERT large, with capitals (Google) · not on this server"


def test_asking(hub: object, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    assert ask_hub()
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    assert not ask_hub()
