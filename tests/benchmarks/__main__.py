"""Runs every benchmark of this folder, each in its own process: `make bench`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Run them in order of name."""
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        print(f"\n== {path.stem}", flush=True)
        subprocess.run([sys.executable, "-m", f"tests.benchmarks.{path.stem}"], check=False)


if __name__ == "__main__":
    main()
