"""Masked words at BERT-base size against the plain app in the same run: start, first answer, latency, memory.

`python -m tests.benchmarks.bench_fill_mask` prints ratios of ours to the plain app's. Both answer the same 20-token
text with the same random checkpoint; requests alternate, medians are given. Needs the folder `shared` for the
vocabulary.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT, SHARED

TEXT = "The old man walked slowly to the [MASK] and sat down beside the river to watch the boats go by."
ROUNDS = 15


@dataclass
class App:
    """A running app and what was measured of its start."""

    process: subprocess.Popen
    url: str
    endpoint: str
    data: list
    first_page: float = 0.0
    first_answer: float = 0.0

    def ask(self, text: str = "") -> dict | list:
        """One request through the queue, as a browser or client makes it; for another text than the first."""
        body = json.dumps({"data": [text or self.data[0], *self.data[1:]]}).encode()
        call = f"{self.url}/gradio_api/call/{self.endpoint}"
        request = urllib.request.Request(call, data=body, headers={"Content-Type": "application/json"})
        event = json.load(urllib.request.urlopen(request, timeout=300))["event_id"]
        stream = urllib.request.urlopen(f"{call}/{event}", timeout=300).read().decode()
        assert "event: complete" in stream, stream[:300]
        return json.loads(stream.split("data: ")[-1])[0]

    def peak_megabytes(self) -> float:
        """Most memory the process ever had."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


def start(arguments: list[str], endpoint: str, data: list, **extra: str) -> App:
    """Start an app and measure until its first page and its first answer."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port), "HF_HUB_OFFLINE": "1", **extra}
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    app = App(process, f"http://127.0.0.1:{port}", endpoint, data)
    while process.poll() is None:
        try:
            urllib.request.urlopen(app.url, timeout=60).close()
            break
        except OSError:
            time.sleep(0.05)
    app.first_page = time.perf_counter() - started
    app.ask()
    app.first_answer = time.perf_counter() - started
    return app


def make_checkpoint(folder: Path) -> None:
    """A random BERT base with the published vocabulary, under the name that is the default here."""
    from transformers import BertConfig, BertForPreTraining, BertTokenizerFast

    BertForPreTraining(BertConfig()).save_pretrained(folder / "bert-mini")
    BertTokenizerFast.from_pretrained(SHARED / "vocab" / "bert-base-uncased").save_pretrained(folder / "bert-mini")


def compare(folder: Path) -> None:
    """Start both apps in turn, then ask them in turn; print the ratios."""
    plain = start(["tests/benchmarks/plain_app.py", str(folder / "bert-mini")], "predict", [TEXT])
    ours = start(["app.py"], "fill_mask", [TEXT, "bert-mini", 5, []], PLAYGROUND_MODELS=str(folder))
    try:
        times: dict[str, list[float]] = {"plain": [], "ours": []}
        for _ in range(ROUNDS):
            for name, app in (("plain", plain), ("ours", ours)):
                began = time.perf_counter()
                app.ask()
                times[name].append(time.perf_counter() - began)
        report("first page", ours.first_page, plain.first_page, "s", "at most 0.50")
        report("first answer", ours.first_answer, plain.first_answer, "s", "at most 0.75")
        latency = {name: 1000 * statistics.median(values) for name, values in times.items()}
        report("one request", latency["ours"], latency["plain"], "ms", "at most 0.50")
        report("peak memory", ours.peak_megabytes(), plain.peak_megabytes(), "MB", "")
        assert _pieces(ours.ask()) == list(_labels(plain.ask())), "the two apps must give the same candidates"
    finally:
        plain.process.terminate()
        ours.process.terminate()


def _pieces(answer: dict) -> list[str]:
    return [candidate["token"] for candidate in answer["masks"][0]["candidates"]]


def _labels(answer: dict) -> list[str]:
    return [entry["label"] for entry in answer["confidences"]]


def report(what: str, ours: float, plain: float, unit: str, aim: str) -> None:
    """One line of the table."""
    print(
        f"{what:14} ours {ours:9.2f} {unit:3} plain {plain:9.2f} {unit:3} ratio {ours / plain:5.2f}  {aim}", flush=True
    )


def main() -> None:
    """Run the comparison in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        make_checkpoint(Path(folder))
        compare(Path(folder))


if __name__ == "__main__":
    main()
