"""Trains one recipe, from scratch or from where it was stopped.

A run keeps everything in its work folder: the tokenizer, the tokenised text and `state.pt` (weights, optimizer,
position in the text). It can be stopped at any time and called again. `families` has what differs between checkpoints.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor
from tqdm import tqdm
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.data.corpus import Corpus, load_or_make, training_files
from app.pretraining.families import family_of
from app.pretraining.families.family import Batch, Family
from app.pretraining.recipes import Recipe
from app.pretraining.training_state import State, load_state, save_state
from app.training.muon import Muon
from app.training.trainer import Budget, Loop, Progress

SAVE_EVERY_SECONDS = 120.0


@dataclass(frozen=True)
class Run:
    """One training run with everything it needs."""

    family: Family
    work: Path
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerFast
    device: torch.device
    precision: torch.dtype

    @property
    def recipe(self) -> Recipe:
        return self.family.recipe


def load_or_make_tokenizer(family: Family, files: list[Path], folder: Path) -> PreTrainedTokenizerFast:
    """The recipe's tokenizer, made on first use."""
    if not (folder / "tokenizer_config.json").exists():
        family.make_tokenizer(files).save_pretrained(folder)
    return family.load_tokenizer(folder)


def prepare(recipe: Recipe, work: Path, files: list[Path], device: torch.device) -> tuple[Run, torch.optim.Optimizer]:
    """Tokenizer, model and optimizer of a run, before the first step."""
    family = family_of(recipe)
    tokenizer = load_or_make_tokenizer(family, files, work / "tokenizer")
    model = family.build_model(tokenizer).to(device).train()
    groups = family.parameter_groups(model)
    if any(group.get("orthogonal") for group in groups):
        optimizer: torch.optim.Optimizer = Muon(groups, recipe.learning_rate)
    else:
        optimizer = torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.98), eps=1e-6, fused=True)
    return Run(family, work, model, tokenizer, device, torch.float32), optimizer


def train(
    recipe: Recipe,
    corpus_folder: Path,
    work: Path,
    minutes: float,
    device: torch.device,
    *,
    rate: float = 1.0,
    steps: int | None = None,
    stop_after: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
    bundle: Path | None = None,
) -> tuple[Run, State]:
    """Train for some minutes, or resume a stopped run.

    Args:
        recipe: what to train.
        corpus_folder: folder with `en/*.txt.xz` and `zh/*.txt.xz`.
        work: folder of this run; created if missing.
        minutes: length of a new learning-rate cycle. A stopped cycle is finished first, whatever is given.
        device: where to train.
        rate: factor on the recipe's learning rates; a short later cycle needs less than the first.
        steps: length of a new cycle in steps instead of minutes.
        stop_after: stop after this many steps and keep the rest of the cycle for the next call.
        clock: measures `minutes`; `time.process_time` on a machine that others use too.
        bundle: an exported checkpoint to continue from if `work` holds no run yet.

    Returns:
        The run with the trained model, and its state.
    """
    files = training_files(corpus_folder, recipe.language, recipe.everyday_passes)
    new = not (work / "state.pt").exists()
    if bundle and new and (bundle / "tokenizer_config.json").exists():
        family_of(recipe).load_tokenizer(bundle).save_pretrained(work / "tokenizer")
    run, optimizer = prepare(recipe, work, files, device)
    family = run.family
    if bundle and new:
        family.take_over(run.model, bundle)
        save_state(work / "state.pt", run.model, optimizer, state_of_bundle(bundle))
    corpus = load_or_make(work / "tokens.npz", lambda: family.tokenise(files, run.tokenizer))
    state = load_state(work / "state.pt", run.model, optimizer)
    if recipe.start_vectors and not state.steps:
        family.give_start(run.model, corpus, work / "vectors.npy")
    state.begin_cycle(minutes, steps, rate)
    trial = next(family.batches(corpus, run.tokenizer, 0))
    run = replace(run, precision=faster_precision(run, trial))
    state.precision = str(run.precision).removeprefix("torch.")
    for group in optimizer.param_groups:
        group["lr"] *= state.plan_rate
    _run_loop(run, corpus, optimizer, state, stop_after, clock)
    return run, state


