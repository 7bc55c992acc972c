"""The zero-shot tab: the four methods side by side, accuracies by hand, few-shot prompts, bad lines, the endpoint."""

from __future__ import annotations

from pathlib import Path

import gradio as gr
import pytest

from app.errors import PlaygroundError
from app.results.prompting import BenchResult, BenchRow
from app.tasks.zero_shot.bench import ask_all_methods, bench, few_shot_prompt, read_examples
from app.tasks.zero_shot.predict import METHODS, zero_shot
from app.ui.texts import texts
from app.views.zero_shot import draw_bench, draw_methods
from app.views.zero_shot_accuracy import plot_accuracy
from demos import zero_shot as demo
from tests.about import ABOUT
from tests.demos.client import call, clicked, request
from tests.plots import sent

LANGUAGES = ("en", "zh-CN")
TEMPLATE = "{text} It was"
SHOTS = [("The soup is hot.", "good"), ("The cat ran away.", "bad")]


def test_few_shot_prompts() -> None:
    expected = "The soup is hot. It was good\n\nThe cat ran away. It was bad\n\nNew {text}. It was"
    assert few_shot_prompt(TEMPLATE, SHOTS, "New {text}.") == expected
    assert few_shot_prompt(TEMPLATE, [], "New.") == "New. It was"


def test_all_methods_agree_with_the_endpoint(tiny: Path) -> None:
    answers = ask_all_methods("I love the dog.", ["good", "rather bad", "a"], TEMPLATE, "gpt2")
    assert [answer.method for answer in answers] == list(METHODS)
    for answer in answers:
        alone = zero_shot("I love the dog.", ["good", "rather bad", "a"], TEMPLATE, "gpt2", answer.method)
        for one, other in zip(answer.scores, alone.scores, strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-4)


def test_bench_counts_right_answers(tiny: Path) -> None:
    tests = [("I love the dog.", "good"), ("The cat ran away.", "bad"), ("She opened the door.", "bad")]
    result = bench(tests, ["good", "bad"], TEMPLATE, "gpt2", SHOTS)
    assert (result.chance, result.majority, result.shots) == (0.5, pytest.approx(2 / 3), 2)
    for method in METHODS:
        favourites = []
        for text, _ in tests:
            answers = ask_all_methods(text, ["good", "bad"], TEMPLATE, "gpt2", SHOTS)
            scores = next(answer for answer in answers if answer.method == method).scores
            favourites.append(max(scores, key=lambda entry: entry.score).label)
        assert [row.favourites[method] for row in result.rows] == favourites
        right = sum(label == expected for label, (_, expected) in zip(favourites, tests, strict=True))
        assert result.accuracy[method] == pytest.approx(right / 3)


def test_drawn_figures() -> None:
    labels = texts("zero_shot")["en"]
    row = BenchRow("<i>x", "good", {"sum": "good", "mean": "bad", "pmi": "good", "calibrated": "bad"})
    accuracy = {"sum": 0.6, "mean": 0.45, "pmi": 0.55, "calibrated": 0.5}
    drawn = draw_bench(BenchResult("m", 2, [row], accuracy, 0.5, 0.5), ABOUT, labels)
    assert "<i>" not in drawn and drawn.count("✓") == 2
    assert "right in 60%" in drawn
    none = draw_bench(BenchResult("m", 2, [row], dict.fromkeys(accuracy, 0.5), 0.5, 0.5), ABOUT, labels)
    assert "not understood" in none
    sixty = BenchResult("m", 2, [row], accuracy, 0.5, 0.6)
    bars, guessing, frequent = plot_accuracy([sixty], labels).data
    assert list(bars.y) == list(accuracy.values()) and set(guessing.y) == {0.5} and set(frequent.y) == {0.6}
    apart = draw_bench(BenchResult("m", 2, [row], accuracy | {"sum": 0.9}, 0.5, 0.5), ABOUT, labels)
    assert "tuning on the test" in apart


