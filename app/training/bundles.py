"""The fine-tuned checkpoints that are bundled: what each is made from, how, and what was measured of it."""

from __future__ import annotations

import hashlib
import json
import platform
import random
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import nn

from app.engine.batching import length_sorted_batches
from app.engine.loader import Loaded
from app.engine.text import TextTokenizer
from app.models.delta import make_delta
from app.results_fine_tune import TuningReport
from app.training.card import model_card
from app.training.fine_tune import FineTuned, Plan, fine_tune, inputs_of
from app.training.labelled import Example
from app.training.scores import score_labels

# From the number in the files to the name that visitors see.
SENTIMENT = {"0": "negative", "1": "positive"}


@dataclass(frozen=True)
class Recipe:
    """One bundled classifier.

    Attributes:
        name: of its folder in `assets/models`.
        base: catalog name of the encoder.
        plan: how to train; the rows kept back for choosing the best step are training rows, never evaluation ones.
        data: folder in the evaluation sets with `train.tsv` and `dev.tsv`; `dev.tsv` is only measured on.
        delta_rank: rank of the stored change; 0 stores the whole model.
    """

    name: str
    base: str
    plan: Plan
    data: str = "sst2"
    delta_rank: int = 0


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("bert-mini-sst2", "bert-mini", Plan(epochs=3, learning_rate=2e-4, seed=1, validation_share=0.08)),
        Recipe(
            "minilm-l6-sst2",
            "minilm-l6",
            Plan(epochs=3, learning_rate=5e-4, seed=1, validation_share=0.08, method="lora", rank=16),
            delta_rank=16,
        ),
    )
}


def read_rows(path: Path) -> list[Example]:
    """A TSV with a header line and the columns label and sentence."""
    lines = path.read_text(encoding="utf-8").split("\n")[1:]
    pairs = (line.split("\t") for line in lines if line)
    return [Example(sentence, SENTIMENT[label]) for label, sentence in pairs]


def make(recipe: Recipe, base: Loaded, data: Path, target: Path) -> dict[str, Any]:
    """Train, measure and write the bundle; what was measured."""
    train, dev = read_rows(data / "train.tsv"), read_rows(data / "dev.tsv")
    started, cpu = time.time(), time.process_time()
    stop = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())  # Ctrl-C ends the training, and its best is written

    def report(made: TuningReport) -> bool:
        if made.validation:
            print(f"{made.step}/{made.steps} loss {made.loss:.3f} {made.validation} {made.seconds:.0f} s", flush=True)
        return stop.is_set()

    tuned = fine_tune(base, train, recipe.plan, report)
    record = {
        "name": recipe.name,
        "base": recipe.base,
        "base_revision": base.checkpoint.revision,
        "plan": asdict(recipe.plan),
        "delta_rank": recipe.delta_rank,
        "data": {
            "train.tsv": _hash(data / "train.tsv"),
            "rows": len(train),
            "licence": "SST-2 (Socher et al. 2013), released for research; the copy names no licence",
        },
        "kept_step": tuned.kept_step,
        "steps": len(tuned.history),
        "ended": tuned.stopped,
        "minutes": round((time.time() - started) / 60, 1),
        "cpu_minutes": round((time.process_time() - cpu) / 60, 1),
        "hardware": f"{platform.machine()}, {torch.get_num_threads()} threads",
        "scores": {"dev.tsv": measure(tuned, base.text, dev, train)},
    }
    write(recipe, base, tuned, record, target)
    return record


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def measure(tuned: FineTuned, text: TextTokenizer, dev: Sequence[Example], train: Sequence[Example]) -> dict[str, Any]:
    """Scores on rows that had no part in training, beside a bag of words trained on the same rows."""
    predicted = predict(tuned.model, text, [example.text for example in dev])
    number = {label: index for index, label in enumerate(tuned.labels)}
    true, trained_on = ([number[example.label] for example in rows] for rows in (dev, train))
    scores = asdict(score_labels(true, predicted, trained_on, len(tuned.labels)))
    return scores | {"rows": len(dev), "tf_idf_logistic_regression": bag_of_words(train, dev)}


def predict(model: nn.Module, text: TextTokenizer, texts: Sequence[str]) -> list[int]:
    """The number of the most probable label of each text."""
    device, answer = next(model.parameters()).device, [0] * len(texts)
    with torch.inference_mode():
        for batch in length_sorted_batches([len(one) for one in texts]):
            best = model(**inputs_of([texts[index] for index in batch], text, device)).logits.argmax(dim=-1)
            for index, label in zip(batch, best.tolist(), strict=True):
                answer[index] = label
    return answer


def bag_of_words(train: Sequence[Example], test: Sequence[Example]) -> float:
    """Accuracy of a TF-IDF logistic regression trained on the same rows."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    peer = make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=1_000))
    peer.fit([example.text for example in train], [example.label for example in train])
    return float(peer.score([example.text for example in test], [example.label for example in test]))


def write(recipe: Recipe, base: Loaded, tuned: FineTuned, record: dict[str, Any], target: Path) -> None:
    """The folder in Hub layout: weights or a delta, config, tokenizer, card, record."""
    target.mkdir(parents=True, exist_ok=True)
    if recipe.delta_rank:
        delta = make_delta(base.model.base_model.state_dict(), tuned.model.state_dict(), recipe.delta_rank)
        save_file(delta, target / "delta.safetensors", {"format": "pt", "scale": "1.0"})
        tuned.model.config.save_pretrained(target)
    else:
        halved = {name: weight.half().contiguous() for name, weight in tuned.model.state_dict().items()}
        save_file(halved, target / "model.safetensors", {"format": "pt"})
        tuned.model.config.save_pretrained(target)
        base.text.tokenizer.save_pretrained(target)
    (target / "train.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (target / "README.md").write_text(model_card(recipe.name, record), encoding="utf-8")


def published_base(base: Loaded) -> Loaded:
    """A packaged encoder as its makers published it, without the change and the heads that this project added."""
    weights = load_file(base.checkpoint.package.checked())
    plain = {name: weight.float() for name, weight in weights.items() if weight.is_floating_point()}
    base.model.base_model.load_state_dict(plain)
    return replace(base, heads=base.heads - {"masked_lm", "next_sentence"})


def sample(rows: list[Example], count: int, seed: int = 0) -> list[Example]:
    """So many rows, drawn by a seed."""
    drawn = list(rows)
    random.Random(seed).shuffle(drawn)
    return drawn[:count]
