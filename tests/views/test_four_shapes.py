"""BERT's figure 4 with a visitor's words in it."""

import re

import pytest

from app.ui.texts import LANGUAGES, texts
from app.views.four_shapes import draw_shapes

TABS = ["sentence_pair", "classification", "answering", "tagging"]


def cells(drawn: str) -> list[tuple[list[str], list[str]]]:
    """Of each picture: what is read at which place, and what goes in."""
    pictures = re.findall(r"<span class='shape'.*?</span></span>", drawn)
    return [
        (re.findall(r"<i(?: class='read')?>(.*?)</i>", picture), re.findall(r"<b>(.*?)</b>", picture))
        for picture in pictures
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_task_reads_what_the_paper_says(language: str) -> None:
    labels = texts("tagging")[language]
    drawn = draw_shapes("Ada lives here" if language == "en" else "她住这", labels)
    assert re.findall(r"data-tab='(\w+)'", drawn) == TABS
    pair, single, answer, tags = cells(drawn)
    for read, given in (pair, single, answer, tags):
        assert len(read) == len(given) and given[0] == "[CLS]" and given[-1] == "[SEP]"
    assert [at for at, said in enumerate(pair[0]) if said] == [0]
    assert [at for at, said in enumerate(single[0]) if said] == [0]
    assert [said for said in answer[0] if said] == [labels["shapes_begin"], labels["shapes_end"]]
    assert [at for at, said in enumerate(tags[0]) if said] == [1, 2, 3]
    assert pair[1].count("[SEP]") == answer[1].count("[SEP]") == 2
    assert single[1].count("[SEP]") == tags[1].count("[SEP]") == 1


def test_long_texts_are_cut_and_markup_is_text() -> None:
    drawn = draw_shapes("<script>one two three four five", texts("tagging")["en"])
    assert "<script" not in drawn and "&lt;" in drawn
    assert all("…" in given for _, given in cells(drawn))


def test_an_empty_box_draws_the_tasks() -> None:
    assert len(cells(draw_shapes("", texts("tagging")["en"]))) == 4
