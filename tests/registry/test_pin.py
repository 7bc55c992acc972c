"""`python -m app.registry pin` against a local Hub: it fills in commits, and only those."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from app.registry import __main__ as program
from app.registry.checkpoint import UNPINNED
from app.registry.checkpoint_rows import CATALOG, FILE, read_checkpoints
from app.registry.lookup import BY_NAME
from tests.local_hub import LocalHub

TO_DO = {name for name, row in tomllib.loads(FILE.read_text("utf-8")).items() if row.get("revision") == UNPINNED}


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    """A copy of the catalog's file."""
    return Path(shutil.copy(FILE, tmp_path))


def test_what_is_not_pinned_is_listed(capsys: pytest.CaptureFixture) -> None:
    assert {entry.name for entry in program.unpinned()} == TO_DO
    assert program.main(["pin", "--check"]) == 1
    assert set(capsys.readouterr().out.split()) == TO_DO


def test_names_and_repositories_are_unique() -> None:
    assert len(BY_NAME) == len(CATALOG)
    repositories = [entry.repo_id for entry in CATALOG if entry.repo_id and entry.source == "hub"]
    assert len(set(repositories)) == len(repositories)


def test_commits_are_filled_in_and_nothing_else_changes(
    hub: LocalHub, catalog: Path, tiny_models: Path, capsys: pytest.CaptureFixture
) -> None:
    served = {
        name: hub.add(BY_NAME[name].repo_id, tiny_models / folder).commit
        for name, folder in (("bert-large-cased", "bert-mini"), ("openai-gpt", "gpt2"))
    }
    before = catalog.read_text(encoding="utf-8").splitlines()
    assert program.pin(catalog) == len(TO_DO) - 2
    said = capsys.readouterr().out
    assert "gpt2-chinese: not pinned: RepositoryNotFoundError" in said
    after = catalog.read_text(encoding="utf-8").splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert changed == [(f'revision = "{UNPINNED}"', f'revision = "{commit}"') for commit in served.values()]
    now = {entry.name: entry for entry in read_checkpoints(catalog)}
    for name, commit in served.items():
        assert f"{name}: {commit}" in said
        assert now.pop(name) == replace(BY_NAME[name], revision=commit)
    assert all(entry == BY_NAME[name] for name, entry in now.items())


def test_comments_and_spaces_of_the_line_stay() -> None:
    text = '# revision = "main"\n["a.b"]\nrevision  = "main"  # soon\n[c]\nrevision = "main"\n'
    assert program.with_pin(text, "a.b", "0" * 40) == text.replace('  = "main"', f'  = "{"0" * 40}"')


def test_a_repository_with_only_a_pickle_is_not_pinned(
    hub: LocalHub, catalog: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    folder = tmp_path / "pickle"
    folder.mkdir()
    (folder / "pytorch_model.bin").write_bytes(b"x")
    hub.add(BY_NAME["openai-gpt"].repo_id, folder)
    assert program.pin(catalog) == len(TO_DO)
    assert "openai-gpt: not pinned: ValueError: openai-community/openai-gpt has no model.safetensors" in (
        capsys.readouterr().out
    )
