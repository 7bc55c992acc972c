"""Answers as spans of a passage, read from the scores that a model gives each token as begin and as end."""

from __future__ import annotations

import numpy as np

from app.engine.text.passages import PassageWindow, Span

# As in the question answering pipeline of transformers 4: the most tokens of a window, the number shared by
# neighbouring windows, and the longest answer.
WINDOW_TOKENS, SHARED_TOKENS, ANSWER_TOKENS = 384, 128, 15
# Most answers taken from a window.
ANSWERS = 5


def possible(window: PassageWindow) -> np.ndarray:
    """[token]: whether an answer may begin or end there. The first token stands for "no answer here"."""
    return np.array([place == 0 or word is not None for place, word in enumerate(window.words)])


def spans_in(window: PassageWindow, probabilities: np.ndarray) -> list[tuple[Span, float]]:
    """The best answers of one window, widened to whole words; of equal ones, the likeliest.

    Args:
        window: a part of the passage.
        probabilities: [2, token], of begin and end.
    """
    inside = np.array([word is not None for word in window.words])
    begins, ends = (np.where(inside, one, 0.0) for one in probabilities)
    both = np.triu(np.outer(begins, ends))  # [begin, end]
    both = np.tril(both, ANSWER_TOKENS - 1)
    found: dict[Span, float] = {}
    # Several pairs of pieces may widen to the same words, so more are examined than kept.
    for place in np.argsort(-both, axis=None, kind="stable")[: ANSWERS * 10]:
        first, last = (int(one) for one in np.unravel_index(place, both.shape))
        begin, end = window.words[first], window.words[last]
        if begin is not None and end is not None and both[first, last] > 0:
            found.setdefault((begin[0], end[1]), float(both[first, last]))
    return list(found.items())[:ANSWERS]
