"""Prompting a causal model: the next token's distribution, and texts written token by token.

Knows prompts and results; the model is only an `engine.base.CausalLM`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from app.engine.base import CausalLM, Step
from app.engine.runtime.cuda import on_zero_gpu
from app.engine.runtime.zero_gpu import uses_card
from app.engine.text.characters import Characters, CharacterStream
from app.results.prompting import GeneratedToken, GenerateResult, NextTokenResult, Sampling, Writing, WrittenPiece
from app.settings import settings
from app.tasks.causal import candidate, check_sampling, load_causal, prompt_ids
from app.tasks.checks import check_text, check_tokens, check_whole_number
from app.tasks.examples import once_for_examples

MOST_NEW_TOKENS = 1_000

# Whether anybody still waits for the answer being written.
Wanted = Callable[[], bool]


@once_for_examples("next_token", "prompt")
@uses_card
def next_token(
    prompt: str, model: str = "", top_k: int = 10, temperature: float = 1.0, top_p: float = 1.0
) -> NextTokenResult:
    """The most probable next tokens, and their probabilities under temperature and top-p; see `/next_token`.

    Args:
        prompt: the text before the next token.
        model: catalog name of a causal model; empty for the default.
        top_k: how many candidates to return, 1 to 1,000.
        temperature: 0 to 10; 0 gives everything to the most probable token.
        top_p: above 0, at most 1: keep only the fewest most probable tokens that together reach this share.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    check_text(prompt, "prompt")
    count = check_whole_number(top_k, "top_k", 1, settings().max_top_k)
    sampling = check_sampling(temperature, 0, top_p, 1.0, 0)
    causal = load_causal(model, "next_token", prompt)
    own, adjusted = causal.next_probabilities(prompt_ids(causal, prompt), sampling)
    best = np.argsort(-own, kind="stable")[:count].tolist()
    candidates = [candidate(causal, token_id, own[token_id], adjusted[token_id]) for token_id in best]
    return NextTokenResult(causal.checkpoint.name, causal.checkpoint.revision, candidates)


@uses_card
def generate(
    prompt: str,
    model: str = "",
    max_new_tokens: int = 40,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    repetition_penalty: float = 1.0,
    seed: int = 0,
) -> GenerateResult:
    """Continue a prompt; see `/generate`. The same seed gives the same text.

    Args:
        prompt: the text to continue; the model's window bounds prompt and new tokens together.
        model: catalog name of a causal model; empty for the default.
        max_new_tokens: 1 to 1,000; fewer are written if the text or the window ends.
        temperature: 0 to 10; 0 always takes the most probable token.
        top_k: draw only from this many most probable tokens, 0 for all.
        top_p: above 0, at most 1: draw only from the fewest most probable tokens that together reach this share.
        repetition_penalty: 0.1 to 10; above 1, tokens that already occurred become less probable.
        seed: 0 to 4,294,967,295.

    Raises:
        PlaygroundError: as `next_token`.
    """
    sampling = check_sampling(temperature, top_k, top_p, repetition_penalty, seed)
    return _generate(prompt, model, max_new_tokens, sampling, lambda: True)


def generate_while(wanted: Wanted, *arguments: Any) -> GenerateResult:
    """`generate` with its arguments in order; stops writing as soon as `wanted` is false.

    ZeroGPU works in another process, which cannot ask, so there the text is written to its end.
    """
    if on_zero_gpu():
        return generate(*arguments)
    given = inspect.signature(generate).bind(*arguments)
    given.apply_defaults()
    prompt, model, max_new_tokens, *of_sampling = given.args
    return _generate(prompt, model, max_new_tokens, check_sampling(*of_sampling), wanted)


def _generate(prompt: str, model: str, max_new_tokens: int, sampling: Sampling, wanted: Wanted) -> GenerateResult:
    *_, last = _write(prompt, model, max_new_tokens, sampling, (), wanted)
    return GenerateResult(
        model=last.model,
        revision=load_causal(last.model, "generate").checkpoint.revision,
        completion="".join(piece.text for piece in last.pieces),
        tokens=last.tokens,
        stopped=last.stopped,
        precision=last.precision,
    )


@uses_card
def write(
    prompt: str, model: str, max_new_tokens: int, sampling: Sampling, kept: Sequence[GeneratedToken] = ()
) -> Generator[Writing, None, None]:
    """The text as it grows: before the first token, then whenever characters are complete, and at its end.

    Args:
        prompt: the text to continue.
        model: catalog name; empty for the default.
        max_new_tokens: 1 to 1,000, not counting the kept ones.
        sampling: checked settings.
        kept: tokens that already follow the prompt, for example after a branch.
    """
    yield from _write(prompt, model, max_new_tokens, sampling, kept, lambda: True)


def _write(
    prompt: str, model: str, max_new_tokens: int, sampling: Sampling, kept: Sequence[GeneratedToken], wanted: Wanted
) -> Generator[Writing, None, None]:
    check_text(prompt, "prompt")
    wished = check_whole_number(max_new_tokens, "max_new_tokens", 1, MOST_NEW_TOKENS)
    causal = load_causal(model, "generate", prompt)
    ids = [*prompt_ids(causal, prompt), *(token.token_id for token in kept)]
    check_tokens(len(ids) + 1, causal.max_tokens)
    room = causal.max_tokens - len(ids)
    page, drawn, ended = _Page(causal, prompt, sampling, kept), 0, False
    yield page.now()
    steps = causal.generate(ids, min(wished, room), sampling)
    try:
        for step in steps:
            ended = step.token_id in causal.end_ids
            if ended or not wanted():
                break
            drawn += 1
            if page.add(_generated(causal, step)):
                yield page.now()
    finally:
        steps.close()
    page.end()
    yield page.now("end" if ended else "window" if drawn == room < wished else "length")


class _Page:
    """The text so far, as complete characters."""

    def __init__(self, causal: CausalLM, prompt: str, sampling: Sampling, kept: Sequence[GeneratedToken]) -> None:
        self._causal, self._prompt, self._sampling = causal, prompt, sampling
        self._stream = CharacterStream(causal.text)
        self._tokens: list[GeneratedToken] = []
        self._pieces: list[WrittenPiece] = []
        for token in kept:
            self.add(token)

    def add(self, token: GeneratedToken) -> bool:
        """Take a token; tells whether it completed characters."""
        self._tokens.append(token)
        return self._take(self._stream.add(token.token_id))

    def end(self) -> None:
        """No more tokens come: show what was held back as it is."""
        self._take(self._stream.end())

    def now(self, stopped: str = "") -> Writing:
        """The text that may be shown now."""
        return Writing(
            self._causal.checkpoint.name,
            self._prompt,
            self._sampling,
            list(self._pieces),
            stopped,
            self._causal.precision,
        )

    def _take(self, whole: list[Characters]) -> bool:
        self._pieces += [
            WrittenPiece(made.text, made.content.hex(" ").upper(), made.start, self._tokens[made.start : made.end])
            for made in whole
        ]
        return bool(whole)


def _generated(causal: CausalLM, step: Step) -> GeneratedToken:
    return GeneratedToken(
        causal.text.show(step.token_id), step.token_id, step.probability, step.adjusted_probability, step.rank
    )
