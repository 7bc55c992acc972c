"""Enforces CONTRIBUTING.md's architecture: who may import whom, one slug everywhere, small files and functions."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {"torch", "transformers", "gradio", "plotly", "bertviz", "sklearn", "umap", "captum", "peft", "gensim", "ray"}

# package -> what of ours, and which heavy libraries, it may import.
ALLOWED: dict[str, tuple[set[str], set[str]]] = {
    "results": ({"results"}, set()),
    "errors": (set(), set()),
    "fork_lock": (set(), set()),
    "garbage": ({"fork_lock"}, set()),
    "metrics": ({"errors"}, set()),
    "late_imports": ({"garbage"}, set()),
    "proxies": (set(), set()),
    "pace": (set(), set()),
    "visits": ({"settings"}, set()),
    "settings": (set(), set()),
    "registry": ({"errors", "registry", "results", "settings"}, set()),
    "models": ({"models"}, {"torch", "transformers"}),
    "engine": (
        {
            *("engine", "models", "registry", "results"),
            *("errors", "settings", "fork_lock", "late_imports", "metrics", "pace", "visits"),
        },
        {"torch", "transformers", "captum", "ray"},
    ),
    "analysis": ({"analysis", "results", "fork_lock", "late_imports"}, {"sklearn", "umap"}),
    # Fine-tuning is a task like the others: the loop behind it knows neither the catalog nor a host's limits.
    "tasks": (
        {
            *("tasks", "training", "engine", "registry", "analysis", "results"),
            *("errors", "settings", "fork_lock", "late_imports", "metrics", "visits"),
        },
        set(),
    ),
    "views": ({"views", "results", "late_imports"}, {"plotly", "bertviz"}),
    "training": (
        {"training", "engine", "models", "registry", "results", "errors"},
        {"torch", "transformers", "sklearn"},
    ),
    "pretraining": (
        # Its laboratory asks as the page asks.
        {"pretraining", "models", "tasks", "training", "registry"},
        {"torch", "transformers", "sklearn", "peft", "gensim"},
    ),
    # Of the views only what writes HTML: see `test_the_page_draws_no_result`.
    "ui": (
        {"ui", "views", "registry", "results", "errors", "garbage", "metrics", "pace", "settings", "visits"},
        {"gradio"},
    ),
    # A program of its own beside the page; it asks all of them how they are.
    "doctor": ({"doctor", "engine", "registry", "tasks", "ui", "errors", "settings", "proxies"}, {"torch"}),
    "top": (set(), set()),
    "cluster": ({"engine", "registry", "settings"}, set()),
    # Asks the models what a lesson promises.
    "lessons": ({"lessons", "tasks", "engine", "registry", "results", "errors", "settings", "visits"}, set()),
    "prepare": ({"engine", "registry"}, set()),
    # Beside the design's table: the registry for the names in a picker, errors to refuse what a page sends.
    "demos": ({"ui", "tasks", "views", "results", "lessons", "training", "registry", "errors", "proxies"}, {"gradio"}),
}
# Plotly's own markup in texts of a figure, which is no HTML.
PLOTLY = {"plots", "heat_map", "word_map", "positions"}
# What these put into a page's head are scripts, around JSON in which no tag can end.
SCRIPTS = {"filled_page", "page_language", "scripts"}
# What others have drawn: segno a picture, bertviz its scripts, Jinja2 a form. Nothing else is HTML by mere assertion.
DRAWN_BY_OTHERS = {"class_room", "bertviz", "own_lesson"}
HARD_LIMIT = {"demos": 200, "tasks": 200, "views": 200}
FILE_LIMIT, FUNCTION_LIMIT = 300, 40
MOST_FILES, ONE_FILE_EACH = 15, ("views", "demos")

SOURCES = sorted([*(ROOT / "app").rglob("*.py"), *(ROOT / "demos").glob("*.py")])


def part_of(path: Path) -> str:
    """`app/tasks/x.py` -> `tasks`; `demos/x.py` -> `demos`."""
    parts = path.relative_to(ROOT).parts
    return "demos" if parts[0] == "demos" else parts[1].removesuffix(".py")


def imports(nodes: Iterable[ast.AST]) -> set[str]:
    """Full names of all modules that are imported."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def _walk_but_type_checking(node: ast.AST):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child
        yield from _walk_but_type_checking(child)


