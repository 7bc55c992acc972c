"""Many sentences at once: sorted by length, in batches that fit the memory, returned in their original order.

Measured by `python -m tests.benchmarks.bench_elmo --threads 1 --plain 8` (random weights, 64 sentences, 1,482 words,
one thread of a busy x86 machine; "plain" is one sentence, one step, one direction at a time, on 8 of them in the same
run):

    size       words/s   times plain   peak memory of the process, including weights and torch
    small        1,595           6.9     583 MB
    medium         774           6.9     728 MB
    original       152          12.8   1,082 MB
"""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from .modeling import ElmoModel
from .tokenization import ElmoTokenizer, check_sentences

# Words and marks in one batch, including padding. All of its layers take 50 MB at the published size.
PLACES_PER_BATCH = 4096
# Enough to fill the matrix products.
ROWS_PER_BATCH = 128


@torch.no_grad()
def encode(
    model: ElmoModel,
    tokenizer: ElmoTokenizer,
    sentences: Sequence[Sequence[str]],
    places_per_batch: int = PLACES_PER_BATCH,
) -> list[Tensor]:
    """Word vectors of any number of sentences.

    Args:
        model: in evaluation mode.
        tokenizer: makes the model's input.
        sentences: each one a list of words.
        places_per_batch: limit on sentences x words in one run of the model; a longer sentence goes alone.

    Returns:
        per sentence, in the given order, all layers [layer, word, 2 * projection] on the CPU.

    Raises:
        TypeError: a sentence is a string instead of a list of words.
    """
    if len(sentences) == 0:
        return []
    check_sentences(sentences)
    vectors: dict[int, Tensor] = {}
    for numbers in batches_by_length([len(words) + 2 for words in sentences], places_per_batch):
        batch = tokenizer([sentences[number] for number in numbers]).to(model.device)
        layers = torch.stack(model(**batch).hidden_states, dim=1).cpu()  # [sentence, layer, word, hidden]
        vectors |= {n: layer[:, : len(sentences[n])] for n, layer in zip(numbers, layers, strict=True)}
    return [vectors[number] for number in range(len(sentences))]


def batches_by_length(lengths: Sequence[int], places: int) -> Iterator[list[int]]:
    """Yields the indices of the sentences, longest first, in lists that take at most `places` when padded."""
    order = sorted(range(len(lengths)), key=lambda number: -lengths[number])
    start = 0
    while start < len(order):
        rows = max(1, min(ROWS_PER_BATCH, places // lengths[order[start]]))
        yield order[start : start + rows]
        start += rows
