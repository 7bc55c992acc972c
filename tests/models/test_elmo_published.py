"""Reading the published files, intact and broken."""

import json
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from huggingface_hub.errors import StrictDataclassClassValidationError
from torch.testing import assert_close

from app.models.elmo import (
    ElmoConfig,
    ElmoForLanguageModeling,
    ElmoModel,
    ElmoTokenizer,
    find_published,
    load_published,
)

OPTIONS = {
    "lstm": {
        "cell_clip": 3, "proj_clip": 3, "use_skip_connections": True, "n_layers": 2, "projection_dim": 8, "dim": 12
    },
    "char_cnn": {
        "embedding": {"dim": 4}, "filters": [[1, 4], [2, 6]], "n_highway": 1, "n_characters": 261,
        "max_characters_per_token": 50, "activation": "relu",
    },
}  # fmt: skip
SHAPES = {
    "char_embed": (261, 4),
    "CNN/W_cnn_0": (1, 1, 4, 4),
    "CNN/b_cnn_0": (4,),
    "CNN/W_cnn_1": (1, 2, 4, 6),
    "CNN/b_cnn_1": (6,),
    **{f"CNN_high_0/W_{part}": (10, 10) for part in ("carry", "transform")},
    **{f"CNN_high_0/b_{part}": (10,) for part in ("carry", "transform")},
    "CNN_proj/W_proj": (10, 8),
    "CNN_proj/b_proj": (8,),
} | {
    f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell/{name}": shape
    for direction in range(2)
    for layer in range(2)
    for name, shape in {"W_0": (16, 48), "B": (48,), "W_P_0": (12, 8)}.items()
}

FIRST_CELL = "RNN_0/RNN/MultiRNNCell/Cell0/LSTMCell"


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A folder of random arrays in the published form."""
    torch.manual_seed(0)
    (tmp_path / "elmo_options.json").write_text(json.dumps(OPTIONS))
    with h5py.File(tmp_path / "elmo_weights.hdf5", "w") as file:
        for name, shape in SHAPES.items():
            file[name] = torch.randn(shape).numpy()
    return tmp_path


def test_folder_and_paths(published: Path, tokenizer: ElmoTokenizer) -> None:
    model = load_published(*find_published(published))
    assert isinstance(model, ElmoModel) and not model.training
    assert model.config.character_vocab_size == 262  # 261 rows, and "no word" in front
    assert model.characters.embedding.weight[0].abs().max() == 0
    assert model.start_hidden.abs().max() == model.start_cell.abs().max() == 0
    paths = published / "a", published / "b"
    for path, name in zip(paths, ("elmo_options.json", "elmo_weights.hdf5"), strict=True):
        (published / name).rename(path)
    again = load_published(*paths)
    batch = tokenizer([["any", "two", "paths"]])
    with torch.no_grad():
        assert_close(model(**batch).last_hidden_state, again(**batch).last_hidden_state)


def published_first_layer(file: h5py.File, characters: list[list[int]]) -> np.ndarray:
    """The forward direction's first layer [place, projection], by the published formulas, in float64."""

    def sigmoid(values: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-values))

    table = np.vstack([np.zeros((1, 4)), file["char_embed"][()]])
    hidden, cell, outputs = np.zeros(8), np.zeros(12), []
    for ids in characters:
        embedded, maxima = table[ids], []
        for number in range(2):
            kernel = np.float64(file[f"CNN/W_cnn_{number}"][0])  # [width, embedding, filter]
            windows = [embedded[at : at + len(kernel)] for at in range(51 - len(kernel))]
            maxima.append(np.max([np.einsum("we,wef->f", w, kernel) for w in windows], 0) + file[f"CNN/b_cnn_{number}"])
        x = np.maximum(np.concatenate(maxima), 0)
        high = {name: np.float64(array[()]) for name, array in file["CNN_high_0"].items()}
        gate = sigmoid(x @ high["W_carry"] + high["b_carry"])
        x = gate * np.maximum(x @ high["W_transform"] + high["b_transform"], 0) + (1 - gate) * x
        x = x @ file["CNN_proj/W_proj"][()] + file["CNN_proj/b_proj"]
        lstm = {name: np.float64(array[()]) for name, array in file[FIRST_CELL].items()}
        i, j, f, o = np.split(np.concatenate([x, hidden]) @ lstm["W_0"] + lstm["B"], 4)
        cell = np.clip(sigmoid(f + 1) * cell + sigmoid(i) * np.tanh(j), -3, 3)
        hidden = np.clip((sigmoid(o) * np.tanh(cell)) @ lstm["W_P_0"], -3, 3)
        outputs.append(hidden)
    return np.array(outputs)


