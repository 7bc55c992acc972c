"""`python -m app.lessons check`: reports what is wrong with the lessons, or with a given one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from app.engine.answer_registry import answer_registry
from app.lessons.check import TABS, faults
from app.lessons.read import FOLDER, read_file


def main(arguments: list[str] | None = None) -> int:
    """Print every fault; returns 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m app.lessons", description=__doc__)
    parser.add_argument("command", choices=["check"])
    parser.add_argument("files", nargs="*", type=Path, help="lessons; without any, all that come with the playground")
    parser.add_argument("--no-models", action="store_true", help="leave out what models must be asked for")
    parser.add_argument("--own", action="store_true", help="somebody's own lessons: in one language, of any length")
    given = parser.parse_args(arguments)
    answer_registry()
    found, labels = 0, read_file(TABS / "lesson_faults.json")["en"]
    for path in given.files or sorted(FOLDER.glob("*.json")):
        said = [fault.sentence(labels) for fault in faults(path, not given.no_models, given.own)]
        found += len(said)
        print(f"{path.name}: {'nothing wrong' if not said else ''}", *said, sep="\n  " if said else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
