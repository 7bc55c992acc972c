"""Every sentence a visitor reads, from `assets/tabs/*.json`, in every language.

What a page shows before its first answer is marked (`mark`) and becomes a sentence when the page leaves the server; all
else (answers, plots, errors) is written in the visitor's language where it is made (`say`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import gradio as gr

from app.registry.checkpoint import HOSTS_FOLDER, Checkpoint
from app.registry.lookup import hosts_folder, known
from app.registry.remarks import remark_on
from app.results.about import About
from app.settings import ROOT
from app.views.html import Markup, join, tag

NAME = "PLM Playground"
FOLDER = ROOT / "assets" / "tabs"
# Gradio's own locale codes: only these are looked up in the browser.
LANGUAGES = {"en": "English", "zh-CN": "中文"}
DEFAULT = "en"


@cache
def texts(slug: str) -> Mapping[str, Mapping[str, Any]]:
    """The file of one tab: per language, its keys."""
    return json.loads((FOLDER / f"{slug}.json").read_text(encoding="utf-8"))


def mark(slug: str, key: str) -> str:
    """Represents a sentence where a page is drawn, which happens once for all languages.

    `PageLanguage` puts the sentence there when the page leaves the server. What a handler sends later needs `say`.

    Raises:
        KeyError: there is no such sentence.
    """
    texts(slug)[DEFAULT][key]
    return f"__say:{slug}.{key}__"


def say(language: str, slug: str, key: str, **values: object) -> str:
    """A sentence in one language with values put in."""
    return texts(slug)[language][key].format(**values)


def in_every_language(draw: Callable[[str], Markup]) -> Markup:
    """HTML that is the same for every visitor, once in each language; the style sheet shows that of the page."""
    return join(*(tag("div", draw(language), class_="spoken", lang=language) for language in LANGUAGES))


def examples(language: str, slug: str) -> list[dict[str, str]]:
    """A tab's examples in one language."""
    return texts(slug)[language]["examples"]


def example_note(language: str, slug: str, **asked: str) -> str:
    """What an example teaches that models often get wrong, where the fields hold one that has such a note."""
    given = [one for spoken in LANGUAGES for one in examples(spoken, slug) if "note" in one]
    keys = [one["note"] for one in given if all(one.get(field) == value for field, value in asked.items())]
    return say(language, slug, keys[0]) if keys else ""


def language_of(request: gr.Request | None) -> str:
    """The visitor's language: `?lang=` of the page, else what the browser asks for, else English."""
    if request is None:
        return DEFAULT
    return language_from(request.query_params.get("lang"), request.headers.get("accept-language"))


def language_from(named: str | None, accepted: str | None) -> str:
    """The one place that decides the language: what the address names goes before what the browser accepts.

    Args:
        named: `?lang=` of the address.
        accepted: the header `Accept-Language`, which browsers write by falling preference.
    """
    for wanted in (named or "", *(accepted or "").split(",")):
        # zh, zh-TW and zh-Hant-HK are served by the one Chinese that there is, en-GB by the one English.
        main = wanted.split(";")[0].strip().replace("_", "-").split("-")[0].lower()
        for language in LANGUAGES:
            if main and language.split("-")[0] == main:
                return language
    return DEFAULT


def trust(language: str, name: str) -> str:
    """What a checkpoint is and how far it may be trusted, in one sentence."""
    checkpoint = known(name)
    said = say(
        language,
        "models",
        f"trust.{_kind_of_trust(checkpoint)}",
        name=checkpoint.name,
        parameters=short_number(language, checkpoint.parameters),
        stands_for=checkpoint.stands_for,
        repo_id=checkpoint.repo_id,
        revision=checkpoint.revision[:7] if checkpoint.source == "hub" else checkpoint.revision,
    )
    return " ".join([said, *notes_on(language, name)])


def title(language: str, name: str) -> str:
    """What people call a checkpoint; one from the Hub that a visitor named keeps its name."""
    if hosts_folder(known(name)):
        return say(language, "models", "title.folder", name=name)
    return texts("models")[language].get(f"title.{name}", name)


def about(language: str, name: str) -> About:
    """A checkpoint as a card introduces it."""
    return About(name, title(language, name), trust(language, name), say(language, "models", "ask"))


def _kind_of_trust(checkpoint: Checkpoint) -> str:
    if hosts_folder(checkpoint):
        return HOSTS_FOLDER
    return checkpoint.name if checkpoint.source == "package" else checkpoint.source


def notes_on(language: str, name: str) -> list[str]:
    """What else a reader of its answers should know: how it runs on this server just now."""
    key = remark_on(name)
    return [say(language, "models", key, name=name)] if key else []


def short_number(language: str, count: int) -> str:
    """6442210 -> `6.4 M`, 110106428 -> `110 M`; in Chinese `644 万`, `1.10 亿`."""
    if language == "zh-CN":
        return f"{count / 1e8:.2f} 亿" if count >= 1e8 else f"{count / 1e4:.0f} 万"
    return f"{count / 1e6:.1f} M" if count < 20e6 else f"{count / 1e6:.0f} M"
