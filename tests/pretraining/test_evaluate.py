"""The evaluation from end to end on a toy bundle: it scores, remembers golden answers and writes the card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from app.pretraining import train as train_module
from app.pretraining.evaluation.evaluate import evaluate
from app.pretraining.evaluation.inputs import Places
from app.pretraining.export import export
from app.pretraining.train import train
from tests.pretraining.test_train import TINY

pytestmark = pytest.mark.slow


@pytest.fixture
def places(text_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A toy bundle with all that is needed to measure it."""
    monkeypatch.setattr(train_module, "faster_precision", lambda run, batch: torch.float32)
    (text_folder / "valid").mkdir()
    for name in ("storybooks", "r_bbc_news"):
        text = "The dog sees the cat at the house. The cat hears the fish at the river. " * 5
        (text_folder / "valid" / f"en_{name}.txt").write_text(text, encoding="utf-8")
    pairs = tmp_path / "eval" / "nsp_sop" / "pairs.tsv"
    pairs.parent.mkdir(parents=True)
    rows = [("nsp", "next"), ("nsp", "random"), ("sop", "order"), ("sop", "swapped")] * 3
    lines = [f"storybooks\t{task}\t{label}\tThe dog sees.\tThe cat hears." for task, label in rows]
    pairs.write_text("\n".join(["source\ttask\tlabel\tsentence1\tsentence2", *lines]) + "\n", encoding="utf-8")
    made = Places(text_folder, tmp_path / "eval", tmp_path / "work", tmp_path / "models")
    run, state = train(TINY, text_folder, made.work / "bert_mini", 1.0, torch.device("cpu"), steps=3)
    export(run, state, text_folder, made.models / "bert-mini")
    return made


def test_scores_golden_answers_and_card_are_written(places: Places) -> None:
    scores = evaluate("bert-mini", places)
    folder = places.models / "bert-mini"
    record = json.loads((folder / "train.json").read_text(encoding="utf-8"))
    assert record["scores"] == scores
    assert record["steps"] == 3, "what was there stays"
    assert set(scores["masked_pieces"]["by_file"]) == {"en_storybooks", "en_r_bbc_news"}
    assert len(scores["masked_pieces"]["baselines"]) == 3
    assert scores["sentence_pairs"]["nsp"]["pairs"] == scores["sentence_pairs"]["sop"]["pairs"] == 6
    assert scores["sentence_pairs"]["nsp"]["model"] == 0.5, "six equal pairs with three labels each way"
    assert scores["sentence_pairs"]["opening"]["pairs"] == 4, "two documents, both ways round"
    assert scores["sentence_pairs"]["opening"]["chance"] == 0.5
    golden = json.loads((folder / "golden.json").read_text(encoding="utf-8"))
    assert [len(answer["top_5"]) for answer in golden] == [5] * 5
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"{scores['masked_pieces']['model']['top_1']:.1%}" in card
    assert "| order of two neighbours |" in card


def test_measuring_twice_gives_the_same(places: Places) -> None:
    assert evaluate("bert-mini", places) == evaluate("bert-mini", places)


def test_an_unknown_name_is_refused(places: Places) -> None:
    with pytest.raises(LookupError, match="bert-mini"):
        evaluate("no-such-model", places)


def test_kept_baselines_are_counted_anew_when_the_text_changes(places: Places) -> None:
    evaluate("bert-mini", places)
    kept = json.loads((places.work / "bert_mini" / "baselines.json").read_text(encoding="utf-8"))
    (places.corpus / "valid" / "en_storybooks.txt").write_text("The bird follows the horse.", encoding="utf-8")
    evaluate("bert-mini", places)
    again = json.loads((places.work / "bert_mini" / "baselines.json").read_text(encoding="utf-8"))
    assert again["stamp"] != kept["stamp"]
    assert again["scores"]["most frequent piece"]["pieces"] < kept["scores"]["most frequent piece"]["pieces"]
