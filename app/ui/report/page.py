"""Makes the page of a report from what the browser has collected, without its pictures: those stay in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Template
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from app.registry.lookup import BY_NAME
from app.ui.serving.sent import sent
from app.ui.texts import FOLDER, NAME, language_of, say, texts, title, trust

SLUG = "report"
PAGE = Template((Path(__file__).parent / "report.html").read_text(encoding="utf-8"), autoescape=True)
MOST_BYTES, MOST_ENTRIES, MOST_PICTURES = 1_000_000, 100, 12


async def on_report(request: Request) -> HTMLResponse:
    """The report as a page, with places for its pictures; nothing of it is kept."""
    told, language = await sent(request, MOST_BYTES), language_of(request)
    return HTMLResponse(draw_report(_objects(told.get("entries"))[:MOST_ENTRIES], language))


def draw_report(entries: list[dict[str, Any]], language: str) -> str:
    """The page.

    Args:
        entries: as a browser sends them: `tab`, `at`, `fields` (`label` and `value`), `text`, and how many `pictures`.
        language: of the page.
    """
    shown = [_entry(number, one, language) for number, one in enumerate(entries, start=1)]
    return PAGE.render(entries=shown, language=language, labels=texts(SLUG)[language], program=NAME)


def _entry(number: int, told: dict[str, Any], language: str) -> dict[str, Any]:
    tab, pictures, fields = str(told.get("tab", "")), told.get("pictures"), _objects(told.get("fields"))
    known = tab.isidentifier() and (FOLDER / f"{tab}.json").is_file() and "title" in texts(tab)[language]
    values = [_listed(one.get("value")) for one in fields]
    given = [value for several in values for value in several]
    names = list(dict.fromkeys(value for value in given if isinstance(value, str) and value in BY_NAME))
    return {
        "title": say(language, SLUG, "entry", number=number, tab=say(language, tab, "title") if known else tab),
        "at": str(told.get("at", "")),
        "fields": [
            (str(one.get("label", "")), [_said(value, language) for value in several])
            for one, several in zip(fields, values, strict=True)
        ],
        "models": [(title(language, name), name, BY_NAME[name].revision, trust(language, name)) for name in names],
        "pictures": range(min(pictures, MOST_PICTURES) if isinstance(pictures, int) else 0),
        "text": str(told.get("text", "")),
    }


def _objects(told: object) -> list[dict[str, Any]]:
    return [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) and all(isinstance(one, str) for one in value) else [value]


def _said(value: object, language: str) -> str:
    if isinstance(value, bool):
        return say(language, SLUG, "yes" if value else "no")
    return "" if value is None else str(value)


ROUTES = [Route("/report", on_report, methods=["POST"])]
