"""What the classification page needs beside the answers: texts and pairs from a box or a file, models, a file back."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.visitors import visitor_models
from app.errors import PlaygroundError
from app.tasks.text_table import read_file, split_lines
from app.visits import visits

BAR = "|"


@dataclass(frozen=True)
class Asked:
    """Texts, and second texts for pairs."""

    texts: list[str]
    seconds: list[str]


def gather(lines: str, pairs: bool, path: str | None, column: str | None, second_column: str | None) -> Asked:
    """The texts of a file if there is one, else of the box.

    Raises:
        PlaygroundError: `empty_text`; `bad_value`, a line of pairs without a bar, a column that is not there, no table.
    """
    if path:
        table = read_file(path)
        kept = table.column(column or table.columns[0])
        others = table.column(second_column) if second_column else []
        filled = [place for place, text in enumerate(kept) if text.strip()]
        return Asked([kept[place] for place in filled], [others[place] for place in filled] if others else [])
    texts = split_lines(lines or "")
    if not texts:
        raise PlaygroundError("empty_text", field="texts")
    if not pairs:
        return Asked(texts, [])
    parts = [text.split(BAR) for text in texts]
    for text, part in zip(texts, parts, strict=True):
        if len(part) != 2:
            raise PlaygroundError("bad_value", "pairs", line=text[:60])
    return Asked([first.strip() for first, _ in parts], [second.strip() for _, second in parts])


def own_models(visitor: str) -> dict[str, str]:
    """The visitor's models: name and what it was made from."""
    kept = ((name, visitor_models().get(visitor, name)) for name in visitor_models().names(visitor))
    return {name: loaded.checkpoint.revision for name, loaded in kept if loaded is not None}


def save_file(visitor: str, name: str, content: str) -> str:
    """A file to be downloaded; its path."""
    path = visits().get(visitor).new_file(name)
    path.write_text(content, encoding="utf-8")
    return str(path)