def test_equals_the_published_formulas(published: Path, tokenizer: ElmoTokenizer) -> None:
    """Step by step from the file's own arrays; the skips and the other direction are in test_elmo.py."""
    files, batch = find_published(published), tokenizer([["Formulas", "é", "!"]])
    model = load_published(*files).double()
    with torch.no_grad():
        layer = model(**batch, keep_boundaries=True).hidden_states[1][0, :, :8]
    with h5py.File(files.weights) as file:
        expected = published_first_layer(file, batch["input_ids"][0].tolist())
    assert np.abs(layer.numpy() - expected).max() < 1e-5


def test_softmax_file(published: Path, tokenizer: ElmoTokenizer) -> None:
    weight, bias = torch.randn(30, 8), torch.randn(30)
    with h5py.File(published / "elmo_softmax_weights.hdf5", "w") as file:
        file["softmax/W"], file["softmax/b"] = weight.numpy(), bias.numpy()
    model = load_published(*find_published(published))
    assert isinstance(model, ElmoForLanguageModeling) and model.config.vocab_size == 30
    with torch.no_grad():
        output = model(**tokenizer([["next", "word"]]))
    top = output.hidden_states[-1]
    assert torch.allclose(output.forward_logits, top[:, :-1, :8] @ weight.T + bias, atol=1e-4)
    assert torch.allclose(output.backward_logits, top[:, 1:, 8:] @ weight.T + bias, atol=1e-4)


def test_fewer_parts(published: Path) -> None:
    """No highway, no projection where the sizes agree, no clips, no skips: all allowed by the format."""
    options = json.loads(json.dumps(OPTIONS))
    del options["char_cnn"]["n_highway"]
    options["char_cnn"]["filters"] = [[1, 8]]
    options["lstm"] |= {"cell_clip": None, "proj_clip": 0}
    del options["lstm"]["use_skip_connections"]
    config = ElmoConfig.from_options(options)
    assert (config.cell_clip, config.projection_clip, config.use_skip_connections) == (None, None, False)
    (published / "elmo_options.json").write_text(json.dumps(options))
    with h5py.File(published / "elmo_weights.hdf5", "a") as file:
        for name in ("CNN/W_cnn_0", "CNN/b_cnn_0", "CNN_proj", "CNN_high_0"):
            del file[name]
        file["CNN/W_cnn_0"], file["CNN/b_cnn_0"] = torch.randn(1, 1, 4, 8).numpy(), torch.randn(8).numpy()
    model = load_published(*find_published(published))
    assert len(model.characters.highways) == 0


@pytest.mark.parametrize(
    ("name", "replacement", "message"),
    [
        ("CNN_proj/b_proj", None, "holds no array CNN_proj/b_proj"),
        ("CNN_proj/b_proj", torch.zeros(9).numpy(), r"b_proj has shape \(9,\), the options call for \(8,\)"),
        ("char_embed", h5py.ExternalLink("other.hdf5", "char_embed"), "points to another file"),
        ("CNN_proj", torch.zeros(8).numpy(), "holds no array"),
    ],
)
def test_broken_weights(published: Path, name: str, replacement: object, message: str) -> None:
    with h5py.File(published / "other.hdf5", "w") as other:
        other["char_embed"] = torch.zeros(261, 4).numpy()
    with h5py.File(published / "elmo_weights.hdf5", "a") as file:
        del file[name]
        if replacement is not None:
            file[name] = replacement
    with pytest.raises(ValueError, match=message):
        load_published(published / "elmo_options.json", published / "elmo_weights.hdf5")


def test_folder_without_a_model(tmp_path: Path, published: Path) -> None:
    (published / "second_weights.hdf5").touch()
    with pytest.raises(FileNotFoundError, match="elmo_weights.hdf5, second_weights.hdf5"):
        find_published(published)


@pytest.mark.parametrize("wrong", [{"activation": "gelu"}, {"filters": []}, {"filters": [[51, 3]]}])
def test_configuration_refuses(wrong: dict) -> None:
    with pytest.raises(StrictDataclassClassValidationError, match="activation|filter"):
        ElmoConfig(**wrong)
