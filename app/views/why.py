"""Draws why a text got its label: words coloured by their contribution, by two methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.results.about import About
from app.results.classification import NUMBER, WhyResult, WordEffect
from app.results.expressions.blank import BLANK
from app.views.classification import draw_label_bars, number_of
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, details, mixed, section, tag
from app.views.tokens import draw_blank, draw_word

Labels = Mapping[str, str]


def draw_why(result: WhyResult, about: About, labels: Labels, note: str = "") -> Markup:
    """A remark, the labels' bars, and the words twice: by integrated gradients and by occlusion."""
    made = result.attributed
    delta = labels["delta"].format(
        delta=f"{round(made.convergence_delta, 4) + 0.0:+.4f}", difference=f"{made.logit - made.baseline_logit:+.3f}"
    )
    check = details(labels["delta_title"], tag("p", delta, class_="trust"))
    question = labels["why_label"].format(label=made.label)
    sides = Markup(" ").join(tag("span", labels[side], class_=f"effect {side}") for side in ("for", "against"))
    shape, meaning = ("{:+.3f}", "occlusion_score") if result.kind == NUMBER else ("{:+.1%}", "occlusion_note")
    gradients = _words(result, lambda word: word.attribution, "{:+.3f}", labels)
    occlusion = _words(result, lambda word: word.occlusion, shape, labels)
    return draw_card(
        about,
        draw_label_bars(result.labels, labels, result.kind),
        tag("p", question, " ", sides),
        section(
            labels["gradients"],
            gradients,
            check,
            data_method="gradients",
        ),
        section(labels["occlusion"], occlusion, tag("p", labels[meaning], class_="trust"), data_method="occlusion"),
        _downloads(result),
        model=made.model,
        note=note,
    )


def _downloads(result: WhyResult) -> Markup:
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


def _words(result: WhyResult, value: Callable[[WordEffect], float], shape: str, labels: Labels) -> Markup:
    largest = max((abs(value(word)) for word in result.words), default=0.0) or 1.0
    # Between words are spaces and blanks; a click on a blank brings its word back.
    parts = [draw_blank(match, labels) for match in BLANK.finditer(result.text)]
    for word in result.words:
        effect = value(word)
        hint = f"{shape.format(effect)} · {labels['hide_word']}"
        kind, look = "for" if effect >= 0 else "against", f"--strength:{abs(effect) / largest:.2f}"
        parts.append(draw_word(word.text, word.start, word.end, hint, f"word effect {kind}", look))
    return tag("p", mixed(result.text, sorted(parts)), class_="words why", dir="auto")
