"""Hugging Face's ZeroGPU: a card for the length of one request, in a process of its own.

There a task runs in a fork that gets its arguments and gives back its result pickled: texts, numbers, numpy arrays. The
main process loads checkpoints and never touches CUDA. Everywhere else, and without the package `spaces`, the decorator
does nothing. What is not decorated runs on the CPU of the main process.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

from app.engine.runtime.cuda import enter_fork, in_fork, on_zero_gpu
from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import find, for_task
from app.registry.remarks import all_remarks, take_remarks

Given = ParamSpec("Given")
Result = TypeVar("Result")

# Seconds asked for: a card's start, then what one token, one text or one sentence takes at most; the longest allowed.
START, PER_TOKEN, PER_TEXT, LONGEST = 15.0, 0.06, 0.1, 120


def seconds_for(**given: Any) -> int:
    """How long a card is asked for, by the size of the request."""
    tokens = given.get("max_new_tokens", 0)
    many = sum(len(value) for value in given.values() if isinstance(value, list | tuple))
    wanted = START + PER_TOKEN * (tokens if isinstance(tokens, int) else 0) + PER_TEXT * many
    return min(LONGEST, round(wanted))


def uses_card(task: Callable[Given, Result]) -> Callable[Given, Result]:
    """Decorate a task that runs a model, so that on ZeroGPU it gets a card."""
    if not on_zero_gpu():
        return task
    import spaces  # there it has to come before torch

    signature = inspect.signature(task)

    def duration(*arguments: Any, **named: Any) -> int:
        return seconds_for(**signature.bind(*arguments, **named).arguments)

    # What comes out of another process is of no type that could be checked here.
    def stream(*arguments: Any, **named: Any) -> Any:
        _load(task.__name__, **signature.bind(*arguments, **named).arguments)
        for outcome in on_card(*arguments, **named):
            yield _raised(outcome)

    def answer(*arguments: Any, **named: Any) -> Any:
        _load(task.__name__, **signature.bind(*arguments, **named).arguments)
        return _raised(on_card(*arguments, **named))

    streams = inspect.isgeneratorfunction(task)
    on_card = spaces.GPU(duration=duration)(_streamed(task) if streams else _answered(task))
    return functools.update_wrapper(stream if streams else answer, task)


def _answered(task: Callable[..., Any]) -> Callable[..., Any]:
    """The task in the fork: errors for visitors are returned, as ZeroGPU drops the messages of raised ones."""

    @functools.wraps(task)
    def run(*arguments: Any, **named: Any) -> Any:
        enter_fork()
        try:
            return task(*arguments, **named), all_remarks()
        except PlaygroundError as error:
            return error, all_remarks()

    return run


def _streamed(task: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    @functools.wraps(task)
    def run(*arguments: Any, **named: Any) -> Iterator[Any]:
        enter_fork()
        try:
            for value in task(*arguments, **named):
                yield value, all_remarks()
        except PlaygroundError as error:
            yield error, all_remarks()

    return run


def _raised(came: tuple[Any, dict[str, str]]) -> Any:
    outcome, remarks = came
    take_remarks(remarks)
    if isinstance(outcome, PlaygroundError):
        raise outcome
    return outcome


def _load(task: str, model: object = "", **asked: object) -> None:
    """Have the checkpoint in the main process, so that forks inherit it; what is wrong with it the task will say."""
    if in_fork() or not isinstance(model, str):
        return
    try:
        names = {name for checkpoint in for_task("") for name in checkpoint.tasks}
        loader().get(find(model, task if task in names else "", *asked.values()))
    except PlaygroundError:
        return
