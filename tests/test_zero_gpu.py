"""ZeroGPU, imitated: like the real one, `spaces.GPU` runs a task in a fork, with pickled arguments and results."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from app.engine.runtime.zero_gpu import LONGEST, seconds_for, uses_card
from app.errors import PlaygroundError
from app.settings import Settings
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

# The real package's contract: fork, pickle both ways, an exception loses its words, nested calls stay where they are.
SPACES = """
import functools, inspect, multiprocessing, os, pickle
fork, forked, log = multiprocessing.get_context("fork"), [], []
def GPU(task=None, *, duration=None):
    if task is None:
        return functools.partial(GPU, duration=duration)
    def work(connection):
        forked.append(True)
        arguments, named = pickle.loads(connection.recv_bytes())
        try:
            outcome = task(*arguments, **named)
            for value in outcome if inspect.isgeneratorfunction(task) else [outcome]:
                connection.send_bytes(pickle.dumps(("value", value)))
            connection.send_bytes(pickle.dumps(("end", None)))
        except Exception as error:
            connection.send_bytes(pickle.dumps(("error", type(error).__name__)))
    def through(arguments, named):
        log.append((task.__name__, duration(*arguments, **named)))
        here, there = fork.Pipe()
        process = fork.Process(target=work, args=[there], daemon=True)
        process.start()
        here.send_bytes(pickle.dumps((arguments, named)))
        while True:
            kind, value = pickle.loads(here.recv_bytes())
            if kind == "error":
                raise RuntimeError("ZeroGPU worker error: " + value)
            if kind == "end":
                return
            yield value
    @functools.wraps(task)
    def stream(*arguments, **named):
        yield from task(*arguments, **named) if forked else through(arguments, named)
    @functools.wraps(task)
    def answer(*arguments, **named):
        return task(*arguments, **named) if forked else next(through(arguments, named))
    return stream if inspect.isgeneratorfunction(task) else answer
"""
PROGRAM = """
import json, spaces, torch
from app.engine.runtime.device import choose_device
from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.tasks import fill_mask, prompting, sentence_pair
torch.cuda.is_available = lambda: spaces.forked == [] or False   # the main process only pretends
assert choose_device().type == "cpu"
one = fill_mask.fill_mask("The [MASK] ran.", "bert-mini", 3)
assert loader().names() == ["bert-mini"]  # loaded here, so that forks inherit it
try:
    sentence_pair.sentence_pair("One.", "", "bert-mini")
    code = "none"
except PlaygroundError as error:
    code = error.key
