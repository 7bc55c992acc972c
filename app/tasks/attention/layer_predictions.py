"""When does the model know? The vocabulary head applied to every layer, at each mask or each place of a causal model.

The "logit lens" (nostalgebraist 2020). The head was trained on the last layer only, so its output for lower layers is
an interpretation, not the model's own answer.
"""

from __future__ import annotations

import numpy as np

from app.engine.base import Layered, MaskedRow
from app.engine.heads import CAUSAL_LM, MASKED_LM
from app.engine.runtime.loader import load_head
from app.engine.runtime.zero_gpu import uses_card
from app.engine.text.text_tokenizer import Encoded
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.attention import Followed, LayerAnswer, LayerPredictionsResult, PieceProbability
from app.results.expressions.blank import BLANK
from app.settings import settings
from app.tasks.checks import check_text, check_tokens, check_whole_number
from app.tasks.fill_mask.question import MAX_MASKS, top_ids

# Every layer gives a full distribution at every place; 128 x 50,257 floats are 26 MB.
MOST_PLACES = 128


@uses_card
def layer_predictions(text: str, model: str = "", top_k: int = 5) -> LayerPredictionsResult:
    """What each layer would put at the masks; see `/layer_predictions`.

    A causal model (GPT-2) predicts the next token at every token.

    Raises:
        PlaygroundError: `empty_text`, `no_mask`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`,
            `missing_head`, `model_unavailable`.
    """
    check_text(text)
    top_k = check_whole_number(top_k, "top_k", 1, settings().max_top_k)
    checkpoint = find(model, "layer_predictions", text)
    causal = CAUSAL_LM in checkpoint.heads
    if not causal:
        _check_masks(text)
    language_model: Layered = load_head(checkpoint, CAUSAL_LM) if causal else load_head(checkpoint, MASKED_LM)
    encoded, places = _causal(language_model, text) if causal else _masked(language_model, text)
    row = MaskedRow(encoded.input_ids, encoded.token_type_ids, places)
    answers, followed = _ask(language_model, row, top_k)
    return LayerPredictionsResult(
        checkpoint.name, language_model.checkpoint.revision, language_model.text.tokens(encoded), answers, followed
    )


def _check_masks(text: str) -> None:
    masks = len(BLANK.findall(text))
    if not masks:
        raise PlaygroundError("no_mask")
    if masks > MAX_MASKS:
        raise PlaygroundError("too_long", "masks", count=masks, limit=MAX_MASKS)


def _masked(model: Layered, text: str) -> tuple[Encoded, list[int]]:
    encoded = model.text.encode(text)
    check_tokens(len(encoded.input_ids), model.max_tokens)
    return encoded, encoded.mask_indices


def _causal(model: Layered, text: str) -> tuple[Encoded, list[int]]:
    encoded = model.text.prompt(text)
    if all(side is None for side in encoded.sequence_ids):
        raise PlaygroundError("empty_text", "no_tokens")
    if len(encoded.input_ids) > MOST_PLACES:
        raise PlaygroundError("too_long", "places", count=len(encoded.input_ids), limit=MOST_PLACES)
    return encoded, list(range(len(encoded.input_ids)))


def _ask(model: Layered, row: MaskedRow, top_k: int) -> tuple[list[LayerAnswer], list[Followed]]:
    """Go down the layers, following the last layer's favourites to the bottom."""
    answers: list[list[list[PieceProbability]]] = []  # [layer from the top][place][candidate]
    favourites: list[list[int]] = []  # [place][candidate]
    fared: list[np.ndarray] = []  # [layer from the top] of [place, candidate]
    for distributions in model.layer_log_probabilities(row):  # [place, vocabulary]
        best = [top_ids(distribution, top_k) for distribution in distributions]
        favourites = favourites or best
        pairs = list(zip(distributions, best, strict=True))
        answers.append([_pieces(model, distribution, ids) for distribution, ids in pairs])
        fared.append(np.exp(np.take_along_axis(distributions, np.array(favourites), axis=-1)))
    layers = [LayerAnswer(layer, masks) for layer, masks in enumerate(reversed(answers))]
    followed = [
        Followed(place, [model.text.show(token_id) for token_id in favourites[at]], _column(fared, at))
        for at, place in enumerate(row.positions)
    ]
    return layers, followed


def _pieces(model: Layered, distribution: np.ndarray, ids: list[int]) -> list[PieceProbability]:
    return [PieceProbability(model.text.show(token_id), float(np.exp(distribution[token_id]))) for token_id in ids]


def _column(fared: list[np.ndarray], place: int) -> list[list[float]]:
    """One place's probabilities [layer][candidate], layer 0 first."""
    return [layer[place].tolist() for layer in reversed(fared)]
