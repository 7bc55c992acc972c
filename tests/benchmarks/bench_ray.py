"""The costs and gains of a cluster: `python -m tests.benchmarks.bench_ray [SIZE ...]`, where Ray is installed.

- A model that sleeps 100 ms for each question, with one replica and with four: answers per second, and their ratio.
  Sleeping takes no processor time, so the ratio holds on a small machine, as long as it has time for the questions.
- Masked words of a model, with two replicas and in this process, alternately: the ratio of answers per second. Anything
  below one is spent on the way. On one core, two replicas compute no more than one process.
- The time of a single question, both ways.
- The processor time of a question, page and replicas together: the cost of the way, even if other programs run beside.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.settings import settings

SLEEP, SCALING_SECONDS, ASKING = 0.1, 10.0, 24
ROUNDS, ROUND_SECONDS, VISITORS = 3, 5.0, (8, 32)
TEXT = "The old man walked slowly to the [MASK] and sat down beside the river, {number} times."
# As small as they come, MiniLM, and BERT base; random weights.
SIZES = {
    "2 layers of 128": {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512},
    "6 layers of 384": {
        "hidden_size": 384,
        "num_hidden_layers": 6,
        "num_attention_heads": 12,
        "intermediate_size": 1536,
    },
    "12 layers of 768": {},
}
MODEL = "bert-mini"


def rate(ask: Callable[[int], object], threads: int, seconds: float) -> float:
    """Answers a second to so many who ask again as soon as they are answered."""
    until = time.perf_counter() + seconds

    def visitor(number: int) -> int:
        answered = 0
        while time.perf_counter() < until:
            ask(1000 * number + answered)
            answered += 1
        return answered

    started = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        total = sum(pool.map(visitor, range(threads)))
    return total / (time.perf_counter() - started)


class Sleeping:
    """A checkpoint in memory whose one head sleeps; one question at a time, as a model computes."""

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def head(self, head: str) -> Sleeping:
        """Itself."""
        return self

    def derive(self, name: str, make: object) -> int:
        """It reads nothing."""
        return 0

    def token_scores(self, input_ids: list[int]) -> list[int]:
        """The same, later."""
        with self._turn:
            time.sleep(SLEEP)
        return input_ids


def scaling() -> None:
    """Print answers a second of one and of four replicas of a sleeping model."""
    from ray import serve

    from app.engine.ray.calls import Calls
    from app.engine.ray.families import application
    from app.engine.ray.question import Question
    from app.engine.ray.replica import Replica
    from app.registry.lookup import known

    class SleepingReplica(Replica):
        def __init__(self) -> None:
            super().__init__("gpt2", 1)
            self._sleeping = Sleeping()

        async def _loaded(self, checkpoint: object) -> Any:
            return self._sleeping

    question = Question(known("gpt2"), "causal_lm", 0, "token_scores", ([1, 2, 3],))
    rates = []
    for replicas in (1, 4):
        served = serve.deployment(SleepingReplica).options(
            name="sleeping", num_replicas=replicas, max_ongoing_requests=8, ray_actor_options={"num_cpus": 0.1}
        )
        serve.run(served.bind(), name=application("sleeping"), route_prefix=None)
        calls = Calls("sleeping")
        rate(lambda _, asked=calls: asked.ask(question), ASKING, 3.0)
        rates.append(rate(lambda _, asked=calls: asked.ask(question), ASKING, SCALING_SECONDS))
        print(f"{replicas} replicas of a model that sleeps {SLEEP * 1000:.0f} ms: {rates[-1]:.1f} answers a second")
    serve.delete(application("sleeping"))
    print(f"four to one: {rates[1] / rates[0]:.2f} times (wanted: 3.6)")


@contextmanager
def host(**chosen: object) -> Iterator[None]:
    """These settings."""
    os.environ.update({f"PLAYGROUND_{name.upper()}": str(value) for name, value in chosen.items()})
    settings.cache_clear()
    yield
    settings.cache_clear()


def overhead(size: str, folder: Path) -> None:
    """Print what two replicas of a model answer, as a ratio to this process."""
    from transformers import BertConfig, BertForPreTraining

    from app.engine.ray.deployment import deploy
    from app.engine.ray.remote import cluster
    from app.engine.runtime.loader import loader
    from app.tasks.fill_mask import fill_mask
    from tests.checkpoints import save, tiny_tokenizers

    tokenizer = tiny_tokenizers()["bert"]
    save(folder / MODEL, BertForPreTraining(BertConfig(vocab_size=len(tokenizer), **SIZES[size])), tokenizer)
    two = {"ray_least_replicas": 2, "ray_most_replicas": 2, "ray_cpus": 0.5}
    with host(models=folder, **two):
        deploy(["bert"])
        cluster.cache_clear()
        loader.cache_clear()

    def ask(number: int) -> None:
        fill_mask(TEXT.format(number=number), MODEL)

    for visitors in (1, *VISITORS):
        rates: dict[str, list[float]] = {"local": [], "ray": []}
        processor: dict[str, list[float]] = {"local": [], "ray": []}
        for count in range(ROUNDS + 1):
            for engine in rates:
                with host(models=folder, engine=engine):
                    before, seconds = processor_seconds(), ROUND_SECONDS if count else 2.0
                    found = rate(ask, visitors, seconds)
                if count:  # the first round loads
                    rates[engine].append(found)
                    processor[engine].append((processor_seconds() - before) / (found * seconds))
        tell(f"{size}, {visitors} at a time", rates, processor)


def processor_seconds() -> float:
    """What this process and the replicas have used so far."""
    import ray

    names = [one["name"] for one in ray.util.list_named_actors(all_namespaces=True)]
    actors = [ray.get_actor(name, namespace="serve") for name in names if name.startswith("SERVE_REPLICA")]
    used = ray.get([actor.__ray_call__.remote(lambda _: time.process_time()) for actor in actors])
    return time.process_time() + sum(used)


def tell(what: str, rates: dict[str, list[float]], processor: dict[str, list[float]]) -> None:
    """Print the medians, and the ratio."""
    ratios = [theirs / ours for ours, theirs in zip(*rates.values(), strict=True)]
    ours, theirs = (statistics.median(found) for found in rates.values())
    print(f"{what}: {theirs:.1f} answers a second behind two replicas, {ours:.1f} in this process: ", end="")
    print(f"{statistics.median(ratios):.2f} of it ({min(ratios):.2f} to {max(ratios):.2f})")
    ours, theirs = (1000 * statistics.median(found) for found in processor.values())
    print(f"    processor time of one: {theirs:.1f} ms and {ours:.1f} ms", flush=True)


def main() -> None:
    """Start a cluster, print, end it."""
    try:
        import ray
        from ray import serve
    except ImportError:
        print("Ray is not installed (requirements-ray.txt).")
        return
    os.environ["HF_HUB_OFFLINE"] = "1"
    ray.init(address="local", num_cpus=2, include_dashboard=False, object_store_memory=300_000_000, log_to_driver=False)
    serve.start(proxy_location="Disabled")
    scaling()
    for size in sys.argv[1:] or SIZES:
        with tempfile.TemporaryDirectory() as folder:
            overhead(size, Path(folder))
    ray.shutdown()


if __name__ == "__main__":
    main()
