"""How fast 1,000 short lines are classified: sorted batches against transformers' own pipeline (BERT-base size, CPU).

    python -m tests.benchmarks.bench_classify [--threads 2] [--rounds 3] [--lines 1000] [--small]

Random weights of the true size; both ways are timed alternately, A B A B, and medians are compared. The peer is
`pipeline("text-classification")` at its default batch size. Both must give the same probabilities within 1e-5.
On a busy machine, only the CPU time with `--threads 1` is meaningful.
"""

from __future__ import annotations

import argparse
import random
import statistics
import threading
import time

import torch
from tokenizers.implementations import BertWordPieceTokenizer
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast, pipeline

from app.engine.adapters.classifier import EncoderClassifier
from app.engine.families.bert import FAMILY
from app.engine.runtime.loaded import Loaded
from app.engine.text.text_tokenizer import TextTokenizer
from app.registry.checkpoint import CLASSIFICATION, Checkpoint
from app.tasks.classification.classify import classify_in_steps
from tests.benchmarks.bench_sentence_matrix import SENTENCES

NAMES = ("negative", "positive")


def build(small: bool) -> EncoderClassifier:
    """A random classifier, of BERT base's size unless `small`, with a vocabulary learned from the sentences."""
    wordpiece = BertWordPieceTokenizer(lowercase=True)
    wordpiece.train_from_iterator(SENTENCES * 4, vocab_size=400, min_frequency=1)
    tokenizer = BertTokenizerFast(vocab=wordpiece.get_vocab(), do_lower_case=True)
    size = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 128}
    names = {"id2label": dict(enumerate(NAMES)), "label2id": {name: index for index, name in enumerate(NAMES)}}
    torch.manual_seed(0)
    config = BertConfig(initializer_range=0.1, **names, **(size if small else {}))
    entry = Checkpoint("random", "bert", "en", "bundled", "", "random", (CLASSIFICATION,), 0, 0, "")
    model, heads = BertForSequenceClassification(config).eval(), frozenset({CLASSIFICATION})
    return EncoderClassifier(Loaded(entry, FAMILY, model, TextTokenizer(tokenizer), heads, 0, threading.Lock()))


def short_lines(count: int) -> list[str]:
    """Lines of 3 to 25 words, as people write them."""
    drawn, words = random.Random(0), " ".join(SENTENCES).split()
    return [" ".join(drawn.choices(words, k=drawn.randint(3, 25))) for _ in range(count)]


def ours(classifier: EncoderClassifier, lines: list[str]) -> list[dict[str, float]]:
    """What `/classify` does."""
    *_, answer = classify_in_steps(classifier, lines)
    return [{entry.label: entry.probability for entry in result.labels} for result in answer.results]


def plain(classifier: EncoderClassifier, lines: list[str]) -> list[dict[str, float]]:
    """The pipeline as one would call it."""
    peer = pipeline(
        "text-classification", model=classifier.loaded.model, tokenizer=classifier.text.tokenizer, top_k=None
    )
    return [{entry["label"]: entry["score"] for entry in result} for result in peer(lines)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lines", type=int, default=1_000)
    parser.add_argument("--small", action="store_true", help="a small model: a quick check that the bench runs")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    classifier, lines = build(arguments.small), short_lines(arguments.lines)
    for way in (plain, ours):
        way(classifier, lines[:2])  # the first call of a process is slower
    times: dict[str, list[tuple[float, float]]] = {"plain": [], "ours": []}
    answers = {}
    for _ in range(arguments.rounds):
        for way in (plain, ours):
            started, cpu = time.perf_counter(), time.process_time()
            answers[way.__name__] = way(classifier, lines)
            times[way.__name__].append((time.perf_counter() - started, time.process_time() - cpu))
    pairs = zip(answers["plain"], answers["ours"], strict=True)
    difference = max(abs(one[name] - other[name]) for one, other in pairs for name in NAMES)
    print(f"{len(lines)} lines, {arguments.threads} threads")
    for column, name in enumerate(("clock", "CPU")):
        peer, own = (statistics.median(run[column] for run in times[way]) for way in ("plain", "ours"))
        print(f"{name}: pipeline {peer:.2f} s, ours {own:.2f} s: {peer / own:.2f} times as fast")
    print(f"largest difference of a probability: {difference:.1e}")


if __name__ == "__main__":
    main()
