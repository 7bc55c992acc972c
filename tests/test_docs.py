"""README's and CONTRIBUTING's tables of tabs, links, files and commands agree with the code."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SPACES.md", "app/pretraining/README.md", "app/pretraining/READING.md")
# Variables of make, and what a command is given in the documents' examples.
TARGET = re.compile(r"`(?:[A-Z_]+=\S+ )?make (?!-)([\w-]+)[^`]*`")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def table(name: str, head: str) -> list[list[str]]:
    """The cells of a document's table below this head."""
    rows = text_of(name).split(head + "\n")[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split(" |")] for row in rows]


def test_the_table_of_tabs_has_every_tab_in_its_order_under_its_title() -> None:
    import demos
    from app.ui.shell import discover

    told = [row[0] for row in table("README.md", "| tab | what it shows | keys of its links |")]
    titles = {tab.slug: json.loads(text_of(f"assets/tabs/{tab.slug}.json"))["en"]["title"] for tab in discover(demos)}
    assert told == [f"{title} (`{slug}`)" for slug, title in titles.items()]


def test_the_table_of_tabs_has_the_keys_of_their_links() -> None:
    from app.lessons.check import FIELDS  # equal to the tabs' own by a test of the lessons

    for tab, _, keys in table("README.md", "| tab | what it shows | keys of its links |"):
        slug = re.search(r"\(`(\w+)`\)$", tab)
        assert slug
        assert set(re.findall(r"`(\w+)`", keys)) == FIELDS.get(slug[1], frozenset()) - {"layer"}, tab


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_that_is_named_is_there(name: str) -> None:
    text, makefile = text_of(name), text_of("Makefile")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    blocks = "\n".join(re.findall(r"```\n(.*?)```", text, re.DOTALL))
    named = set(TARGET.findall(text)) | set(re.findall(r"^make ([\w-]+)", blocks, re.MULTILINE))
    assert named <= targets, named - targets
    for module in set(re.findall(r"python -m ((?:app|demos|tests)[\w.]*\w)", text)):
        assert importlib.util.find_spec(module), module


def test_every_target_of_make_is_explained() -> None:
    targets = text_of("Makefile").split(".PHONY: ")[1].split("\n")[0].split()
    told = "\n".join(text_of(name) for name in DOCUMENTS)
    assert [target for target in targets if f"make {target}" not in told] == []


def test_what_contributing_says_to_touch_is_there() -> None:
    names = set()
    for _, touched in table("CONTRIBUTING.md", "| to add | touch |"):
        names |= {name for name in re.findall(r"`([\w/<>.*]+)`", touched) if "/" in name}
    assert len(names) > 8
    for name in sorted(names):
        assert [*ROOT.glob(re.sub(r"<\w+>", "*", name))], name


def test_the_files_of_pretraining_are_those_of_its_table() -> None:
    folder = ROOT / "app" / "pretraining"
    told = {name for row in table("app/pretraining/README.md", "| file | what it does |") for name in
            re.findall(r"`([\w/]+(?:\.py|/))`", row[0])}  # fmt: skip
    packages = {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")}
    here = {path.name for path in folder.glob("[!_]*.py")} | packages
    assert told == here


def test_the_tree_in_the_readme_and_the_folders_agree() -> None:
    tree = text_of("README.md").split("```text\n")[1].split("```")[0]
    named = {line.split()[0].strip("├└─│ ").rstrip("/") for line in tree.splitlines() if line.strip()}
    for folder in sorted((ROOT / "app").iterdir()):
        if folder.is_dir() and (folder / "__init__.py").exists():
            assert folder.name in named, f"README's tree lacks app/{folder.name}"
    for name in named:
        found = (ROOT / name, ROOT / "app" / name, ROOT / "assets" / name)
        assert any(place.exists() for place in found), f"README's tree names {name}"


def test_contributing_names_the_commands_of_the_load_programs_as_they_are() -> None:
    makefile, text = map(text_of, ("Makefile", "CONTRIBUTING.md"))
    rule, row = r"^(\w+): .*\n\t\$\(BIN\)/python (-m tests\.load\..+)$", r"^\| `make (\w+)` \| `python (-m [^`]+)`"
    told = re.findall(row, text, re.MULTILINE)
    assert told and told == re.findall(rule, makefile, re.MULTILINE)
    programs = [path.stem for path in (ROOT / "tests" / "load").glob("*.py") if "def main" in path.read_text("utf-8")]
    names = [name for name, _ in told]
    assert sorted(names) == sorted(programs) and set(names) <= set(makefile.split(".PHONY: ")[1].split("\n")[0].split())
