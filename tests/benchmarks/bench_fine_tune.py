"""How long fine-tuning takes, and its accuracy on rows of SST-2, beside a bag of words trained on the same rows.

    python -m tests.benchmarks.bench_fine_tune [--threads 2] [--rows 2000] [--model bert-mini] [--method full] ...

Needs the labelled set beside the checkout (`--data`). `dev.tsv` is only used for measuring. On a busy machine, only the
CPU figure with `--threads 1` is meaningful.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch

from app.engine.runtime.loader import loader
from app.registry.checkpoint import TOKEN_VECTORS
from app.registry.lookup import BY_NAME
from app.training.bundled.bundles import measure, sample
from app.training.bundled.label_sets import SST2, read_rows
from app.training.fine_tune import Plan, fine_tune
from app.training.reading import Reader

DATA = Path(__file__).resolve().parents[3] / "shared" / "eval" / "sst2"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--model", default="bert-mini")
    parser.add_argument("--method", default="full", choices=("full", "frozen", "lora"))
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print("needs the folder `shared` beside the checkout")
        return
    torch.set_num_threads(arguments.threads)
    train, dev = (read_rows(SST2, arguments.data / name) for name in ("train.tsv", "dev.tsv"))
    rows = sample(train, arguments.rows)
    base = loader().get(BY_NAME[arguments.model])
    plan = Plan(
        epochs=arguments.epochs, learning_rate=arguments.rate, method=arguments.method, validation_share=0.1, seed=1
    )
    started, cpu = time.perf_counter(), time.process_time()
    tuned = fine_tune(base, rows, plan)
    clock, used = time.perf_counter() - started, time.process_time() - cpu
    scores = measure(tuned.model, Reader(base.text, base.head(TOKEN_VECTORS).max_tokens), tuned.labels, rows, dev)
    print(f"{arguments.model} {arguments.method}, {len(rows)} rows, {plan.epochs} epochs, {arguments.threads} threads")
    print(f"clock {clock:.0f} s, CPU {used:.0f} s")
    print(f"dev {scores['accuracy']:.1%}, bag of words on the same rows {scores['tf_idf_logistic_regression']:.1%}")


if __name__ == "__main__":
    main()
