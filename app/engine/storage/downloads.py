"""Downloads in the background, shared by all visitors: progress, cancel, one thread per checkpoint.

A download is shared by everyone who asked for it. Cancelling withdraws one request; it stops when none is left. What
was received is kept, and the next download resumes from there.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import deque
from functools import cache
from pathlib import Path

from app.engine.storage.hub import check_allowed, check_size, check_space, list_files, refusal, unavailable
from app.engine.storage.hub_cache import caches, folder_of, remember_branch, stored_bytes
from app.engine.storage.transfer import DownloadDamaged, fetch_file
from app.errors import PlaygroundError
from app.fork_lock import ForkLock
from app.registry.checkpoint import Checkpoint
from app.results.downloads import DownloadState

AT_ONCE = 2
# Failures kept, for the next look at their state.
REMEMBERED = 50
# Speed is that of the last seconds.
WINDOW_SECONDS = 8.0


class Cancelled(Exception):
    """No request for it is left."""


class Download:
    """One checkpoint on its way; the `Meter` of its files.

    Attributes:
        finished: set when it has ended, with or without success.
        error: why it failed.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self.finished = threading.Event()
        self.error: PlaygroundError | None = None
        self._wanted_by: set[str] = set()
        self._guard = ForkLock()
        self._cancelled = self._started = False
        self._here = self._total = 0
        self._arrived = 0
        self._seen: deque[tuple[float, int]] = deque()  # time, bytes that came over the line by then

    def want(self, who: str) -> bool:
        """Ask for it; false when it has just been given up and must be started again."""
        with self._guard:
            if self._cancelled or (self.finished.is_set() and self.error is not None):
                return False
            self._wanted_by.add(who)
            return True

    def withdraw(self, who: str) -> None:
        """Want it no more."""
        with self._guard:
            self._wanted_by.discard(who)

    def run(self, slots: threading.Semaphore) -> None:
        """Fetch all files; ends in `finished`, with or without an `error`."""
        import httpx2

        try:
            with slots:
                self._fetch()
        except Cancelled:
            pass
        except PlaygroundError as error:
            self.error = error
        except (httpx2.HTTPError, OSError, ValueError, DownloadDamaged) as error:
            self.error = unavailable(self.checkpoint, error)
        finally:
            self.finished.set()

    def _fetch(self) -> None:
        self._check_wanted()
        listing, cache = list_files(self.checkpoint), caches()[0]
        self._total = listing.total_bytes
        check_size(self.checkpoint, self._total)
        check_space(self.checkpoint, self._total - stored_bytes(self.checkpoint.repo_id), cache)
        self._started = True
        for name in (*listing.small, *listing.weights):  # once the weights are here, everything is
            fetch_file(self.checkpoint.repo_id, listing.commit, name, cache, self)
        if listing.commit != self.checkpoint.revision:
            remember_branch(self.checkpoint.repo_id, self.checkpoint.revision, listing.commit)

    def had(self, count: int) -> None:
        """See `Meter`."""
        self._here += count

    def came(self, count: int) -> None:
        """See `Meter`."""
        self._here += count
        self._arrived += count
        now = time.monotonic()
        self._seen.append((now, self._arrived))
        while now - self._seen[0][0] > WINDOW_SECONDS:
            self._seen.popleft()
        self._check_wanted()

    def _check_wanted(self) -> None:
        with self._guard:
            if not self._wanted_by:
                self._cancelled = True
                raise Cancelled

    def state(self) -> DownloadState:
        """How far it is."""
        speed = self._speed()
        return DownloadState(
            model=self.checkpoint.name,
            status=self._status(),
            received_bytes=self._here,
            total_bytes=self._total or self.checkpoint.download_bytes,
            bytes_per_second=speed,
            seconds_left=(self._total - self._here) / speed if speed else None,
            error=self.error,
        )

    def _status(self) -> str:
        if self.error is not None:
            return "failed"
        if self._cancelled or not self._wanted_by:
            return "absent"
        if self.finished.is_set():
            return "ready"
        return "running" if self._started else "waiting"

    def _speed(self) -> float:
        seen = list(self._seen)
        seconds = seen[-1][0] - seen[0][0] if seen else 0.0
        return (seen[-1][1] - seen[0][1]) / seconds if seconds > 0.2 else 0.0


class Silent:
    """A `Meter` for files too small to be watched."""

    def had(self, count: int) -> None:
        """See `Meter`."""

    def came(self, count: int) -> None:
        """See `Meter`."""


def fetch_small_files(checkpoint: Checkpoint) -> Path:
    """Everything but the weights, for the tokenizer's sake; the folder that holds it. Asks the Hub only once.

    Raises:
        PlaygroundError: `model_unavailable`, with the reason.
    """
    import httpx2

    for name in ("tokenizer.json", "vocab.txt", "vocab.json", "spiece.model", "tokenizer.model"):
        if (folder := folder_of(checkpoint.repo_id, name, checkpoint.revision)) is not None:
            return folder
    check_allowed(checkpoint)
    try:
        listing, path = list_files(checkpoint), None
        for name in listing.small:
            path = fetch_file(checkpoint.repo_id, listing.commit, name, caches()[0], Silent())
    except (httpx2.HTTPError, OSError, ValueError, DownloadDamaged) as error:
        raise unavailable(checkpoint, error) from error
    if path is None:
        raise refusal(checkpoint, "incomplete")
    return path.parent


class Downloads:
    """All of them."""

    def __init__(self) -> None:
        self._of_model: dict[str, Download] = {}
        self._guard = ForkLock()
        self._slots = threading.Semaphore(AT_ONCE)

    def start(self, checkpoint: Checkpoint, who: str) -> Download:
        """Begin, or join one that is under way.

        Raises:
            PlaygroundError: `model_unavailable`, this server fetches nothing.
        """
        check_allowed(checkpoint)
        with self._guard:
            download = self._of_model.get(checkpoint.name)
            if download is not None and download.want(who):
                return download
            download = self._of_model[checkpoint.name] = Download(checkpoint)
            download.want(who)
            threading.Thread(target=self._run, args=[download], name="download", daemon=True).start()
            return download

    def _run(self, download: Download) -> None:
        download.run(self._slots)
        with self._guard:
            of_model, name = self._of_model, download.checkpoint.name
            if download.error is None and of_model.get(name) is download:
                del of_model[name]
            ended = [known for known, other in of_model.items() if other.finished.is_set()]
            for known in ended[:-REMEMBERED]:
                del of_model[known]

    def fetch(self, checkpoint: Checkpoint) -> None:
        """Begin or join, and wait for the end.

        Raises:
            PlaygroundError: `model_unavailable`, with the reason.
        """
        download = self.start(checkpoint, f"caller {uuid.uuid4().hex}")
        download.finished.wait()
        if download.error is not None:
            raise download.error

    def cancel(self, model: str, who: str) -> None:
        """Withdraw one request; it stops when none is left."""
        with self._guard:
            download = self._of_model.get(model)
        if download is not None:
            download.withdraw(who)

    def state(self, checkpoint: Checkpoint) -> DownloadState | None:
        """How far it is, if it was ever asked for."""
        with self._guard:
            download = self._of_model.get(checkpoint.name)
        return None if download is None else download.state()


@cache
def downloads() -> Downloads:
    """The downloads of this process."""
    return Downloads()
