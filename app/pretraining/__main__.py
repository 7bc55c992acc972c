"""Command line: `python -m app.pretraining --recipe bert_mini --minutes 120`; `python -m app.pretraining evaluate bert-mini`."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from app.pretraining.export import export
from app.pretraining.recipes import RECIPES
from app.pretraining.train import train

ROOT = Path(__file__).resolve().parents[2]


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    made = argparse.ArgumentParser(prog="python -m app.pretraining", description=__doc__)
    made.add_argument("--recipe", choices=sorted(RECIPES), help="what to train")
    made.add_argument("--minutes", type=float, default=120.0, help="length of a new learning-rate cycle")
    made.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus", help="folder with the texts")
    made.add_argument("--work", type=Path, default=ROOT / "build" / "pretraining", help="where runs are kept")
    made.add_argument("--models", type=Path, default=ROOT / "assets" / "models", help="where checkpoints are written")
    made.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return made


def main() -> None:
    """Run the command."""
    arguments = parser().parse_args()
    recipe = RECIPES[arguments.recipe]
    run, state = train(
        recipe, arguments.corpus, arguments.work / arguments.recipe, arguments.minutes, torch.device(arguments.device)
    )
    export(run, state, arguments.corpus, arguments.models / recipe.name)


if __name__ == "__main__":
    main()
