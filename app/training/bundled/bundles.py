"""The bundled fine-tuned checkpoints: what each is made from, how, and its measured scores."""

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

from app.engine.adapters.batching import length_sorted_batches
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import loader
from app.models.delta import make_delta
from app.registry.checkpoint import QUESTION_ANSWERING, TOKEN_CLASSIFICATION, TOKEN_VECTORS
from app.registry.lookup import BY_NAME
from app.results.tuning.fine_tune import TuningReport
from app.training.answers.rows import read_asked
from app.training.answers.tuning import tune_answers
from app.training.bundled.answers import ANSWERS, CHINESE_ANSWERS, AnswerSet, golden_answers, measure_answers
from app.training.bundled.card import answers_card, model_card, names_card, write_json
from app.training.bundled.label_sets import HOTELS, SST2, LabelSet, read_opinions, read_rows
from app.training.bundled.names import CHINESE_NAMES, NAMES, NameSet, golden_names, measure_names, read_names
from app.training.fine_tune import FineTuned, Plan, fine_tune
from app.training.labelled import Example
from app.training.reading import Reader, inputs_of
from app.training.scores import score_labels
from app.training.tags.tuning import tune_tags

ASSETS = Path(__file__).resolve().parents[3] / "assets"
BUNDLED = ASSETS / "models"


@dataclass(frozen=True)
class Recipe:
    """One bundled checkpoint.

    Attributes:
        name: of its folder in `assets/models`.
        base: catalog name of the encoder.
        plan: how to train; the rows kept back to choose the best step are training rows, never evaluation ones.
        data: the labelled texts, the texts with names, or the questions about passages.
        delta_rank: rank of the stored change.
        in_steps: whether that is stored in int8.
    """

    name: str
    base: str
    plan: Plan
    data: LabelSet | NameSet | AnswerSet = SST2
    delta_rank: int = 32
    in_steps: bool = False


# Each set has one kind of text and visitors type another, so the few rows of that kind count more.
EVERYDAY_TIMES = 3
FULL = Plan(epochs=3, learning_rate=2e-4, seed=1, validation_share=0.08)

RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "minilm-l6-sst2",
            "minilm-l6",
            Plan(epochs=3, learning_rate=5e-4, seed=1, validation_share=0.08, method="lora", rank=16),
            delta_rank=16,
        ),
        # Small encoders gain from new word vectors (with LoRA and frozen ones: 70 % of SST-2's dev sentences instead of
        # 79 %). Rank 32 of the whole change gives the same label for 99 % of 400 training rows.
        Recipe("bert-mini-sst2", "bert-mini", FULL),
        Recipe("roberta-mini-sst2", "roberta-mini", FULL),
        Recipe("bert-mini-zh-sentiment", "bert-mini-zh", FULL, HOTELS),
        Recipe(
            "minilm-l6-names",
            "minilm-l6",
            Plan(epochs=8, learning_rate=1e-3, seed=1, validation_share=0.08, method="lora", rank=4),
            NAMES,
            delta_rank=4,
        ),
        # As above, LoRA finds fewer names than new word vectors do, also after these are cut to rank 8.
        Recipe(
            "bert-mini-zh-names",
            "bert-mini-zh",
            Plan(epochs=14, learning_rate=4e-4, seed=1, validation_share=0.08, hidden=0.2),
            CHINESE_NAMES,
            delta_rank=8,
        ),
        Recipe(
            "minilm-l6-answers",
            "minilm-l6",
            Plan(epochs=3, learning_rate=1e-3, seed=1, validation_share=0.05, method="lora", augment=True),
            ANSWERS,
            delta_rank=8,
        ),
        # Frozen word vectors cost it a fifth of its answers, and so does cutting its change to a rank only afterwards.
        Recipe(
            "bert-mini-zh-answers",
            "bert-mini-zh",
            Plan(epochs=60, learning_rate=3e-4, batch_size=24, seed=1, validation_share=0.02),
            CHINESE_ANSWERS,
            delta_rank=64,
            in_steps=True,
        ),
    )
}


