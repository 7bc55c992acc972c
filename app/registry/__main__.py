"""`python -m app.registry pin`: fills in the commits of the catalog that are still `main`, where the Hub can be asked.

It rewrites the catalog's files in place. `--check` asks nobody and changes nothing; it lists the entries that are not
pinned and ends with 1 if there are any.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from app.registry.catalog import CATALOG
from app.registry.checkpoint import UNPINNED, Checkpoint

FOLDER = Path(__file__).parent
TIMEOUT_SECONDS = 20.0


def unpinned() -> list[Checkpoint]:
    """Entries whose commit nobody has looked up yet."""
    return [entry for entry in CATALOG if entry.source == "hub" and entry.revision == UNPINNED]


def look_up(entry: Checkpoint) -> str:
    """The newest commit of a repository.

    Raises:
        ValueError: it holds no weights that the playground would open.
        httpx2.HTTPError, OSError: the Hub cannot be asked, or refuses.
    """
    from huggingface_hub import HfApi

    info = HfApi().model_info(entry.repo_id, revision=UNPINNED, timeout=TIMEOUT_SECONDS)
    names = {sibling.rfilename for sibling in info.siblings or []}
    if info.sha is None or not names & {entry.weights_file, "model.safetensors.index.json"}:
        raise ValueError(f"{entry.repo_id} has no {entry.weights_file}")
    return info.sha


def with_pin(source: str, entry: Checkpoint, commit: str) -> str:
    """A catalog file's text with one entry pinned; unchanged where the entry stands in another file."""
    place = re.compile(rf'("{re.escape(entry.repo_id)}",\s*(?:revision=)?)(?:UNPINNED|"{UNPINNED}")')
    return place.sub(rf'\g<1>"{commit}"', source, count=1)


def pin(folder: Path = FOLDER) -> int:
    """Look all of them up and rewrite the files; the number of those that could not be pinned."""
    import httpx2

    left = 0
    for entry in unpinned():
        try:
            commit = look_up(entry)
        except (httpx2.HTTPError, OSError, ValueError) as error:
            left += 1
            reason = ": ".join(filter(None, [type(error).__name__, " ".join(str(error).split())]))
            print(f"{entry.name}: not pinned: {reason}")
            continue
        for path in folder.glob("catalog*.py"):
            path.write_text(with_pin(path.read_text(encoding="utf-8"), entry, commit), encoding="utf-8")
        print(f"{entry.name}: {commit}")
    return left


def main(arguments: list[str] | None = None) -> int:
    """Read the command line; 1 while an entry is not pinned."""
    parser = argparse.ArgumentParser(prog="python -m app.registry", description=__doc__)
    parser.add_argument("command", choices=["pin"])
    parser.add_argument("--check", action="store_true", help="only list the entries that are not pinned")
    given = parser.parse_args(arguments)
    if given.check:
        print("\n".join(entry.name for entry in unpinned()) or "All entries are pinned.")
        return int(bool(unpinned()))
    return int(bool(pin()))


if __name__ == "__main__":
    sys.exit(main())
