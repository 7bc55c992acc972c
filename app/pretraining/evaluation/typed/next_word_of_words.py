"""The next word in short sentences for a model of whole words (ELMo's forward half), beside counts of the same words.

No tab asks an ELMo for its next word, so this asks the model directly.
"""

from __future__ import annotations

import numpy as np
import torch

from app.models.elmo import ElmoForLanguageModeling, ElmoTokenizer
from app.models.elmo.tokenization import UNKNOWN_ID, split_words
from app.pretraining.data.corpus import Corpus
from app.pretraining.evaluation.baselines import CountingRivals
from app.pretraining.evaluation.masked_scores import Segment
from app.pretraining.evaluation.typed.words import Hidden, found


def typed_next_word_scores(
    model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, asked: list[Hidden], corpus: Corpus
) -> dict:
    """Shares of next words ranked first and among the first five; a word outside the softmax counts as not found.

    Args:
        model: read from the left; its softmax lists the tokenizer's words.
        tokenizer: the model's, with its vocabulary.
        asked: sentences; the model reads the words before the hidden one.
        corpus: the training text as vocabulary ids, with other words as the unknown one.
    """
    words = tokenizer.vocabulary or []
    before = [[word.text for word in split_words(one.sentence[: one.start])] for one in asked]
    ours = [five_next(model, tokenizer, row) for row in before]
    ranked = CountingRivals(corpus, len(words)).trigram([_as_segment(tokenizer.word_ids(row)) for row in before])
    return {
        "model": found([[words[number] for number in five] for five in ours], asked),
        "baselines": {
            "trigram (two words before)": found([[words[number] for number in five] for five in ranked], asked)
        },
    }


@torch.inference_mode()
def five_next(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, words: list[str]) -> list[int]:
    """Ids of the five likeliest next words, best first."""
    states = model.elmo(**tokenizer([words]), keep_boundaries=True).last_hidden_state
    from_left = states.chunk(2, dim=2)[0][0, len(words)]  # place 0 is the mark before the first word
    return model.softmax(from_left).topk(5).indices.tolist()


def _as_segment(ids: np.ndarray) -> Segment:
    """A segment whose last place but one is the place asked about; nothing looks at what comes after."""
    input_ids = np.append(np.asarray(ids, dtype=np.int64), [UNKNOWN_ID, UNKNOWN_ID])
    return Segment("", input_ids, np.array([len(ids)]), input_ids[-2:-1])
