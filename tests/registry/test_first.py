"""The first model: the host's choice, a published checkpoint that is here, else the best by a measured figure."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.registry.checkpoint_rows import CATALOG
from app.registry.first import figures
from app.registry.lookup import BY_NAME, find, for_task, readers
from app.tasks.sentence_pair.judge import list_judges
from app.ui.components.pair_models import one_of_each
from tests.conftest import SetSetting
from tests.local_hub import LocalHub


@pytest.fixture(autouse=True)
def host(set_setting: SetSetting, tmp_path: Path) -> None:
    """No packages, nothing cached, no folder of the host's."""
    set_setting(packs="0", offline="1")
    yield


def first(task: str) -> str:
    return for_task(task)[0].name


def test_with_the_repository_alone() -> None:
    assert {task: first(task) for task in ("fill_mask", "generate", "zero_shot", "score", "sentence_pair")} == {
        "fill_mask": "roberta-mini",
        "generate": "gpt2-mini",
        "zero_shot": "gpt2-mini",
        "score": "gpt2-mini",
        "sentence_pair": "bert-mini",
    }
    assert readers([first("fill_mask")], "北京[MASK]学", "fill_mask") == ["bert-mini-zh"]
    assert one_of_each(list_judges()) == ["bert-mini", "albert-mini"]
    assert readers([first("generate")], "他出生于", "generate") == ["gpt2-mini-zh"]
    assert readers([first("tag")], "李明在北京", "tag") == ["bert-mini-zh-names"]
    assert readers([first("answer")], "李明在北京", "answer") == ["bert-mini-zh-answers"]


def test_with_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.registry.lookup.is_installed", lambda checkpoint: checkpoint.source == "package")
    written = {first(task) for task in ("generate", "next_token", "zero_shot", "score")}
    assert written == {"smollm2-135m"}
    assert first("sentence_pair") == first("word_sense") == "minilm-l6" and first("classify") == "minilm-l6-sst2"
    assert (first("tag"), first("answer")) == ("minilm-l6-names", "minilm-l6-answers")
    assert readers([first("tag")], "李明在北京", "tag") == ["bert-mini-zh-names"]
    assert readers([first("answer")], "李明在北京", "answer") == ["bert-mini-zh-answers"]


def test_a_published_checkpoint_in_the_hosts_folder(
    monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting, tmp_path: Path, tiny_models: Path
) -> None:
    monkeypatch.setattr("app.registry.lookup.is_installed", lambda checkpoint: checkpoint.source == "package")
    for name in ("bert-base-uncased", "gpt2"):
        shutil.copytree(tiny_models / name, tmp_path / name)
    set_setting(models=str(tmp_path))
    for task in ("fill_mask", "sentence_pair", "attention", "layer_predictions"):
        assert first(task) == "bert-base-uncased" == find("", task).name
    for task in ("generate", "next_token", "zero_shot"):
        assert first(task) == "gpt2"
    assert one_of_each(list_judges()) == ["bert-base-uncased", "albert-mini"]  # side by side on the page
    assert readers([first("fill_mask")], "北京[MASK]学", "fill_mask") == ["bert-mini-zh"]


def test_one_in_the_hubs_cache(hub: LocalHub, set_setting: SetSetting, tiny_models: Path) -> None:
    from app.engine.storage.downloads import downloads

    set_setting(offline="0", packs="0")
    entry = BY_NAME["roberta-base"]
    hub.add(entry.repo_id, tiny_models / "roberta-base", entry.revision)
    assert first("fill_mask") == "roberta-mini"
    downloads().fetch(entry)
    assert first("fill_mask") == "roberta-base"


def test_the_host_decides(set_setting: SetSetting) -> None:
    set_setting(first="gpt2, albert-mini,bert-mini-zh")
    assert first("fill_mask") == "albert-mini"
    assert first("generate") == "gpt2-mini", "gpt2 is not on this machine"
    assert [one.name for one in for_task("fill_mask")][:2] == ["albert-mini", "bert-mini-zh"]


def test_what_is_not_here_comes_last() -> None:
    for task in ("fill_mask", "generate", "classify", "word_sense"):
        here = [checkpoint.source == "bundled" for checkpoint in for_task(task)]
        assert here == sorted(here, reverse=True)


def test_every_figure_belongs_to_a_checkpoint_that_serves_the_task() -> None:
    tasks = {task for checkpoint in CATALOG for task in checkpoint.tasks}
    for task, table in figures().items():
        assert task in tasks
        for name in table:
            assert task in BY_NAME[name].tasks, (task, name)
