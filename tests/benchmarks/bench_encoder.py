"""One pass of BERT-base size against transformers' own forward, on the same random weights in the same run.

`python -m tests.benchmarks.bench_encoder` prints medians of alternating rounds, as ratios of ours to transformers' own,
for texts times tokens; the five most probable tokens at each place must be the same.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

import torch
from torch import Tensor, nn

SHAPES = ((1, 8), (1, 20), (1, 64), (1, 200), (8, 20))
ROUNDS = 11


def models(folder: Path) -> tuple[nn.Module, nn.Module]:
    """Transformers' model, and what answers for it."""
    from transformers import BertConfig, BertForPreTraining

    from app.engine.adapters.quick_encoder import quick_model
    from app.engine.runtime.loader import loader
    from app.registry.lookup import find
    from tests.checkpoints import save, tiny_tokenizers

    torch.manual_seed(0)
    save(folder / "bert-base-uncased", BertForPreTraining(BertConfig()), tiny_tokenizers()["bert"])
    loaded = loader().get(find("bert-base-uncased", "fill_mask"))
    for _ in range(2):  # the first pass has no second copy
        quick = quick_model(loaded)
    return loaded.model, quick


@torch.inference_mode()
def compare(plain: nn.Module, quick: nn.Module, shape: tuple[int, int]) -> None:
    """Print one line."""
    ids = torch.randint(1000, 30_000, shape, generator=torch.Generator().manual_seed(1))
    took: dict[nn.Module, list[float]] = {plain: [], quick: []}
    made: dict[nn.Module, Tensor] = {}
    for _ in range(ROUNDS):
        for model, seconds in took.items():
            began = time.perf_counter()
            made[model] = model.base_model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state
            seconds.append(time.perf_counter() - began)
    tops = [plain.cls.predictions(states).topk(5).indices for states in made.values()]
    assert torch.equal(*tops), "the first candidates must be the same"
    theirs, ours = (1000 * statistics.median(seconds) for seconds in took.values())
    apart = float((made[plain] - made[quick]).abs().max())
    print(
        f"{shape[0]} x {shape[1]:3}  ours {ours:8.1f} ms plain {theirs:8.1f} ms ratio {ours / theirs:5.2f}  "
        f"apart {apart:.0e}",
        flush=True,
    )


def main() -> None:
    """All shapes with one checkpoint."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLAYGROUND_MODELS"] = folder
        plain, quick = models(Path(folder))
        print("with weights in blocks" if quick is not plain else "blocks are not quicker on this processor")
        for shape in SHAPES:
            compare(plain, quick, shape)


if __name__ == "__main__":
    main()
