"""Any checkpoint as `owner/name`: what its files show, refusals with their reasons, and its answers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
import transformers

from app.engine.storage.hub_models import families
from app.engine.storage.locate import status
from app.errors import PlaygroundError
from app.registry.checkpoint import CAUSAL_LM, CLASSIFICATION, MASKED_LM, NEXT_SENTENCE, SENTENCE_ORDER
from app.registry.lookup import _stranger, find, for_task, is_hub_name, known, may_be_named
from app.settings import settings
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.surprise.score import score
from tests.checkpoints import SIZE, save, tiny_tokenizers
from tests.conftest import SetSetting
from tests.local_hub import LocalHub


@pytest.fixture(autouse=True)
def nobody_known() -> None:
    _stranger.cache_clear()


def refusal(name: str) -> PlaygroundError:
    with pytest.raises(PlaygroundError) as caught:
        known(name)
    return caught.value


def bert(kind: str, folder: Path, **config: object) -> Path:
    tokenizer = tiny_tokenizers()["bert"]
    model = getattr(transformers, kind)(transformers.BertConfig(vocab_size=len(tokenizer), **SIZE, **config))
    save(folder, model, tokenizer)
    return folder


def test_the_bundled_ones_that_serve_the_task_are_offered_instead(hub: LocalHub) -> None:
    with pytest.raises(PlaygroundError) as caught:
        score("The dog ran.", "nobody/nope")
    offered = caught.value.values["names"].split(", ")
    assert caught.value.reason == "not_found" and "gpt2-mini" in offered and "bert-mini" in offered
    with pytest.raises(PlaygroundError) as caught:
        find("nobody/nope", "generate")
    # No masked model is offered where a text is to be written.
    assert "gpt2-mini" in caught.value.values["names"] and "bert" not in caught.value.values["names"]


@pytest.mark.parametrize(
    ("catalog", "family", "heads"),
    [
        ("bert-base-uncased", "bert", {MASKED_LM, NEXT_SENTENCE}),
        ("roberta-base", "roberta", {MASKED_LM}),
        ("albert-base-v2", "albert", {MASKED_LM, SENTENCE_ORDER}),
        ("gpt2", "gpt2", {CAUSAL_LM}),
    ],
)
def test_files_say_what_it_is(hub: LocalHub, tiny_models: Path, catalog: str, family: str, heads: set[str]) -> None:
    repo = hub.add("someone/something", tiny_models / catalog)
    found = known("someone/something")
    trained = {MASKED_LM, NEXT_SENTENCE, SENTENCE_ORDER, CAUSAL_LM, CLASSIFICATION}
    assert (found.family, found.revision, set(found.heads) & trained) == (family, repo.commit, heads)
    model = transformers.AutoModel.from_pretrained(tiny_models / catalog)
    assert found.parameters >= sum(weight.numel() for weight in model.parameters())
    assert found.download_bytes == sum(p.stat().st_size for p in (tiny_models / catalog).iterdir() if _wanted(p))
    assert not [asked for asked in hub.asked("/cdn/") if not asked[2]]  # of the weights only the head was read


def _wanted(path: Path) -> bool:
    small = ("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json")
    return path.suffix == ".safetensors" or path.name in small


def test_it_is_fetched_answers_and_is_found_again_offline(
    hub: LocalHub, tiny_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = hub.add("someone/roberta", tiny_models / "roberta-base")
    assert status(known("someone/roberta"), []) == "not downloaded"
    answer = fill_mask("The <mask> ran.", "someone/roberta")
    assert (answer.model, answer.revision) == ("someone/roberta", repo.commit)
    monkeypatch.setenv("PLAYGROUND_OFFLINE", "1")
    for cached in (settings, _stranger):
        cached.cache_clear()
    hub.requests.clear()
    again = known("someone/roberta")
    assert again.revision == repo.commit and MASKED_LM in again.heads and status(again, []) == "ready"
    assert fill_mask("The <mask> ran.", "someone/roberta") == answer and hub.requests == []
    # A link to it is answered by it, and one to what is not here is not offered.
    assert may_be_named("someone/roberta") and not may_be_named("someone/else") and hub.requests == []


def test_a_base_model_has_layers_and_no_head(hub: LocalHub, tmp_path: Path) -> None:
    hub.add("someone/base", bert("BertModel", tmp_path / "base"))
    found = known("someone/base")
    assert not {MASKED_LM, NEXT_SENTENCE, CLASSIFICATION} & set(found.heads) and "attention" in found.tasks
    with pytest.raises(PlaygroundError, match="wrong_model"):
        fill_mask("a [MASK]", "someone/base")


def test_a_gpt2_without_prefix_and_with_a_tied_head(hub: LocalHub, tiny_models: Path, tmp_path: Path) -> None:
    model = transformers.GPT2Model.from_pretrained(tiny_models / "gpt2")
    model.config.architectures = ["GPT2LMHeadModel"]
    save(tmp_path / "gpt2", model, tiny_tokenizers()["gpt2"])
    hub.add("someone/gpt2", tmp_path / "gpt2")
    assert CAUSAL_LM in known("someone/gpt2").heads
    assert score("The dog ran.", "someone/gpt2").tokens


@pytest.mark.parametrize(
    ("kind", "offered"), [("BertForSequenceClassification", True), ("BertForTokenClassification", False)]
)
def test_a_classifier_of_tokens_is_none_of_sentences(hub: LocalHub, tmp_path: Path, kind: str, offered: bool) -> None:
    hub.add("someone/classifier", bert(kind, tmp_path / "c", num_labels=3))
    assert (CLASSIFICATION in known("someone/classifier").heads) == offered


def test_code_of_its_own_is_refused_before_anything_is_fetched(
    hub: LocalHub, tiny_models: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(tiny_models / "bert-base-uncased", tmp_path / "own")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"auto_map": {"AutoModel": "own.py--Own"}}))
    hub.add("someone/own", folder)
    assert refusal("someone/own").key == "model_unavailable.remote_code"
    assert not hub.asked("/cdn/") and not hub.asked(".py")


def test_other_architectures_are_refused_with_those_that_are_known(
    hub: LocalHub, tiny_models: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(tiny_models / "bert-base-uncased", tmp_path / "t5")
    (folder / "config.json").write_text(json.dumps({"model_type": "t5"}))
    hub.add("someone/t5", folder)
    error = refusal("someone/t5")
    assert error.key == "model_unavailable.architecture" and error.values["family"] == "t5"
    assert "bert" in error.values["families"] and "elmo" not in error.values["families"]


def test_a_configuration_that_is_no_object(hub: LocalHub, tiny_models: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_models / "bert-base-uncased", tmp_path / "odd")
    (folder / "config.json").write_text("[1, 2]")
    hub.add("someone/odd", folder)
    assert refusal("someone/odd").code == "model_unavailable"


def test_a_pickle_is_refused(hub: LocalHub, tiny_models: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_models / "bert-base-uncased", tmp_path / "pickle")
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    hub.add("someone/pickle", folder)
    assert refusal("someone/pickle").key == "model_unavailable.no_safetensors"


def test_weights_of_another_architecture_than_the_configuration_says(hub: LocalHub, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    folder = bert("BertModel", tmp_path / "other")
    save_file({"vision.weight": torch.zeros(2, 2)}, folder / "model.safetensors")
    hub.add("someone/other", folder)
    assert refusal("someone/other").key == "model_unavailable.no_heads"


def test_absent_gated_and_switched_off(hub: LocalHub, tiny_models: Path, set_setting: SetSetting) -> None:
    assert refusal("nobody/nope").key == "model_unavailable.not_found"
    hub.add("someone/gated", tiny_models / "gpt2", gated=True)
    assert refusal("someone/gated").key == "model_unavailable.gated"
    set_setting(any_checkpoint="0")
    hub.requests.clear()
    assert refusal("someone/gated").key == "model_unavailable.catalog_only" and hub.requests == []


@pytest.mark.parametrize(
    "name", ["../etc", "a/../b", "/etc/passwd", "two words/x", "a/b/c", "https://x/y", "a/", "/b", "a\\b", "ａ/b", ""]
)
def test_paths_and_addresses_are_no_names(hub: LocalHub, name: str) -> None:
    assert not is_hub_name(name)
    if name:
        assert refusal(name).code == "unknown_model"
    assert hub.requests == []


def test_others_do_not_see_what_somebody_named(hub: LocalHub, tiny_models: Path) -> None:
    hub.add("someone/gpt2", tiny_models / "gpt2")
    known("someone/gpt2")
    assert "someone/gpt2" not in [checkpoint.name for checkpoint in for_task("")]
    assert "someone/gpt2" not in str(refusal("nope").values)


def test_families_are_those_that_transformers_reads() -> None:
    assert {"bert", "roberta", "albert", "gpt2"} <= set(families()) and "elmo" not in families()
