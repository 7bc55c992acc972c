"""bertviz's views on our weights: the numbers, the longest text, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.errors import PlaygroundError
from app.registry.packages import BERTVIZ_HEAD, D3, JQUERY
from app.tasks.attention import bertviz
from app.tasks.attention.attend import see
from app.tasks.attention.bertviz import PARTS, bertviz_page, bertviz_reach
from app.views.bertviz import compose

TEXT, SECOND, MODEL = "The dog barked.", "The cat ran.", "bert-base-uncased"

needs_scripts = pytest.mark.skipif(
    any(script.find() is None for script in (BERTVIZ_HEAD, D3, JQUERY)),
    reason="needs bertviz, mpld3 and sphinxcontrib-jquery (requirements-packs.txt)",
)
pytestmark = pytest.mark.usefixtures("tiny")


@needs_scripts
@pytest.mark.parametrize("view", ["head", "model"])
def test_weights_are_the_models_own_to_the_fourth_digit(view: str) -> None:
    seen, page = see(TEXT, SECOND, MODEL), bertviz_page(TEXT, SECOND, MODEL, view)
    assert np.abs(np.array(page.weights) / page.parts - seen.weights).max() <= 0.5 / PARTS + 1e-9
    assert page.tokens == [token.token for token in seen.tokens]
    assert page.tokens[page.second_start - 1] == "[SEP]"
    assert bertviz_page(TEXT, "", MODEL, view).second_start is None


@needs_scripts
@pytest.mark.parametrize("at", [0, 1])
def test_the_size_is_said_before_the_page_is_made(at: int) -> None:
    text = "dog cat " * 6
    reach = bertviz_reach(text, "", MODEL)[at]
    assert (reach.installed, reach.tokens) == (True, 14)
    assert len(compose(bertviz_page(text, "", MODEL, reach.view))) == pytest.approx(reach.page_bytes, rel=0.02)


@needs_scripts
def test_a_text_beyond_the_reach_is_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = see(TEXT, "", MODEL).weights.shape[1]
    monkeypatch.setitem(bertviz.MOST_LINES, "head", heads * 16)
    assert bertviz_reach(TEXT, "", MODEL)[0].most_tokens == 4
    with pytest.raises(PlaygroundError) as refused:
        bertviz_page(TEXT, "", MODEL, "head")
    assert (refused.value.code, refused.value.values["limit"]) == ("too_long", 4)


def test_without_its_packages_there_is_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = (replace(BERTVIZ_HEAD, package="no-such-package"),)
    monkeypatch.setitem(bertviz.SCRIPTS, "head", absent)
    assert not bertviz_reach(TEXT, "", MODEL)[0].installed
    assert bertviz_page(TEXT, "", MODEL, "head") is None


@needs_scripts
def test_changed_scripts_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bertviz.SCRIPTS, "head", (replace(BERTVIZ_HEAD, sha256="0" * 64),))
    with pytest.raises(ValueError, match="not the file that was published"):
        bertviz_page(TEXT, "", MODEL, "head")


def test_an_unknown_view_is_refused() -> None:
    with pytest.raises(PlaygroundError) as refused:
        bertviz_page(TEXT, "", MODEL, "neuron")
    assert refused.value.code == "bad_value"
