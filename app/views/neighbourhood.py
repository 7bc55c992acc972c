"""Draws the neighbours of one occurrence of a word: words in other sentences, static vectors, ELMo's own guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.results.word_sense import NearWord, Neighbourhood
from app.views.cards import draw_cards
from app.views.downloads import draw_downloads
from app.views.html import Markup, bar, bars, card, join, section, table, tag
from app.views.notes import draw_note

Labels = Mapping[str, str]
AROUND = 60  # characters of a sentence on each side of a word


def draw_neighbourhood(near: Neighbourhood, labels: Labels) -> Markup:
    """Tables side by side."""
    parts = [_in_context(near, labels)]
    if near.static_model:
        parts.append(_static(near, labels))
    if near.expected:
        parts.append(_expected(near, labels))
    return draw_cards(parts)


def in_sentence(sentence: str, start: int, end: int, sense: str = "") -> Markup:
    """The sentence around a word, with the word in bold and its sense, if any, in front."""
    before, after = sentence[max(0, start - AROUND) : start], sentence[end : end + AROUND]
    dots = ("…" if start > AROUND else "", "…" if end + AROUND < len(sentence) else "")
    label = join(tag("i", sense), " ") if sense else ""
    return join(label, dots[0], before, tag("b", sentence[start:end]), after, dots[1])


def _in_context(near: Neighbourhood, labels: Labels) -> Markup:
    layer = labels["near_mix"] if near.layer == "mix" else labels["near_layer"].format(layer=near.layer)
    rows = ((one.text, one.cosine, one.sentence, one.start, one.end) for one in near.in_context)
    about = {"model": near.model, "layer": near.layer, "sentence": near.sentence, "start": near.start, "end": near.end}
    return card(
        tag("h3", labels["near_context"].format(model=near.model, layer=layer)),
        tag("p", in_sentence(near.sentence, near.start, near.end)),
        _context_table(near.in_context, labels),
        draw_downloads(f"near-{near.model}", ("word", "cosine", "sentence", "start", "end"), rows, **about),
        kind="near",
        model=near.model,
        data_layer=near.layer,
    )


def _context_table(words: Sequence[NearWord], labels: Labels) -> Markup:
    if not words:
        return draw_note(labels["near_none"])
    rows = ((f"{one.cosine:.2f}", in_sentence(one.sentence or "", one.start or 0, one.end or 0)) for one in words)
    return table((labels["near_cosine"], labels["near_word"]), rows)


def _static(near: Neighbourhood, labels: Labels) -> Markup:
    word = near.sentence[near.start : near.end]
    title = labels["near_static"].format(model=near.static_model, word=word)
    rows = [(f"{one.cosine:.2f}", one.text) for one in near.static]
    drawn = table((), rows) if rows else tag("p", labels["near_unknown"])
    pairs = ((one.text, one.cosine) for one in near.static)
    saved = draw_downloads(f"near-{near.static_model}", ("word", "cosine"), pairs, model=near.static_model, word=word)
    return card(tag("h3", title), tag("p", labels["near_static_help"]), drawn, saved, kind="near-static")


def _expected(near: Neighbourhood, labels: Labels) -> Markup:
    sides = (
        section(labels[key], bars(None, (bar(word, share, f"{share * 100:.1f}%") for word, share in side)))
        for key, side in zip(("expected_left", "expected_right"), near.expected, strict=True)
    )
    title = labels["expected"].format(model=near.model)
    ways = zip(("left", "right"), near.expected, strict=True)
    rows = ((way, word, share) for way, side in ways for word, share in side)
    saved = draw_downloads(f"expected-{near.model}", ("read_from", "word", "probability"), rows, model=near.model)
    return card(tag("h3", title), tag("p", labels["expected_help"]), *sides, saved, kind="near-expected")
