"""A race as table and plot: means and spread, savings from pre-training, escaped names, both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.results.tuning.race import Race, RacePoint, Racer
from app.ui.texts import LANGUAGES, texts
from app.views.race import draw_race, plot_race, race_status


def racer(name: str, method: str, scores: dict[int, list[float]]) -> Racer:
    points = [RacePoint(size, draw, f1, f1) for size, draws in scores.items() for draw, f1 in enumerate(draws)]
    return Racer(name, method, points, 402, 1608, 3.2)


BAG = racer("bag-of-words", "regression", {5: [0.3, 0.4, 0.5], 20: [0.6, 0.6, 0.6]})
BERT = racer("<b>bert", "full", {5: [0.6, 0.7, 0.8], 20: [0.9, 0.8, 0.7]})
RACE = Race([5, 20], 12, 1 / 3, [BAG, BERT], [], 12, 12, 8.0, "done")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_says_what_pre_training_saves(language: str) -> None:
    labels = texts("fine_tune")[language]
    drawn = draw_race(RACE, labels)
    assert labels["race.saved"].format(all=20, score="0.60") in drawn
    assert labels["race.enough"].format(model="&lt;b&gt;bert", fewest=5) in drawn and "<b>bert" not in drawn
    assert "80.0%" in drawn and "0.800" in drawn and "402" in drawn and labels["method.regression"] in drawn
    blind = replace(RACE, guessing=0.6)
    assert labels["race.blind"].format(all=20) in draw_race(blind, labels) and "<li>" not in draw_race(blind, labels)
    poor = replace(RACE, racers=[BAG, racer("poor", "mix", {5: [0.1], 20: [0.2]})])
    assert labels["race.never"].format(model="poor") in draw_race(poor, labels)


def test_what_is_not_done_is_not_compared() -> None:
    labels = texts("fine_tune")["en"]
    half = replace(RACE, racers=[BAG, racer("bert", "full", {5: [0.6]})], done=7, ended="stopped")
    drawn = draw_race(half, labels)
    assert "bert does as well" not in drawn and "bert never" not in drawn and " (with 5)" in drawn
    assert "Stopped after 7 of 12" in drawn
    assert "headline" not in draw_race(replace(half, ended=""), labels)
    assert "–" in draw_race(replace(RACE, racers=[BAG, Racer("bert", "full")], done=6), labels)


def test_the_plot_shows_the_mean_and_the_spread() -> None:
    bag, bert, guessing = plot_race(RACE, texts("fine_tune")["en"]).to_plotly_json()["data"]
    assert list(bag["y"]) == pytest.approx([0.4, 0.6]) and bert["y"] == pytest.approx([0.7, 0.8])
    assert bag["error_y"]["array"] == pytest.approx([0.1, 0.0])
    assert bag["error_y"]["arrayminus"] == pytest.approx([0.1, 0.0])
    assert bert["customdata"][0] == pytest.approx([5, 0.6, 0.8]) and bert["name"] == "&lt;b&gt;bert"
    assert guessing["y"] == pytest.approx([1 / 3, 1 / 3])
    assert plot_race(replace(RACE, racers=[], done=0), texts("fine_tune")["en"]) is None


def test_the_status_says_what_runs_and_what_is_left() -> None:
    labels = texts("fine_tune")["en"]
    race = replace(RACE, racers=[BAG], waiting=["gpt2-mini", "bert-mini"], done=5, ended="")
    said = race_status(0, race, labels)
    assert said.startswith("bag-of-words") and "5 of 12" in said and "gpt2-mini, bert-mini" in said
    assert race_status(2, None, labels) == labels["waiting"].format(ahead=2)
    assert race_status(0, None, labels) == labels["preparing"]
