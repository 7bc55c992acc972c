"""Puts sequences of different lengths into padded batches. Knows lengths and lists, no model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

# Padded size of a batch: enough to keep two CPU cores busy, small enough for their caches and for stopping soon.
TOKENS_PER_BATCH = 2_048


class Ids(Protocol):
    """What an encoder reads of a text or a pair."""

    @property
    def input_ids(self) -> list[int]:
        """Its tokens."""
        ...

    @property
    def token_type_ids(self) -> list[int]:
        """The segment of each."""
        ...


def key_of_ids(row: Ids) -> tuple[tuple[int, ...], ...]:
    """Everything that an encoder's answer depends on; a mask is no part of it, as padding changes no answer."""
    return tuple(row.input_ids), tuple(row.token_type_ids)


def length_sorted_batches(lengths: Sequence[int], tokens_per_batch: int = TOKENS_PER_BATCH) -> Iterator[list[int]]:
    """Indices of the sequences, batch by batch, those of like length together so that little is padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda at: (lengths[at], at)):
        if batch and (len(batch) + 1) * lengths[index] > tokens_per_batch:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def pad(rows: Sequence[Sequence[int]], filler: int) -> list[list[int]]:
    """Rows made equally long by `filler` at their ends."""
    width = max(len(row) for row in rows)
    return [[*row, *[filler] * (width - len(row))] for row in rows]
