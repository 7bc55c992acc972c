"""ELMo and static vectors as ordinary checkpoints: bundled or published files, missing parts, defaults."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from app.engine.runtime.loader import load, load_head, loader
from app.errors import PlaygroundError
from app.models.elmo import ElmoModel, encode, find_published, load_published
from app.models.static_vectors import StaticVectors
from app.registry.checkpoint import TOKEN_VECTORS, TWO_WAY_LM, VOCABULARY_NEIGHBOURS
from app.registry.lookup import BY_NAME
from tests.checkpoints import save, tiny_elmo
from tests.conftest import SetSetting

ELMO = BY_NAME["elmo-original"]
TEXT = "She opened the door."


@pytest.fixture
def folder(tmp_path: Path, set_setting: SetSetting) -> Path:
    """The host's folder, empty."""
    set_setting(models=str(tmp_path))
    loader.cache_clear()
    yield tmp_path
    loader.cache_clear()


def vectors_of(encoder: object, text: str) -> np.ndarray:
    """All layers of one text [layer, word, hidden]."""
    ((_, states),) = encoder.hidden_states([encoder.encode(text)], range(encoder.layers + 1))
    return states


def test_published_files_are_a_checkpoint_like_any_other(folder: Path, shared: Path) -> None:
    for name in ("elmo-original", "elmo-small"):
        (folder / name).mkdir()
        for path in find_published(shared / "elmo_fixture" / "allennlp")[:2]:
            shutil.copy(path, folder / name / path.name)
        encoder = load_head(BY_NAME[name], TOKEN_VECTORS)
        reference = load_published(*find_published(shared / "elmo_fixture" / "allennlp"))
        (expected,) = encode(reference, encoder.loaded.text, [["She", "opened", "the", "door", "."]])
        assert vectors_of(encoder, TEXT) == pytest.approx(expected.numpy(), abs=1e-5)
        with pytest.raises(PlaygroundError) as caught:
            load_head(BY_NAME[name], TWO_WAY_LM)
        assert caught.value.key == "missing_head.two_way_lm"


@pytest.mark.parametrize("words", [None, "<S>\n</S>\n<UNK>\n"])
def test_without_its_list_of_words_the_vectors_work_and_prediction_says_what_is_missing(
    folder: Path, words: str | None
) -> None:
    save(folder / "elmo-original", *tiny_elmo())
    expected = vectors_of(load_head(ELMO, TOKEN_VECTORS), TEXT)
    loader().clear()
    path = folder / "elmo-original" / "vocab.txt"
    path.unlink()
    if words is not None:  # one that does not fit
        path.write_text(words)
    assert np.array_equal(vectors_of(load_head(ELMO, TOKEN_VECTORS), TEXT), expected)
    with pytest.raises(PlaygroundError) as caught:
        load_head(ELMO, TWO_WAY_LM)
    assert caught.value.key == "missing_head.words"


def test_without_files_a_host_is_told_what_to_do(folder: Path) -> None:
    with pytest.raises(PlaygroundError) as caught:
        load(BY_NAME["elmo-medium"])
    assert caught.value.key == "model_unavailable.by_hand"
    with pytest.raises(PlaygroundError) as caught:
        load(ELMO)
    assert caught.value.key == "model_unavailable.offline"


def test_a_model_without_the_word_head(folder: Path, tiny_models: Path) -> None:
    ElmoModel.from_pretrained(tiny_models / ELMO.name).save_pretrained(folder / ELMO.name)
    config = json.loads((folder / ELMO.name / "config.json").read_text()) | {"vocab_size": 0}
    (folder / ELMO.name / "config.json").write_text(json.dumps(config))
    for name in ("tokenizer_config.json", "vocab.txt"):
        shutil.copy(tiny_models / ELMO.name / name, folder / ELMO.name / name)
    loaded = load(ELMO)
    assert loaded.heads == {TOKEN_VECTORS}


@pytest.mark.parametrize(
    ("lost", "left"),
    [("softmax.weight", {TOKEN_VECTORS}), ("elmo.encoder.layers.1.hidden_weight", set())],
)
def test_missing_weights_never_answer(folder: Path, tiny_models: Path, lost: str, left: set[str]) -> None:
    shutil.copytree(tiny_models / ELMO.name, folder / ELMO.name)
    path = folder / ELMO.name / "model.safetensors"
    arrays = load_file(path)
    del arrays[lost]
    save_file(arrays, path, metadata={"format": "pt"})
    assert load(ELMO).heads == left


def test_pickles_are_refused(folder: Path, tiny_models: Path) -> None:
    shutil.copytree(tiny_models / ELMO.name, folder / ELMO.name)
    (folder / ELMO.name / "model.safetensors").rename(folder / ELMO.name / "pytorch_model.bin")
    with pytest.raises(PlaygroundError) as caught:
        load(ELMO)
    assert caught.value.key == "model_unavailable.unsafe_file"


def test_damaged_published_files(folder: Path) -> None:
    (folder / ELMO.name).mkdir()
    (folder / ELMO.name / "options.json").write_text('{"char_cnn": {}}')
    (folder / ELMO.name / "weights.hdf5").write_bytes(b"no arrays")
    with pytest.raises(PlaygroundError) as caught:
        load(ELMO)
    assert caught.value.key == "model_unavailable.damaged"


def test_the_next_and_the_previous_word(tiny: Path) -> None:
    """Against the language model's own logits: the word in its place is not seen by either direction."""
    asked = load_head(ELMO, TWO_WAY_LM)
    found = asked.predict(TEXT, TEXT.index("the"), 4)
    assert found.word == "the"
    from app.models.elmo import ElmoForLanguageModeling

    model = ElmoForLanguageModeling.from_pretrained(tiny / ELMO.name).eval()
    tokenizer = asked.loaded.text
    with torch.no_grad():
        output = model(**tokenizer([["She", "opened", "the", "door", "."]]))
        changed = model(**tokenizer([["She", "opened", "zzz", "door", "."]]))
    for logits, other, place, top in (
        (output.forward_logits, changed.forward_logits, 2, found.from_left),
        (output.backward_logits, changed.backward_logits, 3, found.from_right),
    ):
        assert torch.allclose(logits[0, place], other[0, place], atol=1e-5)
        best = logits[0, place].softmax(dim=0).topk(4)
        assert [word for word, _ in top] == [tokenizer.vocabulary[index] for index in best.indices]
        assert [p for _, p in top] == pytest.approx(best.values.tolist(), abs=1e-6)


def test_static_vectors(folder: Path) -> None:
    checkpoint = replace(ELMO, name="static", family="static_vectors", source="bundled", weights_file="")
    torch.manual_seed(0)
    model = StaticVectors(["the", "door", "opened", "river"], torch.randn(4, 6))
    model.save_pretrained(folder / "static")
    encoder = load_head(checkpoint, TOKEN_VECTORS)
    assert encoder.layers == 0 and encoder.encode(TEXT).offsets == [(4, 10), (11, 14), (15, 19)]
    stored = StaticVectors.from_pretrained(folder / "static").vectors
    assert np.array_equal(vectors_of(encoder, TEXT)[0], stored[[2, 0, 1]].numpy())
    listed = load_head(checkpoint, VOCABULARY_NEIGHBOURS)
    assert (listed.words, listed.place("River"), listed.place("bank")) == (model.words, 3, None)
    assert np.array_equal(listed.vectors(["door"]), stored[[1]].numpy())
    near = listed.nearest("door", 2)
    assert len(near) == 2 and near[0].cosine >= near[1].cosine and "door" not in [word for word, _ in near]
    assert loader().get(checkpoint).bytes == 4 * 6 * 4
