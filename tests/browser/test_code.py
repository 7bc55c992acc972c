"""The "show me the code" panel in a browser: the program has the values of the fields."""

from __future__ import annotations


def test_the_program_follows_the_fields(page: object) -> None:
    page.goto(f"{page.base}/?tab=fill_mask")
    page.wait_for_function("document.querySelector('#fill_mask-text textarea')?.value.includes('[MASK]')")
    page.fill("#fill_mask-text textarea", "A <b>dog</b> has four [MASK].")
    page.click("#fill_mask-code > button")
    page.wait_for_function(
        "document.querySelector('#fill_mask-code code')?.innerText.includes('A <b>dog</b> has four [MASK].')"
    )
    assert "AutoModelForMaskedLM" in page.inner_text("#fill_mask-code code")
