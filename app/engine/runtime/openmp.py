"""Ends the threads that helped with a model's pass.

Each thread that runs a model gets helpers from GNU's OpenMP, and keeps them. As soon as callers and helpers together
are more than the machine's cores, the library has all of them sleep between two operations instead of waiting awake: a
pass of BERT base (20 tokens) took 57 instead of 45 ms with three idle threads that had run it before, one of GPT-2
(eight texts) 66 instead of 42 ms, on two cores. A server has many threads that ran a model once; making helpers anew
takes far less than a millisecond.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path

from app.late_imports import importing

SOFT = 1  # omp_pause_soft: what is needed again is made again


def end_helpers() -> None:
    """End those of the calling thread; nothing where torch came with another OpenMP."""
    _pause()(SOFT)


@cache
def _pause() -> Callable[[int], object]:
    """`omp_pause_resource_all` (OpenMP 5.0) of the library that torch uses: others in the process have their own."""
    with importing():
        import torch

    for path in (Path(torch.__file__).parent / "lib").glob("libgomp*.so*"):
        try:
            return ctypes.CDLL(str(path)).omp_pause_resource_all
        except (OSError, AttributeError):  # an older one
            continue
    return lambda kind: None
