"""`python -m app.prepare`: converts what installed packages contain, so no visitor waits. A second run does nothing."""

from __future__ import annotations

import sys

from app.engine.answer_registry import answer_registry
from app.engine.storage.converted import is_made, made_folder
from app.registry.lookup import for_task, is_installed


def main() -> int:
    """Make every folder that can be made; returns 1 if one failed."""
    answer_registry()
    failed = 0
    for checkpoint in for_task(""):
        if is_made(checkpoint) and (checkpoint.source == "bundled" or is_installed(checkpoint)):
            try:
                made_folder(checkpoint)
            except (OSError, ValueError) as error:
                failed = 1
                sys.stderr.write(f"{checkpoint.name} could not be converted: {error}\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
