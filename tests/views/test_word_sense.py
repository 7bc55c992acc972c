"""Drawings of a word's occurrences: each keeps its place in every layer, and no visitor's text is markup."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pytest

from app.results.about import About
from app.results.word_sense import Drawn, Occurrence, SenseLayer, SensePanel, Senses
from app.ui.components.plots import with_words
from app.ui.texts import LANGUAGES, texts
from app.views.occurrences import draw_occurrences
from app.views.sense_layers import draw_numbers, draw_unmeasured, in_order, plot_layers, plot_similarity
from app.views.sense_place import draw_place
from app.views.word_sense import Shown, hover_text, plot_points
from tests.about import ABOUT
from tests.views.test_plots import HOSTILE, markup, strings

SENSES = ["river", None, "money", "river", "money"]


def panel(dimensions: int = 2, method: str = "pca", labels: list[str | None] = SENSES, **more: object) -> SensePanel:
    """Five places of a word at three layers and in a mix; at layer 0 they lie on one spot."""
    generator = np.random.default_rng(0)
    sentences = [f"the bank {number}" for number in range(5)]
    occurrences = [Occurrence(number, 4, 8, "bank", label) for number, label in enumerate(labels)]
    layers = []
    for number, name in enumerate(("0", "1", "2", "mix")):
        vectors = generator.normal(size=(5, 6)) if number else np.ones((5, 6))
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        measured = Senses(0.5 + number / 10, 0.25, 0.25 + number / 10, number / 4, 0.5) if any(labels) else None
        way = Drawn("pca", 0, [0.4, 0.2, 0.1][:dimensions], name != "2")
        if method != "pca" and number:
            way = Drawn(method, 4 / 3, [], name != "2")
        clusters = [0, 0, 1, 1, number % 3]
        places = generator.uniform(-1, 1, size=(5, dimensions)).round(4) * (number > 0)
        layers.append(SenseLayer(name, places, way, unit @ unit.T, clusters, measured))
    given = {"model": "m", "family": "elmo", "word": "bank", "method": method, "sentences": sentences,
             "occurrences": occurrences, "layers": layers, "mix": [0.5, 0.25, 0.25]}  # fmt: skip
    return SensePanel(**{**given, **more})


def shown(language: str = "en", **more: object) -> Shown:
    """How it is shown."""
    return Shown(texts("word_sense")[language], "one", **more)


def places_of(figure: object, name: str) -> dict[int, list[float]]:
    """Each occurrence's place in a frame, by what its traces say of their points."""
    frame = next(frame for frame in figure.layout.meta["frames"] if frame["name"] == name)
    assert len(frame["data"]) == len(figure.data)
    axes = [axis for axis in "xyz" if axis in frame["data"][0]]
    return {
        number: [data[axis][at] for axis in axes]
        for trace, data in zip(figure.data, frame["data"], strict=True)
        for at, number in enumerate(trace.customdata if trace.customdata is not None else ())
    }


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_point_is_the_same_occurrence_in_every_layer(dimensions: int, clustered: bool) -> None:
    given = panel(dimensions)
    figure = plot_points(given, shown(clustered=clustered))
    for layer in given.layers:
        assert places_of(figure, layer.name) == {at: place.tolist() for at, place in enumerate(layer.points)}
    assert figure.layout.meta["start"] == "2"
    opened = {
        number: [getattr(trace, axis)[at] for axis in "xyz"[:dimensions]]
        for trace in figure.data
        for at, number in enumerate(trace.customdata if trace.customdata is not None else ())
    }
    assert opened == places_of(figure, "2"), "it opens at the top layer"
    assert {trace.type for trace in figure.data} == {"scatter" if dimensions == 2 else "scatter3d"}


def test_senses_are_traces_with_looks_of_their_own() -> None:
    figure = plot_points(panel(), shown())
    assert [trace.name for trace in figure.data] == ["river (2)", "no label (1)", "money (2)"]
    assert len({(trace.marker.color, trace.marker.symbol) for trace in figure.data}) == 3
    assert [list(trace.customdata) for trace in figure.data] == [[0, 3], [1], [2, 4]]


def test_groups_have_the_colours_of_their_layer() -> None:
    figure = plot_points(panel(), shown(clustered=True))
    whole, *legend = figure.data
    for layer, frame in zip(panel().layers, figure.layout.meta["frames"], strict=True):
        colours = frame["data"][0]["marker"]["color"]
        assert colours == [legend[group].marker.color for group in layer.clusters]
        named = [(entry["name"], entry["showlegend"]) for entry in frame["data"][1:]]
        sizes = [layer.clusters.count(group) for group in range(3)]
        assert named == [(f"group {group + 1} ({size})", size > 0) for group, size in enumerate(sizes)]
    assert list(whole.customdata) == [0, 1, 2, 3, 4]