@pytest.mark.parametrize("path", [p for p in SOURCES if p.name != "__init__.py" or len(p.parts) > 3], ids=str)
def test_imports_follow_the_table(path: Path) -> None:
    part = part_of(path)
    if part == "__init__":
        return
    ours, libraries = ALLOWED[part]
    for name in imports(_walk_but_type_checking(ast.parse(path.read_text(encoding="utf-8")))):
        top, _, rest = name.partition(".")
        if top == "app" and rest:
            target = rest.split(".")[0]
            assert target in ours, f"{part} must not import app.{target}"
        elif top == "demos":
            pytest.fail("nothing imports a demo")
        elif top in HEAVY:
            assert top in libraries, f"{part} must not import {top}"


def test_one_folder_knows_ray_and_nothing_knows_that_folder() -> None:
    folder = ROOT / "app" / "engine" / "ray"
    for path in (path for path in SOURCES if folder not in path.parents):
        names = imports(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        assert not [name for name in names if name.split(".")[0] == "ray"], path
        # The program that starts and ends a cluster is the one exception.
        assert path.name == "cluster.py" or not [name for name in names if name.startswith("app.engine.ray")], path


def _functions(path: Path) -> Iterable[ast.AST]:
    return (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef))


def _gated(node: ast.AST) -> bool:
    return isinstance(node, ast.With) and "importing" in ast.dump(node.items[0])


@pytest.mark.parametrize("part", ["analysis", "engine", "tasks", "views"])
def test_large_libraries_are_imported_late_by_one_thread_at_a_time(part: str) -> None:
    late = HEAVY | {"scipy", "safetensors", "lemminflect"}
    found = set()
    for path in (ROOT / "app" / part).rglob("*.py"):
        for function in _functions(path):
            nodes = list(ast.walk(function))
            gated = {id(inner) for node in nodes if _gated(node) for inner in ast.walk(node)}
            for node in nodes:
                names = imports([node])
                if any(name.split(".")[0] in late or name.startswith(("app.training", "app.models")) for name in names):
                    found.add(path)
                    assert id(node) in gated, f"{path}:{node.lineno}"
    assert found


def test_contributing_has_the_same_table() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = text.split("| package | of ours | libraries |\n|---|---|---|\n")[1].split("\n\n")[0].splitlines()

    def names(cell: str) -> set[str]:
        return {name.strip() for name in cell.split(",")} - {"–"}

    told = {cells[0]: (names(cells[1]), names(cells[2])) for cells in (row.strip("| ").split(" | ") for row in rows)}
    assert told == ALLOWED


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if part_of(path) in ("views", "ui", "demos") and path != ROOT / "app/views/html.py"],
    ids=str,
)
def test_html_is_written_by_one_module_that_escapes(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not {"html", "html.escape", "markupsafe"} & imports(ast.walk(tree)), "app.views.html escapes"
    marked = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Markup"]
    literal = {id(argument) for call in marked for argument in call.args if isinstance(argument, ast.Constant)}
    if path.stem not in DRAWN_BY_OTHERS:
        assert all(id(argument) in literal for call in marked for argument in call.args), "Markup of what is no literal"
    if path.stem in PLOTLY | SCRIPTS:
        return
    # What stands in an f-string is looked at with it.
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value for part in node.values if isinstance(part, ast.Constant))
            assert not re.search(r"(?<!\?P)<[a-z/!]", text), f"line {node.lineno}: an f-string with a tag"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in literal | inner:
            assert not re.match(r"\s*<[a-z/!]", node.value), f"line {node.lineno}: a bare tag"


