"""Shared by all plots: markup is neutralised, lines are wrapped, the figure is readable by plotly.js and by people."""

from __future__ import annotations

import json
import re
from pathlib import Path

import gradio
import numpy as np
import plotly
import pytest

from app.analysis.projection import explained, projection
from app.results.classification import LabelMap
from app.settings import ROOT
from app.ui.components.plots import shown, with_words
from app.views.label_map import axis_title, plot_label_map
from app.views.plots import COLOURS, look_of, plain, shortened, table_of, wrapped

HOSTILE = ("<img src=x onerror=alert(1)>", "<a href='https://example.org'>here</a>", "a<br>b & &lt;b&gt;")


def strings(value: object) -> list[str]:
    """All texts in a figure that plotly shows, so not what is only saved."""
    if isinstance(value, dict):
        return [text for key, one in value.items() if key != "meta" for text in strings(one)]
    if isinstance(value, list):
        return [text for one in value for text in strings(one)]
    return [value] if isinstance(value, str) else []


def markup(figure: object) -> set[str]:
    """The tags that plotly would find."""
    return {tag for text in strings(figure.to_plotly_json()) for tag in re.findall(r"<[^>]*>?", text)} | {
        tag for text in strings(json.loads(figure.to_json())) for tag in re.findall(r"<[^>]*>?", text)
    }


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_visitor_typed_is_markup(text: str) -> None:
    assert "<" not in plain(text) and "<" not in shortened(text)
    assert set(re.findall(r"<[^>]*>", wrapped(text))) <= {"<br>"}
    made = LabelMap(text, "pca", 0, [[0, 0], [1, -1], [0, 1]], [text, "b", "b"], [text, "y", "z"])
    assert markup(plot_label_map(made, text)) <= {"<br>", "<extra>", "</extra>"}


def test_long_lines_are_broken() -> None:
    text = "The river bank was steep and green, and nobody had ever thought of building a house on it, not even once."
    lines = wrapped(text).split("<br>")
    assert "".join(lines) == text and len(lines) > 1 and all(len(line) <= 45 for line in lines)
    assert [len(line) for line in wrapped("银" * 50).split("<br>")] == [22, 22, 6]
    assert len(wrapped("x" * 100).split("<br>")) == 3


def test_thirty_classes_look_different() -> None:
    assert len({look_of(number) for number in range(30)}) == 30
    assert {look_of(number)[0] for number in range(8)} == set(COLOURS)


def test_dark_mode_shows_every_colour_apart() -> None:
    style = (ROOT / "app" / "ui" / "dark.css").read_text()
    dark = list(COLOURS)
    for number, colour in enumerate(COLOURS):
        said = ", ".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
        found = {
            kind: re.findall(rf"{kind}: rgb\({said}\)\"\] {{ {kind}: (#\w+) ", style) for kind in ("fill", "stroke")
        }
        assert found["fill"] == found["stroke"] and len(found["fill"]) <= 1, colour
        dark[number] = (found["fill"] or [colour])[0]
    assert len(set(dark)) == len(COLOURS)
    page = luminance("#0b0f19")  # Gradio's slate 950
    assert all((luminance(colour) + 0.05) / (page + 0.05) >= 4.5 for colour in dark)


def luminance(colour: str) -> float:
    """As WCAG 2.2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_axes_say_what_they_are() -> None:
    assert axis_title("pca", [0.3444, 0.1], 0) == "PC 1, 34%"
    assert (axis_title("pca", [], 1), axis_title("tsne", [], 1)) == ("PC 2", "t-SNE 2")


def test_shares_are_those_of_scikit_learn() -> None:
    from sklearn.decomposition import PCA

    vectors = np.random.default_rng(0).normal(size=(20, 7)) * np.arange(1, 8)
    found = explained(projection(vectors).points, vectors)
    assert found == pytest.approx(PCA(2).fit(vectors).explained_variance_ratio_, abs=1e-9)
    assert explained(np.zeros((3, 2)), np.ones((3, 4))) == [0.0, 0.0]


def test_a_map_has_a_trace_for_each_label() -> None:
    made = LabelMap("m", "pca", 0, [[0, 0.5], [1, -1], [0, 1]], ["b", "a", "b"], ["one", "two", "three"], [0.5, 0.25])
    figure = plot_label_map(made, "told", ["a", "b", "c"])
    assert [trace.name for trace in figure.data] == ["a (1)", "b (2)", "c (0)"]
    assert (list(figure.data[1].x), list(figure.data[1].y)) == ([0, 0], [0.5, 1])
    assert list(figure.data[1].text) == ["b: one", "b: three"]
    assert len({(trace.marker.color, trace.marker.symbol) for trace in figure.data}) == 3
    assert figure.layout.xaxis.title.text == "PC 1, 50%" and figure.layout.meta["told"] == "told"
    assert figure.layout.meta["table"]["rows"][0] == [0, 0.5, "b", "one"]
    other = plot_label_map(LabelMap("n", "tsne", 5, [[0, 0]], ["c"], ["x"]), "told", ["a", "b"])
    looks = [[(trace.marker.color, trace.marker.symbol) for trace in one.data] for one in (figure, other)]
    assert looks[0] == looks[1], "a label looks the same in every map"


def test_tables_are_plain_json() -> None:
    assert table_of(("x",), [(1 / 3,), (float("nan"),)], model="m") == {
        "model": "m", "columns": ["x"], "rows": [[0.33333333], [None]],
    }  # fmt: skip


@pytest.mark.parametrize(("language", "word"), [("en", "Closer"), ("zh-CN", "放大")])
def test_the_page_gets_words_in_its_language(language: str, word: str) -> None:
    made = LabelMap("m", "pca", 0, [[0, 0]], ["b"], ["one"])
    sent = json.loads(with_words(plot_label_map(made, "told"), language).plot)
    assert sent["config"]["locales"][language]["dictionary"]["Zoom in"] == word
    assert sent["layout"]["meta"]["words"]["figure"]
    assert [one.visible for one in shown([plot_label_map(made, "told")], 3, language)] == [True, False, False]


def test_plotly_writes_for_the_plotly_js_of_gradio() -> None:
    """Another release of either may know other attributes."""
    own = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    wanted = re.search(r"plotly\.js v([\d.]+)", own.read_text(encoding="utf-8")[:2000])[1]
    (carried,) = (Path(gradio.__file__).parent / "templates" / "frontend" / "assets").glob("PlotlyPlot-*.js")
    assert f"version=`{wanted}`" in carried.read_text(encoding="utf-8")
