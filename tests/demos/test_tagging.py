"""The tab of words with labels: drawings, links, own models, the endpoint, parity with the library's pipeline."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import gradio as gr
import pytest

from app.engine.runtime.loader import loader
from app.engine.runtime.visitor_models import visitor_models
from app.engine.text.text_tokenizer import TextTokenizer
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.tasks.attribution.attribute import attribute
from app.tasks.classification.classify import classify
from app.tasks.classification.page import own_models
from app.tasks.fine_tune.tune import fine_tune
from app.tasks.tagging.tag import tag, tag_lines
from app.views.tagging import draw_entities
from demos import tagging as demo
from tests.checkpoints import CLASSIFIER, TAGGER, TAGS
from tests.conftest import SetSetting
from tests.demos import client
from tests.demos.client import call

TEXT = "The <b>dog</b> barked in Lima!"
ROWS = [{"text": f"[Lima](<i>place) is the {word} of the [dog](animal)"} for word in ("art", "bank", "river", "house")]


request = partial(client.request, "anna")


def test_labels_are_those_of_the_librarys_pipeline(tiny: Path) -> None:
    from transformers import TokenClassificationPipeline

    loaded = loader().get(BY_NAME[TAGGER])
    plain = TokenClassificationPipeline(
        model=loaded.model, tokenizer=loaded.tokenizer(TextTokenizer).tokenizer, device=-1, ignore_labels=[],
        aggregation_strategy="none",
    )  # fmt: skip
    text = "She opened the door and went into the house in Lima, playing words."
    found = {one["start"]: one for one in plain(text)}
    words = tag(text, TAGGER).words
    assert [word.text for word in words] == [*text.replace(",", " ,").replace(".", " .").split()]
    for word in words:
        assert text[word.start : word.end] == word.text and word.label in TAGS
        assert word.label == found[word.start]["entity"]
        assert word.probability == pytest.approx(float(found[word.start]["score"]), abs=1e-5)


def test_entities_are_words_that_belong_together(tiny: Path) -> None:
    made = tag(TEXT, TAGGER)
    assert made.entities, "the tiny model's weights are random, and wide"
    for one in made.entities:
        inside = [word for word in made.words if one.start <= word.start < one.end]
        assert TEXT[one.start : one.end] == one.text and {word.label[2:] for word in inside} == {one.label}
        assert one.probability == pytest.approx(sum(word.probability for word in inside) / len(inside))


def test_chinese_is_labelled_character_by_character(tiny: Path) -> None:
    assert [word.text for word in tag("狗叫了 the dog", TAGGER).words] == ["狗", "叫", "了", "the", "dog"]


def test_what_is_drawn_is_escaped(tiny: Path) -> None:
    drawn = demo.on_run(TEXT, TAGGER, request())
    assert "<b>dog" not in drawn and "&lt;" in drawn and drawn.count("<mark") == len(tag(TEXT, TAGGER).entities)
    with pytest.raises(gr.Error, match="empty_text"):
        demo.on_run(" ", TAGGER, request())
    with pytest.raises(gr.Error, match="too_long"):
        demo.on_run("the dog " * 300, TAGGER, request())


def test_a_kind_has_one_colour_in_every_text() -> None:
    kinds = ["organisation", "person", "place"]
    looks = {"organisation": "row-0", "person": "row-1", "place": "row-2"}
    for text, marked in (("Ada", [("person", 0)]), ("Lima Ada", [("place", 0), ("person", 5)])):
        drawn = draw_entities(text, [(start, start + 3, kind, "") for kind, start in marked], kinds)
        for kind, _ in marked:
            assert f"class='entity {looks[kind]}' data-label='{kind}'" in drawn


def test_the_kinds_are_those_of_the_models_labels(tiny: Path) -> None:
    assert tag(TEXT, TAGGER).kinds == list(dict.fromkeys(label[2:] for label in TAGS if label != "O"))


def test_links(tiny: Path) -> None:
    text, model, *_ = demo.on_open(request(tab="tagging", text="Hello", model=TAGGER))
    assert (text, model.value) == ("Hello", TAGGER)
    assert demo.on_open(request(tab="tagging", model="nope"))[1].value == TAGGER


def test_unplugged_the_tab_says_what_it_needs(set_setting: SetSetting, tmp_path: Path) -> None:
    set_setting(models=str(tmp_path), offline="1")
    loader.cache_clear()
    text, model, *_ = demo.on_open(request())
    assert model.value == "minilm-l6-names"
    with pytest.raises(gr.Error, match="a package that is not installed.*requirements-packs.*model_unavailable"):
        demo.on_run(text, model.value, request())
    with pytest.raises(gr.Error, match="names-bert-base is not on this machine.*PLAYGROUND_MODELS.*model_unavailable"):
        demo.on_run(text, "names-bert-base", request())
    for wrong, code in ((" ", "empty_text"), ("a " * 20_000, "too_long")):
        with pytest.raises(gr.Error, match=code):  # another model would not help
            demo.on_run(wrong, model.value, request())
        with pytest.raises(PlaygroundError, match=code):
            tag_lines(wrong, model.value)


def test_a_page_in_chinese_is_answered_by_what_is_bundled(set_setting: SetSetting, tmp_path: Path) -> None:
    set_setting(models=str(tmp_path), offline="1")
    loader.cache_clear()
    asked = request(lang="zh-CN")
    text, model, *_ = demo.on_open(asked)
    assert model.value == "bert-mini-zh-names" == demo.on_picker(asked)[0][1]
    assert demo.on_run(text, model.value, asked).count("<mark") == 3


def test_the_picker_begins_with_the_pages_language(packs: Path) -> None:
    assert demo.on_picker(request())[0][1] == "minilm-l6-names"
    assert demo.on_picker(request(lang="zh-CN"))[0][1] == "bert-mini-zh-names"


def test_own_models_label_words_and_are_no_classifiers(fresh_trainings: None) -> None:
    made = fine_tune(ROWS, "bert-mini", epochs=1, visitor="anna")
    assert (made.kind, made.labels) == ("tags", ["O", "B-<i>place", "B-animal"]) and made.entities is not None
    assert {word.label for word in tag(TEXT, made.name, visitor="anna").words} <= set(made.labels)
    assert own_models("anna") == {} and made.name in dict(demo.on_picker(request())).values()
    assert "<i>place" not in demo.on_run("Lima Lima Lima", made.name, request())
    for ask in (lambda: classify(["a"], made.name, visitor="anna"), lambda: attribute("a", made.name, visitor="anna")):
        with pytest.raises(PlaygroundError, match="wrong_model"):
            ask()
    with pytest.raises(PlaygroundError, match="unknown_model"):
        tag("Lima", made.name, visitor="bob")
    visitor_models().forget("anna")


def test_a_classifier_labels_no_words(tiny: Path) -> None:
    with pytest.raises(PlaygroundError, match="wrong_model"):
        tag("Lima", CLASSIFIER)


def test_endpoint(server: str) -> None:
    answer = call(server, "tag", "The dog barked in Lima.", TAGGER)
    assert set(answer) == {"model", "revision", "words", "entities", "kinds", "unknown"}
    assert (answer["model"], answer["revision"]) == (TAGGER, "folder")
    assert set(answer["words"][0]) == {"text", "start", "end", "label", "probability"}
    assert all(set(one) == {"label", "start", "end", "text", "probability"} for one in answer["entities"])
    assert call(server, "tag", "Lima", "")["model"] == TAGGER
    assert "wrong_model" in str(call(server, "tag", "Lima", "gpt2"))
