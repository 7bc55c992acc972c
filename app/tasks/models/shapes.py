"""The shapes a text takes in a Transformer, read from the arrays of a real pass."""

from __future__ import annotations

from app.engine.base import Layered, MaskedRow
from app.engine.heads import ATTENTION, CAUSAL_LM, MASKED_LM, TOKEN_VECTORS
from app.engine.runtime.loader import load_head
from app.engine.runtime.zero_gpu import uses_card
from app.engine.text.text_tokenizer import Encoded
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import find
from app.results.models import Shape
from app.tasks.checks import check_text, check_tokens

# A class must see it at a glance, and every layer's weights grow with its square.
MOST_TOKENS = 64


@uses_card
def shapes(text: str, model: str = "") -> list[Shape]:
    """The output of every step.

    Raises:
        PlaygroundError: `wrong_model` (no attention), `empty_text`, `too_long`, `missing_head`, `model_unavailable`.
    """
    check_text(text)
    checkpoint = find(model, "attention", text)
    inside = load_head(checkpoint, ATTENTION)
    encoded = inside.text.encode(text)
    tokens = len(encoded.input_ids)
    check_tokens(tokens, min(MOST_TOKENS, inside.max_tokens))
    weights, first = inside.attentions(encoded), inside.head_vectors(encoded, 0, 0)  # [layer, head, query, key]
    encoder = load_head(checkpoint, TOKEN_VECTORS)
    ((_, states),) = encoder.hidden_states([encoder.encode(text)], range(encoder.layers + 1))  # [layer, token, hidden]
    vectors = {"queries": first.queries, "keys": first.keys, "values": first.values}  # each [token, size of the head]
    return [
        Shape("input_ids", [1, tokens]),
        Shape("embeddings", [1, *states[0].shape]),
        *(Shape(step, [1, weights.shape[1], *one.shape]) for step, one in vectors.items()),
        Shape("attention", [1, *weights[0].shape]),
        Shape("layer", [1, *states[1].shape]),
        Shape("last_layer", [1, *states[-1].shape]),
        *_logits(checkpoint, encoded),
    ]


def _logits(checkpoint: Checkpoint, encoded: Encoded) -> list[Shape]:
    """The vocabulary head's output for every token; empty if a checkpoint has none."""
    asked: Layered
    if MASKED_LM in checkpoint.heads:
        asked = load_head(checkpoint, MASKED_LM)
    elif CAUSAL_LM in checkpoint.heads:
        asked = load_head(checkpoint, CAUSAL_LM)
    else:
        return []
    row = MaskedRow(encoded.input_ids, encoded.token_type_ids, list(range(len(encoded.input_ids))))
    return [Shape("logits", [1, *next(asked.layer_log_probabilities(row)).shape])]
