"""`python -m app.registry pin`: fills in the commits of the catalog that are still `main`, where the Hub can be asked.

Of `checkpoints.toml` it rewrites the lines with these commits and no other. `--check` asks and changes nothing;
it lists the entries that are not pinned and ends with 1 if there are any.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from app.registry.checkpoint import UNPINNED, Checkpoint
from app.registry.checkpoint_rows import CATALOG, FILE

TIMEOUT_SECONDS = 20.0
REVISION = re.compile(rf'^(revision\s*=\s*)"{UNPINNED}"')


def unpinned() -> list[Checkpoint]:
    """Entries whose commit has not been looked up yet."""
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


def with_pin(text: str, name: str, commit: str) -> str:
    """The file's text with the commit in one row; comments, order and all other lines stay as they are."""
    lines, inside = text.splitlines(keepends=True), False
    for number, line in enumerate(lines):
        if line.startswith("["):
            inside = line.split("#")[0].strip() in (f"[{name}]", f'["{name}"]')
        elif inside:
            lines[number] = REVISION.sub(rf'\g<1>"{commit}"', line)
    return "".join(lines)


def pin(path: Path = FILE) -> int:
    """Look all of them up and rewrite the file; the number of those that could not be pinned."""
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
        path.write_text(with_pin(path.read_text(encoding="utf-8"), entry.name, commit), encoding="utf-8")
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