def rows_of(data: LabelSet, evaluation: Path) -> tuple[list[Example], list[Example]]:
    """A set's rows to train on, which repeat short everyday opinions several times, and those to measure on."""
    folder = evaluation / data.folder
    everyday = [row for name in data.opinions for row in read_opinions(data, ASSETS / name)]
    train = read_rows(data, folder / "train.tsv") + EVERYDAY_TIMES * everyday
    return train, read_rows(data, folder / "dev.tsv")


def everyday_opinions(data: LabelSet) -> list[Example]:
    """A hundred short opinions on everyday things, written for this project, with the set's language and labels."""
    return read_rows(data, ASSETS / "evaluation" / f"opinions_{data.language}.tsv")


def make(recipe: Recipe, base: Loaded, evaluation: Path, target: Path) -> dict[str, Any]:
    """Train and write the bundle; returns its record, without scores (`evaluate` adds them)."""
    started, cpu = time.time(), time.process_time()
    stop = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())  # Ctrl-C ends the training and writes its best state

    def report(made: TuningReport) -> bool:
        if made.validation:
            print(f"{made.step}/{made.steps} loss {made.loss:.3f} {made.validation} {made.seconds:.0f} s", flush=True)
        return stop.is_set()

    if isinstance(recipe.data, NameSet):
        tuned = tune_tags(base, read_names(ASSETS / recipe.data.learnt), recipe.plan, report)
    elif isinstance(recipe.data, AnswerSet):
        mixed = recipe.data.mixed(ASSETS, recipe.plan.seed)
        rows = read_asked(ASSETS / recipe.data.learnt)
        tuned = tune_answers(base, rows, recipe.plan, report, mixed=mixed, rank=recipe.delta_rank)
    else:
        tuned = fine_tune(base, rows_of(recipe.data, evaluation)[0], recipe.plan, report)
    record = {
        "name": recipe.name,
        "base": recipe.base,
        "base_revision": base.checkpoint.revision,
        "plan": asdict(recipe.plan),
        "delta_rank": recipe.delta_rank,
        "data": _sources(recipe.data, evaluation) | {"rows": tuned.rows + tuned.kept},
        "kept_step": tuned.kept_step,
        "steps": len(tuned.history),
        "ended": tuned.stopped,
        "minutes": round((time.time() - started) / 60, 1),
        "cpu_minutes": round((time.process_time() - cpu) / 60, 1),
        "hardware": f"{platform.machine()}, {torch.get_num_threads()} threads",
    }
    write(recipe, base, tuned, record, target)
    return record


def _sources(data: LabelSet | NameSet | AnswerSet, evaluation: Path) -> dict[str, Any]:
    """The files that were learnt from, with their hashes and licence."""
    if not isinstance(data, LabelSet):
        return {name: _hash(ASSETS / name) for name in data.files} | {"licence": "CC0, written for this project"}
    return {
        "train.tsv": _hash(evaluation / data.folder / "train.tsv"),
        **{name: _hash(ASSETS / name) for name in data.opinions},
        "times": EVERYDAY_TIMES,
        "licence": data.licence,
    }


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def evaluate(recipe: Recipe, evaluation: Path) -> dict[str, Any]:
    """Measure the written bundle as the app loads it, pin its golden answers and write its card; returns its record."""
    folder, loaded, data = BUNDLED / recipe.name, loader().get(BY_NAME[recipe.name]), recipe.data
    record = json.loads((folder / "train.json").read_text(encoding="utf-8"))
    if isinstance(data, NameSet):
        tagger = loaded.head(TOKEN_CLASSIFICATION)
        learnt, held_out = (read_names(ASSETS / name) for name in (data.learnt, data.held_out))
        record["scores"] = {"names": measure_names(tagger, learnt, held_out)}
        pinned, card = golden_names(tagger, data.golden), names_card(recipe.name, data, record)
    elif isinstance(data, AnswerSet):
        finder = loaded.head(QUESTION_ANSWERING)
        record["scores"] = {"answers": measure_answers(finder, read_asked(ASSETS / data.held_out))}
        pinned, card = golden_answers(finder, data.golden), answers_card(recipe.name, data, record)
    else:
        record["scores"] = _scores(recipe, data, loaded, evaluation)
        pinned, card = golden(loaded, data.golden), model_card(recipe.name, data, record)
    write_json(folder / "train.json", record)
    write_json(folder / "golden.json", pinned)
    (folder / "README.md").write_text(card, encoding="utf-8")
    return record


