"""Generated passages: a few facts about several subjects, so that only one who reads tells which answers a question."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from app.training.answers.generated.rewording import reworded
from app.training.answers.generated.templates import SLOT, Fact, Templates, chosen, labels
from app.training.answers.generated.wording import Words
from app.training.answers.rows import Asked

# Share of the questions that the passage does not answer.
UNANSWERED = 0.2
# Shares of passages that say the same of several subjects, and of stories.
ALIKE, STORY = 0.2, 0.6
# Share of the questions that are said in other words than those of their template.
REWORDED = 0.35


@dataclass
class Said:
    """A fact as a passage says it.

    Attributes:
        fact: its kind.
        subject: the subject's name.
        statement: its wording.
        values: the word of each slot.
        agreed: what was chosen of the alternatives that its questions share with it.
        spans: where each word stands in the passage.
    """

    fact: Fact
    subject: str
    statement: str
    values: dict[str, str]
    agreed: dict[str, str]
    spans: dict[str, tuple[int, int]]


class Generator:
    """Makes passages with questions.

    Args:
        templates: what can be said.
        words: of whom and what.
        seed: the same one makes the same passages.
    """

    def __init__(self, templates: Templates, words: Words, seed: int) -> None:
        self.templates, self.words, self.drawn = templates, words, random.Random(seed)
        self._subjects = sorted(templates.facts)
        self._weights = [len(templates.facts[name]) ** 0.8 for name in self._subjects]

    def rows(self, count: int, most_facts: int = 6, each: int = 2) -> Iterator[Asked]:
        """That many questions, up to `each` of them about one passage."""
        made = 0
        while made < count:
            for row in self.passage(self.drawn.randint(2, most_facts), each):
                made += 1
                yield row
                if made == count:
                    return

    def passage(self, facts: int, each: int, alike: float = ALIKE, story: float = STORY) -> list[Asked]:
        """Questions about a new passage.

        Args:
            facts: how many it holds at most.
            each: how many questions at most.
            alike: how often it says the same of each of its subjects, and nothing else.
            story: how often it is a story, alone or with two facts.
        """
        used: set[str] = set()
        (kind,), form = self.drawn.choices(self._subjects, self._weights), self.drawn.random()
        if form < story:
            fact = self.drawn.choice(self.templates.stories)
            said = [self._said(self._word(fact.subject, used), fact, used)]
            if self.drawn.random() < 0.3:
                said = _shuffled(said + self._facts(kind, 2, used), self.drawn)
        elif form < story + alike:
            said = self._parallel(kind, min(facts, 4), used)
        else:
            said = self._facts(kind, facts, used)
            (other,) = self.drawn.choices(self._subjects, self._weights)
            if facts > 3 and other != kind and self.drawn.random() < 0.3:
                said += self._facts(other, 2, used)
        passage = self._written(said)
        asked = [row for row in (self._question(passage, said, used) for _ in range(each)) if row]
        return [self._reworded(row) if self.drawn.random() < REWORDED else row for row in asked]

    def _reworded(self, row: Asked) -> Asked:
        return replace(row, question=reworded(row.question, self.drawn))

    def _facts(self, kind: str, count: int, used: set[str]) -> list[Said]:
        """Facts of few topics about few subjects, so that most topics are said of more than one."""
        known = self.templates.facts[kind]
        people = [self._word(kind, used) for _ in range(self.drawn.choice((1, 2, 2, 2, 3, 3)))]
        topics = self.drawn.sample(known, min(len(known), self.drawn.choice((1, 2, 2, 3, 4))))
        pairs = [(one, fact) for one in people for fact in topics]
        if len(pairs) > count:
            dropped = set(self.drawn.sample(range(len(pairs)), len(pairs) - count))
            pairs = [pair for place, pair in enumerate(pairs) if place not in dropped]
        if self.drawn.random() < 0.4:
            pairs.sort(key=lambda pair: topics.index(pair[1]))
        return [self._said(one, fact, used) for one, fact in pairs]

    def _parallel(self, kind: str, count: int, used: set[str]) -> list[Said]:
        """The same of several subjects."""
        fact, made = self.drawn.choice(self.templates.facts[kind]), []
        statement = self.drawn.randrange(len(fact.statements)) if self.drawn.random() < 0.7 else None
        for _ in range(count):
            made.append(self._said(self._word(kind, used), fact, used, statement))
        return made

    def _said(self, subject: str, fact: Fact, used: set[str], number: int | None = None) -> Said:
        agreed: dict[str, str] = {}
        wording = self.drawn.choice(fact.statements) if number is None else fact.statements[number]
        statement = chosen(wording, self.drawn, agreed)
        values = {fact.subject: subject}
        for slot in SLOT.findall(statement):
            label, _, source = slot.partition(":")
            if label not in values:
                values[label] = self._word(source or label.rstrip("0123456789"), used)
        return Said(fact, subject, statement, values, agreed, {})

    def _word(self, source: str, used: set[str]) -> str:
        """A word that neither stands in the passage nor is a part of one that does, nor the other way round."""
        for _ in range(50):
            word = self.words.draw(source, self.drawn)
            if not any(word in other or other in word for other in used):
                break
        used.add(word)
        return word

    def _written(self, said: list[Said]) -> str:
        """The passage; fills in where each word stands."""
        text, drawn = self._filler(0.15), self.drawn
        pronouns = {one.subject: drawn.choice(self.templates.pronouns.get(one.fact.subject, [""])) for one in said}
        known: dict[str, tuple[int, int]] = {}
        for place, one in enumerate(said):
            same = place > 0 and said[place - 1].subject == one.subject
            name = one.subject
            if same and pronouns[name] and drawn.random() < 0.75:
                dropped = text.endswith("，") and one.statement.startswith("{" + one.fact.subject + "}")
                name = "" if dropped and drawn.random() < 0.7 else pronouns[name]
            text = self._add(text, one, name, known)
            if text.endswith("。"):
                continue
            more = place + 1 < len(said)
            joined = more and not text.endswith("。") and drawn.random() < (0.5 if _near(said, place) else 0.25)
            text += drawn.choice("，，，；") if joined else "。"
            if not joined:
                text += self._filler(0.06 if more else 0.0)
        return text

    def _add(self, text: str, one: Said, name: str, known: dict[str, tuple[int, int]]) -> str:
        at = 0
        for slot in SLOT.finditer(one.statement):
            text += one.statement[at : slot.start()]
            label = slot[1].partition(":")[0]
            word = name if label == one.fact.subject else one.values[label]
            span = (len(text), len(text) + len(word))
            text, at = text + word, slot.end()
            if label != one.fact.subject:
                one.spans[label] = span
            elif name == one.subject:
                known[name] = span
        if one.subject in known:
            one.spans[one.fact.subject] = known[one.subject]
        return text + one.statement[at:]

    def _filler(self, share: float) -> str:
        return self.drawn.choice(self.templates.fillers) if self.drawn.random() < share else ""

    def _question(self, passage: str, said: list[Said], used: set[str]) -> Asked | None:
        if self.drawn.random() < UNANSWERED:
            return self._unanswered(passage, said, used)
        one = self.drawn.choice(said)
        asked = [(label, text) for label, texts in one.fact.questions if label in one.spans for text in texts]
        self.drawn.shuffle(asked)
        for label, text in asked:
            question = chosen(text, self.drawn, one.agreed)
            if label not in labels(question) and all(name in one.values for name in labels(question)):
                return Asked(passage, _filled(question, one.values), one.spans[label])
        return None

    def _unanswered(self, passage: str, said: list[Said], used: set[str]) -> Asked | None:
        """A question of another topic, of a subject that is not there, or with words that are not."""
        one, way = self.drawn.choice(said), self.drawn.random()
        fact, values = one.fact, dict(one.values)
        never = [
            text for label, texts in fact.questions if label == "-" for text in texts if {*labels(text)} <= {*values}
        ]
        if never and way < 0.8:
            return Asked(passage, _filled(chosen(self.drawn.choice(never), self.drawn, one.agreed), values), None)
        if way < 0.55:
            told = {other.fact.topic for other in said if other.subject == one.subject}
            others = [other for other in self.templates.facts[fact.subject] if other.topic not in told]
            if not others:
                return None
            fact, values = self.drawn.choice(others), {fact.subject: one.subject}
        elif way < 0.8:
            values = {fact.subject: self._word(fact.subject, used)}
        else:
            values = self._said(one.subject, fact, used).values
            del values[fact.subject]
        texts = [
            chosen(text, self.drawn, {}) for label, texts in fact.questions for text in texts if label not in values
        ]
        if way >= 0.8:
            texts = [
                chosen(text, self.drawn, {}) for label, some in fact.questions for text in some if label == fact.subject
            ]
        fitting = [text for text in texts if labels(text) and all(name in values for name in labels(text))]
        return Asked(passage, _filled(self.drawn.choice(fitting), values), None) if fitting else None


def _shuffled(said: list[Said], drawn: random.Random) -> list[Said]:
    return drawn.sample(said, len(said))


def _near(said: list[Said], place: int) -> bool:
    return any(one.subject == other.subject for one, other in pairwise(said[place : place + 2]))


def _filled(question: str, values: dict[str, str]) -> str:
    return SLOT.sub(lambda slot: values[slot[1]], question)
