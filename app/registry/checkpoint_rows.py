"""Reads `checkpoints.toml`, the list of checkpoints, into frozen entries, and says which row is wrong and where."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from app.registry.checkpoint import HEADS, TASKS_OF_FAMILY, UNPINNED, Checkpoint
from app.registry.packages import WITH_WEIGHTS

FILE = Path(__file__).with_name("checkpoints.toml")
SOURCES, LANGUAGES = ("bundled", "package", "hub"), ("en", "zh", "multi")
# The files of an entry without a Hub repository are those that its authors published.
PUBLISHED = "published"
COMMIT = re.compile(r"[0-9a-f]{40}")
BYTES_PER_WEIGHT = 4

NEEDED: dict[str, type] = {
    **dict.fromkeys(("family", "language", "source", "licence"), str),
    "heads": list,
    "parameters": int,
}
OPTIONAL: dict[str, type] = {
    **dict.fromkeys(("repo_id", "revision", "stands_for", "package", "base", "weights_file"), str),
    "download_bytes": int,
}
FIELDS = NEEDED | OPTIONAL
WORDS = {str: "a text", int: "a whole number", list: "a list"}


def read_checkpoints(path: Path = FILE) -> tuple[Checkpoint, ...]:
    """The entries, in the file's order.

    Raises:
        ValueError: the file is no TOML, or a row is wrong: a sentence for each fault, naming row and field.
    """
    rows = tomllib.loads(path.read_text(encoding="utf-8"))
    if found := [f"{path.name}, {name}: {fault}" for name, row in rows.items() for fault in faults(row, rows)]:
        raise ValueError("\n".join(found))
    return tuple(_entry(name, row) for name, row in rows.items())


def faults(row: object, rows: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with one row of all."""
    if not isinstance(row, dict):
        yield "is no table"
        return
    yield from (f"`{name}` is missing" for name in NEEDED if name not in row)
    yield from (f"`{name}` is no field" for name in row if name not in FIELDS)
    wrong = [name for name in FIELDS if name in row and type(row[name]) is not FIELDS[name]]
    yield from (f"`{name}` is not {WORDS[FIELDS[name]]}" for name in wrong)
    if wrong or not NEEDED.keys() <= row.keys():
        return
    for name, choices in (("family", TASKS_OF_FAMILY), ("language", LANGUAGES), ("source", SOURCES)):
        if row[name] not in choices:
            yield f"`{name}` is {row[name]!r}, none of {', '.join(choices)}"
    yield from (f"`heads` has {head!r}, none of {', '.join(HEADS)}" for head in row["heads"] if head not in HEADS)
    yield from (f"`{name}` is not above 0" for name in ("parameters", "download_bytes") if row.get(name, 1) <= 0)
    package = row.get("package", "")
    if row["source"] == "package" and package not in WITH_WEIGHTS:
        yield f"`package` is {package!r}, none of {', '.join(WITH_WEIGHTS)}"
    elif row["source"] != "package" and package:
        yield f"`package` is {package!r}, but the source is {row['source']}"
    if row.get("base", "") not in ("", *rows):
        yield f"`base` is {row['base']!r}, which is no row"
    yield from _faults_of_revision(row)


def _faults_of_revision(row: Mapping[str, str]) -> Iterator[str]:
    revision = row.get("revision", "")
    if row["source"] != "hub":
        if revision:
            yield f"`revision` is of the Hub only, and the source is {row['source']}"
    elif row.get("repo_id"):
        if revision != UNPINNED and COMMIT.fullmatch(revision) is None:
            yield f"`revision` is {revision!r}, neither a commit of 40 signs nor {UNPINNED!r}"
    elif revision != PUBLISHED:
        yield f"`revision` is {revision!r}; without a `repo_id` it is {PUBLISHED!r}"


def _entry(name: str, row: Mapping) -> Checkpoint:
    package = WITH_WEIGHTS.get(row.get("package", ""))
    of_source = f"package {package.package} {package.version}" if package is not None else row["source"]
    size = BYTES_PER_WEIGHT * row["parameters"] if row["source"] == "hub" else 0
    return Checkpoint(
        name=name,
        family=row["family"],
        language=row["language"],
        source=row["source"],
        repo_id=row.get("repo_id", ""),
        revision=row.get("revision", of_source),
        heads=tuple(row["heads"]),
        parameters=row["parameters"],
        download_bytes=row.get("download_bytes", size),
        licence=row["licence"],
        stands_for=row.get("stands_for", ""),
        package=package,
        base=row.get("base", ""),
        weights_file=row.get("weights_file", "model.safetensors"),
    )


CATALOG = read_checkpoints()
