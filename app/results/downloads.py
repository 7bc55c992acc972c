"""Where checkpoints stand between the Hub and this machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DownloadState:
    """One checkpoint.

    Attributes:
        status: `ready` on this machine, `absent`, `waiting` for its turn, `running`, or `failed`.
        received_bytes: what is here, including part of an earlier attempt.
        total_bytes: full size.
        bytes_per_second: over the last few seconds; 0 while unknown.
        seconds_left: at that speed; None while unknown.
        error: why it failed, a `PlaygroundError`.
        startable: whether it can be started (again) from here.
    """

    model: str
    status: str
    received_bytes: int = 0
    total_bytes: int = 0
    bytes_per_second: float = 0.0
    seconds_left: float | None = None
    error: Exception | None = None
    startable: bool = True
