"""The setting for a fault: a server with folders of its own, and what must hold afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from tests.load.served import Served, bundled_environment, served

ASKED = ["The dog ran to the [MASK].", "bert-mini", 3, []]
LONG_TEXT = ["Once upon a time", "gpt2-mini", 200, 0.8, 0, 1.0, 1.0, 1]
Fault = Callable[["Bench"], None]
FAULTS: dict[str, Fault] = {}


def fault(made: Fault) -> Fault:
    """Register a fault under its name."""
    FAULTS[made.__name__] = made
    return made


class Bench:
    """Where a fault is tried.

    Args:
        folder: for files, its alone.
        models: checkpoints that stand in place of the bundled ones; None for these.
    """

    def __init__(self, folder: Path, models: Path | None = None) -> None:
        self.folder, self.models = folder, models
        self.temporary, self.cache, self.log = folder / "tmp", folder / "cache", folder / "log"
        for path in (self.temporary, self.cache):
            path.mkdir(parents=True)

    @contextmanager
    def app(self, models: Path | None = None, **environment: str) -> Iterator[Served]:
        """The app over this bench's folders."""
        own = {"TMPDIR": str(self.temporary), "PLAYGROUND_CACHE": str(self.cache), "PLAYGROUND_WARM": "0"}
        folder = models or self.models
        given = {**bundled_environment(), **own, **environment}
        if folder is not None:
            given.pop("PLAYGROUND_MODELS")
        with served(self.log, folder, ready=False, **given) as app:
            yield app

    def must_start_again(self) -> None:
        """The next start answers, without a traceback, and deletes what the one before left behind."""
        with self.app() as app:
            must_answer(app)
            assert "Traceback" not in app.said(), app.said()[-3_000:]
            left = {path.name for path in self.temporary.glob("plm-playground-*")}
            left -= {name for name in left if str(app.process.pid) in name}
            assert not left, f"left behind: {left}"


def must_answer(app: Served, arguments: list[object] = ASKED) -> None:
    """An ordinary question is answered."""
    with app.client() as client:
        answer = app.call(client, "fill_mask", list(arguments))
    assert not answer.told, answer.told


def in_background(app: Served, endpoint: str, arguments: list[object], session: str = "") -> threading.Thread:
    """A call whose end nobody waits for."""

    def ask() -> None:
        with suppress(httpx.HTTPError), app.client() as client:
            app.call(client, endpoint, arguments, session)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    return asking


def converted(cache: Path) -> list[Path]:
    """Whole checkpoints in the cache of conversions."""
    return [path for path in cache.iterdir() if (path / "config.json").is_file()]