def test_the_page_draws_no_result() -> None:
    for path in SOURCES:
        if part_of(path) == "ui":
            names = imports(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            views = {name.split(".")[2] for name in names if name.startswith("app.views.")}
            assert views <= {"html", "notes"}, f"{path} draws {views}"


def module_of(path: Path) -> str:
    """`app/tasks/x.py` -> `app.tasks.x`; a package for its `__init__.py`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_no_file_imports_itself_by_any_way() -> None:
    """Between files, with what only type checkers see and what functions import."""
    known = {module_of(path) for path in SOURCES}
    graph: dict[str, set[str]] = {}
    for path in SOURCES:
        names = imports(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        graph[module_of(path)] = (names & known) - {module_of(path)}
    # A package's __init__ re-exports what lies in it; `from package import module` names the module, too.
    for name, targets in graph.items():
        graph[name] = {one for one in targets if not any(other.startswith(f"{one}.") for other in targets)}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize("folder", sorted({path.parent for path in SOURCES}), ids=str)
def test_no_folder_is_crowded(folder: Path) -> None:
    # In these one thing is one file: a view, a family, a tab, the results of a tab. CONTRIBUTING says so.
    if folder.name not in ONE_FILE_EACH:
        assert len(list(folder.glob("*.py"))) <= MOST_FILES


def test_nothing_heavier_than_gradio_is_imported_before_the_page() -> None:
    import subprocess

    code = (
        "import sys, demos; from app.ui.shell import discover; discover(demos);"
        "late = ('torch', 'transformers', 'plotly', 'sklearn', 'umap', 'bertviz', 'captum', 'ray');"
        "print([m for m in late if m in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "[]"


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_files_and_functions_are_small(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    limit = HARD_LIMIT.get(part_of(path), FILE_LIMIT)
    assert len(source.splitlines()) <= limit
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = node.end_lineno - node.body[0].lineno + 1
            assert lines <= FUNCTION_LIMIT, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_every_module_says_what_it_is_and_has_no_vague_name(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert not {"utils", "helpers", "common", "manager"} & set(path.with_suffix("").parts)


@pytest.mark.parametrize("path", sorted((ROOT / "demos").glob("[!_]*.py")), ids=lambda path: path.stem)
def test_one_slug_everywhere(path: Path) -> None:
    slug = path.stem
    assert (ROOT / "assets" / "tabs" / f"{slug}.json").is_file()
    # Lessons lead through the tasks of the others.
    tasks = ROOT / "app" if slug == "lessons" else ROOT / "app" / "tasks"
    assert (tasks / slug / "__init__.py").is_file()
    assert (ROOT / "tests" / "demos" / f"test_{slug}.py").is_file()
    assert f'SLUG = "{slug}"' in path.read_text(encoding="utf-8")


def test_both_languages_have_the_same_keys() -> None:
    for path in sorted((ROOT / "assets" / "tabs").glob("*.json")):
        languages = json.loads(path.read_text(encoding="utf-8"))
        assert set(languages) == {"en", "zh-CN"}, path.name
        assert languages["en"].keys() == languages["zh-CN"].keys(), path.name
        for key, sentence in languages["en"].items():
            if isinstance(sentence, str):
                assert _placeholders(sentence) == _placeholders(languages["zh-CN"][key]), f"{path.name}: {key}"


def _placeholders(sentence: str) -> set[str]:
    import string

    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_the_app_is_at_most_twenty_lines() -> None:
    assert len((ROOT / "app.py").read_text(encoding="utf-8").splitlines()) <= 20


def test_no_test_runs_a_loop_where_the_browsers_loop_may_run() -> None:
    others = [
        path
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path.name not in ("asynchronous.py", Path(__file__).name)
    ]
    assert not [str(path) for path in others if "asyncio.run(" in path.read_text(encoding="utf-8")]
