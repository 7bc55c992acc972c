"""Draws answers from a passage: the best spans, the verdict, and where an answer would begin and end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import log

from app.results.about import About
from app.results.answering import AnswerResult, PassageToken
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, bar, bars, mixed, section, tag
from app.views.notes import draw_note

Labels = Mapping[str, str]
# Tooltips leave out probabilities below this.
WORTH_NAMING = 0.001
LEAST = 1e-300


def draw_answer(
    result: AnswerResult, about: About, labels: Labels, passage: str, threshold: float = 0.0, note: str = ""
) -> Markup:
    """The verdict, the best answers, and the passage twice, coloured by start and by end.

    Args:
        result: of `/answer`.
        about: its model.
        labels: the tab's texts.
        passage: as it was sent.
        threshold: how much likelier than the best answer "no answer" must be, as a difference of logarithms.
        note: a remark.
    """
    windows = labels["windows"].format(count=result.windows) if result.windows > 1 else ""
    begins = _coloured(passage, result.tokens, lambda token: token.begins)
    ends = _coloured(passage, result.tokens, lambda token: token.ends)
    return draw_card(
        about,
        *_verdict(result, labels, threshold),
        _best(result, labels),
        section(labels["begins"], begins, data_side="begins"),
        section(labels["ends"], ends, data_side="ends"),
        draw_note(windows),
        _downloads(result),
        kind="answering",
        model=result.model,
        note=note,
    )


def margin(result: AnswerResult) -> float:
    """How much likelier "no answer" is than the best answer, as a difference of logarithms (as in SQuAD 2.0)."""
    best = result.answers[0].probability if result.answers else 0.0
    return log(max(result.no_answer, LEAST)) - log(max(best, LEAST))


def _verdict(result: AnswerResult, labels: Labels, threshold: float) -> tuple[Markup, Markup]:
    """The answer, or that there is none; and by how much."""
    difference = margin(result)
    if not result.answers or difference > threshold:
        said, why = labels["refused"], labels["behind"]
    else:
        said = labels["answered"].format(answer=result.answers[0].text)
        why = labels["ahead"] if difference <= 0 else labels["within"]
    why = why.format(margin=f"{abs(difference):.1f}", threshold=f"{threshold:g}")
    return tag("p", said, class_="headline"), tag("p", tag("small", why))


def _best(result: AnswerResult, labels: Labels) -> Markup:
    rows = [bar(one.text, one.probability, f"{one.probability:.1%}") for one in result.answers]
    rows.append(bar(labels["no_answer"], result.no_answer, f"{result.no_answer:.1%}", "base"))
    return bars(labels["bars"], rows)


def _coloured(passage: str, tokens: list[PassageToken], value: Callable[[PassageToken], float]) -> Markup:
    """The passage, each piece coloured by its probability relative to the largest one."""
    largest = max((value(token) for token in tokens), default=0.0) or 1.0
    parts = []
    for token in tokens:
        share, shown = value(token), passage[token.start : token.end]
        look, said = f"--strength:{share / largest:.3f}", f"{share:.1%}" if share >= WORTH_NAMING else None
        piece = tag("span", shown, class_="effect for", style=look, title=said)
        parts.append((token.start, token.end, piece))
    return tag("p", mixed(passage, parts), class_="entities", dir="auto")


def _downloads(result: AnswerResult) -> Markup:
    rows = ((one.text, one.start, one.end, one.probability) for one in result.answers)
    columns = ("answer", "start", "end", "probability")
    return draw_downloads(f"answers-{result.model}", columns, rows, no_answer=result.no_answer)
