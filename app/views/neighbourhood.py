"""Draws what lies near one occurrence of a word: words of other sentences, static vectors, ELMo's own guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.results.word_sense import NearWord, Neighbourhood
from app.views.downloads import draw_downloads

Labels = Mapping[str, str]
AROUND = 60  # characters of a sentence on each side of a word


def draw_neighbourhood(near: Neighbourhood, labels: Labels) -> str:
    """Tables beside each other."""
    layer = labels["near_mix"] if near.layer == "mix" else labels["near_layer"].format(layer=near.layer)
    parts = [
        f"<article class='answer near' data-model='{escape(near.model)}' data-layer='{near.layer}'>"
        f"<h3>{escape(labels['near_context'].format(model=near.model, layer=layer))}</h3>"
        f"<p>{in_sentence(near.sentence, near.start, near.end)}</p>{_context_table(near.in_context, labels)}"
        f"{_saved_context(near)}</article>"
    ]
    if near.static_model:
        parts.append(_static(near, labels))
    if near.expected:
        parts.append(_expected(near, labels))
    return f"<div class='answers'>{''.join(parts)}</div>"


def _saved_context(near: Neighbourhood) -> str:
    rows = ((one.text, one.cosine, one.sentence, one.start, one.end) for one in near.in_context)
    about = {"model": near.model, "layer": near.layer, "sentence": near.sentence, "start": near.start, "end": near.end}
    return draw_downloads(f"near-{near.model}", ("word", "cosine", "sentence", "start", "end"), rows, **about)


def in_sentence(sentence: str, start: int, end: int) -> str:
    """The sentence around a word, the word in bold."""
    before, after = sentence[max(0, start - AROUND) : start], sentence[end : end + AROUND]
    dots = ("…" if start > AROUND else "", "…" if end + AROUND < len(sentence) else "")
    return f"{dots[0]}{escape(before)}<b>{escape(sentence[start:end])}</b>{escape(after)}{dots[1]}"


def _context_table(words: Sequence[NearWord], labels: Labels) -> str:
    if not words:
        return f"<p class='note'>{escape(labels['near_none'])}</p>"
    rows = "".join(
        f"<tr><td>{one.cosine:.2f}</td><td>{in_sentence(one.sentence or '', one.start or 0, one.end or 0)}</td></tr>"
        for one in words
    )
    return (
        f"<table><thead><tr><th>{escape(labels['near_cosine'])}</th><th>{escape(labels['near_word'])}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _static(near: Neighbourhood, labels: Labels) -> str:
    word = near.sentence[near.start : near.end]
    title = escape(labels["near_static"].format(model=near.static_model, word=word))
    rows = "".join(f"<tr><td>{one.cosine:.2f}</td><td>{escape(one.text)}</td></tr>" for one in near.static)
    table = f"<table><tbody>{rows}</tbody></table>" if rows else f"<p>{escape(labels['near_unknown'])}</p>"
    told = escape(labels["near_static_help"])
    pairs = ((one.text, one.cosine) for one in near.static)
    saved = draw_downloads(f"near-{near.static_model}", ("word", "cosine"), pairs, model=near.static_model, word=word)
    return f"<article class='answer near-static'><h3>{title}</h3><p>{told}</p>{table}{saved}</article>"


def _expected(near: Neighbourhood, labels: Labels) -> str:
    sides = "".join(
        f"<section><h4>{escape(labels[key])}</h4><ol class='bars'>"
        + "".join(
            f"<li><span class='word'>{escape(word)}</span><span class='track'><span class='fill' "
            f"style='width:{share * 100:.2f}%'></span></span><span class='value'>{share * 100:.1f} %</span></li>"
            for word, share in side
        )
        + "</ol></section>"
        for key, side in zip(("expected_left", "expected_right"), near.expected, strict=True)
    )
    title, told = escape(labels["expected"].format(model=near.model)), escape(labels["expected_help"])
    ways = zip(("left", "right"), near.expected, strict=True)
    rows = ((way, word, share) for way, side in ways for word, share in side)
    saved = draw_downloads(f"expected-{near.model}", ("read_from", "word", "probability"), rows, model=near.model)
    return f"<article class='answer near-expected'><h3>{title}</h3><p>{told}</p>{sides}{saved}</article>"
