"""ELMo's published files: `options.json`, `weights.hdf5`, and a softmax file for the language model.

The files are only read as arrays with the shapes given by the options. They store every matrix for `x @ W`, so a linear
layer gets the transpose. Formats: bilm-tf and AllenNLP, commits named with the test data.
"""

import json
from pathlib import Path
from typing import NamedTuple

import h5py
import torch
from torch import Tensor, nn

from .characters import ElmoCharacterEncoder
from .configuration import ElmoConfig
from .language import ElmoForLanguageModeling
from .modeling import ElmoModel
from .recurrence import ElmoLstmLayer


class PublishedFiles(NamedTuple):
    """Paths of one published model; `softmax` is None if the language-model head was not published."""

    options: Path
    weights: Path
    softmax: Path | None = None


def find_published(folder: str | Path) -> PublishedFiles:
    """Finds a published model in a folder by the ends of its file names.

    Raises:
        FileNotFoundError: not exactly one `*options.json` and one `*weights.hdf5` that is not a softmax.
    """
    names = sorted(Path(folder).iterdir())
    softmax = [path for path in names if path.name.endswith("softmax_weights.hdf5")]
    options = [path for path in names if path.name.endswith("options.json")]
    weights = [path for path in names if path.name.endswith("weights.hdf5") and path not in softmax]
    if len(options) != 1 or len(weights) != 1:
        found = ", ".join(path.name for path in options + weights) or "neither"
        raise FileNotFoundError(f"need one *options.json and one *weights.hdf5 in {folder}, found {found}")
    return PublishedFiles(options[0], weights[0], softmax[0] if softmax else None)


def load_published(
    options: str | Path, weights: str | Path, softmax: str | Path | None = None
) -> ElmoModel | ElmoForLanguageModeling:
    """Loads a published model, ready to use; `load_published(*find_published(folder))` takes a folder.

    Args:
        options: the `options.json`.
        weights: the `weights.hdf5`.
        softmax: the softmax file, for a language model that predicts words.

    Raises:
        ValueError: an array is missing or does not have the shape given by the options.
        KeyError: a size is missing from the options.
    """
    settings = json.loads(Path(options).read_text(encoding="utf-8"))
    with h5py.File(weights, "r") as file:
        characters = dataset(file, "char_embed").shape[0] + 1  # the file's own count, because the options may be 1 off
        config = ElmoConfig.from_options(settings, character_vocab_size=characters, vocab_size=count_words(softmax))
        model = ElmoForLanguageModeling(config) if softmax else ElmoModel(config)
        elmo = model.elmo if isinstance(model, ElmoForLanguageModeling) else model
        with torch.no_grad():
            load_characters(file, elmo.characters)
            for number, layer in enumerate(elmo.encoder.layers):
                load_lstm(file, number, layer)
    if softmax and isinstance(model, ElmoForLanguageModeling):
        load_softmax(softmax, model.softmax)
    return model.eval()


def load_characters(file: h5py.File, encoder: ElmoCharacterEncoder) -> None:
    """Fills the character encoder; row 0 of the table, "no word", is not in the file and stays 0."""
    encoder.embedding.weight[0] = 0.0
    fill(encoder.embedding.weight[1:], file, "char_embed")
    for number, convolution in enumerate(encoder.convolutions):
        # [1, width, embedding, filter] there, [filter, embedding, width] here.
        fill(convolution.weight.permute(2, 1, 0)[None], file, f"CNN/W_cnn_{number}")
        fill(convolution.bias, file, f"CNN/b_cnn_{number}")
    for number, highway in enumerate(encoder.highways):
        load_linear(file, f"CNN_high_{number}/W_carry", f"CNN_high_{number}/b_carry", highway.gate)
        load_linear(file, f"CNN_high_{number}/W_transform", f"CNN_high_{number}/b_transform", highway.transform)
    if isinstance(encoder.projection, nn.Linear):
        load_linear(file, "CNN_proj/W_proj", "CNN_proj/b_proj", encoder.projection)


def load_lstm(file: h5py.File, number: int, layer: ElmoLstmLayer) -> None:
    """Fills layer `number` of both directions."""
    rows, cell = layer.input_weight.size(1), layer.projection_weight.size(1)
    for direction in range(2):
        path = f"RNN_{direction}/RNN/MultiRNNCell/Cell{number}/LSTMCell"
        both = torch.empty(2 * rows, 4 * cell)  # input rows, then hidden rows
        fill(both, file, f"{path}/W_0")
        layer.input_weight[direction], layer.hidden_weight[direction] = both.split(rows)
        fill(layer.bias[direction, 0], file, f"{path}/B")
        layer.bias[direction, 0, 2 * cell : 3 * cell] += 1.0  # the published code adds it at run time
        fill(layer.projection_weight[direction], file, f"{path}/W_P_0")


def load_linear(file: h5py.File, weight: str, bias: str, layer: nn.Linear) -> None:
    """Fills a linear layer from a matrix stored for `x @ W`."""
    fill(layer.weight.T, file, weight)
    fill(layer.bias, file, bias)


def count_words(softmax: str | Path | None) -> int:
    """The number of words a softmax file predicts; 0 without a file."""
    if softmax is None:
        return 0
    with h5py.File(softmax, "r") as file:
        return dataset(file, "softmax/W").shape[0]


@torch.no_grad()
def load_softmax(path: str | Path, softmax: nn.Linear) -> None:
    """Fills the language-model head; its matrix has one row per word, as here."""
    with h5py.File(path, "r") as file:
        fill(softmax.weight, file, "softmax/W")
        fill(softmax.bias, file, "softmax/b")


def fill(target: Tensor, file: h5py.File, name: str) -> None:
    """Copies one array of the file into a tensor of the same shape."""
    source = dataset(file, name)
    if source.shape != tuple(target.shape):
        raise ValueError(f"{name} has shape {source.shape}, the options call for {tuple(target.shape)}")
    target.copy_(torch.from_numpy(source.astype("float32")[()]))


def dataset(file: h5py.File, name: str) -> h5py.Dataset:
    """An array inside the file itself, because links can point to other files of this machine."""
    found = file.get(name)
    if not isinstance(found, h5py.Dataset):
        raise ValueError(f"{Path(file.filename).name} holds no array {name}")
    if found.file.filename != file.filename or found.external or found.is_virtual:
        raise ValueError(f"{name} points to another file")
    return found