def _scores(recipe: Recipe, data: LabelSet, loaded: Loaded, evaluation: Path) -> dict[str, Any]:
    train, dev = rows_of(data, evaluation)
    names = loaded.model.config.id2label
    labels = tuple(names[index] for index in range(len(names)))
    reader = Reader(loaded.text, loader().get(BY_NAME[recipe.base]).head(TOKEN_VECTORS).max_tokens)
    return {
        "everyday opinions": measure(loaded.model, reader, labels, train, everyday_opinions(data)),
        "dev.tsv": measure(loaded.model, reader, labels, train, dev) | {"set": data.name},
    }


def golden(loaded: Loaded, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Each text with every label's probability, to four places."""
    with torch.inference_mode():
        logits = [loaded.model(**inputs_of([text], loaded.text, loaded.model.device)).logits for text in texts]
    return [
        {"text": text, "probabilities": [round(value, 4) for value in row.softmax(dim=-1)[0].tolist()]}
        for text, row in zip(texts, logits, strict=True)
    ]


def measure(
    model: nn.Module, reader: Reader, labels: Sequence[str], train: Sequence[Example], dev: Sequence[Example]
) -> dict[str, Any]:
    """Scores on rows not used in training, beside those of a bag of words trained on the same rows."""
    predicted = predict(model, reader, dev)
    number = {label: index for index, label in enumerate(labels)}
    true, trained_on = ([number[example.label] for example in rows] for rows in (dev, train))
    scores = asdict(score_labels(true, predicted, trained_on, len(labels)))
    return scores | {"rows": len(dev), "tf_idf_logistic_regression": bag_of_words(train, dev)}


def predict(model: nn.Module, reader: Reader, rows: Sequence[Example]) -> list[int]:
    """The number of each row's most probable label; rows are cut to the window as in training."""
    device, answer = next(model.parameters()).device, [0] * len(rows)
    with torch.inference_mode():
        for batch in length_sorted_batches([len(row.text) for row in rows]):
            best = model(**reader.inputs([rows[index] for index in batch], device)).logits.argmax(dim=-1)
            for index, label in zip(batch, best.tolist(), strict=True):
                answer[index] = label
    return answer


def bag_of_words(train: Sequence[Example], test: Sequence[Example]) -> float:
    """Accuracy of a TF-IDF logistic regression trained on the same rows; on characters if words have no spaces."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    spaced = sum(" " in example.text for example in train) > len(train) / 2
    bag = TfidfVectorizer() if spaced else TfidfVectorizer(analyzer="char", ngram_range=(1, 2))
    peer = make_pipeline(bag, LogisticRegression(max_iter=1_000))
    peer.fit([example.text for example in train], [example.label for example in train])
    return float(peer.score([example.text for example in test], [example.label for example in test]))


def write(recipe: Recipe, base: Loaded, tuned: FineTuned, record: dict[str, Any], target: Path) -> None:
    """Write the change to the base's weights, config and record; the base's weights and tokenizer stay in place."""
    target.mkdir(parents=True, exist_ok=True)
    delta = make_delta(base.model.state_dict(), tuned.model.state_dict(), recipe.delta_rank, in_steps=recipe.in_steps)
    save_file(delta, target / "delta.safetensors", {"format": "pt", "scale": "1.0"})
    tuned.model.config.save_pretrained(target)
    write_json(target / "train.json", record)


def published_base(base: Loaded) -> Loaded:
    """A packaged encoder as its makers published it, without the change and heads added by this project."""
    weights = load_file(base.checkpoint.package.checked())
    plain = {name: weight.float() for name, weight in weights.items() if weight.is_floating_point()}
    base.model.base_model.load_state_dict(plain)
    return replace(base, heads=base.heads - {"masked_lm", "next_sentence"})


def sample(rows: list[Example], count: int, seed: int = 0) -> list[Example]:
    drawn = list(rows)
    random.Random(seed).shuffle(drawn)
    return drawn[:count]
