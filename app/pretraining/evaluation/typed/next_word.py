"""The next word in short sentences, asked the way the page asks, beside counts of the same pieces."""

from __future__ import annotations

from pathlib import Path

from transformers import PreTrainedTokenizerFast

from app.pretraining.data.corpus import Corpus
from app.pretraining.evaluation.baselines import CountingRivals
from app.pretraining.evaluation.typed.words import Hidden, counted, found, typed_chinese, typed_sentences
from app.tasks.prompting.write import next_token

# Minimum words before the hidden one; in Chinese, characters.
BEFORE = 3


def typed_prompts(valid: Path, language: str) -> list[Hidden]:
    """The typed sentences with at least three words before the hidden one: the model reads only those."""
    if language == "zh":
        return [one for one in typed_chinese(valid)["one character"] if one.start >= BEFORE]
    return [one for one in typed_sentences(valid) if len(one.sentence[: one.start].split()) >= BEFORE]


def typed_next_scores(model: str, asked: list[Hidden], tokenizer: PreTrainedTokenizerFast, corpus: Corpus) -> dict:
    """Shares of next words ranked first and among the first five; a word of several pieces counts as not found."""
    answers = [
        [candidate.token.strip() for candidate in next_token(one.sentence[: one.start].rstrip(), model, 5).candidates]
        for one in asked
    ]
    trigram = counted(CountingRivals(corpus, len(tokenizer)).trigram, asked, tokenizer)
    return {"model": found(answers, asked), "baselines": {"trigram (two pieces before)": trigram}}
