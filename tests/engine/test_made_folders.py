"""Checkpoints made here from others: found, checked, merged once, loaded like any other; refused if their package is
missing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.runtime.loader import load
from app.engine.storage.converted import made_folder
from app.engine.storage.locate import locate, status
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME, find
from app.registry.packages import MINILM_L6
from app.settings import BUNDLED
from app.visits import PREFIX
from tests.conftest import SetSetting

pytestmark = pytest.mark.slow

MINILM = BY_NAME["minilm-l6"]


def test_without_its_package_it_is_refused_and_no_default() -> None:
    assert find("", "fill_mask").name == "roberta-mini"
    assert status(MINILM, []) == "not downloaded"
    with pytest.raises(PlaygroundError) as refused:
        load(MINILM)
    assert refused.value.key == "model_unavailable.not_installed"
    assert "bert-mini" in refused.value.values["names"]


def test_installed_it_is_the_default_and_gives_its_golden_answers(packs: Path) -> None:
    assert find("", "sentence_pair") is find("", "attention") is find("", "word_sense") is MINILM
    assert status(MINILM, []) == "ready"
    loaded = load(MINILM)
    assert loaded.heads >= {"masked_lm", "next_sentence"}
    assert sum(weight.numel() for weight in loaded.model.parameters()) == MINILM.parameters
    from app.tasks.fill_mask.fill import fill_mask

    for golden in json.loads((BUNDLED / "minilm-l6" / "golden.json").read_text(encoding="utf-8")):
        candidates = fill_mask(golden["text"], "minilm-l6", 5).masks[0].candidates
        assert [candidate.piece for candidate in candidates] == [piece for piece, _ in golden["top_5"]]
        for candidate, (_, probability) in zip(candidates, golden["top_5"], strict=True):
            assert candidate.probability == pytest.approx(probability, abs=2e-5)


def test_it_is_unpacked_once_and_anew_when_the_change_is_another_one(
    packs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    first = made_folder(MINILM)
    written = (first / "model.safetensors").stat().st_mtime_ns
    assert made_folder(MINILM) == first
    assert (first / "model.safetensors").stat().st_mtime_ns == written
    assert [path.name for path in packs.iterdir()] == [first.name]  # nothing half-made is left
    other = tmp_path_factory.mktemp("bundle")
    (other / MINILM.name).mkdir()
    for name in ("config.json", "delta.safetensors"):
        content = (BUNDLED / MINILM.name / name).read_bytes()
        (other / MINILM.name / name).write_bytes(content + (b"" if name == "config.json" else b"\0"))
    monkeypatch.setattr("app.engine.storage.converted.BUNDLED", other)
    assert locate_or_none() != first


def locate_or_none() -> Path | None:
    """Where it would load from now; a change that cannot be read is refused."""
    try:
        return made_folder(MINILM)
    except Exception as error:
        assert type(error).__name__ == "SafetensorError"
        return None


def test_a_file_that_is_not_the_published_one_is_refused(packs: Path) -> None:
    changed = replace(MINILM, package=replace(MINILM_L6, sha256="0" * 64))
    with pytest.raises(PlaygroundError) as refused:
        locate(changed)
    assert refused.value.key == "model_unavailable.damaged"
    assert not list(packs.iterdir())


@pytest.mark.parametrize("name", ["bert-mini-sst2", "roberta-mini-sst2"])
def test_a_change_of_a_bundled_encoder_is_merged_with_it(name: str, set_setting: SetSetting, tmp_path: Path) -> None:
    set_setting(cache=str(tmp_path))
    checkpoint = BY_NAME[name]
    folder = Path(locate(checkpoint).name_or_path)
    assert folder.parent == tmp_path and [path.name for path in tmp_path.iterdir()] == [folder.name]
    loaded = load(checkpoint)
    assert sum(weight.numel() for weight in loaded.model.parameters()) == checkpoint.parameters
    assert loaded.text.tokenizer.get_vocab() == load(BY_NAME[checkpoint.base]).text.tokenizer.get_vocab()


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("bert-mini-sst2/config.json", lambda text: text.replace('"negative"', '"bad"')),
        ("bert-mini/tokenizer.json", lambda text: text.replace('"lowercase":true', '"lowercase":false')),
        ("bert-mini/tokenizer_config.json", lambda text: text.replace("{", '{"note": "changed",', 1)),
    ],
)
def test_a_changed_file_takes_effect_without_deleting_the_cache(
    file: str, change: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting, tmp_path: Path
) -> None:
    bundles = tmp_path / "bundles"
    for name in ("bert-mini", "bert-mini-sst2"):
        shutil.copytree(BUNDLED / name, bundles / name)
    set_setting(cache=str(tmp_path / "cache"))
    monkeypatch.setattr("app.engine.storage.converted.BUNDLED", bundles)
    first = made_folder(BY_NAME["bert-mini-sst2"])
    path = bundles / file
    content = path.read_text(encoding="utf-8")
    path.write_text(json.dumps(json.loads(content), separators=(",", ":")), encoding="utf-8")
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    second = made_folder(BY_NAME["bert-mini-sst2"])
    assert second != first and (second / path.name).read_bytes() != (first / path.name).read_bytes()
    path.write_text(content, encoding="utf-8")
    assert made_folder(BY_NAME["bert-mini-sst2"]) == first


def test_half_of_what_a_killed_process_made_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting
) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    half = tmp_path / f"{PREFIX}{gone.pid}-x" / "half"
    half.mkdir(parents=True)
    set_setting(cache=str(tmp_path))
    try:
        made = made_folder(BY_NAME["bert-mini-sst2"])
        assert [path.name for path in tmp_path.iterdir()] == [made.name]
    finally:
        monkeypatch.undo()
