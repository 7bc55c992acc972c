"""A tiny GPT-2 from text to bundle, and its scores."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GPT2Config, GPT2LMHeadModel

from app.pretraining import train as train_module
from app.pretraining.data.corpus import read_paragraphs
from app.pretraining.data.tokenizers import train_byte_pairs
from app.pretraining.evaluation.causal_answers import NextJudge
from app.pretraining.evaluation.evaluate import evaluate
from app.pretraining.evaluation.inputs import Places
from app.pretraining.evaluation.text_scores import Document, document_log_probabilities, perplexities, windows
from app.pretraining.export import export
from app.pretraining.families import family_of
from app.pretraining.objectives.next_token import TextBatch, document_ids, packed_rows, tokenise_documents
from app.pretraining.recipes import RECIPES
from app.pretraining.train import train
from tests.pretraining.toy import toy_corpus

CPU = torch.device("cpu")
TINY = replace(
    RECIPES["gpt2_mini"],
    everyday_passes=0,
    vocab_size=300,
    start_vectors=False,
    config={"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64}
    | dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0.0),
    lengths=(32, 64),
    tokens_per_batch=256,
    learning_rate=1e-2,
    matrix_learning_rate=1e-2,
)


@pytest.fixture(autouse=True)
def _float32(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timed choice of precision would differ from run to run."""
    monkeypatch.setattr(train_module, "faster_precision", lambda run, batch: torch.float32)


@pytest.fixture
def model() -> GPT2LMHeadModel:
    """Random weights, 60 pieces."""
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=60, n_embd=16, n_layer=2, n_head=2, n_positions=64, bos_token_id=0, eos_token_id=0)
    return GPT2LMHeadModel(config).eval()


def test_rows_hold_every_document_in_its_order() -> None:
    corpus = toy_corpus(documents=12)
    batches = list(packed_rows(corpus, 0, pass_number=0, seed=1, lengths=(16,), tokens_per_batch=64))
    assert all(batch.input_ids.shape[1] == 16 and batch.input_ids.shape[0] <= 4 for batch in batches)
    rows = np.concatenate([batch.input_ids for batch in batches])
    assert rows.size > 0.98 * (len(corpus.ids) + 12) - 16
    assert (rows == 0).sum() == pytest.approx(12, abs=1)
    # In the toy corpus each piece names its sentence: within a row, without a text's beginning, they never go back.
    for row in rows:
        if not (row == 0).any():
            assert (np.diff(row) >= 0).all()
            assert (np.diff(row) <= 1).all(), "a sentence was left out"


def test_each_pass_is_another_and_can_be_repeated() -> None:
    def first(pass_number: int) -> TextBatch:
        return next(
            packed_rows(toy_corpus(), 0, pass_number=pass_number, seed=1, lengths=(16, 32), tokens_per_batch=64)
        )

    assert np.array_equal(first(0).input_ids, first(0).input_ids)
    assert not np.array_equal(first(0).input_ids, first(1).input_ids)


def test_documents_come_back_as_they_were_written(text_folder: Path) -> None:
    files = sorted((text_folder / "en").glob("storybooks*"))
    tokenizer = train_byte_pairs(files, 300)
    corpus = tokenise_documents(files, tokenizer.backend_tokenizer)
    for number, paragraphs in enumerate(read_paragraphs(files[0])):
        assert tokenizer.decode(document_ids(corpus, number)) == "\n".join(paragraphs)
    strange = "Naïve café, 東京 🙂\n\n\tend"
    assert tokenizer.decode(tokenizer(strange)["input_ids"]) == strange, "bytes write everything"


def test_the_loss_is_transformers_own(model: GPT2LMHeadModel) -> None:
    ids = np.random.default_rng(0).integers(60, size=(4, 32))
    ours = family_of(TINY).loss(model, TextBatch(ids), CPU, torch.float32)
    torch.testing.assert_close(ours, model(torch.from_numpy(ids), labels=torch.from_numpy(ids)).loss)


def test_only_the_layers_matrices_are_orthogonalised(model: GPT2LMHeadModel) -> None:
    matrices, others = family_of(TINY).parameter_groups(model)
    assert matrices["orthogonal"] and "orthogonal" not in others
    assert len(matrices["params"]) == 2 * 4, "two layers, four matrices each"
    assert sum(p.numel() for group in (matrices, others) for p in group["params"]) == model.num_parameters()


