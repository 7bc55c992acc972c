"""Prompting at GPT-2 size against transformers in the same run: tokens, first token, labels.

`python -m tests.benchmarks.bench_prompting` prints ratios; the two alternate, medians are given. Both run with torch's
default threads. 124 M random weights write loops, in which every guess is right, so guessing is off for them. The gain
of guesses is measured on texts of smollm2-135m, if its package is installed. Needs the folder `shared` for the
vocabulary.
"""

from __future__ import annotations

import functools
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from tests.conftest import SHARED

TOKENS, STREAMS, ROUNDS = 40, 8, 3
# Tokens of the prompt: of what is written behind, reading it is a small part; of the other figures it is the question.
SHORT, LONG = 16, 120
PROMPT = "The old man walked slowly to the river and sat down to watch the boats go by. " * 6
TRAINED_PROMPTS = [
    "The old man walked slowly to the river and",
    "Water boils at a temperature of",
    "Once upon a time, in a small village near the sea,",
    "Dear Sir or Madam, I am writing to",
    "English: cheese\nFrench: fromage\nEnglish: bread\nFrench: pain\nEnglish: water\nFrench:",
    "The best way to learn a language is",
]
LABELS = ["sports", "politics", "business", "science", "health", "travel", "music", "food", "art", "law"]


def alternate(rounds: int, **runs: Callable[[], object]) -> dict[str, float]:
    """Median seconds of each, taking turns; each time in a thread of its own, as a server runs what it is asked."""
    times: dict[str, list[float]] = {name: [] for name in runs}

    def timed(name: str) -> None:
        began = time.perf_counter()
        runs[name]()
        times[name].append(time.perf_counter() - began)

    for _ in range(1 + rounds):
        for name in runs:
            thread = threading.Thread(target=timed, args=(name,))
            thread.start()
            thread.join()
    return {name: statistics.median(values[1:]) for name, values in times.items()}


def report(what: str, ours: float, theirs: float, unit: str, aim: str) -> None:
    """One line of the table; the ratio is ours to theirs."""
    print(
        f"{what:36} ours {ours:8.2f} {unit:9} theirs {theirs:8.2f} {unit:9} ratio {ours / theirs:6.2f}  {aim}",
        flush=True,
    )


def make_checkpoint(folder: Path) -> None:
    """A random GPT-2 with the published vocabulary, under its name."""
    from transformers import GPT2Config, GPT2LMHeadModel, GPT2TokenizerFast

    GPT2LMHeadModel(GPT2Config()).save_pretrained(folder / "gpt2")
    GPT2TokenizerFast.from_pretrained(SHARED / "vocab" / "gpt2").save_pretrained(folder / "gpt2")


