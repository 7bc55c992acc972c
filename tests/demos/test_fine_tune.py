"""The fine-tuning tab: a run from start to zip, stopping, pairs, privacy between visitors, the endpoint."""

from __future__ import annotations

import re
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import gradio as gr
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from app.engine.runtime.visitor_models import visitor_models
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.results.tuning.fine_tune import Judged, LossPoint, TuningReport, ValidationPoint, ValidationScores
from app.tasks.fine_tune import tune as task
from app.tasks.fine_tune.page import SETS, read_sample
from app.tasks.fine_tune.take_home import take_home
from app.tasks.fine_tune.tune import Tuning
from app.ui.components.tuning.take_home import model_card
from app.ui.texts import texts
from app.views.curves import plot_curves, thinned
from app.views.fine_tune import draw_outcome
from app.views.plots import wrapped
from app.visits import visits
from demos import fine_tune as demo
from tests.plots import sent

LINES = "\n".join(
    f"the {word} {index} | {label}" for index in range(8) for word, label in (("dog", "A"), ("soup", "B"))
)


pytestmark = pytest.mark.usefixtures("fresh_trainings")


def request(visitor: str = "anna", **query: str) -> gr.Request:
    """A visitor's request."""
    return gr.Request(query_params={"lang": "en", **query}, headers={}, session_hash=visitor)


def start(lines: str = LINES, runs: list | None = None, **changed: object) -> list[tuple]:
    """All that the page shows while it trains."""
    how = {
        "model": "bert-mini", "method": "full", "epochs": 3, "rate": "1e-3", "batch": 4, "seed": 0, "share": 0.25,
        "augment": False, "scratch": False, "weighed": False, "folds": 0, **changed,
    }  # fmt: skip
    return list(demo.on_start(lines, None, "", None, "", "", "", *how.values(), runs or [], request()))


