"""BERT's corruption of a text, drawn repeatedly: 15 % of the tokens, of these 80 / 10 / 10.

Static masking fixes ten copies when the data are prepared (Devlin et al. 2018); dynamic masking draws again at every
pass (Liu et al. 2019, arXiv 1907.11692, section 4.1). Knows tokens and a random generator; no model is run.
"""

from __future__ import annotations

import random

from app.engine.runtime.vocabulary import Vocabulary, load_vocabulary
from app.engine.text.text_tokenizer import Encoded, clean
from app.registry.lookup import find
from app.results.attention import MaskDraw, MaskingResult
from app.tasks.checks import check_text, check_tokens, check_whole_number

SHARE, MASK_SHARE, RANDOM_SHARE = 0.15, 0.8, 0.1
COPIES, EPOCHS = 10, 40
MOST_TOKENS = 512
MOST_SEED = 2**31 - 1


def draw_masks(text: str, model: str = "", seed: int = 0) -> MaskingResult:
    """Corrupt a text for every epoch, in both ways.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `model_unavailable`.
    """
    text = clean(check_text(text))
    seed = check_whole_number(seed, "seed", 0, MOST_SEED)
    checkpoint = find(model, "fill_mask", text)
    vocabulary = load_vocabulary(checkpoint)
    encoded = vocabulary.text.encode(text)
    check_tokens(len(encoded.input_ids), MOST_TOKENS)
    source = random.Random(seed)
    copies = [draw(encoded, vocabulary, source) for _ in range(COPIES)]
    return MaskingResult(
        model=checkpoint.name,
        tokens=[vocabulary.text.show(token_id) for token_id in encoded.input_ids],
        special=[span is None for span in encoded.offsets],
        static=[copies[epoch % COPIES] for epoch in range(EPOCHS)],
        dynamic=[draw(encoded, vocabulary, source) for _ in range(EPOCHS)],
        copies=COPIES,
    )


def draw(encoded: Encoded, vocabulary: Vocabulary, source: random.Random) -> MaskDraw:
    """One corruption: 15 % of the tokens that are not special, at least one if there are any."""
    text = vocabulary.text
    ordinary = [index for index, span in enumerate(encoded.offsets) if span is not None]
    count = min(len(ordinary), max(1, round(SHARE * len(ordinary))))
    actions = [""] * len(encoded.input_ids)
    shown = [text.show(token_id) for token_id in encoded.input_ids]
    for index in source.sample(ordinary, count):
        chance = source.random()
        if chance < MASK_SHARE:
            actions[index], shown[index] = "mask", text.mask_token or ""
        elif chance < MASK_SHARE + RANDOM_SHARE:
            actions[index], shown[index] = "random", text.show(_any_piece(vocabulary, source))
        else:
            actions[index] = "kept"
    return MaskDraw(actions, shown)


def _any_piece(vocabulary: Vocabulary, source: random.Random) -> int:
    while True:
        token_id = source.randrange(vocabulary.size)
        if token_id not in vocabulary.text.special_ids:
            return token_id
