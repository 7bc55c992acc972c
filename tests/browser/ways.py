"""Ways through the page in a browser: by its list of all tabs, which is behind a button on a narrow screen."""

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


def unfold(page: object, part: str, seen: str) -> None:
    """Open a folded part of a tab, which is built then.

    Args:
        part: `<slug>-<name>`.
        seen: selector of something in it.
    """
    page.locator(f"#{part}-more > button").click()
    page.locator(seen).first.wait_for()
    # A field that is seen may not yet pass on what is typed into it.
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done))))"
    )
