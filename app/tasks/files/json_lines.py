"""JSON as rows: an object per line, or one list of objects. Numbers stay as they are written."""

from __future__ import annotations

import json
from typing import Any

from app.errors import PlaygroundError


def read_json(text: str) -> tuple[list[str], list[list[str]]] | None:
    """Columns and rows; None if the text is not JSON.

    Raises:
        PlaygroundError: `bad_value`, naming a line that is not an object, or a value that is not text.
    """
    objects = _list(text) or _lines(text)
    if objects is None:
        return None
    columns = list(dict.fromkeys(name for _, one in objects for name in one))
    return columns, [[_cell(line, name, one.get(name)) for name in columns] for line, one in objects]


def _list(text: str) -> list[tuple[int, dict[str, Any]]] | None:
    if not text.lstrip().startswith("["):
        return None
    made = _parsed(text)
    if not isinstance(made, list) or not made or not all(isinstance(one, dict) for one in made):
        return None
    return list(enumerate(made, start=1))


def _lines(text: str) -> list[tuple[int, dict[str, Any]]] | None:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines or not isinstance(_parsed(lines[0][1]), dict):
        return None
    objects = [(number, _parsed(line)) for number, line in lines]
    for number, one in objects:
        if not isinstance(one, dict):
            raise PlaygroundError("bad_value", "json_line", line=number)
    return objects


def _parsed(text: str) -> Any:
    """The value of a line of JSON, numbers as text; None if it is not JSON."""
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None


def _cell(line: int, name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        raise PlaygroundError("bad_value", "json_value", line=line, name=str(name)[:60])
    return value
