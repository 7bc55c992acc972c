"""The frame around bertviz: no text breaks out of it, and nothing in it contacts another host."""

from __future__ import annotations

import json
import re
from html import unescape

from app.results.attention import BertvizPage
from app.ui.texts import texts
from app.views.bertviz import compose, draw_bertviz

EVIL = "</script><script>alert(1)</script><!-- \"'\u2028"
PAGE = BertvizPage(
    view="head",
    model="m",
    scripts=["const jQuery = 1;", "const d3 = 1;", "const params = PYTHON_PARAMS; // PYTHON_PARAMS is a marker"],
    tokens=[EVIL, "b"],
    second_start=1,
    parts=10_000,
    weights=[[[[2_500, 7_500], [0, 10_000]]]],
)


def test_a_text_cannot_end_the_script_it_stands_in() -> None:
    document = compose(PAGE)
    assert document.count("<script") == document.count("</script>") == 5
    sent = re.search(r"<script id='sent'[^>]*>(.*?)</script>", document, re.DOTALL).group(1)
    assert json.loads(sent)["tokens"][0] == EVIL
    drawn = draw_bertviz(PAGE, texts("attention")["en"])
    assert (
        drawn.count("<script") == 0
        and drawn.count('"') == 0
        and drawn.count("'") == 2 * 6
        and "sandbox='allow-scripts'" in drawn
    )


def test_weights_are_sent_once_and_nothing_is_fetched() -> None:
    document = compose(PAGE)
    assert document.count("10000]") == 1
    assert "const params = bertvizParameters" in document
    assert "://" not in document and "src=" not in document and "default-src 'none'" in unescape(document)
