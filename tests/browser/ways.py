"""The ways through the page in a browser: by its list of all tabs, which a narrow screen has behind a button."""

from __future__ import annotations


def go_to(page: object, slug: str) -> None:
    """Follow the link to a tab and wait until it is open."""
    button = page.locator("#contents button").locator("visible=true")
    if button.count():
        button.click()
    page.locator(f"#contents a[data-tab={slug}]").locator("visible=true").click()
    opened(page, slug)


def opened(page: object, slug: str) -> None:
    """Wait until a tab is open, and said to be."""
    page.wait_for_selector(f"#tabs [role=tab][data-tab-id={slug}][aria-selected=true]", state="attached")
    page.locator(f"#contents a[data-tab={slug}][aria-current=page]").first.wait_for(state="attached")
