"""Hugging Face Spaces: the files that go there, and the app under a Space's environment variables."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import httpx2
import pytest
import yaml

from app.engine.storage import hub_cache as caches
from app.engine.storage.hub import SMALL
from app.registry import packages
from app.registry.checkpoint_rows import CATALOG
from app.registry.lookup import BY_NAME
from app.registry.packages import PackagedFile
from tests.conftest import ROOT, serve
from tests.demos.client import call
from tests.local_hub import LocalHub
from tests.running_app import run_app

# What Hugging Face sets for a Gradio Space.
SPACE = {
    "SYSTEM": "spaces",
    "SPACE_ID": "owner/plm-playground",
    "SPACE_AUTHOR_NAME": "owner",
    "SPACE_REPO_NAME": "plm-playground",
    "SPACE_TITLE": "PLM Playground",
    "SPACE_HOST": "owner-plm-playground.hf.space",
    "SPACE_CREATOR_USER_ID": "0",
    "GRADIO_SERVER_NAME": "0.0.0.0",
    "GRADIO_ALLOW_FLAGGING": "never",
    "GRADIO_THEME": "huggingface",
    "TQDM_POSITION": "-1",
}


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> object:
    """scripts/space.py as a module, which fetches nothing."""
    description = importlib.util.spec_from_file_location("space", ROOT / "scripts" / "space.py")
    module = importlib.util.module_from_spec(description)
    description.loader.exec_module(module)
    monkeypatch.setattr(module, "fetch_packs", lambda: [])
    return module


def test_only_what_the_page_needs_goes_there(program: object) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    names = program.files()
    assert {"app.py", "README.md", "requirements.txt", "app/ui/shell.py", "demos/fill_mask.py"} <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "scripts/", ".")) or "__pycache__" in name]


def test_nothing_is_sent_without_being_asked_for(
    program: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(program, "HfApi", lambda: pytest.fail("it was sent"))
    monkeypatch.setattr(program, "files", lambda: ["app.py", "README.md"])
    assert program.main(["owner/name"]) == 0
    said = capsys.readouterr().out
    assert "2 files" in said and "make space REPO=owner/name PUSH=1" in said
    with pytest.raises(SystemExit):
        program.main([""])


def test_sent_in_one_commit(program: object, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, dict]] = []

    class Api:
        def create_repo(self, repo: str, **options: object) -> None:
            asked.append((repo, options))

        def upload_folder(self, **options: object) -> None:
            asked.append((options.pop("repo_id"), options))

    monkeypatch.setattr(program, "HfApi", Api)
    monkeypatch.setattr(program, "files", lambda: ["app.py"])
    assert program.main(["owner/name", "--push", "--hardware", "t4-small"]) == 0
    (created, how), (sent, what) = asked
    assert created == sent == "owner/name" and how["space_sdk"] == "gradio" and how["space_hardware"] == "t4-small"
    assert how["exist_ok"] and how["repo_type"] == what["repo_type"] == "space" and what["allow_patterns"] == ["app.py"]


def test_packages_go_along_as_files(
    program: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(program, "files", lambda: ["app.py"])
    monkeypatch.setattr(program, "fetch_packs", lambda: ["README.md"])
    assert program.main(["owner/name"]) == 0
    assert "2 files" in capsys.readouterr().out
    assert program.main(["owner/name", "--no-packs"]) == 0
    assert "1 files" in capsys.readouterr().out


def test_a_package_beside_the_app_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = PackagedFile("some-weights", "1", "some_weights/model.safetensors", "0" * 64)
    monkeypatch.setattr(packages, "BESIDE", tmp_path)
    assert file.find() is None
    (tmp_path / "some_weights-1.dist-info").mkdir()
    said = "Metadata-Version: 2.1\nName: some-weights\nVersion: 1\n"
    (tmp_path / "some_weights-1.dist-info" / "METADATA").write_text(said)
    assert file.find() is None, "the package without the file"
    (tmp_path / "some_weights").mkdir()
    (tmp_path / "some_weights" / "model.safetensors").write_bytes(b"x")
    assert file.find() == tmp_path / "some_weights" / "model.safetensors"
    with pytest.raises(ValueError, match="not the file"):
        file.checked()


def test_why_it_could_not_be_sent_is_said(
    program: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    class Unreachable:
        def create_repo(self, *_: object, **__: object) -> None:
            raise httpx2.ConnectError("no route to the Hub")

    monkeypatch.setattr(program, "HfApi", Unreachable)
    monkeypatch.setattr(program, "files", lambda: ["app.py"])
    assert program.main(["owner/name", "--push"]) == 1
    said = capsys.readouterr().err
    assert "no route to the Hub" in said and "hf auth login" in said


def test_large_files_are_named(program: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"x")
    (tmp_path / "large").write_bytes(b"x" * 10_500_000)
    monkeypatch.setattr(program, "ROOT", tmp_path)
    assert program.describe(["large", "small"]).splitlines() == ["2 files, 10.5 MB", "     10.5 MB  large"]


def test_make_does_not_send_either() -> None:
    if shutil.which("make") is None:
        pytest.skip("needs make")
    said = subprocess.run(["make", "-n", "space", "REPO=a/b"], cwd=ROOT, capture_output=True, text=True).stdout
    assert 'scripts/space.py "a/b"' in said and "--push" not in said


@pytest.mark.slow
def test_the_app_starts_as_a_space_and_finds_what_was_preloaded(tiny_models: Path, tmp_path: Path) -> None:
    with LocalHub() as served:
        serve(served, "bert-base-uncased", tiny_models / "bert-base-uncased")
        home = {**os.environ, "HOME": str(tmp_path), "HF_ENDPOINT": served.url, "HF_HUB_OFFLINE": "0"}
        home.pop("HF_HOME", None)
        entry = BY_NAME["bert-base-uncased"]
        # As the image of a Space is built: `preload_from_hub` downloads into the library's own cache.
        code = (
            "import sys; from huggingface_hub import hf_hub_download as get;"
            "[get(sys.argv[1], name, revision=sys.argv[2]) for name in sys.argv[3:]]"
        )
        files = ["config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"]
        subprocess.run([sys.executable, "-c", code, entry.repo_id, entry.revision, *files], env=home, check=True)
        served.requests.clear()
        for url in run_app(None, **SPACE, HOME=str(tmp_path), HF_ENDPOINT=served.url, HF_HUB_OFFLINE="0"):
            config = json.load(urllib.request.urlopen(f"{url}/config"))
            assert config["space_id"] == "owner/plm-playground"
            models = {entry["name"]: entry["status"] for entry in call(url, "models", "")}
            assert models["bert-base-uncased"] == "ready"
            answer = call(url, "fill_mask", "The [MASK] ran.", "bert-base-uncased", 1, [])
            assert answer["revision"] == entry.revision
        # Asked whether it answers, and for nothing else.
        assert {asked[:2] for asked in served.requests} <= {("HEAD", "/")}


def test_persistent_storage_is_used_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    usual = Path(constants.HF_HUB_CACHE)
    monkeypatch.delenv("HF_HOME", raising=False)
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setattr(caches, "PERSISTENT", tmp_path / "data")
    monkeypatch.setenv("SPACE_ID", "owner/name")
    assert caches.caches() == [usual]
    (tmp_path / "data").mkdir()
    assert caches.caches() == [tmp_path / "data" / "hub", usual]
    monkeypatch.setenv("HF_HOME", "/elsewhere")
    assert caches.caches() == [usual]
    monkeypatch.delenv("HF_HOME")
    monkeypatch.delenv("SPACE_ID")
    assert caches.caches() == [usual]


def test_the_space_header_fits_the_pins() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    header = yaml.safe_load(readme.split("---\n")[1])
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert header["sdk"] == "gradio"
    assert f"gradio=={header['sdk_version']} " in pins
    assert header["app_file"] == "app.py"
    assert header["python_version"]


def test_a_space_is_built_with_pinned_checkpoints_of_the_catalog() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    revisions = {checkpoint.repo_id: checkpoint.revision for checkpoint in CATALOG}
    for line in yaml.safe_load(readme.split("---\n")[1])["preload_from_hub"]:
        repo_id, names, revision = line.split(" ")
        assert revisions[repo_id] == revision
        assert names.split(",")[-1] == "model.safetensors" and set(names.split(",")[:-1]) <= set(SMALL)
