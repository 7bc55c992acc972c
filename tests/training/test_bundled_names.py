"""The bundled taggers: sentences of their own, small, an honest card, better than looking names up, pinned answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from app.engine.heads import TOKEN_CLASSIFICATION
from app.engine.runtime.loader import loader
from app.engine.text.tags import entities_in
from app.registry.lookup import BY_NAME
from app.tasks.tagging.tag import tag
from app.training.bundled.bundles import ASSETS, RECIPES
from app.training.bundled.names import (
    CHINESE_NAMES,
    NAMES,
    NameSet,
    golden_names,
    label_words,
    look_up,
    measure_names,
    names_in,
    read_names,
    words_of,
)
from app.training.tags.rows import TaggedText, kinds_in, read_brackets, score_entities, tagged_text
from app.ui.texts import examples
from tests.conftest import SetSetting
from tests.training.bundled import alike, card_of, loadable, weights_of, written

TAGGERS = {name: recipe.data for name, recipe in RECIPES.items() if isinstance(recipe.data, NameSet)}
LARGEST_BYTES = {"minilm-l6-names": 0.5e6, "bert-mini-zh-names": 0.5e6}
ENOUGH = {NAMES: (900, 150), CHINESE_NAMES: (700, 120)}
TABS = {"en": "en", "zh": "zh-CN"}
BOTH = pytest.mark.parametrize("data", [NAMES, CHINESE_NAMES], ids=["en", "zh"])


def rows_of(data: NameSet) -> tuple[list[TaggedText], list[TaggedText]]:
    return read_names(ASSETS / data.learnt), read_names(ASSETS / data.held_out)


@BOTH
def test_sentences_are_enough_each_once_and_some_without_names(data: NameSet) -> None:
    for rows, least in zip(rows_of(data), ENOUGH[data], strict=True):
        assert len({row.text for row in rows}) == len(rows) >= least
        assert set().union(*(kinds_in(row.tags) for row in rows)) == {*data.kinds}
        assert not any(sign in row.text for row in rows for sign in "[]()"), "a bracket that was not read"
        bare = sum(not kinds_in(row.tags) for row in rows) / len(rows)
        assert 0.15 < bare < 0.25


@BOTH
def test_what_is_measured_on_is_new(data: NameSet) -> None:
    learnt, held_out = rows_of(data)
    for row in held_out:
        nearest = max(learnt, key=lambda other: alike(row.text, other.text))
        assert alike(row.text, nearest.text) <= 0.5, (row.text, nearest.text)
    known = names_in(learnt)
    names = [words_of(row, one) for row in held_out for one in entities_in(row.tags)]
    assert sum(name in known for name in names) < len(names) / 3


@BOTH
def test_the_tabs_examples_are_among_neither(data: NameSet) -> None:
    shown = {example["text"] for example in examples(TABS[data.language], "tagging")}
    assert shown and not shown & {row.text for rows in rows_of(data) for row in rows}


def test_names_are_looked_up_the_longest_first() -> None:
    lines = ["[New York](place) and [York](place)", "[York](person) met [York](place)", "[Ada](person)"]
    known = names_in([tagged_text(*read_brackets(line)) for line in lines])
    assert known == {("New", "York"): "place", ("York",): "place", ("Ada",): "person"}
    found = look_up(tagged_text("Ada left New York for York in New", []), known)
    assert found == ["B-person", "O", "B-place", "I-place", "O", "B-place", "O", "O"]


def test_what_is_measured_is_counted_by_names(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"Ada saw Rome": ["B-person", "O", "B-place"], "Bob saw Lima": ["B-place", "O", "O"]}
    monkeypatch.setattr(
        "app.training.bundled.names.label_words", lambda tagger, text: [(label, 1.0) for label in said[text]]
    )
    learnt = [tagged_text(*read_brackets("[Ada](person) sang"))]
    held_out = [tagged_text(*read_brackets(f"[{who}](person) saw [{where}](place)"))
                for who, where in (("Ada", "Rome"), ("Bob", "Lima"))]  # fmt: skip
    scores = measure_names(None, learnt, held_out)
    assert (scores["precision"], scores["recall"]) == pytest.approx((2 / 3, 2 / 4))
    assert (scores["rows"], scores["names"], scores["unseen"]) == (2, 4, 3)
    assert scores["unseen_recall"] == pytest.approx(1 / 3), "Rome of Rome, Bob and Lima"
    assert scores["looked_up"] == pytest.approx(2 * 1 / (1 + 4))


@pytest.fixture(params=TAGGERS)
def tagger(request: pytest.FixtureRequest, set_setting: SetSetting) -> Iterator[str]:
    """Name of a bundled tagger that can be loaded here."""
    yield from loadable(request.param, set_setting)


@pytest.mark.parametrize("name", TAGGERS)
def test_files(name: str) -> None:
    assert weights_of(name) <= LARGEST_BYTES[name]
    card, scores = card_of(name), written(name, "train.json")["scores"]["names"]
    assert f"**{scores['f1']:.1%}**" in card and f"{scores['looked_up']:.1%}" in card
    assert f"{scores['unseen_recall']:.1%}" in card
    assert scores["f1"] > scores["looked_up"] + 0.2
    config = written(name, "config.json")
    labels = {f"{sign}-{kind}" for sign in "BI" for kind in TAGGERS[name].kinds}
    assert {*config["id2label"].values()} == {"O", *labels} and config["id2label"]["0"] == "O"


def test_the_record_has_what_the_bundle_says(tagger: str) -> None:
    _, held_out = rows_of(TAGGERS[tagger])
    said = [[word.label for word in tag(row.text, tagger).words] for row in held_out]
    scores = written(tagger, "train.json")["scores"]["names"]
    # Another CPU's kernels may turn a word whose labels are as good as equally likely.
    assert score_entities([row.tags for row in held_out], said).f1 == pytest.approx(scores["f1"], abs=0.01)


def test_golden_answers(tagger: str) -> None:
    expected = written(tagger, "golden.json")
    assert [answer["text"] for answer in expected] == [*TAGGERS[tagger].golden]
    answers = golden_names(loader().get(BY_NAME[tagger]).head(TOKEN_CLASSIFICATION), TAGGERS[tagger].golden)
    for answer, pinned in zip(answers, expected, strict=True):
        assert answer["labels"] == pinned["labels"]
        assert answer["probabilities"] == pytest.approx(pinned["probabilities"], abs=1e-3)


def test_the_page_and_the_measure_label_words_alike(tagger: str) -> None:
    text = TAGGERS[tagger].golden[1]
    words = tag(text, tagger).words
    assert [word.label for word in words] == [
        label for label, _ in label_words(loader().get(BY_NAME[tagger]).head(TOKEN_CLASSIFICATION), text)
    ]


@pytest.mark.parametrize("name", TAGGERS)
def test_golden_answers_name_the_kinds(name: str) -> None:
    pinned = written(name, "golden.json")
    found = Counter(one.label for answer in pinned for one in entities_in(answer["labels"]))
    assert {*found} == {*TAGGERS[name].kinds}
    assert not entities_in(pinned[-1]["labels"]), "nobody is named in the last one"


def test_every_word_of_the_sentences_is_one_that_its_model_sees() -> None:
    """Names in brackets begin and end at words: no label is lost between two."""
    for data in (NAMES, CHINESE_NAMES):
        for name in (data.learnt, data.held_out):
            for line in (ASSETS / name).read_text(encoding="utf-8").splitlines():
                text, marked = read_brackets(line)
                found = entities_in(tagged_text(text, marked).tags)
                assert len(found) == len(marked) == len(re.findall(r"\]\(", line)), line
