"""The first steps of every task that prompts a model: the model, the prompt as ids, and the settings, all checked."""

from __future__ import annotations

from app.engine.base import CausalLM
from app.engine.heads import CAUSAL_LM
from app.engine.runtime.loader import load_head
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.prompting import NextToken, Sampling
from app.settings import settings
from app.tasks.checks import check_number, check_text, check_tokens, check_whole_number

HIGHEST_TEMPERATURE = 10
PENALTIES = (0.1, 10)
HIGHEST_SEED = 2**32 - 1


def load_causal(model: str, task: str, *texts: object) -> CausalLM:
    """The model for a task.

    Raises:
        PlaygroundError: `unknown_model`, `wrong_model`, `missing_head`, `model_unavailable`.
    """
    return load_head(find(model, task, *texts), CAUSAL_LM)


def prompt_ids(causal: CausalLM, prompt: str, field: str = "prompt") -> list[int]:
    """The prompt as the model reads it.

    Raises:
        PlaygroundError: `bad_value`, `empty_text`, or `too_long` if nothing could be written after it.
    """
    encoded = causal.text.prompt(check_text(prompt, field))
    ids = encoded.input_ids
    if all(side is None for side in encoded.sequence_ids):
        raise PlaygroundError("empty_text", field=field)
    check_tokens(len(ids), causal.max_tokens - 1)
    return ids


def check_sampling(
    temperature: object, top_k: object, top_p: object, repetition_penalty: object, seed: object
) -> Sampling:
    """The settings, checked against their ranges.

    Raises:
        PlaygroundError: `bad_value`, naming field and range.
    """
    return Sampling(
        temperature=check_number(temperature, "temperature", 0, HIGHEST_TEMPERATURE),
        top_k=check_whole_number(top_k, "top_k", 0, settings().max_top_k),
        top_p=check_number(top_p, "top_p", 0, 1, above=True),
        repetition_penalty=check_number(repetition_penalty, "repetition_penalty", *PENALTIES),
        seed=check_whole_number(seed, "seed", 0, HIGHEST_SEED),
    )


def candidate(causal: CausalLM, token_id: int, own: float, adjusted: float) -> NextToken:
    """A token of the vocabulary with its probability: the model's own, and the one used for drawing."""
    return NextToken(causal.text.show(token_id), causal.text.piece(token_id), token_id, float(own), float(adjusted))
