"""What a folder lacks is reported exactly, by every way to request its model, and in the list of models."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from app import doctor
from app.engine.runtime.loader import load, loader
from app.engine.storage.locate import status
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME, _stranger, known
from app.settings import settings
from app.tasks.downloads import download_states, ready_models
from app.tasks.tokenization.tokenize import list_models, tokenize
from app.ui.events import sentence
from tests.checkpoints import build, save, tiny_elmo, tiny_tokenizers

NAME = "bert-base-uncased"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 440449768\n"


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The host's own folder with a tiny BERT."""
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path))
    for kept in (settings, loader):
        kept.cache_clear()
    tokenizer = tiny_tokenizers()["bert"]
    torch.manual_seed(1)
    save(tmp_path / NAME, build("bert", tokenizer), tokenizer)
    yield tmp_path
    for kept in (settings, loader):
        kept.cache_clear()


def pointer(folder: Path) -> None:
    (folder / "model.safetensors").write_text(POINTER)


def tokenizer_pointer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text(POINTER)


def shards(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    names = [f"model-0000{part}-of-00003.safetensors" for part in (1, 2, 3)]
    index = {name: names[place % 3] for place, name in enumerate(tensors)}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))
    save_file({name: tensors[name] for name in tensors if index[name] == names[0]}, folder / names[0])
    (folder / "model.safetensors").unlink()


def damaged_index(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "model-00001-of-00001.safetensors")
    (folder / "model.safetensors.index.json").write_text("{")


def half_precision_name(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "model.fp16.safetensors")


