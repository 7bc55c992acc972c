"""The table of goals against the plain one-file app: same run, same random checkpoint of BERT base's size.

    python -m tests.benchmarks.bench_goals [--rounds 5]

Medians of that many pairs, plain and ours alternately, over raw HTTP. Needs the folder `shared` for the vocabularies.
What takes minutes has its own programs: `make soak`, `make fuzz`.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.bench_fill_mask import TEXT, App, make_checkpoint, start
from tests.benchmarks.bench_visitors import Question, load, p95, words
from tests.checkpoints import build_full_size, published_tokenizers, save
from tests.conftest import SHARED

PLAIN = "tests/benchmarks/plain_app.py"
ASKED = 15  # single requests of a pair
FIVE = ("bert-base-uncased", "roberta-base", "albert-base-v2", "gpt2", "bert-base-chinese")
LIGHT = "ms that p95 of a light request grows by, beside a fine-tuning"
Numbers = dict[str, list[float]]


@contextmanager
def both(folder: Path):
    """The plain app and ours, each started by itself."""
    plain = start([PLAIN, str(folder / "bert-mini")], "predict", [TEXT])
    ours = start(["app.py"], "fill_mask", [TEXT, "bert-mini", 5, []], PLAYGROUND_MODELS=str(folder))
    try:
        yield plain, ours
    finally:
        for app in (plain, ours):
            app.process.terminate()
            app.process.wait()


def seconds_of(app: App, text: str = "") -> float:
    """Of one request."""
    began = time.perf_counter()
    app.ask(text)
    return time.perf_counter() - began


def start_rows(rounds: int, folder: Path, ratios: Numbers) -> None:
    """Both apps started again and again."""
    for _ in range(rounds):
        with both(folder) as (plain, ours):
            ratios["start to first page"].append(ours.first_page / plain.first_page)
            ratios["start to first answer"].append(ours.first_answer / plain.first_answer)


def load_rows(rounds: int, folder: Path, ratios: Numbers) -> None:
    """One request at a time, then 32 visitors at once."""
    kinds: dict[str, tuple[Question, int]] = {
        "requests/s, 32 visitors, 20 tokens": (words(17), 3),
        "requests/s, 32 visitors, 200 tokens": (words(197), 1),
        "requests/s, 32 visitors, the same text": (lambda number: TEXT, 3),
    }
    with both(folder) as (plain, ours):
        for _ in range(rounds):
            pairs = [(seconds_of(plain), seconds_of(ours)) for _ in range(ASKED)]
            ratios["seconds, one request"].append(_median_of(pairs, 1) / _median_of(pairs, 0))
            for kind, (question, asked) in kinds.items():
                theirs, mine = load(plain, question, asked), load(ours, question, asked)
                ratios[kind].append(mine.rate / theirs.rate)
                if question(1) != question(2) and "20 tokens" in kind:
                    ratios["p95, 32 visitors, 20 tokens"].append(mine.p95 / theirs.p95)


def _median_of(pairs: list[tuple[float, float]], side: int) -> float:
    return statistics.median(pair[side] for pair in pairs)


def memory_row(folder: Path, ratios: Numbers) -> None:
    """Five full-size models, each used once, then the process's resident memory."""
    save_five(folder)
    folders = [str(folder / name) for name in FIVE]
    plain = start(["tests/benchmarks/plain_five.py", *folders], "predict", ["The [MASK] ran.", folders[0]])
    ours = start(["app.py"], "fill_mask", ["The [MASK] ran.", FIVE[0], 5, []], PLAYGROUND_MODELS=str(folder))
    try:
        for name, path in zip(FIVE, folders, strict=True):
            mask = {"roberta-base": "<mask>"}.get(name, "[MASK]")
            call(plain, "predict", [f"The {mask} ran.", path])
            asked = ["The dog ran.", name, 5, 1.0, 1.0] if name == "gpt2" else [f"The {mask} ran.", name, 5, []]
            call(ours, "next_token" if name == "gpt2" else "fill_mask", asked)
        ratios["resident memory, five models"].append(resident(ours) / resident(plain))
    finally:
        for app in (plain, ours):
            app.process.terminate()
            app.process.wait()


def save_five(folder: Path) -> None:
    """Random weights of the published shapes, with the published vocabularies."""
    from transformers import BertConfig, BertForPreTraining, BertTokenizerFast

    tokenizers = published_tokenizers(SHARED / "vocab")
    for name, model in build_full_size(12).items():
        save(folder / name, model, tokenizers[name.partition("-")[0]])
    chinese = BertTokenizerFast.from_pretrained(SHARED / "vocab" / FIVE[-1])
    save(folder / FIVE[-1], BertForPreTraining(BertConfig(vocab_size=len(chinese))), chinese)


def call(app: App, endpoint: str, data: list) -> object:
    """One call of any endpoint."""
    return App(app.process, app.url, endpoint, data).ask()


def resident(app: App) -> float:
    """Megabytes."""
    status = Path(f"/proc/{app.process.pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def light_row(ratios: Numbers) -> None:
    """Cutting a text into tokens, idle and while a model is fine-tuned: how many milliseconds p95 grows by."""
    app = start(["app.py"], "tokenize", ["She opened the door.", "bert-mini"])
    rows = [{"text": f"This is {word} number {i}.", "label": word} for i in range(150) for word in ("good", "bad")]
    try:
        idle = [seconds_of(app) for _ in range(100)]
        training = threading.Thread(target=call, args=(app, "fine_tune", [rows, "bert-mini", 6, 3e-4, 0, 0.2]))
        training.start()
        time.sleep(3)
        beside = []
        while training.is_alive():
            beside.append(seconds_of(app))
        ratios["ms that p95 of a light request grows by, beside a fine-tuning"].append(
            1_000 * (p95(beside) - p95(idle))
        )
    finally:
        app.process.terminate()


GOALS: dict[str, tuple[str, Callable[[float], bool]]] = {
    "requests/s, 32 visitors, 20 tokens": ("4", lambda ratio: ratio >= 4),
    "requests/s, 32 visitors, 200 tokens": ("2", lambda ratio: ratio >= 2),
    "requests/s, 32 visitors, the same text": ("15", lambda ratio: ratio >= 15),
    "p95, 32 visitors, 20 tokens": ("0.25", lambda ratio: ratio <= 0.25),
    "seconds, one request": ("0.5", lambda ratio: ratio <= 0.5),
    "start to first page": ("0.5", lambda ratio: ratio <= 0.5),
    "start to first answer": ("0.75", lambda ratio: ratio <= 0.75),
    "resident memory, five models": ("0.6", lambda ratio: ratio <= 0.6),
    LIGHT: ("300", lambda more: more <= 300),
}


def main() -> None:
    """Measure all rows and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    ratios: Numbers = {name: [] for name in GOALS}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_checkpoint(folder)
        start_rows(rounds, folder, ratios)
        load_rows(rounds, folder, ratios)
    with tempfile.TemporaryDirectory() as made:
        memory_row(Path(made), ratios)
    light_row(ratios)
    print(f"{processor()}; ours to the plain app's, medians of {rounds} pairs\n")
    print("| | ours / plain | range | goal | |\n|---|---|---|---|---|")
    for name, (goal, reached) in GOALS.items():
        middle, found = statistics.median(ratios[name]), ratios[name]
        spread = f"{min(found):.2f} to {max(found):.2f}" if len(found) > 1 else ""
        print(f"| {name} | {middle:.2f} | {spread} | {goal} | {'reached' if reached(middle) else 'missed'} |")


def processor() -> str:
    """What the system calls the CPU."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "a CPU")


if __name__ == "__main__":
    main()
