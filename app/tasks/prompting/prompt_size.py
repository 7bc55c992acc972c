"""How much of a model's window a prompt takes, known before anything runs."""

from __future__ import annotations

from app.engine.storage.locate import local_folder
from app.registry.lookup import find
from app.results.prompting import PromptSize
from app.tasks.causal import load_causal
from app.tasks.checks import check_text


def prompt_size(prompt: str, model: str) -> PromptSize | None:
    """Tokens of the prompt and the window; None for a model that would have to be downloaded."""
    check_text(prompt, "prompt", required=False)
    if local_folder(find(model, "generate", prompt)) is None:
        return None
    causal = load_causal(model, "generate", prompt)
    count = len(causal.text.prompt(prompt).input_ids)
    return PromptSize(count, causal.max_tokens, prompt != trimmed(prompt))


def trimmed(prompt: str) -> str:
    """The prompt without trailing spaces; line breaks stay. A space belongs to the word after it."""
    return prompt.rstrip(" ")
