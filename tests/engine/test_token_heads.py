"""Heads at every token, of every encoder family: transformers' own answers, and no head is mistaken for another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from app.engine.heads import CLASSIFICATION, QUESTION_ANSWERING, TOKEN_CLASSIFICATION
from app.engine.runtime.loader import load, loader
from app.engine.text.passages import passage_windows
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from tests.checkpoints import ANSWERER, CLASSIFIER, TAGGER, build_span_finder, build_tagger, save, tiny_tokenizers
from tests.conftest import SetSetting

TEXTS = ["The dog barked at the cat.", "Lima!", "I love you because you are wonderful and kind, said Lima."]
QUESTION, PASSAGE = (
    "What barked?",
    "The dog barked at the cat, and the cat ran away from the dog. It's hot in Lima! " * 4,
)


@pytest.fixture(params=["bert", "roberta", "albert"])
def family(request: pytest.FixtureRequest, tmp_path: Path, set_setting: SetSetting) -> str:
    """A tagger and a span finder of this family stand under the catalog's names."""
    tokenizer = tiny_tokenizers()[request.param]
    save(tmp_path / TAGGER, build_tagger(request.param, tokenizer), tokenizer)
    save(tmp_path / ANSWERER, build_span_finder(request.param, tokenizer), tokenizer)
    set_setting(models=str(tmp_path))
    loader.cache_clear()
    return request.param


def test_labels_are_those_of_plain_transformers(family: str) -> None:
    loaded = load(replace(BY_NAME[TAGGER], family=family))
    tagger = loaded.head(TOKEN_CLASSIFICATION)
    rows = [tagger.text.encode(text) for text in TEXTS]
    found = dict(tagger.tag_logits(rows))
    for index, row in enumerate(rows):
        plain = loaded.model(input_ids=torch.tensor([row.input_ids])).logits[0].detach().numpy()
        assert np.abs(found[index] - plain).max() < 1e-5 and found[index].shape == (len(row.input_ids), 5)


def test_spans_and_windows_are_those_of_plain_transformers(family: str) -> None:
    loaded = load(replace(BY_NAME[ANSWERER], family=family))
    finder, plain = loaded.head(QUESTION_ANSWERING), loaded.text.tokenizer
    windows = passage_windows(finder.text, QUESTION, PASSAGE, 48, 12)
    given = plain(
        QUESTION, PASSAGE, truncation="only_second", max_length=48, stride=12, return_overflowing_tokens=True,
        return_offsets_mapping=True,
    )  # fmt: skip
    assert [window.encoded.input_ids for window in windows] == given["input_ids"] and len(windows) > 3
    for number, window in enumerate(windows):
        places = [place for place, side in enumerate(given.sequence_ids(number)) if side == 1]
        assert [place for place, side in enumerate(window.encoded.sequence_ids) if side == 1] == places
        edges = places[0], places[-1]
        for place in places:
            start, end = given["offset_mapping"][number][place]
            assert PASSAGE[slice(*window.encoded.span(place))] == PASSAGE[start:end].strip()
            word = given.word_to_chars(number, given.token_to_word(number, place), sequence_index=1)
            low, high = window.words[place]
            read = PASSAGE[word.start : word.end].strip()  # only what of the word stands in the window
            at_the_edge = given.token_to_word(number, place) in {given.token_to_word(number, one) for one in edges}
            assert PASSAGE[low:high] == read or (at_the_edge and read in PASSAGE[low:high])
    found = dict(finder.span_logits([window.encoded for window in windows]))
    for number, window in enumerate(windows):
        ids, types = (torch.tensor([one]) for one in (window.encoded.input_ids, window.encoded.token_type_ids))
        answer = loaded.model(input_ids=ids, token_type_ids=types)
        stacked = torch.cat([answer.start_logits, answer.end_logits]).detach().numpy()
        assert np.abs(found[number] - stacked).max() < 1e-5


def test_a_short_passage_is_one_window_and_a_long_question_is_refused(family: str) -> None:
    text = load(replace(BY_NAME[ANSWERER], family=family)).head(QUESTION_ANSWERING).text
    assert len(passage_windows(text, QUESTION, "The dog.", 48, 12)) == 1
    with pytest.raises(PlaygroundError, match="question"):
        passage_windows(text, "What barked at the cat? " * 6, PASSAGE, 48, 12)
    for pair in (("", "The dog."), ("Who?", "")):
        with pytest.raises(PlaygroundError, match="empty_text"):
            passage_windows(text, *pair, 48, 12)


@pytest.mark.parametrize(
    ("holds", "name", "head"),
    [
        (TAGGER, CLASSIFIER, CLASSIFICATION),
        (CLASSIFIER, TAGGER, TOKEN_CLASSIFICATION),
        (TAGGER, ANSWERER, QUESTION_ANSWERING),
    ],
)
def test_no_head_is_taken_for_another(tiny: Path, tmp_path: Path, set_setting: SetSetting, holds, name, head) -> None:
    (tmp_path / name).symlink_to(tiny / holds)
    set_setting(models=str(tmp_path))
    with pytest.raises(PlaygroundError, match="missing_head"):
        load(BY_NAME[name]).head(head)
