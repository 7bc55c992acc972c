"""The same Chinese question in other words: where the question word stands, what it is, and what is said around it."""

from __future__ import annotations

import random
import re

# Words of questions that say the same.
SAME = (
    ("为什么", "为何", "怎么会"),
    ("在哪里", "在哪儿", "在什么地方"),
    ("多久", "多长时间"),
    ("什么时候", "何时"),
    ("几点", "什么时间"),
    ("多少钱", "几块钱"),
    ("多大", "几岁"),
    ("怎么", "怎样"),
    ("谁", "什么人", "哪个人"),
    ("做什么", "干什么"),
    ("什么", "啥"),
    ("哪个国家", "哪国"),
)
# Patterns of questions without their marks, each with other forms.
FORMS = tuple(
    (re.compile(pattern), forms)
    for pattern, forms in (
        (r"谁([^是谁的]{3,})", (r"\1的是谁", r"\1的人是谁", r"\1的人叫什么", r"是谁\1的", r"\1的是什么人")),
        (r"(.{2,})是谁([^谁]{1,6})的", (r"谁\2了\1", r"\1由谁\2", r"\2\1的是谁")),
        (r"(.{2,}的.{1,6})是谁", (r"谁是\1", r"\1叫什么", r"\1叫什么名字")),
        (
            r"([^是的]{2,})为什么([^的]{2,})",
            (r"为什么\1\2", r"\1\2的原因是什么", r"\1是因为什么\2的", r"什么原因让\1\2"),
        ),
        (r"([^是的]{2,})什么时候([^的了]{1,})", (r"\1是什么时候\2的", r"\1哪天\2", r"什么时候\1\2")),
        (
            r"([^是的]{2,})在哪里([^的了]{1,})",
            (r"\1是在哪里\2的", r"\1\2的地方是哪里", r"\1在什么地方\2", r"在哪儿\1\2"),
        ),
        (r"(.{2,})有多高", (r"\1的高度是多少", r"\1高多少")),
        (r"(.{2,})有多长", (r"\1的长度是多少", r"\1长多少")),
        (r"(.{2,})有多重", (r"\1的重量是多少", r"\1重多少")),
        (r"([^花要是卖]{2,})多少钱", (r"\1的价钱是多少", r"\1要花多少钱", r"\1卖多少钱")),
        (r"(.{2,})叫什么(?:名字)?", (r"\1的名字是什么", r"\1名叫什么", r"\1的名字叫什么")),
        (r"(.{2,})是什么颜色的?", (r"\1的颜色是什么", r"\1什么颜色", r"什么颜色是\1的")),
        (r"(.{2,})是做什么的", (r"\1的工作是什么", r"\1从事什么职业", r"\1是干什么的", r"\1的职业是什么")),
        (
            r"([^是的]{2,})(喜欢|爱|最爱|带了|买了|送了|丢了|吃了|做了|得到了|看见)什么",
            (r"\1\2的是什么", r"\1\2哪样东西"),
        ),
        (r"(.{2,})用了多久", (r"\1花了多长时间", r"\1持续多久")),
    )
)
# What may stand before and behind.
BEFORE, BEHIND = ("请问", "请问，", "文中", "那么，"), ("呢", "呀")
AROUND = 0.05


def reworded(question: str, drawn: random.Random) -> str:
    """The question in other words, if one of the forms fits it."""
    plain = question.rstrip("？?")
    fitting = [(found, forms) for pattern, forms in FORMS if (found := pattern.fullmatch(plain))]
    if fitting and drawn.random() < 0.7:
        found, forms = drawn.choice(fitting)
        plain = found.expand(drawn.choice(forms))
    else:
        alike = [(words, word) for words in SAME for word in words[:3] if word in plain]
        if alike:
            words, word = drawn.choice(alike)
            plain = plain.replace(word, drawn.choice(words), 1)
    before = drawn.choice(BEFORE) if drawn.random() < AROUND else ""
    behind = drawn.choice(BEHIND) if drawn.random() < AROUND else ""
    return before + plain + behind + "？"