def pickle(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def nothing(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def cut_off(folder: Path) -> None:
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[: len(content) // 2])


def configured(**changes: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def eight_bit(folder: Path) -> None:
    path = folder / "model.safetensors"
    name = "bert.encoder.layer.0.attention.self.query.weight"
    save_file(load_file(path) | {name: torch.zeros(32, 32, dtype=torch.int8)}, path)


def adapter(folder: Path) -> None:
    for name in ("config.json", "model.safetensors"):
        (folder / name).unlink()
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "google-bert/bert-base-uncased"}')
    save_file({"lora": torch.zeros(1)}, folder / "adapter_model.safetensors")


def broken_config(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def later_tokenizer(folder: Path) -> None:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"pre_tokenizer": {"type": "OfNextYear"}}))


def no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def fairseqs_vocabulary(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("the 12\n")
    (folder / "bpe.codes").write_text("t h 1\n")


FAULTS = [
    (later_tokenizer, "tokenizer_later", "tokenizer.json"),
    (no_tokenizer, "no_tokenizer", "tokenizer.json"),
    (fairseqs_vocabulary, "tokenizer_files", "bpe.codes"),
    (pointer, "lfs_pointer", "model.safetensors"),
    (tokenizer_pointer, "lfs_pointer", "tokenizer.json"),
    (shards, "missing_part", "model-00002-of-00003.safetensors"),
    (damaged_index, "file_damaged", "model.safetensors.index.json"),
    (half_precision_name, "other_name", "model.fp16.safetensors"),
    (pickle, "unsafe_file", "pytorch_model.bin"),
    (nothing, "no_weights", "model.safetensors"),
    (cut_off, "file_damaged", "model.safetensors"),
    (configured(quantization_config={"quant_method": "gptq", "bits": 4}), "packed", "gptq"),
    (eight_bit, "packed", "I8"),
    (adapter, "adapter", "google-bert/bert-base-uncased"),
    (broken_config, "file_damaged", "config.json"),
]


@pytest.mark.parametrize(("break_it", "reason", "named"), FAULTS)
def test_it_is_said_by_the_loader_the_list_the_picker_and_the_doctor(
    host: Path, break_it: Callable[[Path], None], reason: str, named: str
) -> None:
    break_it(host / NAME)
    with pytest.raises(PlaygroundError) as refused:
        load(BY_NAME[NAME])
    assert refused.value.key == f"model_unavailable.{reason}"
    for language in ("en", "zh-CN"):
        assert named in sentence(refused.value, language) and "bert-mini" in sentence(refused.value, language)
    found = " ".join(finding.sentence for finding in doctor.check_models_folder())
    assert sentence(refused.value, "en") in found
    if reason != "adapter":  # without a configuration the folder stands for no model
        (entry,) = (entry for entry in list_models() if entry.name == NAME)
        assert entry.status == status(BY_NAME[NAME], []) == "unusable"
        assert entry.problem.key == refused.value.key
        assert NAME not in ready_models("fill_mask")
        (state,) = download_states([NAME])
        assert state.status == "failed" and state.error.key == refused.value.key


def test_the_tokens_tab_says_so_of_the_tokenizer_and_does_not_mind_the_weights(host: Path) -> None:
    pointer(host / NAME)
    assert tokenize("the dog", NAME).tokens
    tokenizer_pointer(host / NAME)
    with pytest.raises(PlaygroundError) as refused:
        tokenize("the dog", NAME)
    assert refused.value.key == "model_unavailable.lfs_pointer"


def test_a_folder_that_is_mended_is_taken_at_once(host: Path) -> None:
    whole = (host / NAME / "model.safetensors").read_bytes()
    pointer(host / NAME)
    assert status(BY_NAME[NAME], []) == "unusable"
    (host / NAME / "model.safetensors").write_bytes(whole)
    assert status(BY_NAME[NAME], []) == "ready" and load(BY_NAME[NAME]).heads


def test_a_file_that_may_not_be_read_is_said_to_be_so(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Path) -> None:
        raise PermissionError(errno.EACCES, "no", str(path))

    monkeypatch.setattr("app.engine.storage.folder_check.read_header", forbidden)
    (host / NAME / "config.json").touch()
    with pytest.raises(PlaygroundError) as refused:
        load(BY_NAME[NAME])
    assert refused.value.key == "model_unavailable.not_readable"
    assert "model.safetensors" in sentence(refused.value, "en") and "model.safetensors" in sentence(
        refused.value, "zh-CN"
    )


def test_an_adapter_beside_a_whole_model_changes_nothing(host: Path, tmp_path: Path) -> None:
    peft = pytest.importorskip("peft")
    from transformers import AutoModelForMaskedLM

    plain = load(BY_NAME[NAME]).model.state_dict()
    model = peft.get_peft_model(
        AutoModelForMaskedLM.from_pretrained(host / NAME), peft.LoraConfig(target_modules=["query"], r=2)
    )
    model.save_pretrained(tmp_path / "adapter")
    for path in (tmp_path / "adapter").glob("adapter_*"):
        shutil.copy(path, host / NAME / path.name)
    loaded = load(BY_NAME[NAME])
    assert loaded.model.state_dict().keys() == plain.keys()
    assert all(torch.equal(weight, plain[name]) for name, weight in loaded.model.state_dict().items())


def test_pieces_without_a_vector_are_named(host: Path) -> None:
    from app.tasks.fill_mask.fill import fill_mask

    tokenizer = tiny_tokenizers()["bert"]
    tokenizer.add_tokens(["selfie"])
    tokenizer.save_pretrained(host / NAME)
    assert fill_mask("the dog with [MASK]", NAME).masks
    for ask in (lambda: fill_mask("my selfie with [MASK]", NAME), lambda: fill_mask("[MASK]", NAME, 5, ["selfie"])):
        with pytest.raises(PlaygroundError) as refused:
            ask()
        assert refused.value.key == "bad_value.no_vector" and "selfie" in sentence(refused.value, "en")
    assert [token.token for token in tokenize("my selfie", NAME).tokens][-2] == "selfie"


def test_a_padding_piece_without_a_vector_is_not_used(host: Path) -> None:
    tokenizer = tiny_tokenizers()["gpt2"]
    save(host / "gpt2", build("gpt2", tokenizer), tokenizer)
    tokenizer.add_special_tokens({"pad_token": "[PAD]"})
    tokenizer.save_pretrained(host / "gpt2")
    assert load(BY_NAME["gpt2"]).text.pad_id == 0


def elmo(folder: Path) -> Path:
    save(folder, *tiny_elmo())
    return folder


def test_elmo_without_a_character_layer_or_its_files(host: Path) -> None:
    folder = host / "elmo-medium"
    folder.mkdir()
    (folder / "options.json").write_text('{"lstm": {"dim": 4}}')
    with pytest.raises(PlaygroundError) as refused:
        load(BY_NAME["elmo-medium"])
    assert refused.value.key == "model_unavailable.no_config" and refused.value.values["file"] == "*weights.hdf5"
    (folder / "weights.hdf5").write_bytes(b"x")
    with pytest.raises(PlaygroundError) as refused:
        load(BY_NAME["elmo-medium"])
    assert refused.value.key == "model_unavailable.no_characters"


def test_a_repository_in_the_cache_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: Path) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    for place, (break_it, reason, _) in enumerate(FAULTS):
        repository = tmp_path / "cache" / f"models--case--{place}"
        shutil.copytree(host / NAME, repository / "snapshots" / "c0ffee")
        (repository / "refs").mkdir()
        (repository / "refs" / "main").write_text("c0ffee")
        break_it(repository / "snapshots" / "c0ffee")
        _stranger.cache_clear()
        with pytest.raises(PlaygroundError) as refused:
            load(known(f"case/{place}"))
        assert refused.value.key == f"model_unavailable.{reason}"
