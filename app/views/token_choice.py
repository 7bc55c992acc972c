"""Draws what a written token was drawn from: the model's own distribution beside the one after the settings."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from app.results.prompting import NextToken, TokenChoice
from app.views.candidates import in_percent
from app.views.downloads import draw_downloads

Labels = Mapping[str, str]


def draw_choice(choice: TokenChoice, labels: Labels) -> str:
    """Why this token? Its rank and share, what the settings cut off, and the candidates to go on with instead."""
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
    rows = "".join(_row(entry, entry.token_id == written.token_id, labels) for entry in choice.candidates)
    columns = ("token", "token_id", "probability", "adjusted_probability")
    table = ((one.token, one.token_id, one.probability, one.adjusted_probability) for one in choice.candidates)
    saved = draw_downloads(f"candidates-{choice.model}", columns, table, model=choice.model, before=choice.before)
    return (
        f"<article class='answer choice' data-model='{escape(choice.model)}'><h3>{escape(labels['why_title'])}</h3>"
        f"<p class='written'>…{escape(choice.before)}<b>{escape(visible(written.token))}</b></p>"
        f"<p>{escape(why)}</p><p class='legend'><span><i class='swatch own'></i> {escape(labels['own'])}</span> "
        f"<span><i class='swatch adjusted'></i> {escape(labels['adjusted'])}</span></p>"
        f"<ol class='bars pairs' aria-label='{escape(labels['why_title'])}'>{rows}</ol>{saved}</article>"
    )


def draw_settings(choice: TokenChoice, labels: Labels) -> str:
    """The settings that it was drawn with, in words."""
    sampling = choice.sampling
    if sampling.temperature == 0:
        return labels["greedy"]
    parts = [f"{labels['temperature']} {sampling.temperature:g}"]
    parts += [f"top-k {sampling.top_k}"] if sampling.top_k else []
    parts += [f"top-p {sampling.top_p:g}"] if sampling.top_p < 1 else []
    if sampling.repetition_penalty != 1:
        parts.append(f"{labels['repetition_penalty']} {sampling.repetition_penalty:g}")
    return ", ".join(parts)


def _row(entry: NextToken, chosen: bool, labels: Labels) -> str:
    shown = escape(visible(entry.token))
    go_on = escape(labels["go_on"].format(token=visible(entry.token)))
    cut = "" if entry.adjusted_probability > 0 else f" <small>{escape(labels['cut_off'])}</small>"
    return (
        f"<li{' class=chosen' if chosen else ''}><button type='button' class='word' data-token='{entry.token_id}' "
        f"title='{go_on}' aria-label='{go_on}'>{shown}</button><span class='tracks'>"
        f"{_track('own', entry.probability)}{_track('adjusted', entry.adjusted_probability)}</span>"
        f"<span class='value'>{in_percent(entry.probability)}<br>"
        f"{in_percent(entry.adjusted_probability)}{cut}</span></li>"
    )


def _track(kind: str, probability: float) -> str:
    width = f"{probability * 100:.2f}%"
    return f"<span class='track'><span class='fill {kind}' style='width:{width}'></span></span>"


def visible(token: str) -> str:
    """Spaces and line breaks as signs where nothing else would be seen."""
    if token.strip():
        return token
    return token.replace(" ", "␣").replace("\n", "⏎").replace("\t", "⇥") or "␣"