def state_of_bundle(bundle: Path) -> State:
    """The state of a run that continues from an exported checkpoint; its counts of training continue too.

    A bundle lacks the optimizer's moments, which build up again while the rate warms up.
    """
    record = json.loads((bundle / "train.json").read_text(encoding="utf-8"))
    seconds = sum(cycle["seconds"] for cycle in record["cycles"])
    return State(
        maskings_done=record["passes"] + 1,
        steps=record["steps"],
        tokens=record["tokens"],
        seconds=seconds,
        cycles=record["cycles"],
    )


def restore(recipe: Recipe, corpus_folder: Path, work: Path, device: torch.device) -> tuple[Run, State]:
    """A run restored from its `state.pt`, without training."""
    files = training_files(corpus_folder, recipe.language, recipe.everyday_passes)
    run, optimizer = prepare(recipe, work, files, device)
    return run, load_state(work / "state.pt", run.model, optimizer)


def batches_from(run: Run, corpus: Corpus, state: State) -> Iterator[Batch]:
    """Endless batches, starting where `state` stands; each counts as done when it is handed out."""
    while True:
        one_pass = run.family.batches(corpus, run.tokenizer, state.maskings_done % run.recipe.maskings)
        for batch in itertools.islice(one_pass, state.batches_done, None):
            state.batches_done += 1
            yield batch
        state.maskings_done, state.batches_done = state.maskings_done + 1, 0


def loss_of(run: Run, batch: Batch, precision: torch.dtype) -> Tensor:
    """The loss of one batch, computed by the recipe's family."""
    return run.family.loss(run.model, batch, run.device, precision)


def faster_precision(run: Run, batch: Batch) -> torch.dtype:
    """bfloat16 if a timed step shows that it is faster (GPUs, CPUs with AMX), else float32."""
    best = {}
    for precision in (torch.float32, torch.bfloat16):
        for repeat in range(3):  # the first one is a warm-up
            started = time.perf_counter()
            loss_of(run, batch, precision).backward()
            if run.device.type == "cuda":
                torch.cuda.synchronize()
            seconds = time.perf_counter() - started
            best[precision] = seconds if repeat < 2 else min(best[precision], seconds)
        run.model.zero_grad(set_to_none=True)
    return min(best, key=best.__getitem__)


def _run_loop(
    run: Run,
    corpus: Corpus,
    optimizer: torch.optim.Optimizer,
    state: State,
    stop_after: int | None,
    clock: Callable[[], float],
) -> None:
    before = replace(state)
    bar = tqdm(total=state.plan_seconds or None, unit="s", desc=run.recipe.name, mininterval=1.0)
    saved_at = time.perf_counter()

    def on_progress(progress: Progress) -> bool:
        nonlocal saved_at
        state.steps, state.tokens = before.steps + progress.step, before.tokens + progress.units
        state.seconds, state.loss = before.seconds + progress.seconds, progress.loss
        _show(bar, state, progress)
        if time.perf_counter() - saved_at > SAVE_EVERY_SECONDS:
            save_state(run.work / "state.pt", run.model, optimizer, state)
            saved_at = time.perf_counter()
        return progress.step == stop_after

    last = Loop(
        loss_of=lambda batch: loss_of(run, batch, run.precision),
        optimizer=optimizer,
        budget=_budget(state),
        count_units=lambda batch: batch.tokens,
        on_progress=on_progress,
        clock=clock,
    ).run(batches_from(run, corpus, state))
    bar.close()
    if last is None or last.fraction >= 1.0:
        state.end_cycle()
    save_state(run.work / "state.pt", run.model, optimizer, state)


def _budget(state: State) -> Budget:
    return Budget(
        steps=state.plan_steps or None,
        seconds=state.plan_seconds or None,
        steps_before=state.steps - state.plan_start_step,
        seconds_before=state.seconds - state.plan_start,
    )


def _show(bar: tqdm, state: State, progress: Progress) -> None:
    bar.set_postfix_str(
        f"step {state.steps}, {state.tokens / 1e6:.2f} M tokens, loss {progress.loss:.3f}, "
        f"{progress.units_per_second:.0f} tokens/s, {progress.seconds_left / 60:.0f} min left",
        refresh=False,
    )
    bar.update(round(state.seconds - state.plan_start, 1) - bar.n)
