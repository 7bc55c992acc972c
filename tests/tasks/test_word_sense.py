"""Word senses: vectors equal to the models' own hidden states, and the same answer in any batch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.metrics.pairwise import cosine_similarity
from transformers import AutoModel

from app.engine.runtime.loader import load_head
from app.errors import PlaygroundError
from app.models.elmo import ElmoForLanguageModeling, ElmoTokenizer, split_words
from app.registry.checkpoint import TOKEN_VECTORS
from app.registry.lookup import find
from app.tasks.word_sense.occurrence_vectors import occurrence_vectors, word_sense
from app.tasks.word_sense.occurrences import check_sentences, find_occurrences

SENTENCES = [
    "water | She sat on the bank of the river.",
    "money | The bank closed; a Bank in town.",
    "",
    "water | unbelievably, the bank.",
]
TRANSFORMERS = ("bert-mini", "roberta-base", "albert-base-v2", "gpt2")
ELMO = "elmo-original"


def ours(sentences: list[str], word: str, model: str, layers: list[int]) -> np.ndarray:
    """Vectors [layer, occurrence, hidden]."""
    given = check_sentences(sentences)
    encoder = load_head(find(model, "word_sense"), TOKEN_VECTORS)
    return occurrence_vectors(encoder, given, find_occurrences(given, word), layers)


@pytest.mark.parametrize("model", TRANSFORMERS)
@pytest.mark.parametrize("word", ["bank", "unbelievably"])
def test_vectors_are_the_mean_of_the_pieces_own_hidden_states(tiny: Path, model: str, word: str) -> None:
    read = load_head(find(model, "word_sense"), TOKEN_VECTORS).encode
    reference = AutoModel.from_pretrained(tiny / model).eval()
    expected = []
    for sentence in filter(None, SENTENCES):
        text = sentence.split(" | ")[-1]
        encoded = read(text)
        offsets = [span or (0, 0) for span in encoded.offsets]
        with torch.no_grad():
            output = reference(input_ids=torch.tensor([encoded.input_ids]), output_hidden_states=True)
        states = torch.stack(output.hidden_states)[:, 0]
        start = text.lower().find(word)
        while start >= 0:
            pieces = [at for at, (a, b) in enumerate(offsets) if a < start + len(word) and start < b]
            assert word == "bank" or len(pieces) > 1
            expected.append(states[:, pieces].mean(dim=1))
            start = text.lower().find(word, start + 1)
    found = ours(SENTENCES, word, model, [0, 1, 2])
    assert np.abs(found - torch.stack(expected, dim=1).numpy()).max() < 1e-5


def test_vectors_of_elmo_and_its_mix(tiny: Path) -> None:
    model = ElmoForLanguageModeling.from_pretrained(tiny / ELMO).eval()
    tokenizer = ElmoTokenizer.from_pretrained(tiny / ELMO)
    text = SENTENCES[1].split(" | ")[1]
    words = [word.text for word in split_words(text)]
    with torch.no_grad():
        states = torch.stack(model.elmo(**tokenizer([words])).hidden_states)[:, 0].numpy()
    expected = states[:, [index for index, word in enumerate(words) if word.lower() == "bank"]]
    assert np.abs(ours([SENTENCES[1]], "bank", ELMO, [0, 1, 2]) - expected).max() == 0
    answer = word_sense([SENTENCES[1]], "bank", ELMO, "mix")
    assert answer.layer == "mix" and answer.layers == 2
    assert np.abs(np.array(answer.similarity) - cosine_similarity(expected.mean(axis=0))).max() < 1e-5


def test_a_chinese_word_is_a_run_of_characters(tiny: Path) -> None:
    single = [ours(["我爱苹果。"], character, ELMO, [2])[0, 0] for character in "苹果"]
    assert np.abs(ours(["我爱苹果。"], "苹果", ELMO, [2])[0, 0] - np.mean(single, axis=0)).max() < 1e-5


def test_layer_0_of_elmo_knows_no_context(tiny: Path) -> None:
    sentences = ["the bank", "a bank of the river", "money | bank"]
    assert np.abs(np.array(word_sense(sentences, "bank", ELMO, 0).similarity) - 1).max() < 1e-6
    assert np.array(word_sense(sentences, "bank", ELMO, 2).similarity).min() < 0.999
    assert word_sense(sentences, "bank", ELMO, 0).projection == [[0.0, 0.0]] * 3


@pytest.mark.parametrize(("model", "bound"), [(ELMO, 1e-5), ("bert-mini", 1e-5), ("gpt2", 1e-5)])
def test_alone_and_among_a_hundred(tiny: Path, model: str, bound: float) -> None:
    alone = ours(["The bank closed."], "bank", model, [0, 1, 2])
    others = [f"the bank {'and the river ' * (number % 7)}{number}" for number in range(99)]
    among = ours([*others[:50], "The bank closed.", *others[50:]], "bank", model, [0, 1, 2])
    assert np.abs(among[:, 50] - alone[:, 0]).max() <= bound


def test_the_answer(tiny: Path) -> None:
    answer = word_sense(SENTENCES, "bank", "bert-mini")
    assert (answer.model, answer.revision, answer.layer, answer.layers) == ("bert-mini", "folder", 2, 2)
    assert [(o.sentence, o.start, o.text, o.sense) for o in answer.occurrences] == [
        (0, 23, "bank", "water"), (1, 12, "bank", "money"), (1, 27, "Bank", "money"), (3, 26, "bank", "water"),
    ]  # fmt: skip
    similarity = np.array(answer.similarity)
    vectors = ours(SENTENCES, "bank", "bert-mini", [2])[0]
    assert np.abs(similarity - cosine_similarity(vectors)).max() < 1e-6
    same = (similarity[0, 3] + similarity[1, 2]) / 2
    different = similarity[[0, 3]][:, [1, 2]].mean()
    assert answer.senses.margin == pytest.approx(same - different)
    assert answer.senses.most_frequent_accuracy == 0.5
    assert len(answer.projection) == 4 and all(len(point) == 2 for point in answer.projection)
    assert word_sense(SENTENCES, "bank", "bert-mini", -3).layer == 0


def test_one_sentence_and_no_labels(tiny: Path) -> None:
    answer = word_sense(["The bank."], "bank", "bert-mini")
    assert answer.senses is None and answer.projection == [[0.0, 0.0]]
    assert answer.similarity == [[pytest.approx(1.0)]]
    assert word_sense(["a | bank", "a | the bank"], "bank", "bert-mini").senses is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((["the bank"], "bank", "bert-mini", 3), "bad_value"),
        ((["the bank"], "bank", "bert-mini", -4), "bad_value"),
        ((["the bank"], "bank", "bert-mini", "mix"), "bad_value"),
        ((["the bank"], "bank", "bert-mini", None), "bad_value"),
        ((["the bank"], "bank", ELMO, "top"), "bad_value"),
        ((["the bank"], "bank", "nope", 0), "unknown_model"),
        ((["bank " + "the dog " * 400], "bank", "bert-mini", 0), "too_long"),
        ((["the river"], "bank", "bert-mini", 0), "word_not_found"),
        ((["the bank"], "bank", "elmo-small", 0), "model_unavailable"),
    ],
)
def test_refusals(tiny: Path, arguments: tuple[object, ...], code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        word_sense(*arguments)
    assert caught.value.code == code


def test_a_word_of_which_nothing_is_read(tiny: Path) -> None:
    with pytest.raises(PlaygroundError) as caught:
        word_sense(["a \u200b b"], "\u200b", ELMO)
    assert caught.value.key == "word_not_found.no_pieces"
