"""Languages: who gets which, and that every sentence can be formatted."""

from __future__ import annotations

from html.parser import HTMLParser
from string import Formatter
from types import SimpleNamespace

import gradio as gr
import pytest

from app.errors import PlaygroundError
from app.registry.checkpoint_rows import CATALOG
from app.ui.events import friendly, sentence, sentence_as_html
from app.ui.texts import LANGUAGES, language_of, say, short_number, texts, title, trust
from demos import answering


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ({}, "", "en"),
        ({}, "zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"),
        ({}, "zh", "zh-CN"),
        ({}, "zh-TW", "zh-CN"),
        ({}, "fr-FR", "en"),
        ({"lang": "zh-CN"}, "en-US", "zh-CN"),
        ({"lang": "en"}, "zh-CN", "en"),
        ({"lang": "<b>"}, "zh-CN", "zh-CN"),
    ],
)
def test_the_address_goes_before_the_browser(query: dict, accepted: str, language: str) -> None:
    assert language_of(SimpleNamespace(query_params=query, headers={"accept-language": accepted})) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_checkpoint_says_what_it_is(language: str) -> None:
    for checkpoint in CATALOG:
        said = trust(language, checkpoint.name)
        assert short_number(language, checkpoint.parameters) in said
        if checkpoint.source == "bundled":
            assert checkpoint.stands_for and checkpoint.stands_for in said
        else:
            assert checkpoint.repo_id in said or checkpoint.source == "package"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_checkpoint_has_a_name_that_people_know(language: str) -> None:
    titles = [title(language, checkpoint.name) for checkpoint in CATALOG]
    assert len(set(titles)) == len(CATALOG), "no two are called the same"
    for checkpoint, called in zip(CATALOG, titles, strict=True):
        assert called != checkpoint.name
        here = "trained here" if language == "en" else "本项目训练"
        assert (here in called) == (checkpoint.source == "bundled"), "a mini model is never passed off as the real one"


class Seen(HTMLParser):
    """What a reader sees of HTML."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.text, self.tags = "", []
        self.feed(markup)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(texts("errors")["en"]))
def test_every_error_is_read_whole_where_it_is_html_and_where_it_is_text(key: str, language: str) -> None:
    written = texts("errors")[language][key]
    names = [name for _, name, _, _ in Formatter().parse(written) if name]
    error = PlaygroundError(*key.split(".", 1), **dict.fromkeys(names, "<b>it's & that</b>"))
    plain, shown = sentence(error, language), Seen(sentence_as_html(error, language))
    assert shown.text == written.format(**error.values) and shown.tags == []
    assert plain == f"{shown.text} ({error.code})"
    with pytest.raises(gr.Error) as toast:
        friendly(lambda request: raise_(error))(gr.Request(query_params={"lang": language}, headers={}))
    assert Seen(toast.value.message).text == shown.text


def raise_(error: Exception) -> None:
    raise error


def test_sizes_are_short() -> None:
    assert [short_number("en", count) for count in (6_442_210, 110_106_428)] == ["6.4 M", "110 M"]
    assert [short_number("zh-CN", count) for count in (6_442_210, 110_106_428)] == ["644 万", "1.10 亿"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_field_is_named_to_visitors_as_its_tab_labels_it_and_to_programs_by_its_argument(language: str) -> None:
    request = gr.Request(query_params={"lang": language}, headers={})
    words = texts("errors")[language]
    with pytest.raises(gr.Error) as toast:
        answering.on_run(" ", "A passage.", "any", 0.0, request)
    assert f"“{texts('answering')[language]['question']}”" in toast.value.message
    for field, said in (
        ("row 3", words["field.row.number"].format(number=3)),
        ("max_new_tokens", words["field.max_new_tokens"]),
        ("of the visitor's own", "of the visitor's own"),
    ):
        error = PlaygroundError("empty_text", field=field)
        with pytest.raises(gr.Error) as toast:
            friendly(lambda _, error=error: raise_(error))(request)
        assert Seen(toast.value.message).text == say(language, "errors", "empty_text", field=said)
        assert f"“{field}”" in sentence(error, "en")
