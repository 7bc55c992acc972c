"""Bytes and time of the attention tab beside bertviz's head view, in Chromium, at 64, 128 and 512 tokens.

    python -m tests.benchmarks.bench_attention [--tokens 64 128 512] [--bertviz-up-to 128] [--skip-bertviz]

A model of BERT base's size (12 layers of 12 heads, random weights) is named `bert-base-uncased`. Ours: "first_s" is
from the click to the first drawing, including the model's pass; "sent_kb" and "drawn_s" are for a text whose weights
are in the store; "cpu_s" is the processor time that this took, server and browser together (an upper bound for an idle
machine, whatever else runs on this one); "hover_ms" is one redraw when a pointer moves; "all_layers_mb" is every
layer's bytes. bertviz: its page for the same weights, the time to build it and to open it. Its scripts come from a CDN,
which is blocked here: the time covers only reading the page, without drawing, so it is a lower bound.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPEATS = 3
MEGABYTE = 1e6


def save_model(folder: Path) -> None:
    """BERT base's size, a vocabulary of one-letter words, weights wide enough for uneven attention."""
    import torch
    from transformers import BertConfig, BertForPreTraining, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"]
    tokenizer = BertTokenizerFast(vocab={word: index for index, word in enumerate(words)})
    torch.manual_seed(0)
    model = BertForPreTraining(BertConfig(vocab_size=len(words), initializer_range=0.05))
    model.save_pretrained(folder / "bert-base-uncased")
    tokenizer.save_pretrained(folder / "bert-base-uncased")


def text_of(tokens: int, turn: int = 0) -> str:
    """Words for so many tokens, the two special ones counted; another text at each turn."""
    return " ".join("abcdefghijklmnopqrstuvwxyz"[(index * 7 + turn) % 26] for index in range(tokens - 2))


@contextmanager
def running(models: Path) -> Iterator[str]:
    """The attention tab as a program of its own; its address."""
    environment = {
        **os.environ,
        "PLAYGROUND_MODELS": str(models),
        "PLAYGROUND_WARM": "0",
        "HF_HUB_OFFLINE": "1",
        "GRADIO_SERVER_PORT": "7874",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "demos.attention"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    url = "http://127.0.0.1:7874"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(url, timeout=5).close()
                break
            except OSError:
                time.sleep(0.3)
        yield url
    finally:
        process.terminate()
        process.wait()


def cpu_seconds() -> float:
    """Processor time so far of everything that this process started: the server, the browser, its driver."""
    children: dict[int, list[int]] = {}
    spent: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it ended meanwhile
                continue
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            spent[int(folder.name)] = int(fields[11]) + int(fields[12])
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return sum(spent.get(process, 0) for process in found[1:]) / os.sysconf("SC_CLK_TCK")


HOVER = """() => {
  const canvas = document.querySelector('#attention-view canvas'), box = canvas.getBoundingClientRect(), times = [];
  for (let step = 0; step < 15; step++) {
    const start = performance.now();
    canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: box.x + 40, clientY: box.y + 30 + 25 * step }));
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[7];
}"""


def measure_ours(browser: object, url: str, tokens: int) -> dict[str, float]:
    """One text in the page: bytes of the answer, time to the first drawing, hover."""
    page = browser.new_page()
    sent: list[int] = []
    page.goto(f"{url}/?model=bert-base-uncased")
    page.wait_for_function("document.querySelector('#attention-text textarea')?.value")
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.on("Network.dataReceived", lambda event: sent.append(event["dataLength"]))
    times, spent = [], []
    for turn in range(REPEATS + 2):  # two texts in turn, since a page that is sent the same again draws nothing
        page.locator("#attention-text textarea").fill(text_of(tokens, turn % 2))
        page.wait_for_timeout(300)
        sent.clear()
        page.evaluate("delete document.querySelector('#attention-view .attention-view').dataset.drawn")
        start, before = time.perf_counter(), cpu_seconds()
        page.click("#attention-run")
        page.wait_for_selector("#attention-view .attention-view[data-drawn]", timeout=120_000)
        times.append(time.perf_counter() - start)
        spent.append(cpu_seconds() - before)
    answer = {"sent_kb": sum(sent) / 1e3, "first_s": times[0], "drawn_s": statistics.median(times[2:])}
    answer["cpu_s"] = statistics.median(spent[2:])
    answer["hover_ms"] = page.evaluate(HOVER)
    page.close()
    return answer


def all_layers(tokens: int) -> float:
    """Megabytes of every layer's bytes together."""
    from app.tasks.attention.heads import one_layer

    layers = (len(one_layer(text_of(tokens), "", "bert-base-uncased", layer).data) for layer in range(12))
    return sum(layers) / MEGABYTE


def measure_bertviz(browser: object, tokens: int) -> dict[str, float]:
    """bertviz's head view of the same weights: its page's size, and how long the browser takes over it."""
    import torch
    from bertviz import head_view

    from app.tasks.attention.attend import see

    seen = see(text_of(tokens), "", "bert-base-uncased")
    attention = [torch.from_numpy(layer)[None] for layer in seen.weights]
    start = time.perf_counter()
    html = head_view(attention, [token.token for token in seen.tokens], html_action="return").data
    built = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "head_view.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page()
        page.route("http*://**", lambda route: route.abort())
        start = time.perf_counter()
        page.goto(path.as_uri(), timeout=120_000)
        opened = time.perf_counter() - start
        page.close()
    return {"page_mb": len(html.encode()) / MEGABYTE, "built_s": built, "parsed_s": opened}


def main() -> None:
    """Print one row per length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, nargs="+", default=[64, 128, 512])
    parser.add_argument("--bertviz-up-to", type=int, default=128)
    parser.add_argument("--skip-bertviz", action="store_true")
    options = parser.parse_args()
    import shutil

    from playwright.sync_api import sync_playwright

    from tests.conftest import CHROMIUM

    print(f"load average at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        models = Path(folder)
        save_model(models)
        os.environ["PLAYGROUND_MODELS"] = folder
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=list(CHROMIUM))
        with running(models) as url:
            for tokens in options.tokens:
                row = {"tokens": tokens, **measure_ours(browser, url, tokens), "all_layers_mb": all_layers(tokens)}
                if not options.skip_bertviz and tokens <= options.bertviz_up_to:
                    row |= {f"bertviz_{name}": value for name, value in measure_bertviz(browser, tokens).items()}
                print(json.dumps({name: round(value, 3) for name, value in row.items()}), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
