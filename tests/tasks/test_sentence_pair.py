"""Sentence pairs: equal to direct calls of the published heads, never from a random head, refused in words."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import (
    AlbertForMaskedLM,
    AlbertForPreTraining,
    AlbertModel,
    BertForMaskedLM,
    BertForNextSentencePrediction,
    PreTrainedModel,
)

from app.analysis.probabilities import softmax
from app.engine.storage.weight_names import pair_head
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.tasks.sentence_pair import judge as tasks
from app.tasks.sentence_pair.judge import list_judges, load_judge, sentence_matrix, sentence_pair

ROOT = Path(__file__).resolve().parents[2]
BERT, ALBERT = "bert-base-uncased", "albert-base-v2"
HEADS = {BERT: (BertForNextSentencePrediction, "logits"), ALBERT: (AlbertForPreTraining, "sop_logits")}
PAIRS = [
    ("The kettle is on.", "Mount Fuji is tall."),
    ("I love you because you are wonderful.", "The dog barked at the cat, and the cat ran away from the dog."),
    ("The soup is hot;", "the bank"),
]


def direct_probabilities(folder: Path, name: str, first: str, second: str) -> list[float]:
    """What transformers says when its model is called with the three named tensors; segments written by hand."""
    model_class, field = HEADS[name]
    model = model_class.from_pretrained(folder / name).eval()
    tokenizer = load_judge(name).text.tokenizer
    a, b = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in (first, second))
    cls, sep = tokenizer.cls_token_id, tokenizer.sep_token_id
    ids = [cls, *a, sep, *b, sep]
    with torch.inference_mode():
        output = model(
            input_ids=torch.tensor([ids]),
            attention_mask=torch.ones(1, len(ids), dtype=torch.long),
            token_type_ids=torch.tensor([[0] * (len(a) + 2) + [1] * (len(b) + 1)]),
        )
    return output[field][0].softmax(-1).tolist()


@pytest.mark.parametrize("name", [BERT, ALBERT])
def test_equals_the_published_head_called_directly(tiny: Path, name: str) -> None:
    for first, second in PAIRS:
        result = sentence_pair(first, second, name)
        for given, pair in ((result.labels, (first, second)), (result.swapped, (second, first))):
            expected = direct_probabilities(tiny, name, *pair)
            assert [entry.probability for entry in given] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("name", [BERT, ALBERT])
def test_a_batch_of_unequal_lengths_equals_single_pairs(tiny: Path, name: str) -> None:
    sentences = [part for pair in PAIRS for part in pair]
    matrix = sentence_matrix(sentences, name).probability
    for i, first in enumerate(sentences):
        assert matrix[i][i] is None
        for j, second in enumerate(sentences):
            if i != j:
                assert matrix[i][j] == pytest.approx(direct_probabilities(tiny, name, first, second)[0], abs=1e-5)


@pytest.mark.parametrize("name", [BERT, ALBERT])
def test_segments_change_the_answer(tiny: Path, name: str) -> None:
    judge = load_judge(name)
    row = judge.text.pair(judge.text.part("The kettle is on."), judge.text.part("Mount Fuji is tall."))
    flat = type(row)(row.input_ids, [0] * len(row.input_ids))
    assert np.abs(judge.pair_logits([row]) - judge.pair_logits([flat])).max() > 1e-3


@pytest.mark.parametrize(("name", "labels"), [(BERT, ["is_next", "not_next"]), (ALBERT, ["in_order", "swapped"])])
def test_index_zero_is_follows_and_in_order(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, name: str, labels: list[str]
) -> None:
    judge = load_judge(name)
    monkeypatch.setattr(type(judge), "pair_logits", lambda self, rows: np.array([[2.0, -1.0]] * len(rows)))
    result = sentence_pair("One.", "Two.", name)
    assert [entry.label for entry in result.labels] == labels
    assert f"{result.labels[0].probability:.1%}" == "95.3%"


def test_softmax_is_stable_and_adds_up() -> None:
    made = softmax(np.array([[2.0, -1.0], [1e4, -1e4]], dtype=np.float32))
    assert made[0, 0] == pytest.approx(0.9525741268)
    assert made.sum(axis=-1) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("name", [BERT, ALBERT])
def test_typed_special_tokens_are_text_and_no_boundary(published: Path, name: str) -> None:
    judge = load_judge(name)
    sep = judge.text.tokenizer.sep_token_id
    first, second = judge.text.part("I went home [SEP] and slept. [CLS]"), judge.text.part("[SEP] [PAD] Really?")
    row = judge.text.pair(first, second)
    assert sep not in first.ids and sep not in second.ids
    assert [index for index, token_id in enumerate(row.input_ids) if token_id == sep] == [
        len(first.ids) + 1,
        len(row.input_ids) - 1,
    ]
    assert row.token_type_ids == [0] * (len(first.ids) + 2) + [1] * (len(second.ids) + 1)
    assert judge.text.encode("I went home [SEP] and slept. [CLS]", "[SEP] [PAD] Really?").input_ids == row.input_ids


def test_a_cut_that_the_tokenizer_file_sets_is_not_made(tiny: Path, tmp_path: Path) -> None:
    from app.engine.text.text_tokenizer import TextTokenizer

    tokenizer = load_judge(BERT).text.tokenizer
    tokenizer.backend_tokenizer.enable_truncation(max_length=8)
    tokenizer.backend_tokenizer.enable_padding(length=64)
    text = TextTokenizer(tokenizer)
    assert len(text.encode("the dog " * 20).input_ids) == 42
    assert len(text.part("the dog").ids) == 2


def replace_checkpoint(folder: Path, target: Path, name: str, model_class: type[PreTrainedModel]) -> None:
    """A copy of the checkpoint as this class saves it, under the catalog's name."""
    shutil.copytree(folder / name, target / name)
    (target / name / "model.safetensors").unlink()
    model_class.from_pretrained(folder / name).save_pretrained(target / name)


