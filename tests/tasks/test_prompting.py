"""Next tokens and written texts against transformers: greedy texts, distributions, seeds, many at once, bad input."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.stats import chisquare
from transformers import (
    GPT2LMHeadModel,
    GPT2TokenizerFast,
    LogitsProcessorList,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from app.engine.families.decoding.sampling import adjust, draw
from app.engine.runtime.loader import load_head
from app.errors import PlaygroundError
from app.registry.checkpoint import CAUSAL_LM
from app.registry.lookup import find
from app.results.prompting import Sampling
from app.tasks.causal import check_sampling
from app.tasks.prompting.write import generate, generate_while, next_token, write

PROMPTS = [
    "The dog", "The cat ran away from", "I love you", "She opened the door and", "The soup is hot; the capital",
    "words and pieces", "a", "The dog barked at the cat, and the cat", "Résumé", "I", "playing, played,", "bank river",
    "Lima is the capital of Peru. The", "\na", "  two spaces", "He said: “no”", "1 2 3 4", "cat cat cat cat", "The 😀",
    "你好",
]  # fmt: skip


@pytest.fixture
def reference(tiny: Path) -> tuple[GPT2LMHeadModel, GPT2TokenizerFast]:
    """The same checkpoint in transformers."""
    return GPT2LMHeadModel.from_pretrained(tiny / "gpt2").eval(), GPT2TokenizerFast.from_pretrained(tiny / "gpt2")


@pytest.mark.parametrize("prompt", PROMPTS)
def test_greedy_texts_equal_those_of_transformers(reference: tuple, prompt: str) -> None:
    model, tokenizer = reference
    ids = tokenizer(prompt, return_tensors="pt").input_ids
    expected = model.generate(ids, max_new_tokens=30, do_sample=False, pad_token_id=0)[0, ids.shape[1] :].tolist()
    answered = generate(prompt, "gpt2", 30, 0)
    ends = model.config.eos_token_id in expected
    assert [token.token_id for token in answered.tokens] == [i for i in expected if i != model.config.eos_token_id]
    assert answered.stopped == ("end" if ends else "length")
    assert answered == generate(prompt, "gpt2", 30, 0)


def test_probabilities_and_ranks_equal_those_of_transformers(reference: tuple) -> None:
    model, tokenizer = reference
    answered = generate("The dog barked", "gpt2", 12, 1.3, seed=3)
    ids = tokenizer("The dog barked").input_ids
    for token in answered.tokens:
        with torch.inference_mode():
            own = model(torch.tensor([ids])).logits[0, -1].softmax(-1)
        assert token.probability == pytest.approx(own[token.token_id].item(), abs=1e-5)
        assert token.rank == 1 + int((own > own[token.token_id]).sum())
        ids.append(token.token_id)


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(), Sampling(temperature=0.7), Sampling(top_k=5), Sampling(top_p=0.6), Sampling(repetition_penalty=1.8),
        Sampling(2.0, 20, 0.8, 1.3), Sampling(0.2, 0, 0.95, 0.5), Sampling(1e-3, 3, 1.0, 1.0), Sampling(top_p=1e-6),
    ],
)  # fmt: skip
def test_adjusted_distributions_equal_those_of_transformers(sampling: Sampling) -> None:
    logits, seen = 3 * torch.randn(3_000, generator=torch.Generator().manual_seed(1)), [3, 5, 5, 2_999]
    processors = LogitsProcessorList()
    if sampling.repetition_penalty != 1:
        processors.append(RepetitionPenaltyLogitsProcessor(sampling.repetition_penalty))
    processors.append(TemperatureLogitsWarper(sampling.temperature))
    if sampling.top_k:
        processors.append(TopKLogitsWarper(sampling.top_k))
    if sampling.top_p < 1:
        processors.append(TopPLogitsWarper(sampling.top_p))
    expected = processors(torch.tensor([seen]), logits[None])[0].softmax(-1)
    assert adjust(logits, sampling, seen) == pytest.approx(expected, abs=1e-6)


def test_a_flat_distribution_keeps_more_than_the_guess_for_top_p() -> None:
    logits = torch.linspace(0, 0.1, 50_000)
    expected = TopPLogitsWarper(0.9)(None, logits[None])[0].softmax(-1)
    kept = adjust(logits, Sampling(top_p=0.9), [0])
    assert abs(int((kept > 0).sum()) - int((expected > 0).sum())) <= 2  # sums of 50,000 parts end a piece apart
    assert kept == pytest.approx(expected, abs=1e-7)


def test_draws_follow_the_distribution() -> None:
    known = torch.tensor([0.4, 0.25, 0.0, 0.15, 0.1, 0.06, 0.04])
    drawn = Counter(draw(known, torch.Generator().manual_seed(seed)) for seed in range(2_000))
    assert drawn[2] == 0
    kept = [index for index in range(7) if index != 2]
    assert chisquare([drawn[index] for index in kept], [2_000 * known[index].item() for index in kept]).pvalue > 0.01


@pytest.mark.slow
def test_seeded_requests_follow_the_next_token_distribution(tiny: Path) -> None:
    candidates = next_token("The dog", "gpt2", 1000).candidates
    drawn = Counter(generate("The dog", "gpt2", 1, seed=seed).tokens[0].token_id for seed in range(2_000))
    large = [entry for entry in candidates if entry.probability * 2_000 >= 5]
    seen = [drawn[entry.token_id] for entry in large]
    expected = [2_000 * entry.probability for entry in large]
    assert chisquare([*seen, 2_000 - sum(seen)], [*expected, 2_000 - sum(expected)]).pvalue > 0.01


def test_twenty_seeded_requests_at_once_equal_the_same_one_by_one(tiny: Path) -> None:
    def ask(seed: int) -> list[int]:
        prompt = PROMPTS[seed % len(PROMPTS)]
        return [token.token_id for token in generate(prompt, "gpt2", 25, 1.2, 50, 0.95, 1.1, seed).tokens]

    serial = [ask(seed) for seed in range(20)]
    with ThreadPoolExecutor(20) as threads:
        assert list(threads.map(ask, range(20))) == serial
    assert len({tuple(tokens) for tokens in serial}) > 15


def test_a_batch_gives_what_single_passes_give(reference: tuple) -> None:
    from app.engine.families.decoding.decoder import Row
    from app.engine.families.gpt2 import gpt2_decoder

    model, tokenizer = reference
    decoder = gpt2_decoder(model)
    texts = ["a cat", "The dog barked at the cat, and the cat ran away.", "I"]
    with torch.inference_mode():
        rows = [Row(tokenizer(text).input_ids, decoder.cache()) for text in texts]
        together = decoder.head(decoder.run(rows)).split([len(row.input_ids) for row in rows])
        for text, logits in zip(texts, together, strict=True):
            assert torch.allclose(logits, model(torch.tensor([tokenizer(text).input_ids])).logits[0], atol=1e-4)


def test_next_token(reference: tuple) -> None:
    model, tokenizer = reference
    answered = next_token("The dog", "gpt2", 7, 0.5, 0.8)
    with torch.inference_mode():
        logits = model(tokenizer("The dog", return_tensors="pt").input_ids).logits[0, -1]
    best = logits.softmax(-1).topk(7)
    assert [entry.token_id for entry in answered.candidates] == best.indices.tolist()
    assert [entry.probability for entry in answered.candidates] == pytest.approx(best.values.tolist(), abs=1e-6)
    expected = TopPLogitsWarper(0.8)(None, TemperatureLogitsWarper(0.5)(None, logits[None]))[0].softmax(-1)
    got = [entry.adjusted_probability for entry in answered.candidates]
    assert got == pytest.approx(expected[best.indices].tolist(), abs=1e-6)
    assert next_token("The dog", "gpt2", 2, 0).candidates[0].adjusted_probability == 1.0


def test_the_window_bounds_prompt_and_new_tokens(tiny: Path) -> None:
    prompt = "a" * 1_020
    assert len(load_head(find("gpt2", "generate"), CAUSAL_LM).text.encode(prompt).input_ids) == 1_020
    answered = generate(prompt, "gpt2", 50, 0)
    assert answered.stopped in ("window", "end") and len(answered.tokens) <= 4
    assert generate("a" * 1_023, "gpt2", 1, 0).stopped in ("length", "end")
    with pytest.raises(PlaygroundError) as caught:
        generate("a" * 1_024, "gpt2", 1, 0)
    assert caught.value.key == "too_long.tokens" and caught.value.values == {"count": 1_024, "limit": 1_023}


def test_a_reader_who_leaves_stops_the_model(tiny: Path) -> None:
    causal = load_head(find("gpt2", "generate"), CAUSAL_LM)
    steps = causal.generate([1, 2, 3], 900, check_sampling(1.0, 0, 1.0, 1.0, 0))
    next(steps)
    steps.close()
    for _ in range(100):
        if causal._streams.running() == 0:
            break
        torch.rand(1_000_000)
    assert causal._streams.running() == 0


def test_writing_ends_when_nobody_waits(tiny: Path) -> None:
    asked = iter([True] * 5 + [False] * 2_000)
    assert len(generate_while(lambda: next(asked), "The dog", "gpt2", 900, 0.9).tokens) <= 5


@pytest.mark.slow
def test_writings_grow_by_whole_characters(published: Path) -> None:
    *_, last = write("The 😀", "gpt2", 60, Sampling(temperature=1.5, seed=4))
    grown = list(write("The 😀", "gpt2", 60, Sampling(temperature=1.5, seed=4)))
    assert last == grown[-1] and grown[0].pieces == []
    for before, after in pairwise(grown):
        assert after.pieces[: len(before.pieces)] == before.pieces
        assert "\ufffd" not in "".join(piece.text for piece in after.pieces)
    whole = b"".join(bytes.fromhex(piece.content) for piece in last.pieces)
    assert len(last.tokens) == 60 and len(whole) >= 60
    assert [piece.first for piece in last.pieces] == list(np.cumsum([0, *(len(p.tokens) for p in last.pieces)])[:-1])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("",), "empty_text"),
        (("  \n",), "empty_text"), ((None,), "bad_value"), (("word " * 2_000, "gpt2"), "too_long"),
        (("a", "gpt2", 40, -1), "bad_value"), (("a", "gpt2", 40, float("nan")), "bad_value"),
        (("a", "gpt2", 40, "hot"), "bad_value"), (("a", "gpt2", 40, 1.0, -1), "bad_value"),
        (("a", "gpt2", 40, 1.0, 10**9), "bad_value"), (("a", "gpt2", 40, 1.0, 0, 0), "bad_value"),
        (("a", "gpt2", 40, 1.0, 0, 1.1), "bad_value"), (("a", "gpt2", 40, 1.0, 0, 1.0, 0), "bad_value"),
        (("a", "gpt2", 40, 1.0, 0, 1.0, 1.0, -1), "bad_value"), (("a", "gpt2", 10**6), "bad_value"),
        (("a", "gpt2", 0), "bad_value"), (("a", "gpt2", None), "bad_value"), (("a", "nope"), "unknown_model"),
        (("a", "bert-mini"), "wrong_model"), (("x" * 100_000, "gpt2"), "too_long"),
    ],
)  # fmt: skip
def test_bad_input_gets_its_code(tiny: Path, arguments: tuple, code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        generate(*arguments)
    assert caught.value.code == code


def test_next_token_refuses_what_generate_refuses(tiny: Path) -> None:
    for arguments in (("a", "gpt2", 0), ("a", "gpt2", 10**9), ("a", "gpt2", 5, -1), ("a", "gpt2", 5, 1.0, 0)):
        with pytest.raises(PlaygroundError) as caught:
            next_token(*arguments)
        assert caught.value.code == "bad_value"


@pytest.mark.slow
def test_control_tokens_that_are_typed_are_text(published: Path) -> None:
    causal = load_head(find("gpt2", "generate"), CAUSAL_LM)
    assert causal.text.encode("<|endoftext|>").input_ids != [causal.text.begin_id]
    assert next_token("<|endoftext|>", "gpt2", 3).candidates
