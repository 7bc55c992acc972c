"""Languages: who gets which, and that every sentence can be said."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from app.errors import PlaygroundError
from app.registry.catalog import CATALOG
from app.ui.events import sentence
from app.ui.texts import LANGUAGES, in_millions, language_of, trust


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
        ({"lang": "<b>"}, "zh-CN", "en"),
    ],
)
def test_the_address_goes_before_the_browser(query: dict, accepted: str, language: str) -> None:
    assert language_of(SimpleNamespace(query_params=query, headers={"accept-language": accepted})) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_checkpoint_says_what_it_is(language: str) -> None:
    for checkpoint in CATALOG:
        said = trust(language, checkpoint.name)
        assert in_millions(checkpoint.parameters) in said
        if checkpoint.source == "bundled":
            assert checkpoint.stands_for and checkpoint.stands_for in said
        else:
            assert checkpoint.repo_id in said or checkpoint.source == "package"


def test_errors_are_escaped_because_gradio_shows_them_as_html() -> None:
    said = sentence(PlaygroundError("word_not_found", "no_pieces", word="<b>x</b>", model="m"), "en")
    assert "<b>" not in said and said.endswith("(word_not_found)")


def test_sizes_are_short() -> None:
    assert (in_millions(6_442_210), in_millions(110_106_428)) == ("6.4 M", "110 M")
