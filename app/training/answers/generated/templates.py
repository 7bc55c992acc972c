"""Templates of generated passages: what can be said of a kind of subject, and what can be asked about it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SLOT = re.compile(r"\{([^{}]+)\}")
_CHOICE = re.compile(r"\[([^\[\]]*)\]|<([^<>]*)>")


@dataclass
class Fact:
    """A kind of fact.

    Attributes:
        subject: the list that its subject is drawn from; also the name of the subject's slot.
        topic: facts of the same subject and topic answer the same questions.
        statements: wordings with slots, `{label}` or `{label:source}`.
        questions: the label of the slot that answers, with wordings; "-" if the statement never says.
    """

    subject: str
    topic: str
    statements: list[str] = field(default_factory=list)
    questions: list[tuple[str, list[str]]] = field(default_factory=list)


@dataclass(frozen=True)
class Templates:
    """All facts by their subject, stories, the pronouns of subjects, and sentences that say nothing of use."""

    facts: dict[str, list[Fact]]
    stories: list[Fact]
    pronouns: dict[str, list[str]]
    fillers: list[str]


def read_templates(path: Path) -> Templates:
    """The templates of a file.

    `@ subject topic` begins a fact, or a story if its first statement ends with a full stop; `= ...` is a statement,
    `? label | ... | ...` are questions; `% subject ...` are pronouns, `~ ...` is a sentence in between.
    """
    facts: dict[str, list[Fact]] = {}
    pronouns: dict[str, list[str]] = {}
    fillers: list[str] = []
    for mark, rest in _marked(path):
        if mark == "@":
            fact = Fact(*rest.split())
            facts.setdefault(fact.subject, []).append(fact)
        elif mark == "=":
            fact.statements.append(rest)
        elif mark == "?":
            label, *wordings = (part.strip() for part in rest.split("|"))
            fact.questions.append((label, wordings))
        elif mark == "%":
            subject, *said = rest.split()
            pronouns[subject] = said
        elif mark == "~":
            fillers.append(rest)
    stories = [one for some in facts.values() for one in some if one.statements[0].endswith("。")]
    plain = {subject: [one for one in some if one not in stories] for subject, some in facts.items()}
    return Templates(plain, stories, pronouns, fillers)


def _marked(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield line[0], line[1:].strip()


def chosen(text: str, drawn: random.Random, agreed: dict[str, str]) -> str:
    """The text with one of the alternatives of each `[a/b]`, and of each `<a/b>` the one that was agreed on.

    Args:
        text: a statement or a question.
        drawn: chooses.
        agreed: what was chosen before of alternatives in `<>`; new ones are added.
    """
    while found := _CHOICE.search(text):
        free, common = found[1], found[2]
        one = drawn.choice((free if common is None else common).split("/"))
        if common is not None:
            one = agreed.setdefault(common, one)
        text = text[: found.start()] + one + text[found.end() :]
    return text


def labels(text: str) -> list[str]:
    """The labels of its slots in order."""
    return [slot.partition(":")[0] for slot in SLOT.findall(text)]
