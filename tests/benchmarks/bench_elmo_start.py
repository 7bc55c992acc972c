"""Where should ELMo's recurrences start? Zero, warmed, or carried on as published, judged by separated word senses.

python -m tests.benchmarks.bench_elmo_start FOLDER --senses COARSEWSD20

FOLDER is an ELMo in Hub layout or as published, by default the bundled one; COARSEWSD20 is the folder of CoarseWSD-20
(Loureiro et al. 2021) by word. Every test occurrence gets the sense of the training occurrence with the nearest vector;
accuracies are means over the words. "warmed" starts every sentence from the state after some training sentences.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from app.models.elmo import ElmoForLanguageModeling, ElmoModel, ElmoTokenizer, encode, find_published, load_published
from app.pretraining.evaluation.senses import Occurrence, most_frequent_sense, nearest_sense_accuracy, read_senses

# A state settles within about ten sentences.
WARMING = 20
ROWS_AT_ONCE = 16
ROOT = Path(__file__).resolve().parents[2]


def load(folder: Path) -> tuple[ElmoModel, ElmoTokenizer]:
    """The model without its softmax."""
    if not (folder / "config.json").is_file():
        model = load_published(*find_published(folder))
        return (model.elmo if isinstance(model, ElmoForLanguageModeling) else model), ElmoTokenizer()
    return ElmoModel.from_pretrained(folder).eval(), ElmoTokenizer.from_pretrained(folder)


def layers_of(model: ElmoModel, tokenizer: ElmoTokenizer, rows: list[Occurrence], carried: bool) -> np.ndarray:
    """The words' vectors [layer, occurrence, hidden]; `carried`: each row goes on where the batch before it ended."""
    if not carried:
        encoded = encode(model, tokenizer, [row.words for row in rows])
        return torch.stack([states[:, row.index] for states, row in zip(encoded, rows, strict=True)], dim=1).numpy()
    made = []
    for start in range(0, len(rows), ROWS_AT_ONCE):
        batch = rows[start : start + ROWS_AT_ONCE]
        with torch.no_grad():
            states = model(**tokenizer([row.words for row in batch]), stateful=True).hidden_states
        made += [torch.stack([layer[at, row.index] for layer in states]) for at, row in enumerate(batch)]
    return torch.stack(made, dim=1).numpy()


def accuracies(model: ElmoModel, tokenizer: ElmoTokenizer, words: dict, carried: bool = False) -> np.ndarray:
    """Accuracy of each layer and, last, of their mean: the average over the words."""
    rows = []
    for train, test in words.values():
        model.reset_state()
        sides = [layers_of(model, tokenizer, part, carried) for part in (train, test)]
        mixed = [np.concatenate([side, side.mean(axis=0, keepdims=True)]) for side in sides]
        rows.append([nearest_sense_accuracy(*layer, train, test) for layer in zip(*mixed, strict=True)])
    return np.mean(rows, axis=0)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "assets" / "models" / "elmo-mini")
    parser.add_argument("--senses", type=Path, default=ROOT.parent / "shared" / "eval" / "coarsewsd20")
    parser.add_argument("--most", type=int, default=300, help="occurrences of a word, of either part")
    arguments = parser.parse_args()
    if not arguments.folder.is_dir() or not arguments.senses.is_dir():
        print("needs an ELMo and the folder with CoarseWSD-20")
        return
    model, tokenizer = load(arguments.folder)
    words = {}
    for folder in sorted(path for path in arguments.senses.iterdir() if path.is_dir()):
        parts = [read_senses(folder / name, arguments.most) for name in ("train.tsv", "test.tsv")]
        words[folder.name] = tuple(parts)
    model.start_hidden.zero_()
    model.start_cell.zero_()
    table = {"zero": accuracies(model, tokenizer, words)}
    table["carried on"] = accuracies(model, tokenizer, words, carried=True)
    warming = [train[number].words for number in range(2) for train, _ in words.values()][:WARMING]
    model.store_start_state(**tokenizer(warming))
    table["warmed"] = accuracies(model, tokenizer, words)
    print(f"most frequent sense {np.mean([most_frequent_sense(*parts) for parts in words.values()]):.4f}")
    for name, row in table.items():
        shown = "  ".join(f"layer {layer} {value:.4f}" for layer, value in enumerate(row[:-1]))
        print(f"{name:12}{shown}  mean of the layers {row[-1]:.4f}")


if __name__ == "__main__":
    main()