def test_from_start_to_zip(tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    *_, (status, curves, confusion, _, table, own, runs) = start()
    (run,) = runs
    assert "Classification" in status and run.result.name in table
    loss, validation_loss, accuracy = sent(curves)["data"]
    assert loss["x"] == list(range(1, 10)) and loss["y"] == [point.loss for point in run.result.history]
    assert validation_loss["y"] == [point.loss for point in run.result.validation_history]
    assert accuracy["y"] == [point.accuracy for point in run.result.validation_history]
    (matrix,) = sent(confusion)["data"]
    assert matrix["text"] == run.result.validation.confusion and own.value == run.result.name
    assert run.result.name in demo.on_try("the dog", own.value, runs, request())
    assert_coloured_by_true_label(demo.on_map(own.value, runs, request()), runs[0])
    file = take_home(own.value, "anna", model_card(own.value, runs, "en"))
    with zipfile.ZipFile(file) as opened:
        opened.extractall(tmp_path)
        assert not any("dog" in opened.read(name).decode("latin-1") for name in opened.namelist() if "README" in name)
    folder = tmp_path / run.result.name
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    assert model.config.id2label == {0: "A", 1: "B"} and len(AutoTokenizer.from_pretrained(folder)) > 100
    with pytest.raises(gr.Error, match="unknown_model"):
        demo.on_try("the dog", own.value, runs, request("ben"))
    with pytest.raises(PlaygroundError, match="unknown_model"):
        take_home(own.value, "ben", "")
    *_, (_, curves, _, _, table, _, both) = start(runs=runs, scratch=True, method="lora")
    assert len(both) == 2 and table.count("<tr>") == 3 and "from scratch" in table and len(sent(curves)["data"]) == 6
    visits().end("anna")
    assert not Path(file).exists()
    assert visitor_models().names("anna") == []


def assert_coloured_by_true_label(drawn: tuple, run: object) -> None:
    """Both maps, whatever the models predict."""
    note, *maps = drawn
    assert note == "" and len(maps) == 2
    for plot in maps:
        texts_of = {text for trace in sent(plot)["data"] for text in trace["text"]}
        assert {wrapped(f"{row.label}: {row.text}") for row in run.judged} == texts_of


ENGLISH, CHINESE = "the dog | A\n狗 | B\nthe soup | B", "狗跑了 | A\nthe dog | A\n汤 | B"


@pytest.mark.parametrize("sample", SETS)
@pytest.mark.parametrize("chosen", ["roberta-mini", "bert-mini-zh", None])
def test_the_encoder_follows_the_language_of_the_sample(sample: str, chosen: str | None) -> None:
    lines, tried = demo.on_sample(sample)
    assert_known(
        demo.tuning_panel.encoder_for_box(lines, None, chosen), "zh" if sample.endswith("_zh") else "en", chosen
    )
    assert lines == read_sample(sample) and bool(re.search("[一-鿿]", tried)) == sample.endswith("_zh")
    assert all(line.count("|") == sample.startswith("pairs") for line in tried.splitlines())


@pytest.mark.parametrize("chosen", ["roberta-mini", "bert-mini-zh", None])
def test_the_encoder_follows_what_was_typed_and_files(tmp_path: Path, chosen: str | None) -> None:
    for lines, language in ((ENGLISH, "en"), (CHINESE, "zh"), ("", "en")):
        assert_known(demo.tuning_panel.encoder_for_box(lines, None, chosen), language, chosen)
        *_, encoder = demo.on_file(None, "", None, lines, chosen, request())
        assert_known(encoder, language, chosen)
    path = tmp_path / "rows.csv"
    path.write_text("text,label\n狗跑了,a dog\n汤很好,a soup\n", encoding="utf-8")
    *_, encoder = demo.on_file(str(path), "", None, ENGLISH, chosen, request())
    assert_known(encoder, "zh", chosen)
    assert demo.tuning_panel.encoder_for_box(ENGLISH, str(path), chosen) == chosen, (
        "a file stands in the place of the lines"
    )


def assert_known(encoder: str, language: str, chosen: str | None) -> None:
    """The encoder knows the language; one that was chosen and knows it has stayed."""
    assert BY_NAME[encoder].language == language
    if chosen and BY_NAME[chosen].language == language:
        assert encoder == chosen


@pytest.mark.parametrize(("language", "sample", "known"), [("en", "opinions", "en"), ("zh-CN", "opinions_zh", "zh")])
def test_the_page_opens_in_the_visitors_language(language: str, sample: str, known: str) -> None:
    opened, lines, picker, *_ = demo.on_open(request(lang=language))
    assert opened == sample and lines == read_sample(sample)
    assert_known(picker.value, known, None)
    assert picker.value in {name for _, name in picker.choices}


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize(
    ("right", "doubts", "verdict"),
    [(40, [], None), (20, ["kept", "rate_high"], "doubt.below"), (23, ["kept", "rate_high"], "doubt.hardly")],
)
def test_the_headline_and_what_may_be_wrong(language: str, right: int, doubts: list, verdict: str | None) -> None:
    labels = texts("fine_tune")[language]
    scores = ValidationScores(right / 40, 0.5, [[20, 0], [40 - right, right - 20]], 0.5)
    result = replace(
        start(epochs=1)[-1][-1][0].result, validation=scores, validation_rows=40, before_accuracy=1 / 3, doubts=doubts
    )
    drawn = draw_outcome(result, [], labels)
    headline = labels["headline"].format(guessing="50%", before="33%", after=f"{right / 40:.0%}")
    assert f"<p class='headline'>{headline}</p>" in drawn
    said = [key for key, sentence in labels.items() if key.startswith("doubt.") and sentence.format(
        model="bert-mini", rows=result.rows, kept=40
    ) in drawn]  # fmt: skip
    assert said == ([verdict, "doubt.rate_high", "doubt.kept"] if verdict else [])


def test_a_run_that_cannot_learn_says_why() -> None:
    """The same texts under both labels: nobody gets more than half of them right."""
    lines = "\n".join(f"the dog {index // 2 % 4} | {'AB'[index % 2]}" for index in range(64))
    *_, (_, _, _, outcome, _, _, runs) = start(lines, epochs=1, rate="1e-6")
    labels, result = texts("fine_tune")["en"], runs[0].result
    assert "rate_low" in result.doubts and "rows" in result.doubts and "language" not in result.doubts
    assert labels["doubt.rate_low"] in outcome and labels["doubt.rows"].format(rows=result.rows) in outcome


@pytest.mark.parametrize(("step", "kept"), [(0, []), (3, ["stopped"])])
def test_a_stop_keeps_the_best_or_nothing(step: int, kept: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The training waits for the button after this step."""
    note, reached = Tuning.on_report, threading.Event()

    def wait(tuning: Tuning, report: TuningReport) -> bool:
        if report.step == step:
            reached.set()
            assert tuning.stop.wait(60)
        return note(tuning, report)

    monkeypatch.setattr(Tuning, "on_report", wait)
    how = ("bert-mini", "full", 20, "1e-3", 1, 0, 0.25, False, False, False, 0)
    shown = demo.on_start(LINES, None, "", None, "", "", "", *how, [], request())
    next(shown)
    assert reached.wait(60)
    demo.on_stop(request())
    *_, final = shown
    assert [run.result.stopped for run in final[-1]] == kept


PAIRS = "\n".join(
    f"the {one} {index} | the {two} ran | {'same' if one == two else '<b>other'}"
    for index in range(6)
    for one, two in (("dog", "dog"), ("dog", "soup"))
)


def test_pairs_from_start_to_answer() -> None:
    *_, (status, _, _, outcome, _, own, runs) = start(PAIRS)
    (run,) = runs
    assert run.result.pairs and run.result.labels == ["<b>other", "same"] and "tick" in status
    assert "<br>the dog ran" in outcome and "<b>other" not in outcome
    answer = demo.on_try("the dog | the soup", own.value, runs, request())
    assert "the dog | the soup" in answer
    with pytest.raises(gr.Error, match="bad_value"):
        demo.on_try("the dog", own.value, runs, request())
    assert all(sent(plot) for plot in demo.on_map(own.value, runs, request())[1:])


def test_what_the_new_model_does_not_know_is_said() -> None:
    *_, (*_, own, runs) = start("the dog ran | A\nthe soup | B\nyou ran | A\nthe hot soup | B")
    assert "In 1 of 2 texts" in demo.on_try("the dog\n这家店很好", own.value, runs, request())
    assert "[UNK]" not in demo.on_try("the dog\nthe soup", own.value, runs, request())


def test_a_curve_without_a_new_point_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = LossPoint(1, 0.5), LossPoint(2, 0.4)
    looks = [Tuning(), Tuning(history=[one]), Tuning(history=[one]), Tuning(history=[one, two])]
    monkeypatch.setattr(demo.visit_runs, "start_tuning", lambda *asked: iter(looks))
    *during, _ = start("the dog ran | A\nthe soup | B")
    assert [isinstance(curves, gr.Plot) for _, curves, *_ in during] == [False, True, False, True]


def test_an_encoder_that_does_not_know_the_script_is_named() -> None:
    from app.results.text import as_json

    *_, (_, _, _, outcome, _, _, runs) = start("你好 | A\n再见 | B\n谢谢 | A\n晚安 | B")
    assert as_json(runs[0].result)["unknown_share"] > 0.5 and "[UNK]" in outcome
    *_, (_, _, _, outcome, _, _, runs) = start("the dog ran | A\nthe soup | B\nyou ran | A\nthe hot soup | B")
    assert "[UNK]" not in outcome


def test_without_a_model_nothing_else_answers() -> None:
    for nobody in (None, ""):
        with pytest.raises(gr.Error, match="finish a training first"):
            demo.on_try("the dog", nobody, [], request())
        with pytest.raises(PlaygroundError, match="no_training"):
            take_home(nobody, "anna", "")


def test_rows_that_are_too_long_are_cut_and_counted() -> None:
    *_, (_, _, _, outcome, _, _, runs) = start(f"{PAIRS}\nthe {'dog ' * 600} | the dog | same")
    assert runs[0].result.cut_rows == 1 and "1 rows are longer" in outcome


def test_views_escape_and_thin() -> None:
    labels = texts("fine_tune")["en"]
    history = [LossPoint(step, 1.0) for step in range(1, 1001)]
    assert len(thinned(history)) <= 301 and thinned(history)[-1].step == 1000
    figure = plot_curves([("<b>", history, [ValidationPoint(5, 0.5, 0.9)])], 10, labels)
    loss, validation_loss, accuracy = figure.data
    assert (loss.name, validation_loss.y, accuracy.y) == ("&lt;b&gt;: loss", (0.5,), (0.9,))
    assert len(loss.x) <= 301 and loss.x[-1] == 1000 and figure.layout.xaxis.range[1] >= 1000
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis2.title.text) == ("steps", "accuracy")
    from tests.tasks.test_fine_tune import ROWS

    result = task.fine_tune(ROWS, "bert-mini", 1, visitor="anna")
    drawn = draw_outcome(result, [Judged("<i>x</i>", "<a>", "b", 0.1, 0.5)], labels)
    assert "<i>x" not in drawn and "<a>" not in drawn


def test_the_endpoint_and_its_owner(server: str) -> None:
    mine, other = (Client(server, verbose=False, httpx_kwargs={"timeout": 120}) for _ in range(2))
    rows = [{"text": f"the {word}", "label": label} for word, label in (("dog", 1), ("soup", 0)) for _ in range(4)]
    answer = mine.predict(rows, "bert-mini", 2, 1e-3, 0, 0.25, api_name="/fine_tune")
    assert {"name", "labels", "history", "validation", "seconds"} <= set(answer) and answer["labels"] == ["0", "1"]
    assert set(answer["history"][0]) == {"step", "loss"}
    assert {"accuracy", "macro_f1", "confusion", "baseline_accuracy"} <= set(answer["validation"])
    assert mine.predict(["the dog"], answer["name"], [], api_name="/classify")["model"] == answer["name"]
    for api_name, arguments in (
        ("/classify", (["the dog"], answer["name"], [])),
        ("/attribute", ("dog", answer["name"], "")),
    ):
        with pytest.raises(AppError, match="unknown_model"):
            other.predict(*arguments, api_name=api_name)
    pairs = [{**row, "text_pair": "the cat"} for row in rows]
    answer = mine.predict(pairs, "bert-mini", 1, 1e-3, 0, 0.25, api_name="/fine_tune")
    assert answer["pairs"] is True
    (result,) = mine.predict(["the dog"], answer["name"], ["the cat"], api_name="/classify")["results"]
    assert result["text_pair"] == "the cat" and len(result["labels"]) == 2
    for mixed in ([*rows, pairs[0]], [*pairs, {**rows[0], "text_pair": " "}]):
        with pytest.raises(AppError, match="a second text, or none"):
            mine.predict(mixed, "bert-mini", 1, 1e-3, 0, 0.25, api_name="/fine_tune")
    visits().end("nobody")
