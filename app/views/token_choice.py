"""Draws the choice of a written token: the model's own distribution beside the one after the settings."""

from __future__ import annotations

from collections.abc import Mapping

from app.results.prompting import NextToken, TokenChoice
from app.views.candidates import in_percent
from app.views.downloads import draw_downloads
from app.views.html import Markup, card, join, tag, track

Labels = Mapping[str, str]


def draw_choice(choice: TokenChoice, labels: Labels) -> Markup:
    """Why this token? Its rank and share, what the settings cut off, and the candidates to continue with instead."""
    written = choice.written
    why = labels["why"].format(
        token=visible(written.token),
        rank=f"{choice.rank:,}",
        vocabulary=f"{choice.vocabulary:,}",
        own=in_percent(written.probability),
        adjusted=in_percent(written.adjusted_probability),
        kept=f"{choice.kept:,}",
        settings=draw_settings(choice, labels),
    )
    rows = (_row(entry, entry.token_id == written.token_id, labels) for entry in choice.candidates)
    columns = ("token", "token_id", "probability", "adjusted_probability")
    saved = ((one.token, one.token_id, one.probability, one.adjusted_probability) for one in choice.candidates)
    return card(
        tag("h3", labels["why_title"]),
        tag("p", f"…{choice.before}", tag("b", visible(written.token)), class_="written"),
        tag("p", why),
        tag("p", _named("own", labels), " ", _named("adjusted", labels), class_="legend"),
        tag("ol", *rows, class_="bars pairs", aria_label=labels["why_title"]),
        draw_downloads(f"candidates-{choice.model}", columns, saved, model=choice.model, before=choice.before),
        kind="choice",
        model=choice.model,
    )


def _named(kind: str, labels: Labels) -> Markup:
    return tag("span", tag("i", class_=f"swatch {kind}"), f" {labels[kind]}")


def draw_settings(choice: TokenChoice, labels: Labels) -> str:
    """The settings of the draw, in words."""
    sampling = choice.sampling
    if sampling.temperature == 0:
        return labels["greedy"]
    parts = [f"{labels['temperature']} {sampling.temperature:g}"]
    parts += [f"top-k {sampling.top_k}"] if sampling.top_k else []
    parts += [f"top-p {sampling.top_p:g}"] if sampling.top_p < 1 else []
    if sampling.repetition_penalty != 1:
        parts.append(f"{labels['repetition_penalty']} {sampling.repetition_penalty:g}")
    return ", ".join(parts)


def _row(entry: NextToken, chosen: bool, labels: Labels) -> Markup:
    shown = visible(entry.token)
    go_on, own, adjusted = labels["go_on"].format(token=shown), entry.probability, entry.adjusted_probability
    cut = "" if adjusted > 0 else join(" ", tag("small", labels["cut_off"]))
    about = {"class_": "word", "data_token": entry.token_id, "title": go_on, "aria_label": go_on}
    return tag(
        "li",
        tag("button", shown, type="button", **about),
        tag("span", track(own, "own"), track(adjusted, "adjusted"), class_="tracks"),
        tag("span", in_percent(own), tag("br"), in_percent(adjusted), cut, class_="value"),
        class_=chosen and "chosen",
    )


def visible(token: str) -> str:
    """Spaces and line breaks as signs if nothing else would be visible."""
    if token.strip():
        return token
    return token.replace(" ", "␣").replace("\n", "⏎").replace("\t", "⇥") or "␣"
