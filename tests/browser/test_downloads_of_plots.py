"""The download buttons of a plot save the picture as shown and the exact numbers."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def answered(page: object) -> object:
    """The fill-mask tab with an answer."""
    page.goto(f"{page.base}/?tab=fill_mask&text=The dog [MASK] <b> %26 loudly.&model=bert-base-uncased")
    page.wait_for_function("document.querySelector('#fill_mask-text textarea')?.value.includes('loudly')")
    page.click("#fill_mask-run")
    page.wait_for_selector("#fill_mask-answers .bars")
    return page


def saved(page: object, kind: str, folder: Path, inside: str = "#fill_mask-answers") -> bytes:
    """The file behind one button."""
    with page.expect_download() as started:
        page.locator(f"{inside} .downloads button[data-save={kind}]").first.click()
    assert started.value.suggested_filename.endswith(f".{kind}")
    started.value.save_as(folder / kind)
    return (folder / kind).read_bytes()


def test_the_picture_has_the_bars_and_words_that_are_seen(answered: object, tmp_path: Path) -> None:
    drawing = ET.fromstring(saved(answered, "svg", tmp_path).decode())
    words = "".join(text.text for text in drawing.iter(f"{SVG}text"))
    seen = answered.locator("#fill_mask-answers .bars .word").all_inner_texts()
    assert all(re.sub(r"\s", "", word) in re.sub(r"\s", "", words) for word in seen)
    bars = answered.eval_on_selector_all(
        "#fill_mask-answers .bars .fill", "bars => bars.map((bar) => bar.getBoundingClientRect().width)"
    )
    drawn = {float(rect.get("width").rstrip("%")) for rect in drawing.iter(f"{SVG}rect")}
    assert all(min(abs(bar - width) for width in drawn) < 0.2 for bar in bars)
    assert float(drawing.get("width")) >= answered.locator("#fill_mask-answers .answer").bounding_box()["width"]
    picture = saved(answered, "png", tmp_path)
    assert picture.startswith(b"\x89PNG") and len(picture) > 5_000


def test_the_numbers_are_those_of_the_endpoint(answered: object, tmp_path: Path) -> None:
    table = json.loads(saved(answered, "json", tmp_path))
    assert table["model"] == "bert-base-uncased"
    rows = list(csv.reader(io.StringIO(saved(answered, "csv", tmp_path).decode("utf-8-sig"))))
    assert rows[0] == table["columns"] == ["mask", "rank", "token", "piece", "token_id", "probability"]
    assert [float(row[5]) for row in rows[1:]] == [row[5] for row in table["rows"]]
    shown = answered.locator("#fill_mask-answers .bars .value").first.inner_text()
    assert float(shown.removesuffix("%")) == pytest.approx(100 * table["rows"][0][5], abs=0.051)


def test_tables_and_strips_are_drawn(page: object, tmp_path: Path) -> None:
    page.goto(f"{page.base}/?tab=attention&text=The dog.&model=gpt2")
    page.wait_for_function("document.querySelector('#attention-text textarea')?.value")
    page.click("#attention-run")
    page.wait_for_selector("#attention-view .attention-view[data-drawn]")
    page.click("#attention-view button[data-name=steps]")
    page.wait_for_selector("#attention-steps .downloads")
    drawing = ET.fromstring(saved(page, "svg", tmp_path, "#attention-steps").decode())
    strip = page.locator("#attention-steps .strip").first.evaluate("(one) => one.title.split(' ').length")
    assert len(list(drawing.iter(f"{SVG}rect"))) > strip
    table = json.loads(saved(page, "json", tmp_path, "#attention-steps"))
    assert sum(row[4] for row in table["rows"]) == pytest.approx(1, abs=1e-5)