def test_a_mix_is_where_it_begins_once_it_is_asked_for() -> None:
    meta = plot_points(panel(), shown(start="mix", stays=True)).layout.meta
    assert (meta["start"], meta["stays"]) == ("mix", False)
    assert meta["frames"][-1]["said"] == "mix: 50% · 25% · 25%"
    other = plot_points(panel(layers=panel().layers[:3]), shown(start="mix", stays=True)).layout.meta
    assert (other["start"], other["stays"]) == ("2", True), "a model that has none stays where it is"


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_say_how_a_layer_was_drawn(language: str) -> None:
    told = texts("word_sense")[language]

    def captions(**more: object) -> list[str]:
        return [frame["told"] for frame in plot_points(panel(**more), shown(language)).layout.meta["frames"]]

    linear, neighbours = captions(), captions(method="umap")
    assert told["one_spot"] in linear[0] and told["turned"] in linear[1]
    assert not any(told[key] in linear[2] for key in ("one_spot", "turned", "no_scale"))
    assert told["drawn.umap"].format(setting="1.33") in neighbours[1] and told["no_scale"] in neighbours[2]
    assert told["static"] in captions(family="static_vectors")[0]
    assert told["drawn.pca"].format(asked="t-SNE") in captions(method="tsne", layers=panel().layers)[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_vector_for_all_uses_has_one_point_and_a_sentence(language: str) -> None:
    told = shown(language).labels["static"]
    first, *read = panel().layers
    place = draw_place(panel(family="static_vectors", layers=[first]), shown(language), ABOUT)
    assert place.points and (place.cosines, place.layers, place.numbers) == (None, None, "")
    assert told in place.points.layout.meta["told"] and place.sentences.count("<li>") == 5
    for apart in (panel(layers=[first]), panel(family="static_vectors", layers=read[:1])):  # "play" and "plays"
        drawn = draw_place(apart, shown(language), ABOUT)
        assert drawn.points and drawn.cosines


def test_axes_say_what_they_are() -> None:
    frames = plot_points(panel(), shown()).layout.meta["frames"]
    titles = [frame["layout"]["xaxis"]["title"]["text"] for frame in frames]
    assert titles == ["PC 1–2 ↻, 40%", "PC 1–2 ↻, 40%", "PC 1, 40%", "PC 1–2 ↻, 40%"]
    scene = plot_points(panel(3), shown()).layout.scene
    assert [axis.title.text for axis in (scene.xaxis, scene.yaxis, scene.zaxis)] == [
        "PC 1, 40%", "PC 2, 20%", "PC 3, 10%",
    ]  # fmt: skip
    assert plot_points(panel(method="tsne"), shown()).layout.xaxis.title.text == "t-SNE 1"


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_visitor_typed_is_markup(text: str) -> None:
    word = Occurrence(0, 0, len(text), text, text[:20])
    hostile = panel(sentences=[text] * 5, occurrences=[word] * 5, word=text)
    for figure in (plot_points(hostile, shown()), plot_similarity(hostile, shown()), plot_layers(hostile, shown())):
        assert markup(figure) <= {"<br>", "<b>", "</b>", "<extra>", "</extra>"}
        # Sentences of `told` and `said` are set as text; plotly reads the rest of a frame.
        read = [{"data": frame["data"], "layout": frame.get("layout")} for frame in figure.layout.meta["frames"]]
        assert not any("<" in one for one in strings(json.loads(json.dumps(read, default=str))))
    drawn = draw_occurrences(hostile, shown()) + draw_numbers(hostile, shown())
    assert not re.search(r"<(img|a)\b", drawn) and unescape(drawn).count(text[:20]) >= 5


def test_the_word_is_bold_where_it_stands() -> None:
    given = panel(sentences=["a < b " * 40 + "bank" + " c > d" * 40] * 5)
    one = Occurrence(0, 240, 244, "bank", "river")
    text = hover_text(given, one)
    assert re.findall("<b>(.*?)</b>", text) == ["bank"]
    assert text.startswith("river · ") and len(unescape(re.sub("<.*?>", "", text))) == len("river · ") + 90 + 4 + 90


def test_the_matrix_keeps_its_names() -> None:
    given = panel()
    figure = plot_similarity(given, shown())
    order = in_order(given)
    assert order == [0, 3, 1, 2, 4] and figure.layout.meta["cells"] == order
    names = ["1 river", "4 river", "2 the bank 1", "3 money", "5 money"]
    assert list(figure.data[0].x) == list(figure.data[0].y) == names
    for layer, frame in zip(given.layers, figure.layout.meta["frames"], strict=True):
        assert np.abs(frame["data"][0]["z"] / 100 - layer.similarity[np.ix_(order, order)]).max() <= 0.005 + 1e-9
    sent = json.loads(with_words(figure, "en").plot)
    assert sent["layout"]["meta"]["frames"][0]["data"][0]["z"]["dtype"] == "i1", "a byte a cell on the way, too"


def test_the_curve_and_the_table_have_the_same_numbers() -> None:
    given = panel()
    figure = plot_layers(given, shown())
    nearest, margin, frequent = figure.data
    assert (list(nearest.y), list(frequent.y)) == ([0, 0.25, 0.5], [0.5] * 3) and frequent.line.dash == "dash"
    assert list(margin.y) == pytest.approx([0.25, 0.35, 0.45])
    assert "layer 2 (50%)" in figure.layout.meta["told"]
    lines = [[shape["x0"] for shape in frame["layout"]["shapes"]] for frame in figure.layout.meta["frames"]]
    assert lines == [[0], [1], [2], []]
    drawn = draw_numbers(given, shown())
    assert re.findall("data-frame='(.*?)'", drawn) == ["0", "1", "2", "mix"]
    cells = re.findall("<td>(.*?)</td>", drawn)
    assert cells[:5] == ["0.500", "0.250", "+0.250", "0.000", "0.500"]
    unlabelled = panel(labels=[None] * 5)
    assert plot_layers(unlabelled, shown()) is None
    assert (draw_numbers(unlabelled, shown()), draw_unmeasured(given, shown())) == ("", "")
    assert texts("word_sense")["en"]["label_them"] in unescape(draw_unmeasured(unlabelled, shown()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_it_can_be_sent(language: str) -> None:
    place = draw_place(panel(), shown(language), About("m", "M", "<said>", "?"))
    assert "&lt;said&gt;" in place.heading
    for figure in (place.points, place.cosines, place.layers):
        config = json.loads(with_words(figure, language).plot)["config"]
        selects = "lasso2d" not in config["modeBarButtonsToRemove"]
        assert selects == (figure is place.points), "only points are selected"