def compare() -> None:
    """Measure all four figures."""
    import torch

    from app.engine.families.decoding.fp16_linear import halved
    from app.engine.families.decoding.streams import Streams
    from app.engine.runtime.openmp import end_helpers
    from app.results.prompting import Sampling
    from app.tasks.causal import load_causal
    from app.tasks.zero_shot.predict import zero_shot

    causal = load_causal("gpt2", "generate")
    causal.end_ids = frozenset()  # random weights may end a text early
    writer = halved(causal._decoder)
    small_streams = Streams(writer, causal.loaded.lock, writer)
    model, greedy = causal.loaded.model, Sampling(temperature=0)
    whole = causal.text.encode(PROMPT).input_ids
    ids, long_ids = whole[:SHORT], whole[:LONG]
    prompt, long_prompt = torch.tensor([ids]), torch.tensor([long_ids])

    def theirs() -> list[int]:
        with torch.inference_mode():
            written = model.generate(
                prompt, max_new_tokens=TOKENS, min_new_tokens=TOKENS, do_sample=False, pad_token_id=0
            )
        return written[0, len(ids) :].tolist()

    def ours() -> list[int]:
        return [step.token_id for step in causal.generate(ids, TOKENS, greedy)]

    def small() -> list[int]:
        return [step.token_id for step in small_streams.write(ids, TOKENS, greedy, frozenset())]

    def at_once(one: Callable[[], object] = ours) -> None:
        threads = [threading.Thread(target=one) for _ in range(STREAMS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def first() -> None:
        steps = causal.generate(long_ids, 1, greedy)
        next(steps)
        steps.close()

    def forward() -> None:
        with torch.inference_mode():
            model(long_prompt)

    assert ours() == theirs(), "the two must write the same text"
    end_helpers()  # of this thread, which only waits from here on
    small_at_once = functools.partial(at_once, small)
    took = alternate(ROUNDS, ours=ours, theirs=theirs, small=small, at_once=at_once, small_at_once=small_at_once)
    theirs_speed, all_tokens = TOKENS / took["theirs"], STREAMS * TOKENS
    report("tokens, one stream", TOKENS / took["ours"], theirs_speed, "tokens/s", "at least 1.30")
    report("... with smaller weights", TOKENS / took["small"], theirs_speed, "tokens/s", "at least 1.80")
    report(f"tokens, {STREAMS} streams to their one", all_tokens / took["at_once"], theirs_speed, "tokens/s", "")
    report("... with smaller weights", all_tokens / took["small_at_once"], theirs_speed, "tokens/s", "at least 6.00")
    took = alternate(ROUNDS, ours=first, theirs=forward)
    report("first token to one forward", took["ours"], took["theirs"], "s", "at most 1.20")

    text = causal.text.tokenizer.decode(long_ids[:110])
    template = "{text} The topic is"
    before = causal.text.encode(template.replace("{text}", text)).input_ids
    endings = [causal.text.encode(f" {label}").input_ids for label in LABELS]

    def full_passes() -> list[float]:
        sums = []
        with torch.inference_mode():
            for ending in endings:
                logits = model(torch.tensor([before + ending])).logits[0].log_softmax(-1)
                sums.append(sum(logits[len(before) - 1 + i, token].item() for i, token in enumerate(ending)))
        return sums

    def shared_prompt() -> list[float]:
        return [entry.log_probability for entry in zero_shot(text, LABELS, template, "gpt2", "sum").scores]

    apart = max(abs(one - other) for one, other in zip(shared_prompt(), full_passes(), strict=True))
    took = alternate(ROUNDS, ours=full_passes, theirs=shared_prompt)
    report(f"10 full passes to ours ({len(before)} tokens)", took["ours"], took["theirs"], "s", "at least 9.00")
    print(f"largest difference of a score: {apart:.1e} (at most 1e-4)")


def compare_trained() -> None:
    """Tokens a second of a trained model's own texts, which repeat themselves as texts do; the same tokens at 0."""
    import torch

    from app.engine.families.decoding.fp16_linear import halved
    from app.engine.families.decoding.streams import Streams
    from app.engine.runtime.openmp import end_helpers
    from app.results.prompting import Sampling
    from app.tasks.causal import load_causal

    causal = load_causal("smollm2-135m", "generate")
    model, end_ids = causal.loaded.model, frozenset()
    prompts = [causal.text.encode(prompt).input_ids for prompt in TRAINED_PROMPTS]
    writer = halved(causal._decoder)
    small_streams, streams = Streams(writer, causal.loaded.lock, writer), causal._streams

    def theirs(**how: object) -> list[int]:
        made = []
        for ids in prompts:
            with torch.inference_mode():
                given = torch.tensor([ids])
                limits = {"max_new_tokens": TOKENS, "min_new_tokens": TOKENS}
                made += model.generate(given, **limits, pad_token_id=0, **how)[0, len(ids) :].tolist()
        return made

    def ours(streams: Streams, sampling: Sampling) -> list[int]:
        return [step.token_id for ids in prompts for step in streams.write(ids, TOKENS, sampling, end_ids)]

    for what, sampling, how in (
        ("temperature 0", Sampling(temperature=0), {"do_sample": False}),
        ("0.8, top-p 0.9", Sampling(temperature=0.8, top_p=0.9), dict(do_sample=True, temperature=0.8, top_p=0.9)),
    ):
        if sampling.temperature == 0:
            assert ours(streams, sampling) == theirs(**how), "the two must write the same text"
        end_helpers()
        took = alternate(
            ROUNDS,
            theirs=functools.partial(theirs, **how),
            ours=functools.partial(ours, streams, sampling),
            small=functools.partial(ours, small_streams, sampling),
        )
        speed = {name: TOKENS * len(prompts) / seconds for name, seconds in took.items()}
        report(f"SmolLM2, {what}", speed["ours"], speed["theirs"], "tokens/s", "at least 1.30")
        report("... with smaller weights", speed["small"], speed["theirs"], "tokens/s", "at least 1.80")


def main() -> None:
    """Run the comparisons, those with random weights in a temporary folder."""
    os.environ["PLAYGROUND_PACKS"] = "1"  # tests do without
    from app.engine.families.decoding import streams
    from app.registry.lookup import BY_NAME, is_installed

    with tempfile.TemporaryDirectory() as folder, mock.patch.object(streams, "GUESSES", 0):
        os.environ["PLAYGROUND_MODELS"] = folder
        make_checkpoint(Path(folder))
        compare()
    if is_installed(BY_NAME["smollm2-135m"]):
        compare_trained()


if __name__ == "__main__":
    main()
