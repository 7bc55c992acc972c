"""How fast a matrix of 8 sentences is: 56 pairs in one padded batch against 56 single calls (BERT-base size, CPU).

    python -m tests.benchmarks.bench_sentence_matrix [--threads 2] [--rounds 3] [--sentences 8] [--small]

Random weights of the true size; both ways are timed alternately, A B A B, and medians are compared. "single" is what
one would write with transformers: tokenise two texts, run the model, 56 times. Both must give the same probabilities.
On a busy machine, only the CPU time with `--threads 1` is meaningful.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from collections.abc import Callable
from itertools import permutations

import numpy as np
import torch
from tokenizers.implementations import BertWordPieceTokenizer
from transformers import BertConfig, BertForPreTraining, BertTokenizerFast

from app.engine.families.bert import FAMILY, BertPairJudge
from app.engine.runtime.loaded import Loaded
from app.engine.text.text_tokenizer import TextTokenizer
from app.registry.lookup import BY_NAME
from app.tasks.sentence_pair.judge import pair_probabilities

SENTENCES = [
    "A young man left his village to look for work in the city.",
    "He walked for three days until he came to a small town by the river.",
    "There a baker gave him bread and a bed for the night.",
    "The next morning he began to work in the bakery, and he learned fast.",
    "In spring the old baker fell ill and could not get up any more.",
    "So the young man baked the bread alone, every night until dawn.",
    "People came from the villages around, for nobody baked as he did.",
    "Years later the bakery was his own.",
]


Way = Callable[[BertPairJudge, list[str]], np.ndarray]


def build_judge(small: bool) -> BertPairJudge:
    """A random model, of BERT base's size unless `small`, with a WordPiece vocabulary learned from the sentences."""
    wordpiece = BertWordPieceTokenizer(lowercase=True)
    wordpiece.train_from_iterator(SENTENCES * 4, vocab_size=400, min_frequency=1)
    tokenizer = BertTokenizerFast(vocab=wordpiece.get_vocab(), do_lower_case=True)
    size = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 128}
    torch.manual_seed(0)
    model = BertForPreTraining(BertConfig(initializer_range=0.1, **(size if small else {}))).eval()
    heads = frozenset(FAMILY.heads)
    return BertPairJudge(
        Loaded(BY_NAME["bert-base-uncased"], FAMILY, model, TextTokenizer(tokenizer), heads, 0, threading.Lock())
    )


def batched(judge: BertPairJudge, sentences: list[str]) -> np.ndarray:
    """What `/sentence_matrix` does: probabilities of label 0 [pair]."""
    return pair_probabilities(judge, sentences, list(permutations(range(len(sentences)), 2)))[:, 0]


def single(judge: BertPairJudge, sentences: list[str]) -> np.ndarray:
    """One call of tokenizer and model for each pair."""
    answers = []
    with torch.inference_mode():
        for first, second in permutations(sentences, 2):
            encoded = judge.text.tokenizer(first, second, return_tensors="pt")
            pooled = judge.loaded.model.bert(**encoded).pooler_output
            answers.append(judge.loaded.model.cls.seq_relationship(pooled)[0].softmax(-1)[0].item())
    return np.array(answers)


def timed(way: Way, judge: BertPairJudge, sentences: list[str]) -> tuple[float, float, np.ndarray]:
    """Seconds on the clock and seconds of CPU of one run, and its answer."""
    start, cpu = time.perf_counter(), time.process_time()
    answer = way(judge, sentences)
    return time.perf_counter() - start, time.process_time() - cpu, answer


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=len(SENTENCES))
    parser.add_argument("--small", action="store_true", help="a small model: a quick check that the bench runs")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    judge = build_judge(arguments.small)
    sentences = SENTENCES[: arguments.sentences]
    batched(judge, sentences[:2])  # the first call of a process is slower
    runs = [(timed(single, judge, sentences), timed(batched, judge, sentences)) for _ in range(arguments.rounds)]
    difference = float(np.abs(runs[0][0][2] - runs[0][1][2]).max())
    tokens = [len(judge.text.encode(*pair).input_ids) for pair in permutations(sentences, 2)]
    print(f"{len(tokens)} pairs of {min(tokens)} to {max(tokens)} tokens, {arguments.threads} threads")
    for column, name in enumerate(("clock", "CPU")):
        alone, together = (statistics.median(run[way][column] for run in runs) for way in (0, 1))
        print(f"{name}: single {alone:.2f} s, one batch {together:.2f} s: {alone / together:.2f} times as fast")
    print(f"largest difference of a probability: {difference:.1e}")


if __name__ == "__main__":
    main()
