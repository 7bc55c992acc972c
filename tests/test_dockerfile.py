"""The Dockerfile, whose image cannot be built where the tests run: its rules, and its steps as a script."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import ROOT

ONE_PER_FILE = ("USER", "EXPOSE", "HEALTHCHECK", "CMD")


def instructions() -> list[tuple[str, str]]:
    """(instruction, its argument), continued lines joined, comments left out."""
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [tuple(line.split(" ", 1)) for line in joined.splitlines() if line.strip()]


def of(kind: str) -> list[str]:
    """The arguments of one kind of instruction."""
    return [argument for instruction, argument in instructions() if instruction == kind]


def test_rules() -> None:
    known = {"FROM", "ARG", "RUN", "WORKDIR", "COPY", "ENV", *ONE_PER_FILE}
    assert {kind for kind, _ in instructions()} <= known
    assert all(len(of(kind)) == 1 for kind in ONE_PER_FILE)
    (base,) = of("FROM")
    header = (ROOT / "README.md").read_text().split("---\n")[1]
    version = re.search(r'python_version: "(.+)"', header)[1]
    assert base == f"python:{version}-slim"
    assert all("--no-cache-dir" in run for run in of("RUN") if "pip install" in run)
    assert isinstance(json.loads(of("CMD")[0]), list)  # no shell in between: signals reach the app
    assert of("USER") == ["app"]
    order = [kind for kind, _ in instructions()]
    assert order.index("USER") > max(at for at, kind in enumerate(order) if kind in ("RUN", "COPY"))


def test_packages_come_before_the_source_so_that_a_change_does_not_install_again() -> None:
    steps = [f"{kind} {argument}" for kind, argument in instructions()]
    installs = [index for index, step in enumerate(steps) if "pip install" in step]
    assert steps.index("COPY requirements.txt requirements-packs.txt ./") < min(installs)
    assert max(installs) < steps.index("COPY app app")


def test_what_packages_carry_is_converted_for_the_user_of_the_image() -> None:
    (line,) = [run for run in of("RUN") if "--prepare" in run]
    assert line.index("HOME=/home/app python app.py --prepare") < line.index("chown -R app:app /home/app/.cache")
    steps = [f"{kind} {argument}" for kind, argument in instructions()]
    assert steps.index(f"RUN {line}") > steps.index("COPY assets assets")


@pytest.mark.parametrize(("given", "installed"), [("1", True), ("0", False)])
def test_packs_can_be_left_out(given: str, installed: bool) -> None:
    (line,) = [run for run in of("RUN") if "requirements-packs.txt" in run]
    script = f"pip() {{ echo $*; }}; PACKS={given}; {line}"
    said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert ("--no-deps -r requirements-packs.txt" in said) is installed


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://x/cpu", "pip install --no-cache-dir --extra-index-url https://x/cpu -r requirements.txt"),
        ("", "pip install --no-cache-dir -r requirements.txt"),
    ],
)
def test_an_index_for_pytorch_can_be_given(given: str, expected: str) -> None:
    (line,) = [run for run in of("RUN") if "-r requirements.txt" in run]
    said = subprocess.run(
        ["sh", "-c", f"TORCH_INDEX_URL={shlex.quote(given)}; echo {line}"], capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == expected.split()


def test_only_what_is_copied_leaves_the_machine() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {name for argument in of("COPY") for name in argument.split()[:-1]}
    assert kept == copied
    assert all((ROOT / name).exists() for name in copied)


def test_its_steps_make_a_folder_in_which_the_app_starts(tmp_path: Path) -> None:
    work = tmp_path / "playground"
    work.mkdir()
    for argument in of("COPY"):
        *sources, target = argument.split()
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, work / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, work / target)
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    environment = dict(entry.split("=", 1) for entry in shlex.split(of("ENV")[0]))
    environment |= {"GRADIO_SERVER_PORT": port, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"}
    # A bare environment, as in the container: nothing of this one's settings.
    environment |= {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    program, *arguments = json.loads(of("CMD")[0])
    assert program == "python"
    process = subprocess.Popen([sys.executable, *arguments], cwd=work, env=environment)
    try:
        for _ in range(900):
            assert process.poll() is None, "the app ended"
            try:
                assert b"gradio" in urllib.request.urlopen(f"http://127.0.0.1:{port}", timeout=5).read()
                break
            except OSError:
                time.sleep(0.2)
        from tests.demos.client import call

        url = f"http://127.0.0.1:{port}"
        assert call(url, "fill_mask", "The [MASK] barked.", "bert-mini", 1, [])["model"] == "bert-mini"
    finally:
        process.terminate()
        process.wait(timeout=30)
