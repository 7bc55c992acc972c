"""`python -m tests.gpu_check`: the same questions on the CPU in float32 and on this machine's device; one table.

Parity is measured on the bundled, trained checkpoints: equal first choices, probabilities within 0.02. Latency,
throughput and memory are measured with random weights of BERT base's and GPT-2's size, which cost as much as trained
ones. `--small` takes tiny ones, as the tests do. Without a GPU, both sides are the CPU: in float32 and, for parity, in
bfloat16. The exit code is 1 if parity does not hold.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import transformers

from app.engine.base import MaskedRow
from app.engine.runtime import loader as loading
from app.engine.runtime.device import choose_device, choose_dtype
from app.engine.runtime.loader import load, loader
from app.registry.checkpoint import CAUSAL_LM, MASKED_LM, Checkpoint
from app.registry.checkpoint_rows import CATALOG
from app.settings import settings
from app.tasks.attention.attend import attention
from app.tasks.causal import check_sampling
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.prompting.write import generate, next_token
from app.tasks.sentence_pair.judge import sentence_pair
from app.tasks.surprise.score import score

TOLERANCE = 0.02
VISITORS = 32
TEXTS = (
    "The [MASK] barked at the cat.",
    "She opened the [MASK] and went into the house.",
    "The capital of the country lies in the [MASK] of it.",
    "He was born in New [MASK] City and lived there for many years.",
    "The team won the [MASK] in the last minute.",
    "They lived in a small [MASK] near the sea, and every [MASK] they went out to fish.",
)
TWENTY = "the dog barked at the cat and the cat ran away from the dog into the [MASK] of the house ."
PROMPT = "the dog barked at the cat and the cat ran away from the dog into the"


@dataclass(frozen=True)
class Parity:
    """Two answers to the same questions.

    Attributes:
        first: share of equal first choices, those within the tolerance of a tie left out.
        difference: largest difference of a probability.
    """

    name: str
    first: float
    difference: float

    @property
    def holds(self) -> bool:
        """Within what the project promises."""
        return self.first == 1.0 and self.difference <= TOLERANCE


def compare(name: str, expected: list[np.ndarray], found: list[np.ndarray]) -> Parity:
    """Compare distributions [vocabulary] pairwise."""
    equal, worst = [], 0.0
    for one, other in zip(expected, found, strict=True):
        worst = max(worst, float(np.abs(one - other).max()))
        second, first = np.sort(one)[-2:]
        if first - second > TOLERANCE:
            equal.append(one.argmax() == other.argmax())
    return Parity(name, float(np.mean(equal)) if equal else 1.0, worst)


@contextmanager
def placed(device: str, dtype: torch.dtype | None = None) -> Iterator[None]:
    """Checkpoints are loaded on a device meanwhile, in a number format of their own where one is given."""
    before, chosen = os.environ.get("PLAYGROUND_DEVICE"), loading.choose_dtype
    os.environ["PLAYGROUND_DEVICE"] = device
    if dtype is not None:
        loading.choose_dtype = lambda _: dtype
    _forget()
    try:
        yield
    finally:
        loading.choose_dtype = chosen
        os.environ.pop("PLAYGROUND_DEVICE") if before is None else os.environ.update(PLAYGROUND_DEVICE=before)
        _forget()


def _forget() -> None:
    settings.cache_clear()
    loader.cache_clear()
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def distributions(checkpoint: Checkpoint) -> list[np.ndarray]:
    """What it says to each text: probabilities [vocabulary] at every mask, or behind the text."""
    loaded = load(checkpoint)
    if MASKED_LM in loaded.heads:
        adapter, answers = loaded.head(MASKED_LM), []
        for text in TEXTS:
            encoded = loaded.text.encode(text)
            row = MaskedRow(encoded.input_ids, encoded.token_type_ids, encoded.mask_indices)
            answers += list(np.exp(next(adapter.masked_log_probabilities([row]))))
        return answers
    names = [text.replace("[MASK]", "thing") for text in TEXTS]
    adapter = loaded.head(CAUSAL_LM)
    plain = check_sampling(1.0, 0, 1.0, 1.0, 0)
    return [adapter.next_probabilities(loaded.text.encode(text).input_ids, plain)[0] for text in names]


def check_parity() -> list[Parity]:
    """Every bundled language model, on the CPU in float32 and here."""
    found = []
    dtype = None if torch.cuda.is_available() else torch.bfloat16
    for checkpoint in CATALOG:
        if checkpoint.source != "bundled" or not {MASKED_LM, CAUSAL_LM} & set(checkpoint.heads):
            continue
        with placed("cpu", torch.float32):
            expected = distributions(checkpoint)
        with placed("auto", dtype):
            found.append(compare(checkpoint.name, expected, distributions(checkpoint)))
    return found


def save_random(folder: Path, small: bool) -> None:
    """Random weights under the names `bert-base-uncased` and `gpt2`."""
    from tests.checkpoints import build, save, tiny_tokenizers

    tokenizers = tiny_tokenizers()
    torch.manual_seed(0)
    bert = build("bert", tokenizers["bert"]) if small else transformers.BertForPreTraining(transformers.BertConfig())
    gpt2 = build("gpt2", tokenizers["gpt2"]) if small else transformers.GPT2LMHeadModel(transformers.GPT2Config())
    save(folder / "bert-base-uncased", bert, tokenizers["bert"])
    save(folder / "gpt2", gpt2, tokenizers["gpt2"])


QUESTIONS: dict[str, Callable[[], object]] = {
    "fill a mask, 20 words": lambda: fill_mask(TWENTY, "bert-base-uncased"),
    "judge a pair": lambda: sentence_pair("the dog barked .", "the cat ran away .", "bert-base-uncased"),
    "attention of one layer": lambda: attention(f"{time.monotonic_ns()} {PROMPT}", "", "bert-base-uncased", 1),
    "score 15 words, GPT-2": lambda: score(PROMPT, "gpt2"),
    "next token, GPT-2": lambda: next_token(PROMPT, "gpt2"),
    "write 20 tokens, GPT-2": lambda: generate(PROMPT, "gpt2", 20),
}


def latency(question: Callable[[], object], seconds: float) -> float:
    """Median milliseconds of a question, after two that do not count."""
    times, end = [], time.monotonic() + seconds
    for turn in range(1_000):
        began = time.perf_counter()
        question()
        if turn >= 2:
            times.append(1_000 * (time.perf_counter() - began))
        if time.monotonic() > end and len(times) >= 3:
            break
    return statistics.median(times)


def throughput(question: Callable[[], object], seconds: float) -> tuple[float, float]:
    """Requests a second of 32 visitors at once, and the milliseconds within which 95 of 100 have their answer."""
    times: list[float] = []
    end = time.monotonic() + seconds

    def visit() -> None:
        while time.monotonic() < end:
            began = time.perf_counter()
            question()
            times.append(1_000 * (time.perf_counter() - began))

    began = time.perf_counter()
    visitors = [threading.Thread(target=visit) for _ in range(VISITORS)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    return len(times) / (time.perf_counter() - began), float(np.percentile(times, 95))


def memory() -> str:
    """The most that was in use: on the card, and by the process."""
    resident = f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000:.0f} MB in the process"
    if not torch.cuda.is_available():
        return resident
    return f"{torch.cuda.max_memory_allocated() / 1e6:.0f} MB on the card, {resident}"


def device_name() -> str:
    """The card, or the CPU."""
    device = choose_device()
    return torch.cuda.get_device_name(device) if device.type == "cuda" else f"CPU, {torch.get_num_threads()} threads"


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.gpu_check", description=__doc__)
    parser.add_argument("--small", action="store_true", help="tiny models")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each measurement")
    given = parser.parse_args(arguments)
    dtype = str(choose_dtype(choose_device())).removeprefix("torch.")
    print(f"{device_name()}, {dtype}, PyTorch {torch.__version__}{', tiny models' if given.small else ''}\n")
    print("| what | measured |\n|---|---|", flush=True)
    parities = check_parity()
    against = "this card" if torch.cuda.is_available() else "bfloat16 on the CPU"
    for parity in parities:
        verdict = "holds" if parity.holds else "DOES NOT HOLD"
        print(
            f"| {parity.name}: CPU float32 and {against} | {verdict}: first choices {parity.first:.0%}, "
            f"probabilities within {parity.difference:.4f} |",
            flush=True,
        )
    with tempfile.TemporaryDirectory() as folder:
        save_random(Path(folder), given.small)
        os.environ["PLAYGROUND_MODELS"] = folder
        _forget()
        for name, question in QUESTIONS.items():
            print(f"| {name} | {latency(question, given.seconds):.1f} ms |", flush=True)
        rate, slow = throughput(QUESTIONS["fill a mask, 20 words"], given.seconds)
        print(f"| {VISITORS} visitors fill masks | {rate:.1f} requests/s, 95 % within {slow:.0f} ms |")
        print(f"| memory | {memory()} |")
    return int(not parities or not all(parity.holds for parity in parities))


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    sys.exit(main())
