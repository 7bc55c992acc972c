"""Faults of real machines, caused on purpose: `python -m tests.load.faults`, or `make faults`.

The server is ended or killed while it writes, trains and converts; a checkpoint, a converted package or a download is
damaged; nothing more can be written; clients connect and do nothing, or do not read their answers. Each time, the
program must end as it should, start again, and answer. `--only sigkill` tries some.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.load import damaged_files, killed, silent_clients
from tests.load.fault_bench import FAULTS, Bench

# Each registers its faults as it is imported.
KINDS = (killed, damaged_files, silent_clients)


def run(name: str, models: Path | None = None) -> str:
    """Try one; what went wrong, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            FAULTS[name](Bench(Path(folder), models))
        except Exception:  # whatever it is, the others are tried too
            return traceback.format_exc()
    return ""


def main() -> int:
    """Try all of them, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.faults", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="part of a name")
    given = parser.parse_args()
    failed = 0
    for name in FAULTS:
        if given.only in name:
            began = time.monotonic()
            wrong = run(name)
            print(f"{'holds' if not wrong else 'FAILS':6}{name:28}{time.monotonic() - began:6.1f} s", flush=True)
            print(wrong, end="", flush=True)
            failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
