"""Why this token? The distribution it was drawn from, and the text with another token in its place."""

from __future__ import annotations

import numpy as np

from app.errors import PlaygroundError
from app.results.prompting import GeneratedToken, TokenChoice, Writing
from app.tasks.causal import candidate, load_causal, prompt_ids
from app.tasks.checks import check_whole_number

# Number of candidates shown, and of characters shown before the token.
CANDIDATES, BEFORE = 12, 60


def token_choice(writing: Writing, index: object) -> TokenChoice:
    """The distribution a written token was drawn from: the model's own, and after the settings.

    Args:
        writing: what was written.
        index: which of its tokens, from 0.
    """
    tokens = writing.tokens
    at = check_whole_number(index, "index", 0, max(0, len(tokens) - 1))
    if not tokens:
        raise PlaygroundError("empty_text", field="prompt")
    causal = load_causal(writing.model, "next_token")
    before = [token.token_id for token in tokens[:at]]
    own, adjusted = causal.next_probabilities([*prompt_ids(causal, writing.prompt), *before], writing.sampling)
    written = tokens[at].token_id
    best = np.argsort(-own, kind="stable")[:CANDIDATES].tolist()
    text = writing.prompt + "".join(piece.text for piece in writing.pieces if piece.first < at)
    return TokenChoice(
        model=writing.model,
        prompt=writing.prompt,
        index=at,
        before=text[-BEFORE:],
        sampling=writing.sampling,
        written=candidate(causal, written, own[written], adjusted[written]),
        rank=1 + int((own > own[written]).sum()),
        kept=int((adjusted > 0).sum()),
        vocabulary=len(own),
        candidates=[candidate(causal, token_id, own[token_id], adjusted[token_id]) for token_id in best],
    )


def branch(writing: Writing, choice: TokenChoice, token_id: object) -> list[GeneratedToken]:
    """The tokens before the chosen place, then another token there; the text continues after it.

    Raises:
        PlaygroundError: `bad_value`, not one of the candidates.
    """
    for rank, other in enumerate(choice.candidates, start=1):
        if other.token_id == token_id:
            put = GeneratedToken(other.token, other.token_id, other.probability, other.adjusted_probability, rank)
            return [*writing.tokens[: choice.index], put]
    choices = ", ".join(str(other.token_id) for other in choice.candidates)
    raise PlaygroundError("bad_value", "choice", field="token_id", choices=choices)
