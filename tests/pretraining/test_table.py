"""The table of all bundles: every kind of score has its rows, and the figures are those of the records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.pretraining.__main__ import main
from app.pretraining.cards.model_card import SECTIONS
from app.pretraining.cards.results_table import HEADER, ROWS, bundles, table
from tests.pretraining.toy import MODELS


def test_every_kind_of_score_is_in_the_card_and_in_the_table() -> None:
    tuned = {"dev.tsv", "everyday opinions", "names", "answers"}
    assert ROWS.keys() == SECTIONS.keys() | tuned, "fine-tuned bundles have their cards from app.training"


def test_the_table_shows_what_was_measured(tmp_path: Path) -> None:
    scores = {
        "perplexity": {
            "unit": "word",
            "model": {"word": 1234.5},
            "baselines": {"a": {"word": 99.0}, "b": {"word": 88.0}},
        },
        "minimal_pairs": {"model": 0.612, "baselines": {"a": 0.5}},
    }
    for name, record in (("b-mini", {"scores": scores}), ("a-mini", {})):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.json").write_text(json.dumps(record), encoding="utf-8")
    head, _, *rows = table(tmp_path).splitlines()
    assert head == f"| {' | '.join(HEADER)} |"
    assert len(rows) == 2, "what was not measured has no row"
    assert rows[0].startswith("| b-mini | perplexity per word, lower is better | 1,234 | 88 | GPT-2 small 37.5")
    assert rows[1].startswith("| b-mini | BLiMP, paradigms given | 61.2% | 50.0% | GPT-2 81.5 %")


def test_the_command_prints_every_bundle(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["app.pretraining", "table"])
    main()
    printed = capsys.readouterr().out
    assert bundles(MODELS)
    for name in bundles(MODELS):
        assert f"| {name} |" in printed


def test_without_names_every_bundle_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []
    monkeypatch.setattr("app.pretraining.__main__.evaluate", lambda name, places: measured.append(name))
    monkeypatch.setattr("sys.argv", ["app.pretraining", "evaluate"])
    main()
    assert measured == bundles(MODELS)
    assert {"bert-mini", "bert-mini-sst2"} <= set(measured)


def test_without_a_recipe_nothing_is_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["app.pretraining"])
    with pytest.raises(SystemExit):
        main()
