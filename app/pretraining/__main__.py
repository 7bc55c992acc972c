"""Command line of pre-training.

python -m app.pretraining --recipe bert_mini --minutes 120     train, or resume a stopped run
python -m app.pretraining --recipe bert_mini --export-only     write the bundle from the run's present state
python -m app.pretraining evaluate bert-mini                   measure a bundle, write its card
python -m app.pretraining evaluate                             measure all of them; print one table
python -m app.pretraining table                                print the table of the latest scores
python -m app.pretraining corpus                               make the folder of texts; --list, --only NAME, --small
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch

from app.pretraining import word_vectors
from app.pretraining.cards.results_table import bundles, table
from app.pretraining.evaluation.evaluate import evaluate, golden_lines
from app.pretraining.evaluation.inputs import Places
from app.pretraining.export import export
from app.pretraining.recipes import RECIPES
from app.pretraining.texts.build import build, sources
from app.pretraining.texts.build import table as texts_table
from app.pretraining.train import restore, train
from app.tasks import answer_registry

ROOT = Path(__file__).resolve().parents[2]


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m app.pretraining", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = sorted(recipe.name for recipe in RECIPES.values())
    made.add_argument(
        "action", nargs="?", choices=("evaluate", "table", "corpus"), help="what to do instead of training"
    )
    made.add_argument("names", nargs="*", help=f"bundles to measure, all if none is named: {', '.join(names)}")
    made.add_argument("--recipe", choices=sorted(RECIPES), help="what to train")
    made.add_argument("--minutes", type=float, default=120.0, help="length of a new learning-rate cycle")
    made.add_argument("--rate", type=float, default=1.0, help="factor on the learning rates of a new cycle")
    made.add_argument("--cpu-time", action="store_true", help="count minutes of the processor, not of the clock")
    made.add_argument("--from-bundle", action="store_true", help="continue from the exported checkpoint")
    made.add_argument("--export-only", action="store_true", help="do not train")
    made.add_argument("--only", nargs="+", choices=sorted(sources()), help="corpus: these sources and no others")
    made.add_argument("--small", action="store_true", help="corpus: the first few hundred documents of each source")
    made.add_argument("--list", action="store_true", help="corpus: say what there is, with sizes and licences")
    shared = ROOT.parent / "shared"
    made.add_argument("--corpus", type=Path, default=shared / "corpus", help="folder with the texts")
    made.add_argument("--evaluation", type=Path, default=shared / "eval", help="folder with the evaluation sets")
    made.add_argument("--work", type=Path, default=ROOT / "build" / "pretraining", help="where runs are kept")
    made.add_argument("--models", type=Path, default=ROOT / "assets" / "models", help="where checkpoints are written")
    made.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return made


def make_corpus(arguments: argparse.Namespace) -> None:
    """Make the texts, or list their sources."""
    known = {name: one for name, one in sources().items() if not arguments.only or name in arguments.only}
    if arguments.list:
        print(texts_table(known))
        return
    evaluation = arguments.evaluation if arguments.evaluation.is_dir() else None
    if evaluation is None:
        print(f"no evaluation sets in {arguments.evaluation}: nothing is kept out for them")
    build(known, arguments.corpus, arguments.work / "archives", evaluation, arguments.small)


def main() -> None:
    arguments = parser().parse_args()
    answer_registry()
    if arguments.action == "corpus":
        make_corpus(arguments)
        return
    if arguments.action:
        places = Places(arguments.corpus, arguments.evaluation, arguments.work, arguments.models)
        for name in arguments.names or bundles(places.models) if arguments.action == "evaluate" else ():
            print(f"measuring {name}", flush=True)
            evaluate(name, places)
            print("\n".join(["read what it answers:", *golden_lines(places.models / name)]), flush=True)
        print(table(places.models))
        return
    if not arguments.recipe:
        parser().error("say --recipe NAME, evaluate or table")
    recipe, device = RECIPES[arguments.recipe], torch.device(arguments.device)
    work = arguments.work / arguments.recipe
    if recipe.family == word_vectors.FAMILY:
        word_vectors.make(recipe, arguments.corpus, arguments.models / recipe.name)
        return
    if arguments.export_only:
        run, state = restore(recipe, arguments.corpus, work, device)
    else:
        clock = time.process_time if arguments.cpu_time else time.perf_counter
        bundle = arguments.models / recipe.name if arguments.from_bundle else None
        run, state = train(
            recipe, arguments.corpus, work, arguments.minutes, device, rate=arguments.rate, clock=clock, bundle=bundle
        )
    export(run, state, arguments.corpus, arguments.models / recipe.name)


if __name__ == "__main__":
    main()
