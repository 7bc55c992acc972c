"""Our ELMo against the vectors that the original authors published with their weights: within 1e-5 everywhere."""

import json
from pathlib import Path

import h5py
import pytest
import torch

from app.models.elmo import ElmoModel, ElmoTokenizer, find_published, load_published

BOUND = 1e-5  # what different processors round differently


def difference(ours: torch.Tensor, published: h5py.Dataset) -> float:
    """Largest absolute difference; the shapes must agree, nothing is broadcast."""
    assert tuple(ours.shape) == published.shape
    return (ours - torch.from_numpy(published[()])).abs().max().item()


@pytest.mark.parametrize("name", ["allennlp", "bilm_tf"])
def test_top_layer_of_the_published_run(elmo_reference: Path, tokenizer: ElmoTokenizer, name: str) -> None:
    """One run over five batches of three rows, each row's state carried on, as the values were made."""
    model = load_published(*find_published(elmo_reference / name))
    columns = json.loads((elmo_reference / name / "sentences.json").read_text())
    for batch, texts in enumerate(zip(*columns, strict=True)):
        sentences = [text.split() for text in texts]
        with torch.no_grad():
            top = model(**tokenizer(sentences), stateful=True).last_hidden_state
        for row, words in enumerate(sentences):
            ours = torch.stack(top[row, : len(words)].chunk(2, dim=1))  # [direction, word, projection]
            with h5py.File(elmo_reference / name / f"lm_embeddings_{row}.hdf5") as file:
                assert difference(ours, file[str(batch)]) <= BOUND


def test_context_free_vectors(elmo_reference: Path) -> None:
    model = load_published(*find_published(elmo_reference / "allennlp"))
    words = (elmo_reference / "allennlp" / "token_embeddings_words.txt").read_text(encoding="utf-8").splitlines()
    tokenizer = ElmoTokenizer(recognize_boundaries=True)  # <S> and </S> in the list are the marks
    with torch.no_grad():
        vectors = model.word_vectors(torch.tensor([tokenizer.character_ids(word) for word in words]))
    with h5py.File(elmo_reference / "allennlp" / "token_embeddings.hdf5") as file:
        assert difference(vectors, file["embedding"]) <= BOUND


def run_case(model: ElmoModel, tokenizer: ElmoTokenizer, case: dict, file: h5py.File) -> float:
    """Largest difference over a case: all layers, marks included."""
    model.reset_state()
    worst = 0.0
    for number, sentences in enumerate(case["batches"]):
        if case["state"] == "fresh":
            model.reset_state()
        with torch.no_grad():
            output = model(**tokenizer(sentences), stateful=True, keep_boundaries=True)
        layers = torch.stack(output.hidden_states, dim=1)  # [sentence, layer, place, hidden]
        for row, words in enumerate(sentences):
            published = file[f"{case['name']}/batch_{number}/sent_{row}"]
            worst = max(worst, difference(layers[row, :, : len(words) + 2], published))
    return worst


def test_all_layers_with_the_marks(elmo_reference: Path, tokenizer: ElmoTokenizer) -> None:
    """Also batches that grow and shrink: a row that a batch lacks keeps its state."""
    model = load_published(*find_published(elmo_reference / "allennlp"))
    cases = json.loads((elmo_reference / "extra" / "cases.json").read_text(encoding="utf-8"))
    assert {case["state"] for case in cases} == {"fresh", "carry"}
    with h5py.File(elmo_reference / "extra" / "layers.hdf5") as file:
        for case in cases:
            assert run_case(model, tokenizer, case, file) <= BOUND, case["name"]


def test_without_the_carried_state_only_the_first_batch_agrees(elmo_reference: Path, tokenizer: ElmoTokenizer) -> None:
    """Shows that the reference run above can fail."""
    model = load_published(*find_published(elmo_reference / "allennlp"))
    column = json.loads((elmo_reference / "allennlp" / "sentences.json").read_text())[0]
    with h5py.File(elmo_reference / "allennlp" / "lm_embeddings_0.hdf5") as file, torch.no_grad():
        tops = [model(**tokenizer([text.split()])).last_hidden_state[0] for text in column]
        errors = [difference(torch.stack(top.chunk(2, 1)), file[str(n)]) for n, top in enumerate(tops)]
    assert errors[0] <= BOUND
    assert min(errors[1:]) > 0.1
