"""What smaller weights change: total variation of next-token distributions from float32's, with a trained model.

`python -m tests.benchmarks.bench_half` needs the package with smollm2-135m. Its weights have so few bits that 16 hold
them without loss, so each row of a matrix is first made up to 0.1 % larger or smaller. Measured at the 280 places of
the prompts below (bound: 0.02): MEASURED in 16 bits. Integers of 8 bits with one scale per output have 0.045, with one
per 32 inputs 0.026, and 0.013 if the second feed-forward layer has 16 bits.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

PROMPTS = [
    "The old man walked slowly to the river and",
    "She opened the letter and began to",
    "In 1969, astronauts landed on the",
    "The capital of France is",
    "Water boils at a temperature of",
    "My grandmother's recipe for apple pie needs",
    "The stock market fell sharply after",
    "Once upon a time, in a small village near the sea,",
    "He picked up the phone, but nobody",
    "The main cause of the French Revolution was",
    "Photosynthesis is the process by which",
    "I have never been so happy in my",
    "The children ran out of the house and into the",
    "To install the program, first open a",
    "The judge asked the witness whether",
    "Shakespeare wrote many plays, such as",
    "The train to London leaves at",
    "If you heat ice, it becomes",
    "Scientists have discovered a new species of",
    "The recipe calls for two eggs, a cup of",
    "Dear Sir or Madam, I am writing to",
    "The movie was boring and far too",
    "Question: What is the largest planet? Answer: The largest planet is",
    "My dog likes to chase",
    "The war ended in",
    "She speaks three languages: English, French and",
    "The teacher told the students to open their",
    "On Monday morning the office was",
    "A computer program is a list of",
    "The best way to learn a language is",
    "Rain is expected in the north, while the south will be",
    "He was born in a small town in",
    "def add(a, b): return",
    "The two teams played until",
    "Gold is more expensive than",
    "The bridge was built to carry",
]


def measure() -> None:
    """Print mean and largest total variation, token by token as texts are written."""
    from app.engine.families.decoding.decoder import Decoder, Row
    from app.engine.families.decoding.fp16_linear import halved_always
    from app.engine.families.decoding.layers import linear_layers
    from app.tasks.causal import load_causal

    causal = load_causal("smollm2-135m", "generate")
    decoder = causal._decoder
    prompts = [causal.text.encode(prompt).input_ids for prompt in PROMPTS]

    @torch.inference_mode()
    def distributions(of: Decoder) -> list[Tensor]:
        made = []
        for ids in prompts:
            cache = of.cache()
            made += [of.head(of.run([Row([token], cache)]))[0].softmax(-1) for token in ids]
        return made

    with torch.inference_mode():
        torch.manual_seed(0)
        for layer in linear_layers(decoder):
            layer.weight.mul_(1 + 0.001 * (2 * torch.rand(len(layer.weight), 1) - 1))
    exact = distributions(decoder)
    rounded = distributions(halved_always(decoder))
    apart = [float((one - other).abs().sum()) / 2 for one, other in zip(exact, rounded, strict=True)]
    same = np.mean([int(one.argmax() == other.argmax()) for one, other in zip(exact, rounded, strict=True)])
    print(f"total variation: mean {np.mean(apart):.5f} (below 0.02), largest {max(apart):.4f}, {len(apart)} places")
    print(f"same first choice: {same:.3f}")


if __name__ == "__main__":
    measure()
