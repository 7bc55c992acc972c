"""A class's requests in a lesson: which endpoints, how often, with which sentences. Knows no server."""

from __future__ import annotations

import random
from typing import Any

# Frequent English words; a sentence is a few of them, so that hardly any two are equal.
TEXT = (
    "the a old young dog cat river bank house teacher school child friend morning evening walked ran saw found gave "
    "small large green quiet happy to in on under beside with and then because never always good bad film book story"
)
WORDS = TEXT.split()
# Of a hundred calls so many go to each endpoint.
SHARES = {
    "fill_mask": 22, "tokenize": 16, "sentence_pair": 8, "score": 6, "layer_predictions": 4, "attention": 6,
    "classify": 8, "embed": 4, "attribute": 2, "next_token": 6, "generate": 5, "zero_shot": 4, "word_sense": 4,
    "sentence_matrix": 2, "models": 3,
}  # fmt: skip
# Buttons of the page by their share, each with the fields that a visitor writes into first.
BUTTONS = {
    "fill_mask-run": (6, "fill_mask-text"),
    "start-run": (3, ""),
    "tokenization-run": (4, ""),
    "word_sense-run": (1, ""),
    "sentence_pair-run": (2, ""),
    "prompting-write": (1, "prompting-prompt"),
    "surprise-run": (2, ""),
    "zero_shot-ask": (1, ""),
    "classification-run": (2, ""),
    "attribution-run": (1, ""),
    "attention-run": (2, ""),
}
EXAMPLE = "She was the mother of two [MASK]."
TUNED_ROWS = [
    *({"text": f"a {word} story", "label": "good"} for word in ("lovely", "warm", "clever", "happy", "bright", "fine")),
    *({"text": f"a {word} story", "label": "bad"} for word in ("dull", "cold", "silly", "sad", "grim", "poor")),
]


def sentence(chance: random.Random, words: int = 0) -> str:
    """So many words, else four to fourteen."""
    return " ".join(chance.choices(WORDS, k=words or chance.randint(4, 14))).capitalize() + "."


def masked(chance: random.Random) -> str:
    """A sentence with one word hidden; one in five is an example of the page, as a class presses the same button."""
    if chance.random() < 0.2:
        return EXAMPLE
    words = sentence(chance).split()
    words[chance.randrange(len(words) - 1)] = "[MASK]"
    return " ".join(words)


def call(chance: random.Random) -> tuple[str, list[Any]]:
    """An endpoint and its arguments."""
    (endpoint,) = chance.choices([*SHARES], weights=[*SHARES.values()])
    return endpoint, arguments(endpoint, chance)


def arguments(endpoint: str, chance: random.Random) -> list[Any]:
    """What a visitor of the lesson sends to an endpoint."""
    one, two = sentence(chance), sentence(chance)
    masks = chance.choice(["bert-mini", "roberta-mini", "albert-mini"])
    return {
        "fill_mask": lambda: [masked(chance), masks, 5, []],
        "tokenize": lambda: [one, chance.choice(["bert-mini", "roberta-mini", "gpt2-mini", "bert-mini-zh"])],
        "sentence_pair": lambda: [one, two, chance.choice(["bert-mini", "albert-mini"])],
        "sentence_matrix": lambda: [[one, two, sentence(chance)], "bert-mini"],
        "score": lambda: [one, chance.choice(["gpt2-mini", "bert-mini"])],
        "layer_predictions": lambda: [masked(chance), "bert-mini", 5],
        "attention": lambda: [one, "", masks, 0],
        "classify": lambda: [[one, two], "", []],
        "attribute": lambda: [one, "", ""],
        "embed": lambda: [[one, two], masks, -1, "mean"],
        "word_sense": lambda: [[f"They sat on the bank. {one}", f"The bank lent money. {two}"], "bank", masks, -1],
        "next_token": lambda: [one, "gpt2-mini", 10, 1.0, 1.0],
        "generate": lambda: [one, "gpt2-mini", chance.randint(5, 40), 0.8, 0, 1.0, 1.0, chance.randint(0, 9)],
        "zero_shot": lambda: [one, ["good", "bad"], "{text} It was", "gpt2-mini", "mean"],
        "models": lambda: [""],
        "fine_tune": lambda: [TUNED_ROWS, "bert-mini", 1, 2e-4, chance.randint(0, 9), 0.25],
    }[endpoint]()


def button(chance: random.Random) -> tuple[str, str]:
    """A button of the page, and the field that is written into first; empty for none."""
    (pressed,) = chance.choices([*BUTTONS], weights=[share for share, _ in BUTTONS.values()])
    return pressed, BUTTONS[pressed][1]
