"""Inputs that nobody should send, each made from a seed and its number, so that a single one can be sent again.

Knows the endpoints and their arguments, no server.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.load import lesson

# Stands in the texts that are sent; it must never be found in the server's log.
MARK = "fuzzed-by-nobody"
MODELS = (
    "", "bert-mini", "roberta-mini", "albert-mini", "gpt2-mini", "elmo-mini", "bert-mini-zh", "bert-mini-sst2",
    "word-vectors-mini", "nope", "BERT-MINI", "a--b/c", "a.git/b.git", "../../etc/passwd", "/etc/passwd", "a/b/c",
    "owner/..", "owner/name", "bert-mini\x00", "bert-mini\n", "gpt2", "-", "a" * 300 + "/b", "https://example.org/x",
    "bert-mini-tuned-000000", "con", "模型/名", "\ud800/x", "%2e%2e/x", "owner/na me", "<b>bert</b>",
)  # fmt: skip
FILE = {"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}
SIGNS = (
    "\x00", "\x07\x1b[31m", "\u202e", "\u200b\u200d", "\ufeff", "\ud800", "\udfff\ud83d", "é" * 3, "e\u0301" * 40,
    "𝕋𝕖𝕩𝕥", "👩‍👩‍👧‍👦", "你好，世界。", "שלום", "\r\n", "\u2028", "\uffff", "\U0010ffff", "％００", "﷽", "\x85", "\xa0",
)  # fmt: skip
MARKUP = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "{{7*7}}", "${jndi:ldap://x}", "'; DROP TABLE x; --",
    "</textarea><b>", "%s%n%x", "{text}", "{0.__class__}", "{", "}}", "[MASK]" * 30, "<mask>", "___", "[SEP]", "</s>",
    "<|endoftext|>", "[CLS] [PAD]", "a | b | c", "|", "\\", '"', "__import__('os')",
)  # fmt: skip
NUMBERS = (
    0, -1, 1, 2, 1.5, -0.0, 5e-324, 1e308, -1e308, 2**31, 2**63, -(2**63) - 1, 10**400, -(10**400), 1e-9,
    float("nan"), float("inf"), float("-inf"), True, False,
)  # fmt: skip
OTHERS = (None, [], {}, [[]], [None], {"a": 1}, [{"text": 1, "label": None}], FILE, [FILE], {"__type__": "update"}, "")


@dataclass(frozen=True)
class Odd:
    """One input: what is posted to which endpoint."""

    number: int
    endpoint: str
    body: bytes


def odd_input(seed: int, number: int) -> Odd:
    """The input of that number."""
    chance = random.Random(f"{seed} {number}")
    endpoint = chance.choice([*lesson.SHARES, "fine_tune"])
    if chance.random() < 0.05:
        return Odd(number, chance.choice([endpoint, "", "nope", "../x", "fill_mask%00"]), _broken_body(chance))
    arguments = _arguments(endpoint, chance)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        place = chance.randrange(len(arguments))
        arguments[place] = _odd_value(arguments[place], chance)
    if chance.random() < 0.05:
        arguments = arguments[: chance.randrange(len(arguments))] + [None] * chance.choice((0, 0, 5))
    sent: dict[str, Any] = {"data": arguments}
    if chance.random() < 0.1:
        # Each call its own: of two calls in one session at once either may read the other's answer.
        session = chance.choice(["", "a", "../x", MARK, "\ud800", "x" * 5_000])
        sent["session_hash"] = f"{session}{number}" if session else chance.choice(["", None])
    return Odd(number, endpoint, json.dumps(sent).encode())


def _arguments(endpoint: str, chance: random.Random) -> list[Any]:
    """Good ones, marked, so that a visitor's text can be told in the log."""
    return _marked(lesson.arguments(endpoint, chance))


def _marked(value: Any) -> Any:
    if isinstance(value, list):
        return [_marked(one) for one in value]
    return value.replace("The ", f"{MARK} ", 1) if isinstance(value, str) and len(value) > 20 else value


def _odd_value(value: Any, chance: random.Random) -> Any:
    """Another value in its place: of another type, too large, or with odd signs."""
    kinds: list[Callable[[], Any]] = [
        lambda: chance.choice(NUMBERS),
        lambda: chance.choice(OTHERS),
        lambda: chance.choice(MODELS),
        lambda: _odd_text(chance),
        lambda: [_odd_text(chance) for _ in range(chance.choice((1, 2, 5)))],
        lambda: [chance.choice(NUMBERS), chance.choice(OTHERS), _odd_text(chance)],
        lambda: _nested(chance.choice((3, 50, 500))),
        lambda: _huge(chance),
    ]
    if isinstance(value, str):
        kinds += [lambda: _odd_text(chance)] * 4 + [lambda: chance.choice(MODELS)] * 2
    if isinstance(value, list):
        kinds += [lambda: _changed_list(value, chance)] * 4
    if isinstance(value, int | float):
        kinds += [lambda: chance.choice(NUMBERS)] * 4
    return chance.choice(kinds)()


def _odd_text(chance: random.Random) -> str:
    parts = [chance.choice(SIGNS + MARKUP) for _ in range(chance.choice((1, 1, 2, 4)))]
    if chance.random() < 0.7:
        parts.insert(chance.randrange(len(parts) + 1), f"{MARK} {lesson.masked(chance)}")
    return " ".join(parts)


def _changed_list(value: list[Any], chance: random.Random) -> list[Any]:
    changed = list(value)
    if changed and chance.random() < 0.7:
        changed[chance.randrange(len(changed))] = chance.choice([*OTHERS, *NUMBERS, _odd_text(chance)])
        return changed
    return changed * chance.choice((0, 2, 40))


def _nested(depth: int) -> Any:
    value: Any = MARK
    for level in range(depth):
        value = [value] if level % 2 else {"value": value}
    return value


def _huge(chance: random.Random) -> Any:
    """Beyond the limits, so that it costs nothing where they are kept."""
    one, count = chance.choice([("a ", 60_000), (["a"], 30_000), ("字", 30_000), ([0.0], 20_000)])
    return one * count


def _broken_body(chance: random.Random) -> bytes:
    return chance.choice(
        [
            b"",
            b"{",
            b"null",
            b"[]",
            b'{"data": null}',
            b'{"data": "text"}',
            b'{"data": {"0": 1}}',
            b'{"daten": []}',
            b"\xff\xfe\x00",
            b'{"data": [NaN, Infinity]}',
            b'{"data": [' + b"[" * 20_000 + b"]" * 20_000 + b"]}",
            b'{"data": ["\\ud800"]}',
            b'{"data": [1e999]}',
            b'{"data": [' + b"9" * 5_000 + b"]}",
            b'{"data": ["a"], "session_hash": 5, "fn_index": "x", "event_id": []}',
            b'{"data": ["a"], "event_data": {"a": [1]}, "trigger_id": -1}',
            b"<html>",
        ]
    )
