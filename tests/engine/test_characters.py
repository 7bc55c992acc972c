"""Tokens that are parts of characters: grouped, never shown as replacement characters, never split in a stream."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from transformers import GPT2TokenizerFast

from app.engine.text.characters import CharacterStream, show_content
from app.engine.text.text_tokenizer import TextTokenizer
from tests.characters import whole_characters


@pytest.fixture(scope="module")
def text(shared: Path) -> TextTokenizer:
    """GPT-2's published vocabulary."""
    return TextTokenizer(GPT2TokenizerFast.from_pretrained(shared / "vocab" / "gpt2"))


@pytest.mark.parametrize(
    "given", ["plain words", "😀 cat 👨‍👩‍👧 dog", "我爱你，英文：", "naïve é ü", "𝔊𝔬𝔱 龘", "a\u0301 \u200d"]
)
def test_whole_characters_give_the_text_back(text: TextTokenizer, given: str) -> None:
    made = whole_characters(text, text.encode(given).input_ids)
    assert "".join(group.text for group in made) == given
    assert made[0].start == 0 and all(a.end == b.start for a, b in pairwise(made))
    for group in made:
        assert group.content.decode() == group.text


def test_nothing_half_is_given_out(text: TextTokenizer) -> None:
    stream, shown = CharacterStream(text), ""
    for token_id in text.encode("a 👩‍🚀 龘!").input_ids:
        for made in stream.add(token_id):
            made.content.decode()
            shown += made.text
    assert shown == "a 👩‍🚀 龘!" and stream.end() == []


def test_bytes_that_become_no_character_are_in_hex(text: TextTokenizer) -> None:
    emoji = text.encode("😀").input_ids
    word = text.encode(" cat").input_ids
    assert len(emoji) > 1
    made = whole_characters(text, [emoji[0], *word, *emoji, emoji[0]])
    shown = [group.text for group in made]
    assert shown[0].startswith("⟨F0") and shown[1:3] == [" cat", "😀"] and shown[3] == shown[0]
    assert "\ufffd" not in "".join(shown)


@pytest.mark.parametrize(
    ("content", "shown"),
    [(b"ab", "ab"), (b"a\xf0\x9fb", "a⟨F0 9F⟩b"), (b"\xff\xfe", "⟨FF FE⟩"), ("é".encode() + b"\x80", "é⟨80⟩"),
     ("\ufffd".encode(), "⟨EF BF BD⟩"), (b"", "")],
)  # fmt: skip
def test_show_content(content: bytes, shown: str) -> None:
    assert show_content(content) == shown


def test_the_vocabulary_s_own_replacement_sign_is_not_shown_as_one(text: TextTokenizer) -> None:
    (token_id,) = text.encode("\ufffd").input_ids
    assert text.show(token_id) == "⟨EF BF BD⟩"
