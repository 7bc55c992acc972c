"""Processor time per answer and task, at BERT base's and GPT-2's size: the figures of CLUSTER.md's table.

`python -m tests.benchmarks.bench_sizing` prints milliseconds of one core, which other programs on the machine affect
less than answers per second: for a single question, and for each of eight that arrive together and share their passes.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
from transformers import BertConfig, BertForPreTraining, GPT2Config, GPT2LMHeadModel

from tests.checkpoints import save, tiny_tokenizers

BERT, GPT2 = "bert-base-uncased", "gpt2"
TEXT = "The dog barked at the cat, and the cat ran away from the dog {number}."
ALONE, TOGETHER, ROUNDS = 12, 8, 4
TOKENS = 20


def cost(ask: Callable[[int], object]) -> tuple[float, float]:
    """Milliseconds of a core that an answer takes: asked alone, and among eight."""
    ask(0)
    began = time.process_time()
    for number in range(ALONE):
        ask(number)
    alone = (time.process_time() - began) / ALONE
    began = time.process_time()
    with ThreadPoolExecutor(TOGETHER) as visitors:
        for number in range(ROUNDS):
            list(visitors.map(ask, range(100 * number, 100 * number + TOGETHER)))
    return 1000 * alone, 1000 * (time.process_time() - began) / (ROUNDS * TOGETHER)


def tasks() -> dict[str, Callable[[int], object]]:
    """What is asked, by the number of the question."""
    from app.tasks.attention import attention
    from app.tasks.classification.embed import embed
    from app.tasks.fill_mask import fill_mask
    from app.tasks.prompting import generate
    from app.tasks.sentence_pair import sentence_pair
    from app.tasks.surprise.score import score

    return {
        "fill_mask": lambda number: fill_mask(TEXT.format(number=number) + " [MASK]", BERT),
        "sentence_pair": lambda number: sentence_pair(TEXT.format(number=number), TEXT.format(number=1), BERT),
        "embed": lambda number: embed([TEXT.format(number=number)], BERT),
        "attention": lambda number: attention(TEXT.format(number=number), "", BERT, 0),
        "score (GPT-2)": lambda number: score(TEXT.format(number=number), GPT2),
        f"generate, {TOKENS} tokens (GPT-2)": lambda number: generate(
            TEXT.format(number=number), GPT2, max_new_tokens=TOKENS, seed=number
        ),
    }


def main() -> None:
    """Make the checkpoints and print."""
    from app.engine.answer_registry import answer_registry
    from app.engine.runtime.loader import loader
    from app.settings import settings

    torch.set_num_threads(1)
    answer_registry()
    tokenizers = tiny_tokenizers()
    with tempfile.TemporaryDirectory() as folder:
        save(Path(folder) / BERT, BertForPreTraining(BertConfig()), tokenizers["bert"])
        save(Path(folder) / GPT2, GPT2LMHeadModel(GPT2Config()), tokenizers["gpt2"])
        os.environ |= {"PLAYGROUND_MODELS": folder, "PLAYGROUND_MEMORY_MB": "8000", "HF_HUB_OFFLINE": "1"}
        settings.cache_clear()
        loader.cache_clear()
        print(f"{'task':32} {'alone':>9} {'of eight':>9}")
        for name, ask in tasks().items():
            alone, together = cost(ask)
            print(f"{name:32} {alone:6.1f} ms {together:6.1f} ms", flush=True)


if __name__ == "__main__":
    main()
