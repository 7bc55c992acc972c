"""`python -m app.top [ADDRESS]`: the activity of a running server, for its operator; refreshed every two seconds.

Reads `/healthz` and `/metrics`, so it also works from another machine.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import urllib.request
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from prometheus_client.parser import text_string_to_metric_families

SECONDS_BETWEEN_LOOKS = 2.0
CLEAR = "\x1b[2J\x1b[H"


@dataclass
class Task:
    """One task's figures since the server's start."""

    running: int = 0
    seconds: float = 0.0
    outcomes: dict[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """Requests that ended, whatever their outcome."""
        return sum(self.outcomes.values())


def read_metrics(text: str) -> dict[str, Task]:
    """The figures by task, from Prometheus's text format."""
    tasks: dict[str, Task] = defaultdict(Task)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            task = sample.labels.get("task", "")
            if sample.name == "playground_running":
                tasks[task].running = int(sample.value)
            elif sample.name == "playground_request_seconds_sum":
                tasks[task].seconds = sample.value
            elif sample.name == "playground_requests_total":
                tasks[task].outcomes[sample.labels["outcome"]] = int(sample.value)
    return dict(tasks)


def table(health: Mapping[str, object], tasks: Mapping[str, Task]) -> str:
    """Both as lines, the busiest tasks first."""
    state = "is being stopped" if health["closing"] else "ready" if health["ready"] else "warming up"
    lines = [
        f"{state} · {health['running']} running · {health['waiting']} waiting for a model · "
        f"{health['checkpoints']} checkpoints, {int(health['checkpoint_bytes']) / 1e6:.0f} MB · "
        f"caches {int(health['cache_bytes']) / 1e6:.0f} MB",
        "",
        f"{'task':36}{'running':>8}{'done':>8}{'mean s':>8}  not answered",
    ]
    for name, task in sorted(tasks.items(), key=lambda item: (-item[1].running, -item[1].done)):
        mean = f"{task.seconds / task.done:.2f}" if task.done else ""
        missed = ", ".join(f"{count} {outcome}" for outcome, count in task.outcomes.items() if outcome != "ok")
        lines.append(f"{name:36}{task.running:8}{task.done:8}{mean:>8}  {missed}")
    return "\n".join(lines)


def _get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read().decode()


def main(arguments: list[str] | None = None) -> None:
    port = os.environ.get("GRADIO_SERVER_PORT", "7860")
    parser = argparse.ArgumentParser(prog="python -m app.top", description="What a running server does.")
    parser.add_argument("address", nargs="?", default=f"http://127.0.0.1:{port}")
    parser.add_argument("--once", action="store_true", help="print once and end")
    given = parser.parse_args(arguments)
    while True:
        try:
            shown = table(json.loads(_get(f"{given.address}/healthz")), read_metrics(_get(f"{given.address}/metrics")))
        except OSError as error:
            raise SystemExit(f"No server answers at {given.address}: {error}") from None
        print(shown if given.once else CLEAR + shown, flush=True)
        if given.once:
            return
        time.sleep(SECONDS_BETWEEN_LOOKS)


if __name__ == "__main__":
    main()
