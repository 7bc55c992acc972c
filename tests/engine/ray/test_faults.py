"""If replicas die, hang or are replaced, questions are answered, or refused as by a full server."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from app.engine.heads import CAUSAL_LM
from app.engine.runtime.loader import load_head, loader
from app.errors import PlaygroundError
from app.registry.lookup import known
from app.results.prompting import Sampling
from app.tasks.fill_mask import fill_mask
from app.tasks.surprise.score import score
from tests.conftest import SetSetting
from tests.engine.ray.alike import differences
from tests.engine.ray.conftest import HOST, REPLACED, save_replaced

pytestmark = pytest.mark.usefixtures("on_cluster")

WAIT = 120  # seconds until a test that hangs fails


def replica_of(family: str) -> Any:
    """The actor behind a family's only replica."""
    import ray

    (name,) = {
        one["name"]
        for one in ray.util.list_named_actors(all_namespaces=True)
        if one["name"].startswith("SERVE_REPLICA") and f"playground-{family}#" in one["name"]
    }
    return ray.get_actor(name, namespace="serve")


@contextmanager
def held(family: str) -> Iterator[None]:
    """The replica's process stands still."""
    import ray

    process = ray.get(replica_of(family).__ray_call__.remote(lambda _: os.getpid()))
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):  # it was killed meanwhile
            os.kill(process, signal.SIGCONT)


def outcome_of(question: Callable[[], Any]) -> Any:
    """The answer or the refusal."""
    try:
        return question()
    except PlaygroundError as error:
        return error


def test_a_replica_that_is_killed_is_replaced_and_questions_are_answered_or_refused() -> None:
    import ray

    expected = score("The dog ran.", "gpt2")
    causal = load_head(known("gpt2"), CAUSAL_LM)
    written = causal.generate(causal.text.prompt("The dog").input_ids, 40, Sampling(temperature=0))
    next(written)
    with held("gpt2"), ThreadPoolExecutor() as threads:
        asked = [threads.submit(outcome_of, lambda: score("The dog ran.", "gpt2")) for _ in range(3)]
        ray.kill(replica_of("gpt2"))
        outcomes = [one.result(WAIT) for one in asked]
    for outcome in outcomes:
        assert outcome.code == "busy" if isinstance(outcome, PlaygroundError) else not differences(outcome, expected)
    rest = outcome_of(lambda: list(written))  # what had arrived by then, or a refusal
    assert isinstance(rest, list) or rest.code == "busy"
    assert differences(score("The dog ran.", "gpt2"), expected) == []


def test_a_full_line_is_said_with_the_wait_and_the_others_are_answered() -> None:
    expected = fill_mask("The [MASK] ran.", "bert-mini")
    outcomes: SimpleQueue[Any] = SimpleQueue()
    count = 3 * (int(HOST["PLAYGROUND_RAY_ONGOING"]) + int(HOST["PLAYGROUND_RAY_WAITING"]))

    def ask() -> None:
        outcomes.put(outcome_of(lambda: fill_mask("The [MASK] ran.", "bert-mini")))

    with held("bert"):
        for _ in range(count):
            threading.Thread(target=ask, daemon=True).start()
        refused = outcomes.get(timeout=WAIT)  # nobody can have had an answer
    assert refused.key == "busy.queue" and refused.number("seconds") >= 1
    others = [outcomes.get(timeout=WAIT) for _ in range(count - 1)]
    answered = [outcome for outcome in others if not isinstance(outcome, PlaygroundError)]
    assert answered and not [answer for answer in answered if differences(answer, expected)]
    assert {outcome.code for outcome in others if isinstance(outcome, PlaygroundError)} <= {"busy"}


def test_no_question_fails_while_a_checkpoint_is_updated(models: Path, set_setting: SetSetting) -> None:
    from app.engine.ray.deployment import deploy
    from app.engine.ray.remote import cluster

    text = "The [MASK] ran over there."
    before, version = fill_mask(text, REPLACED), cluster().get(known(REPLACED)).version
    save_replaced(models, seed=2)
    ended = threading.Event()

    def ask() -> list[Any]:
        outcomes = []
        while not ended.is_set():
            outcomes.append(outcome_of(lambda: fill_mask(text, REPLACED)))
        return outcomes

    with ThreadPoolExecutor() as threads:
        asking = [threads.submit(ask) for _ in range(2)]
        try:
            deploy(["bert"])
        finally:
            ended.set()
        outcomes = [outcome for one in asking for outcome in one.result(WAIT)]
    cluster.cache_clear()  # as half a minute later
    after = fill_mask(text, REPLACED)
    assert cluster().get(known(REPLACED)).version > version
    set_setting(engine="local")
    loader.cache_clear()
    expected = fill_mask(text, REPLACED)
    assert differences(after, expected) == [] != differences(before, expected)
    assert [one for one in outcomes if isinstance(one, PlaygroundError)] == []
    neither = [(differences(one, before), differences(one, after)) for one in outcomes]
    assert outcomes and [(old[:3], new[:3]) for old, new in neither if old and new] == []
