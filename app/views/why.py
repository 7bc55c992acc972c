"""Draws why a text got its label: words coloured by what they add, by two methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from app.results.about import About
from app.results.blank import BLANK
from app.results.classification import NUMBER, WhyResult, WordEffect
from app.views.classification import draw_label_bars, number_of
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.notes import draw_note

Labels = Mapping[str, str]


def draw_why(result: WhyResult, about: About, labels: Labels, note: str = "") -> str:
    """A remark, bars of the labels, and the words twice: by integrated gradients and by occlusion."""
    made = result.attributed
    delta = labels["delta"].format(
        delta=f"{round(made.convergence_delta, 4) + 0.0:+.4f}", difference=f"{made.logit - made.baseline_logit:+.3f}"
    )
    question = labels["why_label"].format(label=made.label)
    shape, meaning = ("{:+.3f}", "occlusion_score") if result.kind == NUMBER else ("{:+.1%}", "occlusion_note")
    return (
        f"<article class='answer' data-model='{escape(made.model)}'>"
        f"{draw_heading(about)}{draw_note(note)}{draw_label_bars(result.labels, labels, result.kind)}"
        f"<p>{escape(question)} <span class='effect for'>{escape(labels['for'])}</span> "
        f"<span class='effect against'>{escape(labels['against'])}</span></p>"
        f"<section data-method='gradients'><h4>{escape(labels['gradients'])}</h4>"
        f"{_words(result, lambda word: word.attribution, '{:+.3f}', labels)}"
        f"<p class='trust'>{escape(delta)}</p></section>"
        f"<section data-method='occlusion'><h4>{escape(labels['occlusion'])}</h4>"
        f"{_words(result, lambda word: word.occlusion, shape, labels)}"
        f"<p class='trust'>{escape(labels[meaning])}</p></section>{_downloads(result)}</article>"
    )


def _downloads(result: WhyResult) -> str:
    made = result.attributed
    return draw_downloads(
        f"why-{made.model}",
        ("word", "start", "end", "integrated_gradients", "occlusion"),
        ((word.text, word.start, word.end, word.attribution, word.occlusion) for word in result.words),
        model=made.model,
        label=made.label,
        convergence_delta=made.convergence_delta,
        probability={one.label: number_of(one) for one in result.labels},
    )


def _words(result: WhyResult, value: Callable[[WordEffect], float], shape: str, labels: Labels) -> str:
    largest = max((abs(value(word)) for word in result.words), default=0.0) or 1.0
    parts, last = [], 0
    for word in result.words:
        effect = value(word)
        side = "for" if effect >= 0 else "against"
        hint = f"{shape.format(effect)} · {labels['hide_word']}"
        parts.append(_gap(result.text, last, word.start, labels))
        parts.append(
            f"<button type='button' class='word effect {side}' style='--strength:{abs(effect) / largest:.2f}' "
            f"data-start='{word.start}' data-end='{word.end}' title='{escape(hint)}'>{escape(word.text)}</button>"
        )
        last = word.end
    return f"<p class='words why' dir='auto'>{''.join(parts)}{_gap(result.text, last, len(result.text), labels)}</p>"


def _gap(text: str, start: int, end: int, labels: Labels) -> str:
    """What stands between words: blanks, which can be clicked to bring their word back, and spaces."""
    parts, last = [], start
    for match in BLANK.finditer(text, start, end):
        parts.append(escape(text[last : match.start()]))
        parts.append(
            f"<button type='button' class='blank' data-start='{match.start()}' data-end='{match.end()}' "
            f"title='{escape(labels['show_word'])}'>&nbsp;?&nbsp;</button>"
        )
        last = match.end()
    return "".join(parts) + escape(text[last:end])
