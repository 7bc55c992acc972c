"""How fast our ELMo is, and how much memory it takes, at the published sizes (random weights, CPU).

    python -m tests.benchmarks.bench_elmo [--sizes small medium original] [--threads 2] [--plain 16]

Each size runs in its own process, so that its peak memory is its own. "plain" is a direct implementation of the paper:
one sentence at a time, one step at a time, each direction by itself, every word's characters anew at all 50 positions.
Both read the same sentences with the same weights in the same run, and their vectors are compared.
"""

import argparse
import random
import resource
import subprocess
import sys
import time

import torch
from torch import Tensor

from app.models.elmo import ElmoConfig, ElmoModel, ElmoTokenizer, encode
from app.models.elmo.characters import ElmoCharacterEncoder
from app.models.elmo.recurrence import clip

SIZES = {  # cell, projection, highways
    "small": (1024, 128, 1),
    "medium": (2048, 256, 1),
    "original": (4096, 512, 2),
}
SENTENCES, MEAN_LENGTH = 64, 22  # words


def make_sentences(seed: int = 0) -> list[list[str]]:
    """Sentences of 4 to 40 words, drawn from 5,000 made-up words of 1 to 12 letters with falling frequency."""
    source = random.Random(seed)
    words = ["".join(source.choices("etaoinshrdlu", k=source.randint(1, 12))) for _ in range(5000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    lengths = [source.randint(4, 2 * MEAN_LENGTH - 4) for _ in range(SENTENCES)]
    return [source.choices(words, weights, k=length) for length in lengths]


def plain_words(characters: ElmoCharacterEncoder, input_ids: Tensor) -> Tensor:
    """Context-free vectors of all places of a sentence, [place, projection]."""
    embedded = characters.embedding(input_ids).transpose(1, 2)
    maxima = [convolution(embedded).amax(dim=2) for convolution in characters.convolutions]
    vectors = characters.activation(torch.cat(maxima, dim=1))
    for highway in characters.highways:
        vectors = highway(vectors)
    return characters.projection(vectors)


def plain_direction(model: ElmoModel, weights: list[list[Tensor]], words: Tensor, direction: int) -> list[Tensor]:
    """One direction's layers [place, projection] over one sentence, step by step."""
    layers, inputs = [], words.flip(0) if direction else words
    for number, layer in enumerate(model.encoder.layers):
        weight = weights[number][direction]  # input rows above hidden rows
        hidden, cell = inputs.new_zeros(1, inputs.size(1)), inputs.new_zeros(1, weight.size(1) // 4)
        outputs = []
        for vector in inputs:
            gates = torch.cat([vector[None], hidden], dim=1) @ weight + layer.bias[direction]
            i, j, f, o = gates.chunk(4, dim=1)
            cell = clip(f.sigmoid() * cell + i.sigmoid() * j.tanh(), layer.cell_clip)
            hidden = clip((o.sigmoid() * cell.tanh()) @ layer.projection_weight[direction], layer.projection_clip)
            outputs.append(hidden[0] + vector if number else hidden[0])
        inputs = torch.stack(outputs)
        layers.append(inputs.flip(0) if direction else inputs)
    return layers


@torch.no_grad()
def plain_encode(model: ElmoModel, tokenizer: ElmoTokenizer, sentences: list[list[str]]) -> tuple[list[Tensor], float]:
    """The top layer of each sentence, and the seconds taken."""
    weights = [list(torch.cat([layer.input_weight, layer.hidden_weight], dim=1)) for layer in model.encoder.layers]
    start, vectors = time.perf_counter(), []
    for sentence in sentences:
        words = plain_words(model.characters, tokenizer([sentence])["input_ids"][0])
        tops = [plain_direction(model, weights, words, direction)[-1] for direction in range(2)]
        vectors.append(torch.cat(tops, dim=1)[1:-1])
    return vectors, time.perf_counter() - start


def ours(model: ElmoModel, tokenizer: ElmoTokenizer, sentences: list[list[str]]) -> tuple[list[Tensor], float]:
    """The top layer of each sentence, and the seconds taken; no word is in the cache before."""
    model.cache.clear()
    start = time.perf_counter()
    vectors = encode(model, tokenizer, sentences)
    return [layers[-1] for layers in vectors], time.perf_counter() - start


def measure(size: str, num_plain: int) -> None:
    """Prints one line of the table: measures ours first, so that the peak memory is its own."""
    cell, projection, highways = SIZES[size]
    torch.manual_seed(0)
    config = ElmoConfig(cell_size=cell, projection_size=projection, num_highway_layers=highways)
    model, tokenizer, sentences = ElmoModel(config).eval(), ElmoTokenizer(), make_sentences()
    weights = sum(weight.numel() for weight in model.parameters()) * 4 / 2**20
    ours(model, tokenizer, sentences[:4])
    vectors, first = ours(model, tokenizer, sentences)
    seconds = sorted([first, *(ours(model, tokenizer, sentences)[1] for _ in range(2))])[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    words = sum(map(len, sentences))
    line = f"{size:9} {weights:8.0f} {peak:8.0f} {words:6} {seconds:8.2f} {words / seconds:9.0f}"
    if num_plain:
        some = list(range(0, SENTENCES, max(1, SENTENCES // num_plain)))[:num_plain]
        plain, plain_seconds = plain_encode(model, tokenizer, [sentences[n] for n in some])
        plain_words_read = sum(len(sentences[n]) for n in some)
        ratio = plain_seconds / plain_words_read / (seconds / words)
        difference = max((vectors[n] - other).abs().max().item() for n, other in zip(some, plain, strict=True))
        line += f" {ratio:12.1f} {difference:11.1e}"
    print(line, flush=True)


def main() -> None:
    """Reads the command line; without `--one` starts a process per size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--plain", type=int, default=16, help="sentences the plain loop reads; 0 leaves it out")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        torch.set_num_threads(options.threads)
        measure(options.sizes[0], options.plain)
        return
    print("size      weights peak(MB)  words  seconds   words/s  times plain  difference", flush=True)
    for size in options.sizes:
        arguments = ["--one", "--sizes", size, "--threads", str(options.threads), "--plain", str(options.plain)]
        subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_elmo", *arguments], check=True)


if __name__ == "__main__":
    main()
