"""Writes a trained run as a bundled checkpoint in Hub layout: float16 safetensors, tokenizer, `train.json`."""

from __future__ import annotations

import copy
import json
import platform
from pathlib import Path

import torch

from app.pretraining.corpus import LICENCES, corpus_files, sha256_of, stem
from app.pretraining.train import Run, State


def export(run: Run, state: State, corpus_folder: Path, target: Path) -> None:
    """Save the run's model into `target` (made if need be). Scores in an older `train.json` are dropped."""
    target.mkdir(parents=True, exist_ok=True)
    copy.deepcopy(run.model).cpu().half().save_pretrained(target)
    run.tokenizer.save_pretrained(target)
    files = corpus_files(corpus_folder, run.recipe.language)
    record = {
        "recipe": {field: getattr(run.recipe, field) for field in run.recipe.__dataclass_fields__},
        "corpus": [{"file": path.name, "sha256": sha256_of(path), "licence": LICENCES[stem(path)]} for path in files],
        "steps": state.steps,
        "tokens": state.tokens,
        "passes": state.maskings_done,
        "hours": round(state.seconds / 3600, 2),
        "hardware": torch.cuda.get_device_name() if run.device.type == "cuda" else _cpu_name(),
        "precision": str(run.precision).removeprefix("torch."),
        "parameters": sum(parameter.numel() for parameter in run.model.parameters()),
    }
    (target / "train.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _cpu_name() -> str:
    return f"{torch.get_num_threads()} thread(s) of a {platform.machine()} CPU"