def test_ask_and_measure(tiny: Path) -> None:
    examples = "The soup is hot. | good\nThe cat ran. | bad"
    drawn = demo.on_ask("I <b>love</b> it.", "good\nbad\n", TEMPLATE, ["gpt2"], 2, examples, request())
    assert drawn.count("<article") == 1 and "<b>love" not in drawn and drawn.count("class='cell") == 8
    assert drawn.count("cell favourite") == 4 and "The soup is hot. It was good" in drawn
    plot, measured = demo.on_bench("I love it. | good\nNo. | bad", "good\nbad", TEMPLATE, ["gpt2"], 0, "", request())
    assert "2 texts, each after 0 solved examples" in measured
    assert [trace["type"] for trace in sent(plot)["data"]] == ["bar", "scatter"]
    with pytest.raises(gr.Error, match="bad_value"):
        demo.on_ask("x", "good\nbad", TEMPLATE, [], 0, "", request())
    with pytest.raises(gr.Error, match=r"竖线.*\(bad_value\)"):
        demo.on_bench("no bar", "good\nbad", TEMPLATE, ["gpt2"], 0, "", request(lang="zh-CN"))


@pytest.mark.parametrize(
    ("lines", "reason"), [("no bar", "tests"), (" | good", "tests"), ("text | other", "tests_label")]
)
def test_lines_without_a_label_are_refused(lines: str, reason: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        read_examples(lines, ["good", "bad"])
    assert caught.value.key == f"bad_value.{reason}"


def test_a_bar_in_the_text_is_text() -> None:
    assert read_examples("a | b | good\n\n c|bad ", ["good", "bad"]) == [("a | b", "good"), ("c", "bad")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_prepared_tasks(language: str) -> None:
    labels = texts("zero_shot")[language]
    for index, task in enumerate(labels["templates"]):
        assert "{text}" in task["template"] and not task["template"].endswith(" ")
        assert len(task["examples"]) >= 2 and len(task["tests"]) >= 3
        known = {label for _, label in [*task["examples"], *task["tests"]]}
        assert known <= set(task["labels"])
        if task["name"] not in ("Chinese to English", "中译英"):  # four sentences are all there are
            assert not {text for text, _ in task["examples"]} & {text for text, _ in task["tests"]}
        text, lines, template, examples, tests, models, *_ = demo.on_template(
            ["gpt2"], request(lang=language), clicked(index)
        )
        assert len(models) == 1
        assert text == task["text"] and template == task["template"]
        assert read_examples(tests, demo.split(lines)) == [tuple(pair) for pair in task["tests"]]
        assert demo.first(examples, demo.split(lines), 3) == [tuple(pair) for pair in task["examples"][:3]]


def test_a_link_fills_the_page(tiny: Path) -> None:
    query = {"tab": "zero_shot", "text": "<i>One", "labels": "a\nb", "template": "{text}:", "model": "gpt2,nope"}
    query |= {"tests": "x | a", "shots": "2"}
    text, labels, template, _, tests, shots, models, _ = demo.on_open(request(**query))
    assert (text, labels, template, models.value) == ("<i>One", "a\nb", "{text}:", ["gpt2"])
    assert (tests, shots) == ("x | a", 2)


def test_methods_are_drawn_escaped(tiny: Path) -> None:
    answers = ask_all_methods("<i>x</i>", ["<b>good", "bad"], TEMPLATE, "gpt2")
    drawn = draw_methods(answers, ABOUT, texts("zero_shot")["en"])
    assert "<i>" not in drawn and "<b>good" not in drawn


def test_endpoint(server: str) -> None:
    answer = call(server, "zero_shot", "I love it.", ["good", "bad"], TEMPLATE, "gpt2", "pmi")
    assert set(answer) == {"model", "revision", "prompt", "scores", "method", "unknown"} and answer["method"] == "pmi"
    assert set(answer["scores"][0]) == {"label", "log_probability", "tokens", "score", "probability"}
    assert [entry["label"] for entry in answer["scores"]] == ["good", "bad"]
    for arguments in (("x", ["a", "a"], TEMPLATE, "gpt2", "mean"), ("x", ["a", "b"], "no place", "gpt2", "mean")):
        assert "(bad_value)" in str(call(server, "zero_shot", *arguments))
    assert "(empty_text)" in str(call(server, "zero_shot", "x", ["a", ""], TEMPLATE, "gpt2", "mean"))
