"""The garbage collector pauses while lasting objects are made, then resumes, and skips what it was told to skip."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from app.garbage import leave_out, no_search


class Knot:
    """Holds itself: only the search finds it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Nothing stays left out."""
    yield
    gc.unfreeze()
    assert gc.isenabled()


def test_it_rests_until_the_last_has_ended() -> None:
    with pytest.raises(ValueError, match="broken"), no_search():
        with no_search():
            assert not gc.isenabled()
        assert not gc.isenabled()
        raise ValueError("broken")
    assert gc.isenabled()


def test_what_was_there_is_left_out_and_what_comes_is_not() -> None:
    kept, come = Knot(), None
    seen = weakref.ref(kept)
    leave_out()
    del kept
    come = Knot()
    also = weakref.ref(come)
    del come
    gc.collect()
    assert seen() is not None and also() is None
