"""Number formats, full memory, and the loader's reaction; GPUs are imitated if there are none."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import pytest
import torch
from torch import nn
from transformers import PreTrainedModel

from app.engine.runtime import device
from app.engine.runtime.device import RunLock, choose_dtype, is_out_of_memory, place, weights_budget
from app.engine.runtime.loader import Loader, load, loader
from app.errors import PlaygroundError
from app.registry import remarks
from app.registry.lookup import BY_NAME
from app.tasks.classification.classify import classify
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.fine_tune.tune import fine_tune
from app.ui.events import add_endpoints, endpoint
from app.ui.texts import trust


def test_bf16_only_on_cards_that_have_it_and_float32_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_dtype(torch.device("cpu")) is torch.float32
    for has, dtype in ((True, torch.bfloat16), (False, torch.float32)):
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda has=has: has)
        assert choose_dtype(torch.device("cuda")) is dtype


def test_a_card_limits_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    assert weights_budget(4_000) == 4_000
    monkeypatch.setattr(device, "choose_device", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: SimpleNamespace(total_memory=1_000))
    assert weights_budget(4_000) == 700 and weights_budget(100) == 100


class Card(nn.Module):
    """A model that a full card refuses so many times."""

    def __init__(self, refusals: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(2, dtype=torch.bfloat16))
        self.refusals, self.went = refusals, []

    def to(self, *place: object) -> Card:
        if self.refusals and str(place[0]) == "cuda":
            self.refusals -= 1
            raise torch.OutOfMemoryError("CUDA out of memory")
        self.went.append(place)
        return self


@pytest.mark.parametrize(
    ("refusals", "emptied", "went"),
    [(0, 0, [("cuda",)]), (1, 1, [("cuda",)]), (5, 1, [("cpu", torch.float32)])],
)
def test_a_full_card_is_emptied_and_then_the_cpu_is_taken(refusals: int, emptied: int, went: list) -> None:
    model, cleared = Card(refusals), []
    assert place(model, "cuda", lambda: cleared.append(True)) == (went[-1] == ("cuda",))
    assert (len(cleared), model.went) == (emptied, went)


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (torch.OutOfMemoryError("CUDA out of memory"), True),
        (MemoryError(), True),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"), True),
        (RuntimeError("shapes do not fit"), False),
        (ValueError("can't allocate memory"), False),
        (None, False),
    ],
)
def test_what_counts_as_a_full_memory(error: BaseException | None, full: bool) -> None:
    assert is_out_of_memory(error) == full


def test_the_lock_is_free_again_and_other_errors_pass() -> None:
    lock = RunLock()
    for raised, expected in ((MemoryError(), PlaygroundError), (KeyError("x"), KeyError)):
        with pytest.raises(expected), lock:
            raise raised
    held = threading.Event()

    def hold() -> None:
        with lock:
            held.set()

    threading.Thread(target=hold).start()
    assert held.wait(5)


def test_a_visitor_is_told_that_the_server_is_busy_and_the_next_one_is_served(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = loader().get(BY_NAME["bert-mini"]).model

    def full(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    with monkeypatch.context() as broken, pytest.raises(PlaygroundError) as caught:
        broken.setattr(model.bert, "forward", full)
        fill_mask("a [MASK]", "bert-mini")
    assert caught.value.key == "busy.memory"
    assert fill_mask("a [MASK]", "bert-mini").masks


def test_room_is_made_before_a_checkpoint_is_loaded(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.engine.runtime import loader as module

    one = load(BY_NAME["bert-mini"]).bytes
    kept, in_memory = Loader(budget_bytes=int(1.5 * one)), []
    monkeypatch.setattr(module, "load", lambda checkpoint: in_memory.append(kept.names()) or load(checkpoint))
    for name in ("bert-mini", "bert-base-uncased", "bert-mini"):
        kept.get(BY_NAME[name])
    assert in_memory == [[], [], []] and kept.names() == ["bert-mini"]


@pytest.fixture
def full_card(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A card that has room for nothing; its end empties it."""
    to = PreTrainedModel.to

    def refuse(model: PreTrainedModel, *place: object) -> PreTrainedModel:
        if str(place[0]).startswith("cuda"):
            raise torch.OutOfMemoryError("CUDA out of memory")
        return to(model, *place)

    monkeypatch.setattr(remarks, "_remarks", {})
    with monkeypatch.context() as card:
        card.setattr(PreTrainedModel, "to", refuse)
        card.setattr("app.engine.runtime.loader.choose_device", lambda: torch.device("cuda"))
        yield card


def ask_endpoint(*arguments: object) -> dict[str, object]:
    """`/fill_mask` as the API runs it."""
    with gr.Blocks() as page:
        endpoint(page, fill_mask, api_name="fill_mask")
    add_endpoints(page)
    (function,) = page.fns.values()
    return function.fn(*arguments)


def test_a_card_without_room_is_said_on_the_page_and_in_the_answer(full_card: pytest.MonkeyPatch) -> None:
    answer = ask_endpoint("a [MASK]", "bert-mini")
    assert answer["masks"]
    assert answer["notes"] == [
        "The graphics card was full when bert-mini was loaded: it runs on the CPU, more slowly, with the same answers "
        "up to rounding."
    ]
    assert trust("en", "bert-mini").endswith(answer["notes"][0])
    assert "显卡已满" in trust("zh-CN", "bert-mini")
    assert "card" not in trust("en", "roberta-base")
    full_card.undo()
    loader().clear()
    assert "notes" not in ask_endpoint("a [MASK]", "bert-mini") and "card" not in trust("en", "bert-mini")


def test_a_full_machine_while_loading_is_no_damaged_file(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for full in (MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory")):

        def refuse(*_: object, full: BaseException = full) -> None:
            raise full

        with monkeypatch.context() as machine, pytest.raises(PlaygroundError) as caught:
            machine.setattr("app.engine.runtime.loader._from_pretrained", refuse)
            load(BY_NAME["bert-mini"])
        assert caught.value.key == "busy.memory"


ROWS = [{"text": f"{word} film", "label": word} for word in ("good", "bad")] * 3


@pytest.mark.slow
def test_a_memory_that_fills_up_in_training_or_in_a_trained_model_is_said(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    with monkeypatch.context() as broken, pytest.raises(PlaygroundError) as caught:
        broken.setattr("app.training.learners.gradient.GradientLearner._loss", full)
        fine_tune(ROWS, "bert-mini", 1, visitor="me")
    assert caught.value.key == "busy.memory"
    name = fine_tune(ROWS, "bert-mini", 1, visitor="me").name
    from app.engine.runtime.visitor_models import visitor_models

    with monkeypatch.context() as broken, pytest.raises(PlaygroundError) as caught:
        broken.setattr(visitor_models().get("me", name).model, "forward", full)
        classify(["a film"], name, visitor="me")
    assert caught.value.key == "busy.memory"
    assert classify(["a film"], name, visitor="me").results
