"""Generated Chinese passages: templates and words, questions that fit their answers, rows that vary and keep theirs."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from app.training.answers.generated.generator import Generator
from app.training.answers.generated.mixture import Mixture, read_mixture
from app.training.answers.generated.rewording import reworded
from app.training.answers.generated.templates import Templates, chosen, labels, read_templates
from app.training.answers.generated.variants import Variants
from app.training.answers.generated.wording import Words, amount, chinese, read_words
from app.training.answers.rows import Asked, read_asked
from app.training.bundled.answers import CHINESE_ANSWERS
from app.training.bundled.bundles import ASSETS

TEMPLATES = """% 人 他
~ 今天天气很好。

@ 人 住
= {人}[住在/在]{城}
? 城 | {人}住在哪里？
? 人 | 谁住在{城}？

@ 人 年龄
= {人}<今年/已经>{岁:3-9岁}
? 岁 | {人}<今年/已经>几岁？

@ 人 故事
= {人}和{人2:人}去了{城}。
? 人2 | {人}和谁去{城}？
? - | {人}几岁了？ | {城}有多大？
"""
WORDS = """# 人
小明 小红 小李 小王 小张 小赵
# 城
= 北{方}京城
上海 广州
# 方
大 小
"""


@pytest.fixture
def templates(tmp_path: Path) -> Templates:
    (tmp_path / "templates.txt").write_text(TEMPLATES, encoding="utf-8")
    return read_templates(tmp_path / "templates.txt")


@pytest.fixture
def words(tmp_path: Path) -> Words:
    (tmp_path / "words.txt").write_text(WORDS, encoding="utf-8")
    return read_words(tmp_path / "words.txt")


def test_templates_are_read(templates: Templates) -> None:
    assert [fact.topic for fact in templates.facts["人"]] == ["住", "年龄"]
    (story,) = templates.stories
    assert story.statements == ["{人}和{人2:人}去了{城}。"]
    assert story.questions == [("人2", ["{人}和谁去{城}？"]), ("-", ["{人}几岁了？", "{城}有多大？"])]
    assert templates.pronouns == {"人": ["他"]} and templates.fillers == ["今天天气很好。"]


def test_alternatives_are_chosen_alone_or_agreed_on() -> None:
    drawn, agreed = random.Random(0), {}
    made = {chosen("[a/b]<x/y>", drawn, agreed) for _ in range(50)}
    assert {one[0] for one in made} == {"a", "b"} and len({one[1] for one in made}) == 1
    assert labels("{人}和{人2:人}") == ["人", "人2"]


def test_words_are_drawn_from_lists_in_lists(words: Words) -> None:
    drawn = random.Random(0)
    assert {words.draw("城", drawn) for _ in range(60)} == {"北大京城", "北小京城", "上海", "广州"}


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "零"), (7, "七"), (10, "十"), (14, "十四"), (20, "二十"), (105, "一百零五"), (110, "一百一十"),
     (999, "九百九十九"), (1_001, "一千零一"), (2_030, "二千零三十"), (10_000, "一万"), (10_500, "一万零五百"),
     (230_000, "二十三万")],
)  # fmt: skip
def test_numbers_in_characters(number: int, said: str) -> None:
    assert chinese(number) == said


def test_an_amount_lies_between_its_bounds_and_ends_with_its_measure() -> None:
    drawn = random.Random(0)
    made = {amount(3, 9, "岁", drawn) for _ in range(200)}
    assert made <= {f"{one}岁" for one in [*"3456789", *"三四五六七八九"]} and len(made) > 10


def test_the_answers_of_generated_questions_are_those_of_their_statements(templates: Templates, words: Words) -> None:
    kinds: Counter[str] = Counter()
    for row in Generator(templates, words, 3).rows(400, each=2):
        if row.answer is None:
            kinds["none"] += 1
            continue
        if "岁" in row.question or "多大" in row.question:
            assert row.answer_text.endswith("岁"), row
            kinds["age"] += 1
        elif any(word in row.question for word in ("谁", "人")):
            assert row.answer_text in words.lists["人"], row
            kinds["who"] += 1
        else:
            assert row.answer_text in ("上海", "广州", "北大京城", "北小京城"), row
            kinds["where"] += 1
        assert row.answer_text not in row.question
    assert min(kinds.values()) > 20 and set(kinds) == {"none", "age", "who", "where"}


def test_the_same_seed_makes_the_same_rows(templates: Templates, words: Words) -> None:
    made = [[*Generator(templates, words, seed).rows(30)] for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_a_question_in_other_words_asks_the_same() -> None:
    drawn = random.Random(0)
    made = {reworded("白塔有多高？", drawn) for _ in range(200)}
    assert {"白塔有多高？", "白塔的高度是多少？", "白塔高多少？"} <= made
    assert {"在镇上开店的是谁？", "是谁在镇上开店的？"} <= {reworded("谁在镇上开店？", drawn) for _ in range(200)}
    assert all(one.endswith("？") and "白塔" in one for one in made)


@pytest.fixture
def written() -> list[Asked]:
    passage = "王小明今年二十三岁。他住在上海。邻居的狗叫豆豆。"
    pairs = (("谁住在上海？", "王小明"), ("他几岁？", "二十三岁"), ("他住在哪里？", "上海"), ("狗叫什么？", "豆豆"))
    rows = [
        Asked(passage, question, (passage.index(text), passage.index(text) + len(text))) for question, text in pairs
    ]
    return [*rows, Asked(passage, "狗几岁？", None), Asked("天很冷。门关着。", "门怎么了？", (5, 7))]


def test_a_varied_row_keeps_its_answer(written: list[Asked]) -> None:
    known = read_words(ASSETS / CHINESE_ANSWERS.words)
    variants, seen = Variants(written, known, 0), Counter()
    for _ in range(600):
        row = variants.draw()
        if row.answer is None:
            seen["none"] += 1
        elif "几岁" in row.question or "多大" in row.question:
            assert row.answer_text.endswith("岁"), row
            seen[row.answer_text] += 1
        elif "门怎" in row.question:
            assert row.answer_text == "关着"
        seen[row.passage] += 1
    assert seen["none"] > 60 and len(seen) > 100, "names and numbers change"


def test_a_mixture_has_written_and_generated_rows(templates: Templates, words: Words, written: list[Asked]) -> None:
    words.lists["姓"] = ["王"]
    words.lists["姓名"] = ["王芳"]
    mixture = Mixture(Generator(templates, words, 0), Variants(written, words, 0), 0)
    drawn = mixture.batches(8)
    rows = [row for _ in range(20) for row in next(drawn)]
    about_cold = sum("天很冷" in row.passage or "邻居" in row.passage or "上海。" in row.passage for row in rows)
    assert 0 < about_cold < len(rows)


def test_the_bundles_templates_make_a_question_of_each_kind() -> None:
    mixture = read_mixture(
        ASSETS / CHINESE_ANSWERS.templates, ASSETS / CHINESE_ANSWERS.words,
        read_asked(ASSETS / CHINESE_ANSWERS.learnt), 0,
    )  # fmt: skip
    generator = mixture.generator
    facts = [*generator.templates.stories, *(one for some in generator.templates.facts.values() for one in some)]
    for fact in facts:
        told = {label for statement in fact.statements for label in labels(statement)} | {"-"}
        assert {label for label, _ in fact.questions} <= told, fact.topic
        for number in range(len(fact.statements)):
            assert generator._said(generator._word(fact.subject, set()), fact, set(), number).values
    assert all(row.answer is None or row.answer_text for row in generator.rows(500))
