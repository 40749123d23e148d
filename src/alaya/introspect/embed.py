"""Vectors for what has none yet, and the scale they are read on.

Ingest, distil and recall never wait for this. It works newest first, stores each batch at once,
and can be stopped anywhere: what is not done is still pending. `embed_worker` runs it alone and
in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from alaya.errors import StoreError
from alaya.introspect.probes import PASSAGES, QUESTIONS
from alaya.model.change import Calibrated
from alaya.model.passage import Pending
from alaya.model.similarity import script_pair
from alaya.model.words import script
from alaya.ports import Embedder, Index, Vector

# The number of texts with a vector when the medians were estimated stands among them, since the
# estimate is refreshed when it has doubled.
COUNT = "vectors"
MINIMUM = 40  # texts of a script
SAMPLE = 400
_READ_AT_FIRST = 2048
_ROUNDS = 16  # batches for which pending texts are looked up at once: that passes over all done

Progress = Callable[[int, int], object]


class VectorSource(Protocol):
    """A cache of vectors by model and by SHA-256 of the text, in hex."""

    def get_many(self, model: str, hashes: Sequence[str]) -> dict[str, list[Vector]]: ...


def fill_from_cache(index: Index, model: str, *, cache: VectorSource) -> int:
    """Put the vectors that the cache has of pending texts; returns for how many texts.

    No model is loaded. Raises StoreError.
    """
    filled = 0
    missed: set[str] = set()
    limit = _READ_AT_FIRST
    idle = 0
    while True:
        # What the cache does not have stays pending, in front of what follows: read further.
        pending = index.pending(model, limit)
        hashes = [h for h in dict.fromkeys(p.text_hash for p in pending) if h not in missed]
        for some in _slices(hashes, _READ_AT_FIRST):
            found = cache.get_many(model, some)
            if found:
                index.put(model, found)
                filled += len(found)
            missed.update(h for h in some if h not in found)
        idle = 0 if hashes else idle + 1
        if not pending or idle == 2 or len(missed) >= index.pending_count(model):
            return filled
        limit *= 2


def work(
    index: Index,
    embedder: Embedder,
    *,
    batch: int = 16,
    characters: int = 20_000,
    limit: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: Progress = lambda done, left: None,
) -> int:
    """Embed pending texts, newest first, up to `limit`; returns how many were done.

    At most `batch` texts of together some `characters` are embedded at a time and stored at once.
    `stop` is asked before each time; `progress` is told after it how many are done and left. A
    text that yields no vector is stored as such and is pending no longer. Raises ProviderError and
    StoreError; what was stored by then stays.
    """
    done = 0
    seen: set[str] = set()
    left = index.pending_count(embedder.name)
    while not stop() and (limit is None or done < limit):
        wanted = _ROUNDS * batch if limit is None else min(_ROUNDS * batch, limit - done)
        pending = {p.text_hash: p for p in index.pending(embedder.name, wanted)}
        if not pending:
            break
        if seen.issuperset(pending):
            raise StoreError(
                f"{len(pending)} texts stay without a vector of {embedder.name} though they were "
                "stored; run `alaya verify`"
            )
        for some in _bites(pending.values(), characters, batch=batch):
            if stop():
                return done
            vectors = embedder.passages([p.text for p in some])
            index.put(embedder.name, {p.text_hash: v for p, v in zip(some, vectors, strict=True)})
            done += len(some)
            left = max(0, left - len(some))
            seen.update(p.text_hash for p in some)
            progress(done, left)
        if len(seen) > 4 * _ROUNDS * batch:  # a store that forgets shows it at once
            seen = set(pending)
    return done


def calibrate(
    index: Index, embedder: Embedder, *, at: datetime, minimum: int = MINIMUM
) -> Calibrated | None:
    """What the median cosine of unrelated texts is in this store; the caller commits it.

    Questions about everything (`probes`) in each script are asked of a random sample of the
    store's texts, by their best window as recall does. Fewer than `minimum` texts of a script say
    nothing: for its pairs an earlier estimate stays, else the embedder's baseline, else (where the
    embedder has none) what two dozen sentences here give. None when nothing new can be said, or
    the store has not doubled since the last time. Raises ProviderError and StoreError.
    """
    count = index.models().get(embedder.name, 0)
    known = index.calibration(embedder.name)
    if count < 2 * known.get(COUNT, 0):
        return None
    sample = _by_script(index.sample(embedder.name, SAMPLE)) if count >= minimum else {}
    enough = {s: texts for s, texts in sample.items() if len(texts) >= minimum}
    gauged = bool(embedder.baseline) or set(_pairs()) <= set(known)
    if gauged and not enough:
        return None
    asked = {s: [embedder.query(text) for text in texts] for s, texts in QUESTIONS.items()}
    found, number = medians(asked, enough)
    if not gauged:
        probes = _by_script(zip(PASSAGES, embedder.passages(PASSAGES), strict=True))
        probed, more = medians(asked, probes)
        found, number = {**probed, **known, **found}, number + more
    if not found:
        return None
    merged = {**known, **found, COUNT: float(count)}
    return Calibrated(embedder.name, tuple(sorted(merged.items())), number, at)


def medians(
    asked: Mapping[str, Sequence[Vector]], passages: Mapping[str, Sequence[Sequence[Vector]]]
) -> tuple[dict[str, float], int]:
    """The median cosine for each pair of scripts, and of how many cosines.

    `asked` has the vectors of unrelated questions by script, `passages` the windows of texts.
    """
    import numpy as np

    found: dict[str, float] = {}
    number = 0
    for answering, texts in passages.items():
        if not texts:
            continue
        rows = np.asarray([window for windows in texts for window in windows], dtype=np.float32)
        starts = np.cumsum([0, *(len(windows) for windows in texts)])[:-1]
        for asking, questions in asked.items():
            cosines = np.asarray(questions, dtype=np.float32) @ rows.T
            best = np.maximum.reduceat(cosines, starts, axis=1)
            found[script_pair(asking, answering)] = round(float(np.median(best)), 4)
            number += best.size
    return found, number


def _by_script(
    texts: Iterable[tuple[str, Sequence[Vector]]],
) -> dict[str, list[Sequence[Vector]]]:
    """The windows of each different text that has any, by script."""
    found: dict[str, list[Sequence[Vector]]] = {name: [] for name in QUESTIONS}
    for text, windows in dict(texts).items():
        if len(windows):
            found[script(text)].append(windows)
    return found


def _pairs() -> Iterator[str]:
    return (script_pair(a, b) for a in QUESTIONS for b in QUESTIONS)


def _bites(pending: Iterable[Pending], characters: int, *, batch: int) -> Iterator[list[Pending]]:
    bite: list[Pending] = []
    size = 0
    for item in pending:
        if bite and (size + len(item.text) > characters or len(bite) == batch):
            yield bite
            bite, size = [], 0
        bite.append(item)
        size += len(item.text)
    if bite:
        yield bite


def _slices(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[i : i + size] for i in range(0, len(items), size))
