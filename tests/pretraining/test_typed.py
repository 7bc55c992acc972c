"""Sentences as visitors type them: which are taken, what is hidden, and that the page's own path answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from transformers import PreTrainedTokenizerFast

from app.pretraining.evaluation.masked_scores import Segment
from app.pretraining.evaluation.typed import words as typed
from app.pretraining.evaluation.typed.words import Hidden, counted, found, typed_chinese, typed_sentences
from app.registry.lookup import find
from app.tasks.fill_mask.fill import fill_mask

ENGLISH = """The farmer carried two buckets of water up the hill. Too short. It rained (and did not stop all day.
and this line begins in the middle of a sentence somehow. "Nobody saw the old fox leave the barn that night.

The train to the coast leaves from the second platform at noon. A 1950s well-known singer's voice can't hide here!
"""
CHINESE = "老师每天早上都在公园里跑步。天气很好。这家饭店的服务员对客人非常热情，菜也很好吃。\n"


@pytest.fixture
def valid(tmp_path: Path) -> Path:
    (tmp_path / "en_novels.txt").write_text(ENGLISH, encoding="utf-8")
    (tmp_path / "en_world_factbook.txt").write_text("This is a fact that no kind of text asks for.\n", encoding="utf-8")
    (tmp_path / "zh_wikipedia_zh.txt").write_text(CHINESE, encoding="utf-8")
    return tmp_path


def test_whole_sentences_with_one_whole_word_hidden(valid: Path) -> None:
    asked = typed_sentences(valid)
    assert {one.sentence.split()[1] for one in asked} == {"farmer", "train", "1950s"}
    assert {one.kind for one in asked} == {"novels"}
    for one in asked:
        assert one.word in one.sentence.rstrip(".!").split(), "never a part of well-known, singer's or can't"
        assert one.asked().replace("[MASK]", one.word) == one.sentence
    assert typed_sentences(valid) == asked, "the same for every model"


def test_chinese_characters_and_words_of_two(valid: Path) -> None:
    asked = typed_chinese(valid)
    assert [len(one.word) for one in asked["one character"]] == [1, 1]
    words = [one.word for one in asked["a word of two"]]
    assert len(words) == 2
    assert all(word in CHINESE for word in words)


def test_what_the_page_shows_is_what_is_measured() -> None:
    model = "bert-mini"
    assert find(model, "fill_mask").name == model
    one = Hidden("novels", "New York City is big.", 4, 8)
    shown = fill_mask("New [MASK] City is big.", model, 5).masks[0].candidates
    assert typed.first_five(one, model) == [candidate.token for candidate in shown]


def test_a_chinese_word_of_two_is_filled_together() -> None:
    one = Hidden("encyclopaedia", "北京是中国的首都。", 3, 5)
    shown = fill_mask("北京是[MASK][MASK]的首都。", "bert-mini-zh", 5).joint
    assert typed.first_five(Hidden("", "北京是中国的首都。", 3, 5), "bert-mini-zh") == [
        "".join(answer.words) for answer in shown
    ]
    assert one.word == "中国"


def test_shares() -> None:
    asked = [Hidden("", word, 0, len(word)) for word in ("Door", "house", "tree")]
    scores = found([["door", "gate"], ["home", "flat", "house"], []], asked)
    assert scores == {"top_1": 0.3333, "top_5": 0.6667, "sentences": 3}


def test_counting_is_asked_the_same_and_finds_no_word_of_several_pieces(word_level: PreTrainedTokenizerFast) -> None:
    asked = [Hidden("", "the dog barks", 4, 7), Hidden("", "the dog barks", 8, 13)]
    seen: list[Segment] = []

    def rank(segments: list[Segment]) -> np.ndarray:
        seen.extend(segments)
        return np.array([[word_level.convert_tokens_to_ids("dog")] * 5 for _ in segments])

    assert counted(rank, asked, word_level) == {"top_1": 0.5, "top_5": 0.5, "sentences": 2}
    (only,) = seen
    assert only.input_ids[only.chosen].tolist() == [word_level.convert_tokens_to_ids("dog")]


@pytest.fixture
def word_level() -> PreTrainedTokenizerFast:
    """Whole words, except `barks`, which is two pieces."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocab = {piece: number for number, piece in enumerate(["[UNK]", "the", "dog", "bark", "##s"])}
    backend = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]")
