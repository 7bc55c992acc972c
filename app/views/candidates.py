"""Draws a model's candidates for the masks: bars, joint answers, the requested words, and the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict

from app.results.about import About
from app.results.text import Candidate, FillMaskResult, MaskAnswer, Target
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, bar, bars, details, join, section, table, tag
from app.views.notes import draw_note

Labels = Mapping[str, str]


def draw_fill_mask(result: FillMaskResult, about: About, labels: Labels, note: str = "") -> Markup:
    """One model's whole answer as an article, with a remark if there is one."""
    window = result.window and labels["window"].format(start=result.window.start, end=result.window.end)
    return draw_card(
        about,
        draw_note(window or ""),
        *(draw_bars(answer, number, labels) for number, answer in enumerate(result.masks, start=1)),
        draw_joint(result, labels) if result.joint else "",
        draw_targets(result.targets, labels) if result.targets else "",
        draw_table(result.masks, labels),
        _downloads(result),
        model=result.model,
        note=note,
    )


def _downloads(result: FillMaskResult) -> Markup:
    rows = (
        (number, rank, one.token, one.piece, one.token_id, one.probability)
        for number, answer in enumerate(result.masks, start=1)
        for rank, one in enumerate(answer.candidates, start=1)
    )
    return draw_downloads(
        f"fill_mask-{result.model}",
        ("mask", "rank", "token", "piece", "token_id", "probability"),
        rows,
        model=result.model,
        revision=result.revision,
        joint=[asdict(joint) for joint in result.joint],
        targets=[asdict(target) for target in result.targets],
    )


def draw_bars(answer: MaskAnswer, number: int, labels: Labels) -> Markup:
    """One mask's candidates as horizontal bars; a bar's length is the probability itself, unscaled."""
    heading = labels["mask"].format(number=number)
    return section(heading, bars(heading, (_bar(candidate, labels) for candidate in answer.candidates)))


def _bar(candidate: Candidate, labels: Labels) -> Markup:
    piece = join(" ", tag("small", labels["piece_mark"])) if candidate.token.startswith("##") else ""
    share = candidate.probability
    return bar(join(visible(candidate.token), piece), share, f"{share * 100:.1f}%")


def draw_joint(result: FillMaskResult, labels: Labels) -> Markup:
    """Each mask's own favourite beside joint fillings of all masks, and why the two differ."""
    alone = " … ".join(visible(answer.candidates[0].token).strip() for answer in result.masks)
    rows = ((" … ".join(joint.words), joint.text, f"{joint.log_probability:.2f}") for joint in result.joint)
    head = (labels["together"], labels["sentence"], labels["log_probability"])
    said = tag("p", tag("b", labels["alone"]), f" {alone}")
    return section(labels["joint_title"], tag("p", labels["joint_why"]), said, table(head, rows), class_="joint")


def draw_targets(targets: list[Target], labels: Labels) -> Markup:
    """The requested words with exact probability, pieces and rank."""
    mixed = len({len(target.pieces) for target in targets}) > 1
    head = [labels[key] for key in ("word", "pieces", "probability", "rank")]
    drawn = table(head, (_target_row(target, labels) for target in targets))
    note = draw_note(labels["not_comparable"] if mixed else "")
    return section(labels["targets_title"], drawn, note, class_="targets")


def _target_row(target: Target, labels: Labels) -> tuple[str, ...]:
    pieces = join(" · ".join(target.pieces))
    if len(target.pieces) > 1:
        pieces += " " + tag("small", labels["made_of"].format(count=len(target.pieces)))
    if target.same_as is not None:
        pieces += " " + tag("small", labels["same_as"].format(word=target.same_as))
    rank = f"{target.rank:,}" if target.rank else labels["no_rank"]
    return target.word, pieces, in_percent(target.probability), rank


def draw_table(masks: list[MaskAnswer], labels: Labels) -> Markup:
    """Piece, id and log-probability of every candidate, folded away."""
    rows = (
        (number, tag("code", one.piece), one.token_id, f"{one.probability:.6g}", log_of(one.probability))
        for number, answer in enumerate(masks, start=1)
        for one in answer.candidates
    )
    head = [labels[key] for key in ("mask_column", "piece", "id", "probability", "log_probability")]
    return details(labels["table"], table(head, rows))


def visible(token: str) -> str:
    """A token of nothing but spaces becomes an open box, so that it can be seen."""
    return token if token.strip() else token.replace(" ", "␣").replace("\n", "⏎") or "␣"


def in_percent(probability: float, digits: int | None = None) -> str:
    """0.1234 -> `12.3%`; small ones get as many digits as they need to be compared at a glance.

    With so many `digits` after the point, nothing is said to be certain or impossible: 0.9999 -> `> 99.9%`.
    """
    if digits is not None:
        least = 10.0**-digits
        if probability * 100 >= 100 - least / 2:
            return f"> {100 - least:.{digits}f}%"
        return f"{probability * 100:.{digits}f}%" if probability * 100 >= least / 2 else f"< {least:.{digits}f}%"
    if probability >= 0.001 or probability <= 0:
        return f"{probability * 100:.1f}%"
    if probability < 5e-8:
        return "≈ 0%"
    digits = 1 - math.floor(math.log10(probability * 100))
    return f"{probability * 100:.{digits}f}%"


def log_of(probability: float) -> str:
    """Natural logarithm with four digits."""
    return f"{math.log(probability):.4f}" if probability > 0 else "-∞"
