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
    """Wait until a tab is open, filled, and said to be."""
    current = f"document.querySelector('#contents a[data-tab={slug}][aria-current=page]')"
    page.wait_for_function(f"window.playground?.ready && {current}")
