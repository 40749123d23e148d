"""How far a question is from quantised vectors, all of them: one pass, no index to build or tune.

The kernel is NumKong's, which uses what the processor has (250,000 x 384: 4 ms); where it has no
wheel, NumPy does the same in some 100 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

Floats = np.ndarray[Any, Any]
_TOGETHER = 8192  # rows in memory at a time, where they are copied


def quantised(vectors: Floats) -> Floats:
    """Float vectors (n, d) to int8, each scaled by its own largest component."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-12)
    scaled: Floats = np.rint(vectors / largest * 127).astype(np.int8)
    return scaled


def quantised_blobs(blobs: Iterable[bytes]) -> Floats:
    """As `quantised`, for vectors as the database keeps them."""
    return quantised(np.stack([np.frombuffer(blob, dtype=np.float32) for blob in blobs]))


def distances(rows: Floats, query: Floats) -> Floats:
    """1 - cosine of each of these int8 rows (n, d) with a float vector (d,), as float32 (n,).

    Of a row or query of nothing but zeros: 1.
    """
    goal = quantised(query[None])
    if not len(rows) or not goal.any():
        return np.ones(len(rows), dtype=np.float32)
    try:
        from numkong import cdist
    except ImportError:  # no wheel for this platform
        return _distances_by_numpy(rows, goal[0])
    # Into float64, its default: with `out_dtype="float32"` it takes ten times as long.
    found: Floats = np.asarray(cdist(goal, rows, "angular"))[0].astype(np.float32)
    return found


def distances_at(rows: Floats, query: Floats, *, places: Floats) -> Floats:
    """The distances of some rows only, copied a few at a time."""
    parts = [
        distances(np.ascontiguousarray(rows[places[start : start + _TOGETHER]]), query)
        for start in range(0, len(places), _TOGETHER)
    ]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.float32)


def nearest_first(far: Floats, most: int) -> Floats:
    """The places of the `most` smallest of these distances, smallest first."""
    if most >= len(far):
        return np.argsort(far, kind="stable")
    part = np.argpartition(far, most - 1)[:most]
    part.sort()
    return part[np.argsort(far[part], kind="stable")]


def portions(places: Floats, first: int) -> Iterator[Floats]:
    """One after the other, each twice as long as the one before."""
    start = 0
    while start < len(places):
        yield places[start : start + first]
        start, first = start + first, 2 * first


def _distances_by_numpy(rows: Floats, goal: Floats) -> Floats:
    wanted = goal.astype(np.float32)
    wanted /= np.linalg.norm(wanted)
    found = np.empty(len(rows), dtype=np.float32)
    for start in range(0, len(rows), _TOGETHER):
        block = rows[start : start + _TOGETHER].astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", block, block))
        found[start : start + len(block)] = 1 - (block @ wanted) / np.maximum(lengths, 1e-12)
    return found
