"""The download panel in Chromium: download, stop, resume, done; the same for a name outside the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.registry.lookup import BY_NAME
from app.ui.texts import title
from tests.checkpoints import CLASSIFIER
from tests.conftest import hub_environment, open_page, serve
from tests.local_hub import LocalHub
from tests.running_app import run_app


@pytest.fixture(scope="module")
def slow_hub(tiny_models: Path) -> LocalHub:
    """A local Hub on a slow line."""
    with LocalHub() as served:
        serve(served, "roberta-base", tiny_models / "roberta-base")
        for name in ("bert-base-uncased", "albert-base-v2"):
            serve(served, name, tiny_models / name)
        served.add(BY_NAME[CLASSIFIER].repo_id, tiny_models / CLASSIFIER)  # its commit is not pinned
        served.add("someone/their-bert", tiny_models / "bert-base-uncased")
        served.fault("/cdn/", rate=20_000)
        yield served


@pytest.fixture(scope="module")
def page(browser: object, slow_hub: LocalHub, tmp_path_factory: pytest.TempPathFactory) -> object:
    """A page of an app that asks the local Hub, over an empty cache."""
    home = tmp_path_factory.mktemp("home")
    for url in run_app(None, PLAYGROUND_WARM="0", **hub_environment(slow_hub.url, home)):
        yield from open_page(browser, url, viewport={"width": 390, "height": 844})


def test_download_stop_and_go_on(page, slow_hub: LocalHub) -> None:
    page.goto(f"{page.base}/?tab=fill_mask&model=roberta-base")
    page.locator(".download", has_text="roberta-base is not on this machine yet: 499 MB to download.").wait_for()
    start, stop = (page.get_by_role("button", name=name).locator("visible=true") for name in ("Download", "Stop the"))
    start.click()
    page.locator(".download progress").wait_for()
    page.locator(".download", has_text="kB/s").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    stop.click()
    start.wait_for()
    before = len(slow_hub.asked("/cdn/"))
    page.wait_for_timeout(1_000)
    assert before == len(slow_hub.asked("/cdn/")) == 1
    slow_hub.faults.clear()
    start.click()
    page.locator(".download", has_text="roberta-base is on this machine now.").wait_for()
    assert slow_hub.asked("/cdn/")[-1][2].startswith("bytes=")
    # The chosen one's label in the picker, without a reload.
    page.locator(".token", has_text="RoBERTa base (Facebook) · on this machine").locator("visible=true").wait_for()
    page.click("#fill_mask-run")
    page.locator("#fill_mask-answers h3", has_text="roberta-base").wait_for()


@pytest.mark.parametrize(
    ("tab", "link", "name"),
    [
        ("sentence_pair", "model=bert-base-uncased", "bert-base-uncased"),
        ("classification", f"model={CLASSIFIER}", CLASSIFIER),
        ("word_sense", "model=bert-mini&other=albert-base-v2", "albert-base-v2"),
    ],
)
def test_the_picker_says_what_came_while_the_tab_was_open(
    page, slow_hub: LocalHub, tab: str, link: str, name: str
) -> None:
    slow_hub.faults.clear()
    page.goto(f"{page.base}/?tab={tab}&{link}")
    page.locator(".download", has_text=f"{name} is not on this machine yet").wait_for()
    page.get_by_role("button", name="Download", exact=True).locator("visible=true").click()
    page.locator(".download", has_text=f"{name} is on this machine now.").wait_for()
    page.wait_for_function(
        "([name]) => [...document.querySelectorAll('.token, input[role=combobox]')].some((shown) =>"
        "[name, 'on this machine'].every((part) => (shown.value || shown.textContent).includes(part)))",
        arg=[title("en", name)],
    )


def test_any_owner_and_name(page, slow_hub: LocalHub) -> None:
    slow_hub.faults.clear()
    page.goto(f"{page.base}/?tab=fill_mask")
    page.wait_for_function("document.querySelector('#fill_mask-text textarea')?.value.includes('[MASK]')")
    picker = page.get_by_label("Models (up to three side by side)")
    picker.click()
    page.keyboard.press("Backspace")
    picker.fill("someone/their-bert")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.locator(".download", has_text="someone/their-bert").wait_for()
    page.get_by_role("button", name="Download").locator("visible=true").click()
    page.locator(".download", has_text="someone/their-bert is on this machine now.").wait_for()
    page.click("#fill_mask-run")
    page.locator("#fill_mask-answers h3", has_text="someone/their-bert").wait_for()
