"""The caches of visitors' texts: one computation for equal keys, within their bytes, not beyond their age."""

from __future__ import annotations

import threading
import time

import pytest

from app.tasks.cache import TextCache, bytes_of_all
from tests.conftest import SetSetting


def test_equal_keys_at_once_are_computed_once() -> None:
    cache, made, barrier = TextCache[str](100, len), [], threading.Barrier(8)

    def make() -> str:
        time.sleep(0.05)
        made.append(1)
        return "value"

    def ask() -> None:
        barrier.wait()
        assert cache.get(("key",), make) == "value"

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_what_could_not_be_made_is_tried_again() -> None:
    cache = TextCache[str](100, len)
    with pytest.raises(ZeroDivisionError):
        cache.get(("key",), lambda: str(1 / 0))
    assert len(cache) == 0
    assert cache.get(("key",), lambda: "now") == "now"


def test_the_least_recently_used_are_evicted() -> None:
    cache = TextCache[str](10, len)
    for key in "abc":
        cache.get((key,), lambda: "four")
    assert cache.bytes == 8 and cache.get(("b",), lambda: "new") == "four"
    assert cache.get(("a",), lambda: "new") == "new"


def test_a_text_is_dropped_at_its_age_though_nobody_asks_again() -> None:
    cache = TextCache[str](100, len, seconds=0.2)
    cache.get(("a visitor's text",), lambda: "value")
    deadline = time.monotonic() + 20
    while len(cache) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(cache) == 0


def test_an_old_value_is_not_given_out() -> None:
    now = [0.0]
    cache = TextCache[str](100, len, seconds=10.0, clock=lambda: now[0])
    assert cache.get(("key",), lambda: "first") == "first"
    now[0] = 9.0
    assert cache.get(("key",), lambda: "second") == "first"
    now[0] = 10.0
    assert cache.get(("key",), lambda: "second") == "second"


def test_all_caches_together_keep_within_one_budget(monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting) -> None:
    set_setting(caches_mb="1")
    try:
        one, other = (TextCache[bytes](10_000_000, len) for _ in range(2))
        for cache, key in ((one, "a"), (other, "b"), (one, "c")):
            cache.get((key,), lambda: bytes(400_000))
        assert bytes_of_all() <= 1_000_000 and len(one) == 1 and len(other) == 1
        one.get(("c",), lambda: b"")  # used again, so that the other's is the oldest
        other.get(("d",), lambda: bytes(400_000))
        assert len(other) == 1 and other.get(("d",), lambda: b"").count(0) == 400_000
        one.get(("e",), lambda: bytes(5_000_000))
        assert len(one) == 1 and len(other) == 0, "the newest is kept, however large"
        assert one.get(("e",), lambda: b"") != b""
    finally:
        monkeypatch.undo()
