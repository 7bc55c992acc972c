"""Which checkpoints are offered for a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME, for_task, known, readers


def test_a_text_is_read_by_who_knows_its_language() -> None:
    chosen = ["bert-base-uncased", "bert-base-multilingual-cased", "bert-base-chinese", "somebody/something"]
    assert readers(chosen, "The dog barked.", "fill_mask") == [chosen[0], chosen[1], chosen[3]]
    assert readers(chosen, "今天 is a word.", "fill_mask") == chosen[1:]


def test_where_none_knows_it_the_first_that_does_is_taken() -> None:
    (chinese,) = readers(["bert-base-uncased"], "今天", "fill_mask")
    assert BY_NAME[chinese].language == "zh" and chinese in [one.name for one in for_task("fill_mask")]
    (english,) = readers(["bert-base-chinese"], "today", "sentence_pair")
    assert BY_NAME[english].language == "en"
    assert readers([], "today", "fill_mask") == [for_task("fill_mask")[0].name]


def test_a_language_that_nobody_knows_changes_nothing() -> None:
    assert readers(["elmo-original"], "苹果", "word_sense")


def test_a_hosts_folder_is_not_called_the_published_checkpoint(tiny: Path) -> None:
    from app.tasks.fill_mask.fill import fill_mask
    from app.tasks.tokenization.tokenize import list_models, tokenize
    from app.ui.texts import trust

    for name in ("bert-base-uncased", "bert-mini"):
        assert fill_mask("The [MASK] ran.", name).revision == tokenize("The dog", name).revision == "folder"
        assert {entry.revision for entry in list_models() if entry.name == name} == {"folder"}
        for language in ("en", "zh-CN"):
            said = trust(language, name)
            assert name in said and BY_NAME[name].revision[:7] not in said


def test_the_list_of_families_is_that_of_the_modules() -> None:
    import importlib
    import pkgutil

    from app.engine import families
    from app.registry.checkpoint import READ_BY_TRANSFORMERS

    names = [one.name for one in pkgutil.iter_modules(families.__path__)]
    modules = {name: importlib.import_module(f"app.engine.families.{name}") for name in names}
    found = {name: module.FAMILY for name, module in modules.items() if hasattr(module, "FAMILY")}
    assert {name for name, family in found.items() if family.read is None} == set(READ_BY_TRANSFORMERS)
    assert {checkpoint.family for checkpoint in BY_NAME.values()} <= set(found)


def test_a_listed_checkpoint_is_found_by_its_repository() -> None:
    assert known("google-bert/bert-base-uncased") is known("bert-base-uncased")
    with pytest.raises(PlaygroundError) as caught:
        known("sentence-transformers/all-MiniLM-L6-v2")  # its weights are half of minilm-l6, which has heads of our own
    assert caught.value.code in ("unknown_model", "model_unavailable")
