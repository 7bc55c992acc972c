"""Rows whose words have labels: brackets and CoNLL lines, rows from programs, refusals; kinds of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import PlaygroundError
from app.tasks.fine_tune.kinds import PAIR, TAGS, TEXT, check_rows, kind_of
from app.tasks.fine_tune.page import gather_rows, read_sample
from app.tasks.fine_tune.race.run import Racing, run_race
from app.tasks.fine_tune.rows import Options
from app.tasks.fine_tune.tag_rows import check_tagged, tagged_lines
from app.tasks.fine_tune.tune import Tuning, run_tuning

SENTENCE = {"text": "Ada Byron lives in London.", "entities": [
    {"start": 0, "end": 9, "label": "person"}, {"start": 19, "end": 25, "label": "place"},
]}  # fmt: skip
BRACKETS = "[Ada Byron](person) lives in [London](place)."
CONLL = "Ada NNP B-person\nByron NNP I-person\nlives VBZ O\nin IN O\nLondon NNP B-place\n. . O\n"
TAGS_OF_IT = ("B-person", "I-person", "O", "O", "B-place", "O")


def test_brackets_and_conll_lines_are_the_same_rows() -> None:
    assert tagged_lines(f"{BRACKETS}\n\nNobody.") == [SENTENCE, {"text": "Nobody.", "entities": []}]
    (row,) = tagged_lines("-DOCSTART- -X- O\n\n" + CONLL)
    assert row["text"] == "Ada Byron lives in London ." and check_tagged([row])[0].tags == TAGS_OF_IT
    assert len(tagged_lines(f"{CONLL}\n\n{CONLL}")) == 2
    assert check_tagged([SENTENCE])[0].tags == TAGS_OF_IT


def test_chinese_words_are_joined_without_spaces_and_labelled_by_character() -> None:
    (row,) = tagged_lines("小明\tB-人名\n住在\tO\n上海\tB-地名\n的\tO\nABC\tO\n")
    assert row["text"] == "小明住在上海的 ABC"
    assert check_tagged([row])[0].tags == ("B-人名", "I-人名", "O", "O", "B-地名", "I-地名", "O", "O")


@pytest.mark.parametrize(
    "lines", ["A sentence. | good", "one | two | same", "a [MASK] is here", "word B-x\nand no label"]
)
def test_other_lines_are_no_tags(lines: str) -> None:
    assert tagged_lines(lines) is None


def test_rows_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.txt"
    path.write_text(CONLL, encoding="utf-8")
    assert check_rows(gather_rows("", str(path))).kind == TAGS
    path.write_text(BRACKETS, encoding="utf-8-sig")
    assert gather_rows("x | y", str(path)) == [SENTENCE]


@pytest.mark.parametrize(
    "row",
    [
        SENTENCE,
        {"text": BRACKETS},
        {"words": ["Ada", "Byron", "lives", "in", "London", "."], "tags": list(TAGS_OF_IT)},
        {
            "text": SENTENCE["text"],
            "entities": [{"start": 0.0, "end": 9.0, "label": " person "}, SENTENCE["entities"][1]],
        },
    ],
)
def test_what_programs_may_send(row: dict) -> None:
    assert kind_of([row]) == TAGS and check_rows([row], TAGS).tagged[0].tags == TAGS_OF_IT


def entity(start: object, end: object, label: object = "place") -> dict:
    return {"text": "in Lima", "entities": [{"start": start, "end": end, "label": label}]}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (entity(3, 8), "entity_place"), (entity(-1, 3), "entity_place"), (entity(3, 3), "entity_place"),
        (entity("3", 7), "entity_place"), (entity(3, True), "entity_place"), (entity(0.5, 7), "entity_place"),
        (entity(3, 7, ""), "label"), (entity(3, 7, "x" * 101), "label"), (entity(3, 7, "O"), "label"),
        ({"text": "in Lima", "entities": []}, "no_entity"), ({"text": "in Lima", "entities": "x"}, "tagged_rows"),
        ({"text": "in Lima", "entities": [3]}, "tagged_rows"), ({"words": ["a"], "tags": []}, "words_and_tags"),
        ({"words": ["a"], "tags": [1]}, "words_and_tags"), ({"words": "a", "tags": "O"}, "words_and_tags"),
        ({"text": 3, "entities": []}, "text"), ("in Lima", "tagged_rows"),
        ({"text": "in Lima", "entities": [*entity(0, 5)["entities"], *entity(3, 7)["entities"]]}, "entity_place"),
    ],
)  # fmt: skip
def test_what_is_refused(row: object, reason: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        check_tagged([row])
    assert (caught.value.code, caught.value.reason) == ("bad_value", reason)


def test_rows_say_of_what_kind_they_are_and_another_one_is_refused() -> None:
    texts = [{"text": "a", "label": "x"}, {"text": "b", "label": "y"}]
    pairs = [{**row, "text_pair": "c"} for row in texts]
    assert [check_rows(rows).kind for rows in (texts, pairs, [SENTENCE])] == [TEXT, PAIR, TAGS]
    assert kind_of([{"text": BRACKETS, "label": "x"}]) == TEXT, "whoever gives a label means the sentence"
    for rows, kind in ((texts, PAIR), (pairs, TEXT), (texts, TAGS), ([SENTENCE], TEXT), (texts, "other")):
        with pytest.raises(PlaygroundError, match="bad_value"):
            check_rows(rows, kind)


def test_what_cannot_be_done_with_tags_is_said(fresh_trainings: None) -> None:
    for model, options, reason in (
        ("gpt2-mini", Options(), "no_tags"), ("bag-of-words", Options(), "no_tags"),
        ("bert-mini", Options(augment=True), "no_augment"),
    ):  # fmt: skip
        with pytest.raises(PlaygroundError, match=reason):
            run_tuning([SENTENCE, SENTENCE], model, options, "anna", Tuning())
    with pytest.raises(PlaygroundError, match="race_of_tags"):
        run_race([SENTENCE], ["bag-of-words", "bert-mini"], "anna", Racing())


@pytest.mark.parametrize("name", ["names", "names_zh"])
def test_sample_sets_hold_enough_of_each_kind(name: str) -> None:
    rows = check_rows(gather_rows(read_sample(name))).tagged
    begun = [tag[2:] for row in rows for tag in row.tags if tag.startswith("B-")]
    assert len(rows) == 80 and len({row.text for row in rows}) == 80
    assert len({*begun}) == 3 and min(begun.count(kind) for kind in {*begun}) >= 20
