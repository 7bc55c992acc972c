"""Command line of fine-tuning: makes the bundled classifiers and taggers.

python -m app.training minilm-l6-sst2              train, measure, write
python -m app.training minilm-l6-sst2 --measure    measure the existing bundle
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch

from app.engine.runtime.loader import loader
from app.registry.lookup import BY_NAME
from app.training.bundled.bundles import BUNDLED, RECIPES, evaluate, make, published_base

ROOT = Path(__file__).resolve().parents[2]


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m app.training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("name", choices=sorted(RECIPES), help="what to make")
    evaluation = ROOT.parent / "shared" / "eval"
    made.add_argument("--evaluation", type=Path, default=evaluation, help="folder with the labelled sets")
    made.add_argument("--measure", action="store_true", help="do not train")
    made.add_argument("--threads", type=int, default=torch.get_num_threads())
    return made


def main() -> None:
    arguments = parser().parse_args()
    torch.set_num_threads(arguments.threads)
    recipe = RECIPES[arguments.name]
    if not arguments.measure:
        base = loader().get(BY_NAME[recipe.base])
        base = published_base(base) if base.checkpoint.package else base
        make(recipe, base, arguments.evaluation, BUNDLED / recipe.name)
    print(json.dumps(evaluate(recipe, arguments.evaluation)["scores"], indent=2))


if __name__ == "__main__":
    main()
