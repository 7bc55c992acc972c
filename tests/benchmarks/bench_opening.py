"""What opening a page costs a browser, for every tab, against an empty Gradio app of the same version.

    python -m tests.benchmarks.bench_opening [--rounds 3] [tab ...]

Prints as medians of the rounds, with the ratio to the empty app in the same run: requests, bytes sent, the processor's
time of the page's main thread, and the time for which that was blocked (the part of every task beyond 50 ms, as in
Lighthouse); and how much the page's parts jumped (cumulative layout shift). On few cores most of the blocked time is
waiting for the browser's other processes and for the server; the processor's time says what the page itself costs.
Each round has a fresh profile, so nothing is cached; the server has answered its examples in advance, so that a page
that opens with plots pays for them. The goal is 1.5 times the empty app.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import demos
from app.ui.shell import discover
from tests.conftest import CHROMIUM
from tests.running_app import run_app, wait_until_ready

EMPTY = """
import gradio as gr
with gr.Blocks(analytics_enabled=False) as page:
    gr.Markdown("Nothing.")
page.launch(ssr_mode=False, _frontend=False)
"""
# What a form costs in Gradio however little it does: a text box, two buttons, bars.
SMALL = """
import gradio as gr
gr.Interface(lambda text: {"a": 1.0}, gr.Textbox(), gr.Label(), analytics_enabled=False).launch(
    ssr_mode=False, _frontend=False
)
"""
WATCH = """
window.blocked = 0;
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) blocked += Math.max(0, task.duration - 50);
}).observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) shifted += shift.value;
}).observe({ type: "layout-shift", buffered: true });
"""
SECONDS_TO_SETTLE = 6.0
Measured = tuple[float, float, float, float, float]


def measure(browser: Browser, url: str) -> Measured:
    """Requests, kilobytes, milliseconds of the main thread and those blocked, and layout shift of one opening."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    seen, devtools = {"requests": 0, "bytes": 0.0}, page.context.new_cdp_session(page)

    def loaded(event: dict) -> None:
        seen["requests"] += 1
        seen["bytes"] += event["encodedDataLength"]

    devtools.on("Network.loadingFinished", loaded)
    devtools.send("Network.enable")
    devtools.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
    devtools.send("Performance.enable")
    page.add_init_script(WATCH)
    page.goto(url)
    page.wait_for_timeout(1_000 * SECONDS_TO_SETTLE)
    blocked, shifted = page.evaluate("[blocked, shifted]")
    spent = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    page.close()
    return seen["requests"], seen["bytes"] / 1_000, 1_000 * spent["TaskDuration"], blocked, shifted


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("slugs", nargs="*", default=[tab.slug for tab in discover(demos)])
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "empty.py").write_text(EMPTY, encoding="utf-8")
        (folder / "small.py").write_text(SMALL, encoding="utf-8")
        programs = (str(folder / "empty.py"), str(folder / "small.py"), "app.py")
        running = [contextmanager(run_app)(None, arguments=(one,), PLAYGROUND_WARM="1") for one in programs]
        empty, small, ours = map(stack.enter_context, running)
        wait_until_ready(ours)
        driver = stack.enter_context(sync_playwright())
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=list(CHROMIUM))
        addresses = {
            "an empty app": empty,
            "one text box": small,
            **{slug: f"{ours}/?tab={slug}" for slug in given.slugs},
        }
        found: dict[str, list[Measured]] = {name: [] for name in addresses}
        for _ in range(given.rounds):
            for name, url in addresses.items():
                found[name].append(measure(browser, url))
        browser.close()
    report({name: tuple(map(statistics.median, zip(*rows, strict=True))) for name, rows in found.items()})


def report(middle: dict[str, Measured]) -> None:
    """Print the medians, and their ratios to the first."""
    first = next(iter(middle.values()))
    for name, measured in middle.items():
        ratios = " ".join(f"{mine / max(1, its):.2f}" for mine, its in list(zip(measured, first, strict=True))[:4])
        requests, kilobytes, spent, blocked, shifted = measured
        told = f"{requests:4.0f} requests {kilobytes:5.0f} kB {spent:5.0f} ms {blocked:5.0f} ms blocked"
        print(f"{name:16} {told}  {ratios}  shift {shifted:.3f}")


if __name__ == "__main__":
    main()
