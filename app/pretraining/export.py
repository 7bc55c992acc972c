"""Writes a trained run as a bundled checkpoint in Hub layout: float16 safetensors, tokenizer, `train.json`."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from pathlib import Path

import torch

from app.pretraining.cards.model_card import write_card
from app.pretraining.data.corpus import corpus_record, training_files
from app.pretraining.train import Run
from app.pretraining.training_state import State


def export(run: Run, state: State, corpus_folder: Path, target: Path) -> None:
    """Save the run's model into `target` (created if missing). Scores in an older `train.json` are dropped."""
    target.mkdir(parents=True, exist_ok=True)
    run.family.save(run.model, run.tokenizer, target)
    _pack(target / "tokenizer.json")
    files = training_files(corpus_folder, run.recipe.language, run.recipe.everyday_passes)
    record = {
        "recipe": asdict(run.recipe),
        "corpus": corpus_record(files),
        "steps": state.steps,
        "cycles": state.cycles,
        "tokens": state.tokens,
        "passes": state.maskings_done,
        "hours": round(state.seconds / 3600, 2),
        "hardware": torch.cuda.get_device_name() if run.device.type == "cuda" else _cpu_name(),
        "precision": state.precision,
        "parameters": sum(parameter.numel() for parameter in run.model.parameters()),
        "trained_parameters": sum(p.numel() for p in run.model.parameters() if p.requires_grad),
    }
    (target / "train.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    write_card(target, record)


def _pack(file: Path) -> None:
    """Rewrite JSON without the whitespace that makes up half of a vocabulary file."""
    if file.is_file():
        content = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _cpu_name() -> str:
    return f"{torch.get_num_threads()} thread(s) of a {platform.machine()} CPU"
