"""Trains one recipe, from nothing or from where it was stopped.

Everything of a run lies in its work folder: the tokenizer, the tokenised text and `state.pt` (weights, optimizer,
position in the text). Stop it at any time and call it again.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from tqdm import tqdm
from transformers import AutoTokenizer, BertConfig, BertForPreTraining, PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.corpus import Corpus, corpus_files, load_or_tokenise
from app.pretraining.objectives import PairBatch, SpecialIds, masked_pairs
from app.pretraining.recipes import Recipe
from app.pretraining.tokenizers import train_wordpiece
from app.training.trainer import Budget, Loop, Progress, parameter_groups

SAVE_EVERY_SECONDS = 120.0


@dataclass
class State:
    """Where a run stands; what `state.pt` holds beside the weights."""

    maskings_done: int = 0  # whole passes over the text
    batches_done: int = 0  # of the present pass
    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0  # of training, over all runs
    plan_start: float = 0.0  # `seconds` when the present learning-rate cycle began
    plan_seconds: float = 0.0  # length of the present cycle; 0 = the last one was finished
    loss: float = 0.0


@dataclass(frozen=True)
class Run:
    """One training run with all it needs."""

    recipe: Recipe
    work: Path
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerFast
    device: torch.device
    precision: torch.dtype


def special_ids(tokenizer: PreTrainedTokenizerFast) -> SpecialIds:
    """The ids the objectives need."""
    return SpecialIds(
        tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.mask_token_id, tokenizer.pad_token_id, len(tokenizer)
    )


def load_or_train_tokenizer(recipe: Recipe, files: list[Path], folder: Path) -> PreTrainedTokenizerFast:
    """The recipe's tokenizer, trained on first use."""
    if not (folder / "tokenizer.json").exists():
        train_wordpiece(files, recipe.vocab_size).save_pretrained(folder)
    return AutoTokenizer.from_pretrained(folder)