@pytest.mark.parametrize(
    ("name", "model_class", "lacking"),
    [
        (ALBERT, AlbertForMaskedLM, "missing_head.sentence_order"),
        (ALBERT, AlbertModel, "missing_head.sentence_order"),
        (BERT, BertForMaskedLM, "missing_head.next_sentence"),
    ],
)
def test_a_file_without_the_head_is_refused(
    tiny: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    model_class: type[PreTrainedModel],
    lacking: str,
) -> None:
    replace_checkpoint(tiny, tmp_path, name, model_class)
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path))
    tasks_settings_again()
    with pytest.raises(PlaygroundError) as refused:
        sentence_pair("One.", "Two.", name)
    assert (refused.value.code, refused.value.key) == ("missing_head", lacking)
    assert next(entry for entry in list_judges() if entry.name == name).objective == ""
    # The loader says the same of the loaded weights.
    from app.engine.runtime.loader import load

    with pytest.raises(PlaygroundError, match="missing_head"):
        load(BY_NAME[name]).head(lacking.partition(".")[2])


def tasks_settings_again() -> None:
    from app.engine.runtime.loader import loader
    from app.settings import settings

    settings.cache_clear()
    loader.cache_clear()


def test_the_head_in_the_file_decides_not_the_name(tiny: Path) -> None:
    assert "sentence_order" not in BY_NAME[ALBERT].heads  # the published file has none
    assert pair_head(BY_NAME[ALBERT]) == "sentence_order"  # this one does
    assert {entry.name: entry.objective for entry in list_judges()}["roberta-base"] == ""


@pytest.mark.parametrize(
    ("first", "second", "model", "key"),
    [
        ("One.", "", BERT, "empty_text"),
        (" \n", "Two.", BERT, "empty_text"),
        ("One.", "\u00ad", BERT, "empty_text"),
        ("One.", None, BERT, "bad_value.text"),
        ("One.", "word " * 3000, BERT, "too_long.tokens"),
        ("One.", "word " * 10_000, BERT, "too_long.characters"),
        ("One.", "Two.", "roberta-base", "wrong_model"),
        ("One.", "Two.", "gpt2", "wrong_model"),
        ("One.", "Two.", "nope", "unknown_model"),
    ],
)
def test_bad_pairs(tiny: Path, first: str, second: str, model: str, key: str) -> None:
    with pytest.raises(PlaygroundError) as refused:
        sentence_pair(first, second, model)
    assert refused.value.key == key


def test_too_long_names_count_and_limit(tiny: Path) -> None:
    with pytest.raises(PlaygroundError) as refused:
        sentence_pair("The dog.", "dog " * 3000, BERT)
    assert refused.value.values == {"count": 3 + 3 + 3000, "limit": 512}


@pytest.mark.parametrize(
    ("sentences", "key"),
    [
        ([], "bad_value.sentences"),
        (["One."], "bad_value.sentences"),
        ([f"Sentence {number}." for number in range(9)], "bad_value.sentences"),
        ("One. Two.", "bad_value.list"),
        (None, "bad_value.list"),
        (["One.", " "], "empty_text"),
        (["One.", 2], "bad_value.text"),
        (["One.", "word " * 3000], "too_long.tokens"),
    ],
)
def test_bad_matrices(tiny: Path, sentences: object, key: str) -> None:
    with pytest.raises(PlaygroundError) as refused:
        sentence_matrix(sentences, BERT)
    assert refused.value.key == key


def test_the_same_sentence_twice_is_answered(tiny: Path) -> None:
    result = sentence_pair("The dog.", "The dog.", BERT)
    assert result.labels[0].probability == pytest.approx(result.swapped[0].probability, abs=1e-6)
    assert sentence_matrix(["The dog.", "The dog."], BERT).probability[0][0] is None


def test_one_batch_for_the_whole_matrix(tiny: Path) -> None:
    calls: list[int] = []
    embeddings = load_judge(BERT).loaded.model.get_input_embeddings()
    embeddings.register_forward_hook(lambda module, given, output: calls.append(len(given[0])))
    sentence_matrix(["The dog" + " ran" * times for times in range(8)], BERT)
    assert calls == [56]


def run_program(program: str) -> str:
    """What a fresh process prints."""
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_two_processes_give_equal_numbers(tiny: Path) -> None:
    program = (
        "from app.tasks.sentence_pair.judge import sentence_pair as judge;"
        f"print([judge('The kettle is on.', 'Mount Fuji is tall.', model).labels for model in {[BERT, ALBERT]}])"
    )
    answers = {run_program(program) for _ in range(2)}
    assert len(answers) == 1 and "is_next" in answers.pop()


def test_pickers_need_no_torch(tiny: Path) -> None:
    program = "import sys; from app.tasks.sentence_pair.judge import list_judges; list_judges(); "
    program += "print('torch' in sys.modules)"
    assert run_program(program).strip() == "False"


def test_every_label_has_an_objective() -> None:
    assert set(tasks.LABELS) == set(tasks.OBJECTIVE_OF_HEAD.values())
