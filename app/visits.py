"""What belongs to a visit: its files, trainings and models. One owner, so that everything goes when the visit ends.

A visit is all pages of one browser, or the session of one page or API client without cookies. It ends a minute after
its last page was closed, in whichever tab or program; after being idle for as long as the host allows; or with the
process.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from app.settings import settings

PREFIX = "plm-playground-"
COOKIE = "visit"
SECONDS_BETWEEN_SWEEPS = 60.0
# On the way from one page to the next, there is a moment without a page.
SECONDS_AWAY = 60.0


class Visit:
    """One visitor's belongings.

    Args:
        key: the session's; empty for a call without one.
        clock: monotonic seconds.
    """

    def __init__(self, key: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.key, self._clock, self._guard = key, clock, threading.RLock()
        self._drops: dict[str, Callable[[], object]] = {}
        self._folder: Path | None = None
        self.ended, self.used = False, clock()

    def own(self, name: str, drop: Callable[[], object], take: Callable[[], object] = lambda: None) -> bool:
        """Register something to drop with the visit.

        Args:
            name: of the thing; it replaces an older one of that name.
            drop: called when the visit ends.
            take: called here, unless the visit has already ended; nothing can happen between the two.

        Returns:
            Whether the visit continues. If not, nothing was taken.
        """
        with self._guard:
            if not self.ended:
                take()
                self._drops[name], self.used = drop, self._clock()
            return not self.ended

    def new_file(self, name: str) -> Path:
        """A path to write a file of that name; an older one is replaced."""
        with self._guard:
            if self._folder is None or not self._folder.is_dir():
                self._folder = Path(tempfile.mkdtemp(prefix=own_prefix()))
            self.used = self._clock()
            return self._folder / name

    def end(self) -> None:
        """Drop everything; nothing is taken afterwards."""
        with self._guard:
            self.ended = True
            drops, self._drops = self._drops, {}
            folder, self._folder = self._folder, None
        for drop in drops.values():
            drop()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


class Visits:
    """All visits of this process, by their keys.

    Args:
        idle_seconds: a visit ends if it was not used for this long.
        clock: monotonic seconds.
    """

    def __init__(self, idle_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.idle_seconds, self._clock = idle_seconds, clock
        self._guard = threading.Lock()
        self._visits: dict[object, Visit] = {}
        self._timer: threading.Timer | None = None
        self._pages: Counter[str] = Counter()  # open pages
        self._left: dict[str, float] = {}  # since when a visit has had no page

    def get(self, key: str) -> Visit:
        """The visit of that key; a call without a session (an empty key) is a visit of its own."""
        with self._guard:
            visit = self._visits.setdefault(key or object(), Visit(key, self._clock))
            visit.used = self._clock()
            self._set_timer()
        return visit

    def touch(self, key: str) -> None:
        """Note that something of this visit, if there is one, was used."""
        with self._guard:
            if (visit := self._visits.get(key)) is not None:
                visit.used = self._clock()

    def enter(self, key: str) -> None:
        """Note that a page of this visit was opened."""
        with self._guard:
            self._pages[key] += 1
            self._left.pop(key, None)

    def leave(self, key: str) -> None:
        """Note that a page of this visit was closed; the visit ends if no other is open or opened soon."""
        with self._guard:
            self._pages[key] -= 1
            if not self._pages[key]:
                del self._pages[key]
                if key in self._visits:
                    self._left[key] = self._clock()

    def end(self, key: str) -> None:
        """End a visit that the visitor left."""
        with self._guard:
            visit = self._visits.pop(key, None)
            self._left.pop(key, None)
        if visit is not None:
            visit.end()

    def end_all(self) -> None:
        """End all visits with the process."""
        with self._guard:
            visits, self._visits = list(self._visits.values()), {}
        for visit in visits:
            visit.end()

    def sweep(self) -> None:
        """End idle visits and those without a page."""
        now = self._clock()
        with self._guard:
            away = {key for key, since in self._left.items() if since <= now - SECONDS_AWAY}
            idle = {key for key, visit in self._visits.items() if visit.used <= now - self.idle_seconds}
            ended = [self._visits.pop(key) for key in away | idle if key in self._visits]
            for key in away | idle:
                self._left.pop(key, None)
            self._timer = None
            self._set_timer()
        for visit in ended:
            visit.end()

    def _set_timer(self) -> None:
        if self._timer is None and self._visits:
            self._timer = threading.Timer(SECONDS_BETWEEN_SWEEPS, self.sweep)
            self._timer.daemon = True
            self._timer.start()


def key_in(cookies: str) -> str:
    """Key of the visit named by a request's `Cookie` header; empty for none."""
    try:
        found = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return ""
    return f"{COOKIE} {found.value}" if found else ""


def own_prefix() -> str:
    """The beginning of the names of this process's unfinished and temporary files."""
    return f"{PREFIX}{os.getpid()}-"


def remove_leftovers(folder: Path | None = None) -> None:
    """Delete such files of killed processes."""
    for path in (folder or Path(tempfile.gettempdir())).glob(f"{PREFIX}*-*"):
        process = path.name.removeprefix(PREFIX).split("-")[0]
        if process.isdecimal() and not _runs(int(process)):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's process
    return True


@cache
def visits() -> Visits:
    """The visits of this process."""
    made = Visits(settings().tuned_idle_minutes * 60.0)
    atexit.register(made.end_all)
    remove_leftovers()
    return made