def test_log_probabilities_do_not_depend_on_the_batch(model: GPT2LMHeadModel) -> None:
    rows = [np.random.default_rng(n).integers(60, size=length) for n, length in enumerate((5, 20, 1, 9))]
    together = NextJudge(model, None).log_probabilities(rows)
    for row, scores in zip(rows, together, strict=True):
        logits = model(torch.from_numpy(row)[None]).logits[0, :-1].log_softmax(-1)
        expected = logits[torch.arange(len(row) - 1), torch.from_numpy(row[1:])]
        torch.testing.assert_close(torch.from_numpy(scores).float(), expected.detach(), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("length", [2, 7, 8, 9, 31])
def test_windows_score_each_piece_once_with_half_a_window_before_it(length: int) -> None:
    seen: list[int] = []
    for number, (row, new) in enumerate(windows(np.arange(length), 8)):
        assert len(row) <= 8
        assert len(row) - new >= (1 if number == 0 else min(4, length // 2)), "too little before the new ones"
        seen += row[-new:].tolist()
    assert seen == list(range(1, length))


def test_perplexity_of_equal_chances_is_their_number() -> None:
    documents = [Document("a", np.arange(10), words=3), Document("b", np.arange(4), words=9)]

    def equal_chances(rows: list[np.ndarray]) -> list[np.ndarray]:
        return [np.full(len(row) - 1, -math.log(50)) for row in rows]

    scores = perplexities(documents, document_log_probabilities(documents, equal_chances, 8))
    assert scores["piece"] == pytest.approx(50)
    assert scores["word"] == pytest.approx(50 ** (12 / 12))
    assert scores["words"] == 12


def test_a_resumed_run_equals_an_unbroken_one(text_folder: Path, tmp_path: Path) -> None:
    unbroken, _ = train(TINY, text_folder, tmp_path / "a", 1.0, CPU, steps=9)
    shutil.copytree(tmp_path / "a" / "tokenizer", tmp_path / "b" / "tokenizer")
    train(TINY, text_folder, tmp_path / "b", 1.0, CPU, steps=9, stop_after=4)
    resumed, state = train(TINY, text_folder, tmp_path / "b", 1.0, CPU, steps=9)
    assert state.steps == 9
    for name, tensor in resumed.model.state_dict().items():
        torch.testing.assert_close(tensor, unbroken.model.state_dict()[name], msg=f"{name} differs")


@pytest.mark.slow
def test_from_text_to_a_measured_bundle(text_folder: Path, tmp_path: Path) -> None:
    places = Places(text_folder, tmp_path / "eval", tmp_path / "work", tmp_path / "models")
    _, start = train(TINY, text_folder, places.work / "gpt2_mini", 1.0, CPU, steps=1)
    run, end = train(TINY, text_folder, places.work / "gpt2_mini", 1.0, CPU, steps=60)
    assert end.loss < 0.6 * start.loss, "it learns"
    bundle = places.models / "gpt2-mini"
    export(run, end, text_folder, bundle)
    again = AutoModelForCausalLM.from_pretrained(bundle)
    for name, tensor in again.state_dict().items():
        torch.testing.assert_close(tensor.float(), run.model.state_dict()[name], atol=1e-3, rtol=1e-3)
    assert AutoTokenizer.from_pretrained(bundle).tokenize("The dog") == run.tokenizer.tokenize("The dog")

    (text_folder / "valid").mkdir()
    for name in ("storybooks", "r_bbc_news"):
        (text_folder / "valid" / f"en_{name}.txt").write_text("The dog sees the cat at the house.\n", encoding="utf-8")
    blimp = tmp_path / "eval" / "blimp"
    blimp.mkdir(parents=True)
    rows = ["sentence_good\tsentence_bad", *["The dog sees the cat.\tdog cat The the sees."] * 3]
    (blimp / "order.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (blimp / "paradigms.tsv").write_text("UID\tfield\norder\tsyntax\n", encoding="utf-8")
    scores = evaluate("gpt2-mini", places)
    assert set(scores["perplexity"]["by_file"]) == {"en_storybooks", "en_r_bbc_news"}
    assert scores["perplexity"]["model"]["word"] < 60
    assert scores["minimal_pairs"]["model"] == scores["minimal_pairs"]["baselines"]["Kneser-Ney, 5 pieces"] == 1.0
    assert evaluate("gpt2-mini", places) == scores, "measured twice, the same"
    golden = json.loads((bundle / "golden.json").read_text(encoding="utf-8"))
    assert [len(answer["top_5"]) for answer in golden] == [5] * 5
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert "pipeline_tag: text-generation" in card
    assert f"| **this model** | {scores['perplexity']['model']['word']:,.1f} |" in card


def test_chinese_pieces_are_single_characters(tmp_path: Path) -> None:
    text = "中华人民共和国位于亚洲东部，今天天气很好。\n" * 20
    (tmp_path / "zh.txt").write_text(text, encoding="utf-8")
    made = train_byte_pairs([tmp_path / "zh.txt"], 320, by_character=True)
    made.save_pretrained(tmp_path / "saved")
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "saved")
    ids = tokenizer("今天中国天气很好")["input_ids"]
    assert [tokenizer.decode([piece]) for piece in ids] == list("今天中国天气很好")
    unseen = tokenizer("龘")["input_ids"]
    assert len(unseen) > 1 and tokenizer.decode(unseen) == "龘"
