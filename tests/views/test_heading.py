"""A card's heading."""

from __future__ import annotations

from app.results.about import About
from app.views.heading import draw_heading


def test_the_name_stands_there_and_the_rest_opens_on_demand() -> None:
    drawn = draw_heading(About("bert-mini", "BERT, small", "6 M <parameters>.", "What is it?"))
    assert "<h3>BERT, small <code>bert-mini</code></h3>" in drawn
    assert "<details><summary>What is it?</summary><p>6 M &lt;parameters&gt;.</p></details>" in drawn


def test_a_name_that_is_its_own_title_stands_once() -> None:
    drawn = draw_heading(About("<owner>/name", "<owner>/name", "", ""))
    assert drawn.count("&lt;owner&gt;/name") == 1 and "<details" not in drawn
