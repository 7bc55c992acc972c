"""Draws answers from a passage: the best spans, the verdict, and where an answer would begin and end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from math import log

from app.results.about import About
from app.results.answering import AnswerResult, PassageToken
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.notes import draw_note

Labels = Mapping[str, str]
# Less probable ones are not named when a pointer rests on them.
WORTH_NAMING = 0.001
LEAST = 1e-300


def draw_answer(
    result: AnswerResult, about: About, labels: Labels, passage: str, threshold: float = 0.0, note: str = ""
) -> str:
    """The verdict, the best answers, and the passage twice, coloured by begin and by end.

    Args:
        result: of `/answer`.
        about: its model.
        labels: the tab's texts.
        passage: as it was sent.
        threshold: by how much "no answer" must be likelier than the best one, as a difference of logarithms.
        note: a remark.
    """
    windows = labels["windows"].format(count=result.windows) if result.windows > 1 else ""
    return (
        f"<article class='answer answering' data-model='{escape(result.model)}'>{draw_heading(about)}{draw_note(note)}"
        f"<p class='headline'>{escape(_verdict(result, labels, threshold))}</p>{_best(result, labels)}"
        f"<section data-side='begins'><h4>{escape(labels['begins'])}</h4>"
        f"{_coloured(passage, result.tokens, lambda token: token.begins)}</section>"
        f"<section data-side='ends'><h4>{escape(labels['ends'])}</h4>"
        f"{_coloured(passage, result.tokens, lambda token: token.ends)}</section>"
        f"{draw_note(windows)}{_downloads(result)}</article>"
    )


def margin(result: AnswerResult) -> float:
    """By how much "no answer" is likelier than the best answer: the difference of logarithms, as SQuAD 2.0 has it."""
    best = result.answers[0].probability if result.answers else 0.0
    return log(max(result.no_answer, LEAST)) - log(max(best, LEAST))


def _verdict(result: AnswerResult, labels: Labels, threshold: float) -> str:
    difference = margin(result)
    if not result.answers or difference > threshold:
        return labels["refused"].format(margin=f"{difference:+.2f}", threshold=f"{threshold:g}")
    return labels["answered"].format(answer=result.answers[0].text, margin=f"{difference:+.2f}")


def _best(result: AnswerResult, labels: Labels) -> str:
    rows = [(one.text, one.probability, "") for one in result.answers]
    rows.append((labels["no_answer"], result.no_answer, " base"))
    drawn = "".join(
        f"<li><span class='word'>{escape(text)}</span><span class='track'>"
        f"<span class='fill{kind}' style='width:{probability * 100:.2f}%'></span></span>"
        f"<span class='value'>{probability:.1%}</span></li>"
        for text, probability, kind in rows
    )
    return f"<ol class='bars' aria-label='{escape(labels['bars'])}'>{drawn}</ol>"


def _coloured(passage: str, tokens: list[PassageToken], value: Callable[[PassageToken], float]) -> str:
    """The passage, each piece as dark as its probability against the largest one."""
    largest = max((value(token) for token in tokens), default=0.0) or 1.0
    parts, last = [], 0
    for token in tokens:
        if token.start < last:  # pieces of one character
            continue
        share, said = value(token), ""
        if share >= WORTH_NAMING:
            said = f" title='{share:.1%}'"
        parts.append(escape(passage[last : token.start]))
        parts.append(
            f"<span class='effect for' style='--strength:{share / largest:.3f}'{said}>"
            f"{escape(passage[token.start : token.end])}</span>"
        )
        last = token.end
    return f"<p class='entities' dir='auto'>{''.join(parts)}{escape(passage[last:])}</p>"


def _downloads(result: AnswerResult) -> str:
    rows = ((one.text, one.start, one.end, one.probability) for one in result.answers)
    columns = ("answer", "start", "end", "probability")
    return draw_downloads(f"answers-{result.model}", columns, rows, no_answer=result.no_answer)