def build_model(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A new model with random weights from the recipe's seed."""
    torch.manual_seed(recipe.seed)
    config = BertConfig(vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id, **recipe.config)
    return BertForPreTraining(config)


def pair_loss(model: BertForPreTraining, batch: PairBatch, device: torch.device, precision: torch.dtype) -> Tensor:
    """Masked-LM loss plus next-sentence loss. The vocabulary head runs at the masked positions only."""
    arrays = {name: torch.from_numpy(getattr(batch, name)).to(device) for name in PairBatch.__dataclass_fields__}
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
        output = model.bert(
            input_ids=arrays["input_ids"],
            attention_mask=arrays["attention_mask"],
            token_type_ids=arrays["token_type_ids"],
        )
        hidden = output.last_hidden_state.flatten(0, 1)[arrays["masked_positions"]]  # [masked, hidden]
        prediction_logits = model.cls.predictions(hidden)  # [masked, vocab]
        relationship_logits = model.cls.seq_relationship(output.pooler_output)  # [batch, 2]
    masked = nn.functional.cross_entropy(prediction_logits.float(), arrays["masked_labels"])
    labels = arrays["next_sentence_label"]
    pairs = (labels >= 0).sum().clamp(min=1)
    follows = nn.functional.cross_entropy(relationship_logits.float(), labels, reduction="sum") / pairs
    return masked + follows


def batches_from(run: Run, corpus: Corpus, state: State) -> Iterator[PairBatch]:
    """Batches without end, starting where `state` stands; keeps `state` up to date."""
    special = special_ids(run.tokenizer)
    while True:
        one_pass = masked_pairs(
            corpus,
            special,
            copy=state.maskings_done % run.recipe.maskings,
            seed=run.recipe.seed,
            lengths=run.recipe.lengths,
            tokens_per_batch=run.recipe.tokens_per_batch,
        )
        for batch in itertools.islice(one_pass, state.batches_done, None):
            yield batch
            state.batches_done += 1
        state.maskings_done, state.batches_done = state.maskings_done + 1, 0


def faster_precision(model: PreTrainedModel, batch: PairBatch, device: torch.device) -> torch.dtype:
    """bfloat16 arithmetic where a timed step says that it helps (GPUs, CPUs with AMX), else float32."""
    best = {}
    for precision in (torch.float32, torch.bfloat16):
        for repeat in range(3):  # the first one warms up
            started = time.perf_counter()
            pair_loss(model, batch, device, precision).backward()
            if device.type == "cuda":
                torch.cuda.synchronize()
            seconds = time.perf_counter() - started
            best[precision] = seconds if repeat < 2 else min(best[precision], seconds)
        model.zero_grad(set_to_none=True)
    return min(best, key=best.__getitem__)


def train(recipe: Recipe, corpus_folder: Path, work: Path, minutes: float, device: torch.device) -> tuple[Run, State]:
    """Train for some minutes, or go on with a run that was stopped.

    Args:
        recipe: what to train.
        corpus_folder: folder with `en/*.txt.xz` and `zh/*.txt.xz`.
        work: folder of this run; made if need be.
        minutes: length of a new learning-rate cycle. A cycle that was stopped is finished first, whatever is given.
        device: where to train.

    Returns:
        The run with the trained model in it, and where it stands.
    """
    files = corpus_files(corpus_folder, recipe.language)
    tokenizer = load_or_train_tokenizer(recipe, files, work / "tokenizer")
    corpus = load_or_tokenise(files, tokenizer.backend_tokenizer, work / "tokens.npz")
    model = build_model(recipe, tokenizer).to(device).train()
    optimizer = torch.optim.AdamW(
        parameter_groups(model, recipe.weight_decay), lr=recipe.learning_rate, betas=(0.9, 0.98), eps=1e-6, fused=True
    )
    state = load_state(work / "state.pt", model, optimizer)
    if not state.plan_seconds:
        state.plan_start, state.plan_seconds = state.seconds, minutes * 60
    precision = faster_precision(model, next(batches_from_copy(recipe, corpus, tokenizer)), device)
    run = Run(recipe, work, model, tokenizer, device, precision)
    _run_loop(run, corpus, optimizer, state)
    return run, state


def batches_from_copy(recipe: Recipe, corpus: Corpus, tokenizer: PreTrainedTokenizerFast) -> Iterator[PairBatch]:
    """The first masking, for a trial step."""
    return masked_pairs(
        corpus, special_ids(tokenizer), copy=0, seed=recipe.seed, lengths=recipe.lengths[:1],
        tokens_per_batch=recipe.tokens_per_batch,
    )


def _run_loop(run: Run, corpus: Corpus, optimizer: torch.optim.Optimizer, state: State) -> None:
    before = State(**vars(state))
    bar = tqdm(total=state.plan_seconds, initial=state.seconds - state.plan_start, unit="s", desc=run.recipe.name)
    saved_at = time.perf_counter()

    def on_progress(progress: Progress) -> None:
        nonlocal saved_at
        state.steps, state.tokens = before.steps + progress.step, before.tokens + progress.units
        state.seconds, state.loss = before.seconds + progress.seconds, progress.loss
        bar.n = round(state.seconds - state.plan_start, 1)
        bar.set_postfix_str(
            f"step {state.steps}, {state.tokens / 1e6:.2f} M tokens, loss {progress.loss:.3f}, "
            f"{progress.units_per_second:.0f} tokens/s, {progress.seconds_left / 60:.0f} min left",
        )
        if time.perf_counter() - saved_at > SAVE_EVERY_SECONDS:
            save_state(run.work / "state.pt", run.model, optimizer, state)
            saved_at = time.perf_counter()

    Loop(
        loss_of=lambda batch: pair_loss(run.model, batch, run.device, run.precision),
        optimizer=optimizer,
        budget=Budget(seconds=state.plan_seconds, seconds_before=state.seconds - state.plan_start),
        count_units=lambda batch: batch.tokens,
        on_progress=on_progress,
    ).run(batches_from(run, corpus, state))
    bar.close()
    state.plan_seconds = 0.0
    save_state(run.work / "state.pt", run.model, optimizer, state)


def save_state(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, state: State) -> None:
    """Write the run's state; the old file stays whole until the new one is."""
    content = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "state": vars(state)}
    torch.save(content, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def load_state(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> State:
    """Load a run's state into model and optimizer; a new state where there is none."""
    if not path.exists():
        return State()
    content = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(content["model"])
    optimizer.load_state_dict(content["optimizer"])
    return State(**content["state"])