text = prompting.generate("The dog", "gpt2", 5, seed=1)
print(json.dumps({
    "token": one.masks[0].candidates[0].piece, "code": code, "completion": text.completion, "tokens": len(text.tokens),
    "log": spaces.log, "initialised": torch.cuda.is_initialized(),
}))
"""


@pytest.fixture
def imitated(tmp_path: Path, tiny_models: Path) -> dict[str, str]:
    """The environment of a process on ZeroGPU."""
    (tmp_path / "spaces.py").write_text(SPACES)
    paths = f"{tmp_path}{os.pathsep}{ROOT}"
    return {**os.environ, "PYTHONPATH": paths, "SPACES_ZERO_GPU": "true", "PLAYGROUND_MODELS": str(tiny_models)}


def test_tasks_run_in_forks_and_answers_and_errors_come_back_whole(imitated: dict[str, str], tiny: Path) -> None:
    from app.tasks.fill_mask.fill import fill_mask
    from app.tasks.prompting.write import generate

    run = subprocess.run([sys.executable, "-c", PROGRAM], env=imitated, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    said = json.loads(run.stdout.splitlines()[-1])
    assert said["token"] == fill_mask("The [MASK] ran.", "bert-mini", 3).masks[0].candidates[0].piece
    assert said["code"] == "empty_text"
    assert said["completion"] == generate("The dog", "gpt2", 5, seed=1).completion and said["tokens"] == 5
    assert [name for name, _ in said["log"]] == ["fill_mask", "sentence_pair", "generate"]
    assert not said["initialised"]


def test_the_page_works_there(imitated: dict[str, str], tiny_models: Path) -> None:
    from tests.demos.client import call
    from tests.running_app import run_app

    extra = {name: imitated[name] for name in ("PYTHONPATH", "SPACES_ZERO_GPU")}
    for url in run_app(tiny_models, **extra):
        assert call(url, "fill_mask", "The [MASK] ran.", "bert-mini", 2, [])["masks"]
        assert len(call(url, "attention", "The dog ran.", "", "bert-mini", 1)["weights"]) == 2
        assert call(url, "generate", "The dog", "gpt2", 4, 1.0, 0, 1.0, 1.0, 3)["tokens"]
        assert "(no_mask)" in str(call(url, "fill_mask", "The dog ran.", "bert-mini", 2, []))


def test_elsewhere_the_decorator_does_nothing() -> None:
    def task() -> None:
        """One."""

    assert uses_card(task) is task


def test_time_is_asked_for_by_the_size_of_the_request() -> None:
    assert seconds_for(text="a") < seconds_for(prompt="a", max_new_tokens=200) < seconds_for(max_new_tokens=1_000)
    assert seconds_for(texts=["a"] * 5_000) == LONGEST


# What needs no card builds the decoder on the CPU in the main process; then the fork moves the model elsewhere. Another
# number format stands for the card: products of the two kinds fail just so.
MOVED = """
import json, spaces, torch
from app.engine.runtime.loader import loader
from app.registry.lookup import BY_NAME
from app.tasks import prompting
from app.results.prompting import Sampling
from app.tasks.prompting.prompt_size import prompt_size
from transformers import PreTrainedModel
to = PreTrainedModel.to
PreTrainedModel.to = lambda model, *place: to(model, torch.float64) if str(place[0]) == "cuda" else to(model, *place)
torch.cuda.is_available = lambda: bool(spaces.forked)
torch.cuda.empty_cache = lambda: None
torch.cuda.get_device_properties = lambda _: type("Card", (), {"total_memory": 10**12})
prompt_size("The dog", "gpt2")
list(loader().get(BY_NAME["gpt2"]).head("causal_lm").generate([5, 6], 2, Sampling()))
written = prompting.generate("The dog", "gpt2", 5, seed=1)
again = prompting.generate("The dog", "gpt2", 5, seed=1)
print(json.dumps([len(written.tokens), written.completion == again.completion]))
"""


def test_a_decoder_that_was_built_before_the_fork_is_made_anew_when_the_model_moves(imitated: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-c", MOVED], env=imitated, cwd=ROOT, capture_output=True, text=True, timeout=240
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert json.loads(run.stdout.splitlines()[-1]) == [5, True]


# A card with room for nothing in every other fork, from the first on.
FULL_CARD = """
import json, os, spaces, torch
from app.tasks import fill_mask
from app.ui.texts import trust
from transformers import PreTrainedModel
to, said = PreTrainedModel.to, []
def refuse(model, *place):
    if str(place[0]).startswith("cuda"):
        if FULL:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return model
    return to(model, *place)
PreTrainedModel.to = refuse
torch.cuda.is_available = lambda: bool(spaces.forked)
torch.cuda.empty_cache = lambda: None
torch.cuda.get_device_properties = lambda _: type("Card", (), {"total_memory": 10**12})
for FULL in (True, False):
    assert fill_mask.fill_mask("The [MASK] ran.", "bert-mini", 3).masks
    said.append("card was full" in trust("en", "bert-mini"))
print(json.dumps(said))
"""


def test_a_full_card_in_a_fork_is_said_in_the_main_process_until_it_is_free(imitated: dict[str, str]) -> None:
    run = subprocess.run([sys.executable, "-c", FULL_CARD], env=imitated, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    assert json.loads(run.stdout.splitlines()[-1]) == [True, False]


def test_errors_survive_a_pickle() -> None:
    error = pickle.loads(pickle.dumps(PlaygroundError("too_long", "tokens", count=9, limit=5)))
    assert (error.code, error.key, error.values) == ("too_long", "too_long.tokens", {"count": 9, "limit": 5})


def test_no_card_is_asked_for_at_start() -> None:
    assert not Settings.from_env({"SPACES_ZERO_GPU": "true"}).warm
    assert Settings.from_env({"SPACES_ZERO_GPU": "true", "PLAYGROUND_WARM": "1"}).warm
