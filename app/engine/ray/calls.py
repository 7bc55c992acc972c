"""Questions to a family's replicas: failures on the way are tried again, or refused as by a full server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator
from functools import cache
from typing import Any, TypeVar

from ray import exceptions as ray_exceptions
from ray.serve import exceptions

from app.engine.ray import families
from app.engine.ray.groups import Groups, LineIsFull
from app.engine.ray.question import Question, joined, parted
from app.errors import PlaygroundError
from app.pace import Pace
from app.registry.checkpoint import Checkpoint
from app.settings import settings

# A replica or its machine ended, or cannot be reached; another one, or its successor, may answer.
GONE = (
    *(ray_exceptions.RayActorError, ray_exceptions.NodeDiedError, ray_exceptions.ObjectLostError),
    exceptions.ReplicaUnavailableError,
)
TRIES = 4
END = object()
# The longest time for a question: a replica may have to start, then load a large checkpoint.
PATIENCE_SECONDS = 600

Answer = TypeVar("Answer")
log = logging.getLogger(__name__)


class Calls:
    """Asks one family's replicas.

    Raises:
        PlaygroundError: from all methods: `busy`, with the expected wait; and the replicas' own refusals.
    """

    def __init__(self, family: str) -> None:
        self._family = family
        self._handle: Any = None
        self._guard = threading.Lock()
        self._pace = Pace()
        host = settings()
        # As many questions are taken as where each went by itself.
        taken = host.ray_most_replicas * (host.ray_ongoing - 1) + host.ray_waiting
        self._groups = Groups(self._ask_group, host.ray_most_replicas, taken)

    def describe(self, checkpoint: Checkpoint) -> Any:
        """A replica's description of a checkpoint that it has loaded."""
        return self._again(lambda: self._to(checkpoint).describe.remote(checkpoint).result(timeout_s=PATIENCE_SECONDS))

    def ask(self, question: Question) -> Any:
        """The answer. It depends only on the question, so the question can be asked again."""
        try:
            return _refused(self._groups.ask(question.kind, question) if question.joins else self._ask_once(question))
        except LineIsFull as error:
            raise self._busy() from error

    def _ask_group(self, questions: list[Question], sought: bool) -> list[Any]:
        """Their answers, or the errors that refuse them. If one refusal meets all, each is asked by itself.

        Args:
            questions: of one kind.
            sought: whether their checkpoint is in such demand that any replica may answer, and load it first.
        """
        if len(questions) == 1:
            return [self._ask_once(questions[0], sought)]
        answer = self._ask_once(joined(questions), sought)
        if isinstance(answer, PlaygroundError):
            full = answer.code == "busy"
            return [answer if full else self._ask_once(question) for question in questions]
        for _ in questions[1:]:
            self._pace.answered()
        return parted(answer, len(questions))

    def _ask_once(self, question: Question, sought: bool = False) -> Any:
        try:
            return self._again(
                lambda: self._to(question.checkpoint, sought).ask.remote(question).result(timeout_s=PATIENCE_SECONDS)
            )
        except PlaygroundError as error:
            return error

    def stream(self, question: Question) -> Generator[Any, None, None]:
        """The answer part by part. Closing it stops the model.

        The question is asked again only while no part was given, because another replica may draw another text.
        """
        parts, part = self._again(lambda: self._begun(question))
        try:
            while part is not END:
                yield part
                part = _refused(next(parts, END))
            self._pace.answered()
        except GONE as error:
            raise self._busy() from error
        finally:
            parts.cancel()

    def _begun(self, question: Question) -> tuple[Any, Any]:
        parts = self._to(question.checkpoint).options(stream=True).stream.remote(question)
        return parts, _refused(next(parts, END))

    def _to(self, checkpoint: Checkpoint, sought: bool = False) -> Any:
        """Replicas, those first that have the checkpoint in memory. Of a sought one, simply the least busy.

        Serve would not send a call to another replica before the first one is full, and with whole groups in a call
        it never is.
        """
        with self._guard:  # two handles would let twice as many wait
            if self._handle is None:
                families.connect()
                self._handle = families.handle(self._family)
        return self._handle if sought else self._handle.options(multiplexed_model_id=checkpoint.name)

    def _again(self, call: Callable[[], Answer]) -> Answer:
        for left in reversed(range(TRIES)):
            try:
                answer = _refused(call())
            except GONE as error:
                if not left:
                    raise self._busy() from error
            except (exceptions.BackPressureError, TimeoutError) as error:
                raise self._busy() from error
            except (exceptions.RayServeException, ConnectionError) as error:
                log.error("The cluster does not answer for %s: %s", self._family, error)
                raise PlaygroundError("busy") from error
            else:
                self._pace.answered()
                return answer
        raise AssertionError("the last try returns or raises")

    def _busy(self) -> PlaygroundError:
        waiting = settings().ray_waiting
        return PlaygroundError("busy", "queue", count=waiting, seconds=self._pace.seconds(waiting))


def _refused(answer: Answer) -> Answer:
    """The answer, unless it is a replica's refusal, which is raised."""
    if isinstance(answer, PlaygroundError):
        raise answer
    return answer


@cache
def calls(family: str) -> Calls:
    """The calls to a family in this process."""
    return Calls(family)
