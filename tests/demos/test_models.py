"""The models tab: facts in both languages, a model taken apart, ALBERT's changes one at a time, shapes, scores."""

from __future__ import annotations

import re
from pathlib import Path

import gradio as gr
import pytest

import demos
from app.results.models import Anatomy, Measures, Part
from app.ui.shell import discover
from app.ui.texts import texts
from app.views.anatomy import draw_anatomy, in_millions, plot_parts
from app.views.claims import draw_claims
from app.views.families import draw_families
from demos import models as demo
from tests.about import ABOUT
from tests.demos.client import request
from tests.plots import sent, told
from tests.views.test_plots import markup

LANGUAGES = ("en", "zh-CN")
SLUG = "models"


def test_facts_agree_in_both_languages() -> None:
    english, chinese = (texts(SLUG)[language]["families"] for language in LANGUAGES)
    assert [one["key"] for one in english] == [
        "word_vectors", "elmo", "bert", "gpt2", "roberta", "albert", "smollm2",
    ]  # fmt: skip
    for one, other in zip(english, chinese, strict=True):
        assert one.keys() == other.keys() and one["link"] == other["link"] and one["link"].startswith("https://")
        for row in ("name", "sizes"):
            years = [re.findall(r"\b(?:19|20)\d\d\b|\d+(?:\.\d+)? M", facts[row]) for facts in (one, other)]
            assert years[0] == years[1], (one["key"], row)


def test_claims_lead_to_tabs_and_agree_in_both_languages() -> None:
    english, chinese = (texts(SLUG)[language]["claims"] for language in LANGUAGES)
    slugs = {tab.slug for tab in discover(demos)}
    for one, other in zip(english, chinese, strict=True):
        assert one["tab"] == other["tab"] and one["tab"] in slugs
        numbers = [re.findall(r"\d[\d,]*(?: M)?", claim["truth"]) for claim in (one, other)]
        assert numbers[0] == numbers[1] or not numbers[0], one["claim"]


def test_facts_are_escaped_and_say_where_they_are_from() -> None:
    labels = texts(SLUG)["en"]
    facts = dict.fromkeys(("key", "name", "who", "built", "taught", "reads", "sizes", "source", "link"), "<i>x</i>")
    drawn = draw_families([facts], labels)
    claim = draw_claims([dict.fromkeys(("claim", "truth", "tab"), "<i>x</i>")], labels)
    assert "<i>" not in claim and claim.count("&lt;i&gt;") == 4
    assert "<i>" not in drawn and drawn.count("&lt;i&gt;") >= 7 and "rel='noopener'" in drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_opens(tiny: Path, language: str) -> None:
    families, model, attentive, text, claims, scores = demo.on_open(request(lang=language))
    assert claims.count("<dt>") == 15
    assert families.count("<article") == 7 and text
    names, looking = ([name for _, name in picker.choices] for picker in (model, attentive))
    assert model.value in names and attentive.value in looking
    assert "elmo-mini" in names and "elmo-mini" not in looking, "it has no attention"
    assert "gpt2-mini" in scores and texts(SLUG)[language]["counting"] in scores


def test_a_model_is_taken_apart(tiny: Path) -> None:
    plot, drawn = demo.on_take_apart("albert-base-v2", request())
    (bars,) = sent(plot)["data"]
    table = sent(plot)["layout"]["meta"]["table"]
    assert sum(bars["x"]) == sum(row[2] for row in table["rows"]) and "albert-base-v2 has" in told(plot)
    whole = re.search(r"all together</th><td><b>([\d,]+)", drawn).group(1)
    assert whole in told(plot) and int(whole.replace(",", "")) == sum(bars["x"])
    assert re.search(r"attention</th><td>[\d,]+</td><td>[\d.]+%</td><td>\d+ times", drawn)
    with pytest.raises(gr.Error, match="unknown_model"):
        demo.on_take_apart("<i>", request())


@pytest.mark.parametrize("language", LANGUAGES)
def test_switches_recount(language: str) -> None:
    plot, drawn = demo.on_switch("base", False, False, request(lang=language))
    assert len(sent(plot)["data"]) == 1 and "109,482,240" in told(plot) and "109,482,240" in drawn
    plot, drawn = demo.on_switch("base", True, True, request(lang=language))
    bert, albert = sent(plot)["data"]
    assert sum(bert["x"]) == 109_482_240 and sum(albert["x"]) == 11_683_584
    assert "11,683,584" in told(plot) and "9.4" in told(plot) and drawn.count("<article") == 2
    titles = {demo.on_switch("large", *on, request(lang=language))[1] for on in ((True, False), (False, True))}
    assert len(titles) == 2
    with pytest.raises(gr.Error, match="bad_value"):
        demo.on_switch("<b>", True, True, request(lang=language))


def test_shapes_are_drawn(tiny: Path) -> None:
    drawn = demo.on_shapes("The <b>dog</b>.", "bert-base-uncased", request())
    assert "[1, " in drawn and "<b>dog" not in drawn and drawn.count("data-step") == 9


def test_names_are_escaped_and_every_part_has_a_word() -> None:
    from app.engine.anatomy import ORDER

    anatomy = Anatomy("<i>", "r", [Part(component, 10, 2) for component in ORDER], Measures(None, 5, 1, 1, 4))
    for language in LANGUAGES:
        labels = texts(SLUG)[language]
        assert "<i>" not in draw_anatomy(anatomy, ABOUT, labels)
        figure = plot_parts([("<i>", anatomy.parts)], "told", "name", labels)
        assert markup(figure) == set() and len(figure.data[0].y) == len(ORDER)


def test_millions() -> None:
    assert [in_millions(count) for count in (512, 5_322_240, 11_683_584, 109_482_240)] == [
        "512", "5.32 M", "11.7 M", "109 M",
    ]  # fmt: skip
