"""Draws what a model put into the masks: bars, the joint answers, the words that were asked for, and the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from html import escape

from app.results.about import About
from app.results.text import Candidate, FillMaskResult, MaskAnswer, Target
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.notes import draw_note

Labels = Mapping[str, str]


def draw_fill_mask(result: FillMaskResult, about: About, labels: Labels, note: str = "") -> str:
    """One model's whole answer as an article; with a remark on it, if there is one."""
    parts = [f"{draw_heading(about)}", draw_note(note)]
    if result.window:
        note = labels["window"].format(start=result.window.start, end=result.window.end)
        parts.append(f"<p class='note'>{escape(note)}</p>")
    parts += [draw_bars(answer, number, labels) for number, answer in enumerate(result.masks, start=1)]
    if result.joint:
        parts.append(draw_joint(result, labels))
    if result.targets:
        parts.append(draw_targets(result.targets, labels))
    parts += [draw_table(result.masks, labels), _downloads(result)]
    return f"<article class='answer' data-model='{escape(result.model)}'>{''.join(parts)}</article>"


def _downloads(result: FillMaskResult) -> str:
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


def draw_bars(answer: MaskAnswer, number: int, labels: Labels) -> str:
    """One mask's candidates as horizontal bars; the length is the probability itself, not scaled to the longest."""
    rows = "".join(_bar(candidate, labels) for candidate in answer.candidates)
    heading = escape(labels["mask"].format(number=number))
    return f"<section><h4>{heading}</h4><ol class='bars' aria-label='{heading}'>{rows}</ol></section>"


def _bar(candidate: Candidate, labels: Labels) -> str:
    percent = candidate.probability * 100
    shown = escape(visible(candidate.token))
    piece = f" <small>{escape(labels['piece_mark'])}</small>" if candidate.token.startswith("##") else ""
    return (
        f"<li><span class='word'>{shown}{piece}</span>"
        f"<span class='track'><span class='fill' style='width:{percent:.2f}%'></span></span>"
        f"<span class='value'>{percent:.1f} %</span></li>"
    )


def draw_joint(result: FillMaskResult, labels: Labels) -> str:
    """Each mask's own favourite beside the fillings of all masks together, and why the two differ."""
    alone = " … ".join(visible(answer.candidates[0].token).strip() for answer in result.masks)
    rows = "".join(
        f"<tr><td>{escape(' … '.join(joint.words))}</td><td>{escape(joint.text)}</td>"
        f"<td>{joint.log_probability:.2f}</td></tr>"
        for joint in result.joint
    )
    head = "".join(f"<th>{escape(labels[key])}</th>" for key in ("together", "sentence", "log_probability"))
    return (
        f"<section class='joint'><h4>{escape(labels['joint_title'])}</h4><p>{escape(labels['joint_why'])}</p>"
        f"<p><b>{escape(labels['alone'])}</b> {escape(alone)}</p>"
        f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def draw_targets(targets: list[Target], labels: Labels) -> str:
    """The words that were asked for, with exact probability, pieces and rank."""
    rows = "".join(_target_row(target, labels) for target in targets)
    head = "".join(f"<th>{escape(labels[key])}</th>" for key in ("word", "pieces", "probability", "rank"))
    mixed = len({len(target.pieces) for target in targets}) > 1
    note = f"<p class='note'>{escape(labels['not_comparable'])}</p>" if mixed else ""
    return (
        f"<section class='targets'><h4>{escape(labels['targets_title'])}</h4>"
        f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{note}</section>"
    )


def _target_row(target: Target, labels: Labels) -> str:
    pieces = escape(" · ".join(target.pieces))
    if len(target.pieces) > 1:
        pieces += f" <small>{escape(labels['made_of'].format(count=len(target.pieces)))}</small>"
    if target.same_as is not None:
        pieces += f" <small>{escape(labels['same_as'].format(word=target.same_as))}</small>"
    rank = f"{target.rank:,}" if target.rank else escape(labels["no_rank"])
    return (
        f"<tr><td>{escape(target.word)}</td><td>{pieces}</td>"
        f"<td>{in_percent(target.probability)}</td><td>{rank}</td></tr>"
    )


def draw_table(masks: list[MaskAnswer], labels: Labels) -> str:
    """Piece, id and log-probability of every candidate, folded away."""
    rows = "".join(
        f"<tr><td>{number}</td><td><code>{escape(candidate.piece)}</code></td><td>{candidate.token_id}</td>"
        f"<td>{candidate.probability:.6g}</td><td>{log_of(candidate.probability)}</td></tr>"
        for number, answer in enumerate(masks, start=1)
        for candidate in answer.candidates
    )
    keys = ("mask_column", "piece", "id", "probability", "log_probability")
    head = "".join(f"<th>{escape(labels[key])}</th>" for key in keys)
    return (
        f"<details><summary>{escape(labels['table'])}</summary>"
        f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )


def visible(token: str) -> str:
    """A token with nothing but space in it as an open box, so that something is seen."""
    return token if token.strip() else token.replace(" ", "␣").replace("\n", "⏎") or "␣"


def in_percent(probability: float) -> str:
    """0.1234 -> `12.3 %`; small ones with the digits that it takes, so that all can be compared at a glance."""
    if probability >= 0.001 or probability <= 0:
        return f"{probability * 100:.1f} %"
    if probability < 5e-8:
        return "≈ 0 %"
    digits = 1 - math.floor(math.log10(probability * 100))
    return f"{probability * 100:.{digits}f} %"


def log_of(probability: float) -> str:
    """Natural logarithm with four digits."""
    return f"{math.log(probability):.4f}" if probability > 0 else "-∞"
