"""Questions that go to a replica together; without a cluster, and without Ray."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.engine.base import MaskedRow
from app.engine.heads import MASKED_LM, NEXT_SENTENCE, TOKEN_VECTORS
from app.engine.ray.groups import MOST_TOGETHER, Groups, LineIsFull
from app.engine.ray.question import Question, joined, parted, reading_of
from app.engine.runtime.loader import loader
from app.registry.lookup import known

QUESTION = Question(known("gpt2"), "causal_lm", 0, "hidden_states", ([[]],))


class Held:
    """A way to replicas on which nothing arrives until it is let go."""

    def __init__(self) -> None:
        self.sent: list[list[Question]] = []
        self.gone, self.begun = threading.Event(), threading.Semaphore(0)
        self.error: Exception | None = None

    def __call__(self, questions: list[Question], sought: bool) -> list[Any]:
        self.sent.append(questions)
        self.begun.release()
        assert self.gone.wait(60)
        if self.error is not None:
            raise self.error
        return [question.reads for question in questions]


def numbered(count: int) -> list[Question]:
    """Questions that differ."""
    return [Question(known("gpt2"), "causal_lm", number, "hidden_states", ([[]],)) for number in range(count)]


def wait_in(groups: Groups, kind: str, count: int) -> None:
    """Return once so many wait."""
    while len(groups._lines[kind].waiting) < count:
        pass


def test_what_comes_while_all_are_on_their_way_goes_together_and_each_gets_its_own_answer() -> None:
    held = Held()
    groups = Groups(held, calls=1, most_waiting=50)
    with ThreadPoolExecutor(50) as threads:
        asked = [threads.submit(groups.ask, "one", question) for question in numbered(MOST_TOGETHER + 3)]
        held.begun.acquire()
        wait_in(groups, "one", MOST_TOGETHER + 2)
        other = threads.submit(groups.ask, "another", QUESTION)
        held.begun.acquire()  # no kind waits for another
        held.gone.set()
        assert [one.result(60) for one in asked] == list(range(MOST_TOGETHER + 3)) and other.result(60) == 0
    assert len(held.sent[0]) == 1 and max(map(len, held.sent)) == MOST_TOGETHER
    assert not groups._lines["one"].running and groups.ask("one", QUESTION) == 0


def test_a_checkpoint_is_sought_where_more_ask_than_there_are_calls() -> None:
    let_go, begun, sought = [threading.Event() for _ in range(4)], threading.Semaphore(0), list[bool]()

    def send(questions: list[Question], demand: bool) -> list[int]:
        sought.append(demand)
        begun.release()
        assert let_go[questions[0].reads].wait(60)
        return [question.reads for question in questions]

    groups = Groups(send, calls=2, most_waiting=50)
    with ThreadPoolExecutor(4) as threads:
        asked = []
        for question in numbered(2):  # as many as calls: each goes to a replica that has the checkpoint
            asked.append(threads.submit(groups.ask, "one", question))
            begun.acquire()
        asked += [threads.submit(groups.ask, "one", question) for question in numbered(4)[2:]]
        wait_in(groups, "one", 2)
        let_go[0].set()
        begun.acquire()  # beside the second one, while another waits
        for gate in let_go:
            gate.set()
        for one in asked:
            one.result(60)
    assert sought[:3] == [False, False, True]
    assert groups.ask("one", QUESTION) == 0 and sought[-1] is False


def test_a_full_line_is_said() -> None:
    held = Held()
    groups = Groups(held, calls=1, most_waiting=1)
    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(groups.ask, "one", QUESTION) for _ in range(2)]
        wait_in(groups, "one", 1)
        with pytest.raises(LineIsFull):
            groups.ask("one", QUESTION)
        held.gone.set()
        assert [one.result(60) for one in asked] == [0, 0]


def test_an_error_meets_its_group_alone() -> None:
    held = Held()
    held.error = ValueError("lost")
    held.gone.set()
    groups = Groups(held, calls=1, most_waiting=1)
    with pytest.raises(ValueError, match="lost"):
        groups.ask("one", QUESTION)
    held.error = None
    assert groups.ask("one", QUESTION) == 0


@pytest.mark.parametrize(
    ("head", "method", "rest"),
    [(MASKED_LM, "masked_log_probabilities", ()), (TOKEN_VECTORS, "hidden_states", ([0, 1],))],
)
def test_asked_together_each_gets_what_it_gets_alone(tiny: Path, head: Any, method: str, rest: tuple) -> None:
    loaded = loader().get(known("bert-base-uncased"))
    adapter, reads = loaded.head(head), reading_of(loaded)
    texts = ["The [MASK] ran over there.", "A [MASK].", "Soup is [MASK] and the dog ran."]
    rows: list[Any] = [adapter.text.encode(text) for text in texts]
    if head is MASKED_LM:
        rows = [MaskedRow(row.input_ids, row.token_type_ids, row.mask_indices) for row in rows]
    alone = [Question(known("bert-base-uncased"), head, reads, method, ([row], *rest), {}, True) for row in rows]
    assert all(one.joins for one in alone) and len({one.kind for one in alone}) == 1
    together = parted(joined(alone).answer(loaded), len(alone))
    for ours, question in zip(together, alone, strict=True):
        for mine, theirs in zip(ours, question.answer(loaded), strict=True):
            pairs = zip(mine, theirs, strict=True) if isinstance(mine, tuple) else [(mine, theirs)]
            for left, right in pairs:
                np.testing.assert_allclose(left, right, atol=1e-5)


def test_answers_of_all_shapes_are_parted() -> None:
    logits = np.arange(6.0).reshape(3, 2)
    rowwise = parted(logits, 3)
    batches = parted([([2, 0], logits[[2, 0]]), ([1], logits[[1]])], 3)
    for place, row in enumerate(logits):
        assert rowwise[place].tolist() == [row.tolist()]
        ((places, mine),) = batches[place]
        assert places == [0] and mine.tolist() == [row.tolist()]


def test_only_questions_of_one_row_that_differ_in_it_alone_go_together() -> None:
    pair = Question(known("bert-mini"), NEXT_SENTENCE, 0, "pair_logits", (["row"],))
    assert pair.joins and not Question(known("gpt2"), "causal_lm", 0, "token_scores", ([5],)).joins
    assert not Question(known("gpt2"), "token_vectors", 0, "hidden_states", (["a", "b"], [1]), {}, True).joins
    first, second = (
        Question(known("gpt2"), "token_vectors", 0, "hidden_states", (["a"], layers), {}, True) for layers in ([1], [2])
    )
    assert first.kind != second.kind and pair.kind != first.kind
