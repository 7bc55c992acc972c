"""The picker of models for sentence pairs: which question each was trained on, or why it has no such head."""

from __future__ import annotations

from app.registry.lookup import BY_NAME
from app.results.sentence_pair import PairModel
from app.ui.texts import say, texts
from app.ui.widgets import model_choices

SLUG = "sentence_pair"


def pair_choices(language: str, judges: list[PairModel]) -> list[tuple[str, str]]:
    """Choices of the picker, those without a head as well: that they have none is worth knowing."""
    ready = {judge.name for judge in judges if judge.ready}
    of_name = {judge.name: judge for judge in judges}
    return [
        (say(language, SLUG, _key(language, of_name[name]), choice=choice), name)
        for choice, name in model_choices(language, [BY_NAME[judge.name] for judge in judges], ready)
    ]


def _key(language: str, judge: PairModel) -> str:
    key = f"picker.{judge.objective}" if judge.objective else f"picker.none.{judge.family}"
    return key if key in texts(SLUG)[language] else "picker.none"


def one_of_each(judges: list[PairModel]) -> list[str]:
    """The first model on this machine for each question."""
    first = {judge.objective: judge.name for judge in reversed(judges) if judge.ready}
    return [first[objective] for objective in ("nsp", "sop") if objective in first]
