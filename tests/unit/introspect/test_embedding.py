"""The backlog of texts without a vector: worked off, filled from the cache, calibrated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from alaya.errors import ProviderError, StoreError
from alaya.introspect.embed import COUNT, calibrate, fill_from_cache, medians, work
from alaya.introspect.probes import PASSAGES, QUESTIONS
from alaya.model.passage import Pending
from alaya.ports import Vector
from alaya.providers.cache import VectorCache
from alaya.providers.cached import CachedEmbedder
from alaya.testing.embedder import HashingEmbedder

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ENGLISH = [
    f"The {a} of the {b} was {c} on day {i}."
    for i, (a, b, c) in enumerate(
        (a, b, c)
        for a in ("roof", "engine", "colour", "price")
        for b in ("house", "boat", "bicycle", "piano")
        for c in ("red", "broken", "sold")
    )
]
CHINESE = [
    f"第{i}天，{a}的{b}已经{c}了。"
    for i, (a, b, c) in enumerate(
        (a, b, c)
        for a in ("房子", "小船", "自行车", "钢琴")
        for b in ("屋顶", "发动机", "颜色", "价格")
        for c in ("变红", "坏掉", "卖出")
    )
]


class Interrupted(HashingEmbedder):
    """Ctrl-C comes while the n-th passage is embedded."""

    left = 5

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        self.left -= len(texts)
        if self.left < 0:
            raise KeyboardInterrupt
        return super().passages(texts)


class Deaf(HashingEmbedder):
    """Yields no vector for anything."""

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        return [[] for _ in texts]


def test_all_is_embedded(home: Any) -> None:
    """The whole backlog is worked off, each text once, and there is none then."""
    home.say(ENGLISH[:20])
    embedder = HashingEmbedder()
    backlog = home.index.pending_count(embedder.name)
    assert backlog >= 20
    told: list[tuple[int, int]] = []
    done = work(home.index, embedder, batch=7, progress=lambda d, left: told.append((d, left)))
    assert done == backlog
    assert home.index.pending_count(embedder.name) == 0
    assert embedder.calls == (backlog, 0)
    assert told[-1] == (backlog, 0)
    assert [d for d, _ in told] == sorted(d for d, _ in told)
    assert work(home.index, embedder) == 0


def test_newest_first_and_limit(home: Any) -> None:
    """A limit is kept to the text, and what was said last is done first."""
    home.say(ENGLISH[:10])
    embedder = HashingEmbedder()
    relations = sum(p.kind.value == "relation" for p in home.index.pending(embedder.name, 1000))
    assert work(home.index, embedder, limit=relations + 3, batch=2) == relations + 3
    left = {p.text for p in home.index.pending(embedder.name, 100)}
    assert not any(ENGLISH[i] in left for i in (9, 8, 7))
    assert all(any(ENGLISH[i] in text for text in left) for i in range(7))


def test_interrupted(home: Any) -> None:
    """What was embedded before Ctrl-C is kept, and the next run does only the rest."""
    home.say(ENGLISH[:10])
    embedder = Interrupted()
    backlog = home.index.pending_count(embedder.name)
    with pytest.raises(KeyboardInterrupt):
        work(home.index, embedder, batch=2)
    assert home.index.pending_count(embedder.name) == backlog - 4
    again = HashingEmbedder()
    assert work(home.index, again) == backlog - 4


def test_stop(home: Any) -> None:
    """It stops when it is asked to, after the batch at hand."""
    home.say(ENGLISH[:10])
    stops = iter([False, False, True])
    assert work(home.index, HashingEmbedder(), batch=2, stop=lambda: next(stops)) == 2


def test_large_texts_go_alone(home: Any) -> None:
    """Large texts are stored after each, not in one long batch."""
    home.say([f"{i} " + "many words here " * 300 for i in range(4)])
    told: list[int] = []
    embedder = HashingEmbedder()
    backlog = home.index.pending_count(embedder.name)
    work(
        home.index,
        embedder,
        batch=backlog,
        characters=5000,
        progress=lambda done, left: told.append(done),
    )
    assert len(told) >= 4


def test_no_vector_is_an_answer(home: Any) -> None:
    """Texts that yield no vector are not tried again and again."""
    home.say(ENGLISH[:5])
    embedder = Deaf()
    backlog = home.index.pending_count(embedder.name)
    assert work(home.index, embedder, batch=3) == backlog
    assert home.index.pending_count(embedder.name) == 0


def test_forgetful_store(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that does not keep vectors is an error, not an endless loop."""
    home.say(ENGLISH[:5])
    monkeypatch.setattr(home.index, "put", lambda model, vectors: None)
    with pytest.raises(StoreError, match="alaya verify"):
        work(home.index, HashingEmbedder(), batch=3)


def test_models_side_by_side(home: Any) -> None:
    """Another model embeds everything anew and takes nothing away from the first."""
    home.say(ENGLISH[:5])
    one, other = HashingEmbedder("one/256"), HashingEmbedder("other/64", 64)
    count = work(home.index, one)
    assert home.index.pending_count(other.name) == count
    assert work(home.index, other) == count
    assert home.index.models() == {one.name: count, other.name: count}


def test_fill_from_cache(home: Any, another: Any, tmp_path: Path) -> None:
    """A second home gets its vectors from the cache, without a model; the rest stays pending."""
    cache = VectorCache(tmp_path / "cache")
    home.say(ENGLISH[:30])
    embedder = HashingEmbedder()
    done = work(home.index, CachedEmbedder(embedder, cache))
    another.say(ENGLISH[10:40])
    backlog = another.index.pending_count(embedder.name)
    assert fill_from_cache(another.index, embedder.name, cache=cache) == done - 10
    assert another.index.pending_count(embedder.name) == backlog - (done - 10) == 10
    assert fill_from_cache(another.index, embedder.name, cache=cache) == 0
    cache.close()


class Backlog:
    """A long list of pending texts, most of which no cache has: only what filling needs."""

    def __init__(self, count: int) -> None:
        self.texts = {f"{i:064x}": f"text {i}" for i in range(count)}
        self.asked = 0

    def pending(self, model: str, limit: int) -> list[Pending]:
        from alaya.model.passage import ItemKind

        some = list(self.texts.items())[:limit]
        self.asked += len(some)
        return [Pending(ItemKind.TURN, hash_, text) for hash_, text in some]

    def pending_count(self, model: str) -> int:
        return len(self.texts)

    def put(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        for hash_ in vectors:
            del self.texts[hash_]


class Known:
    def __init__(self, hashes: set[str]) -> None:
        self.hashes = hashes

    def get_many(self, model: str, hashes: Sequence[str]) -> dict[str, list[Vector]]:
        return {h: [[1.0]] for h in hashes if h in self.hashes}


@pytest.mark.parametrize("every", [1, 3, 10**9])
def test_fill_long_backlog(every: int) -> None:
    """All that the cache has is found, wherever it stands, without reading everything too often."""
    backlog = Backlog(20_000)
    known = Known({h for i, h in enumerate(backlog.texts) if (i + 1) % every == 0})
    wanted = len(known.hashes)
    assert fill_from_cache(backlog, "m", cache=known) == wanted  # type: ignore[arg-type]
    assert len(backlog.texts) == 20_000 - wanted
    assert backlog.asked < 5 * 20_000


def test_calibrate(home: Any) -> None:
    """Enough texts in both scripts give a median for each pair, between what is possible."""
    home.say([*ENGLISH, *CHINESE])
    embedder = HashingEmbedder()
    work(home.index, embedder)
    change = calibrate(home.index, embedder, at=NOW)
    assert change is not None
    estimate = dict(change.medians)
    assert set(estimate) == {"latin|latin", "han|han", "han|latin", "latin|han", COUNT}
    assert abs(estimate["han|latin"]) < 0.1  # these share no words
    assert estimate[COUNT] == home.index.models()[embedder.name]
    assert change.pairs == 48 * (len(ENGLISH) + len(CHINESE))
    assert change.model == embedder.name


def test_median_of_unrelated_questions() -> None:
    """The median is over all questions and texts, each text by its best window."""
    asked = {"latin": [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]}
    texts = {"latin": [[[0.6, 0.8]], [[0.0, 1.0], [0.8, 0.6]], [[0.9, 0.1]]], "han": []}
    found, number = medians(asked, texts)
    assert number == 9
    assert found == {"latin|latin": pytest.approx(0.8)}  # .1 .6 .6 .8 (.8) .8 .9 .9 1


def test_calibrate_is_kept_until_doubled(home: Any) -> None:
    """The estimate is made anew when the store has doubled, not before."""
    home.say(ENGLISH)
    embedder = HashingEmbedder()
    work(home.index, embedder)
    change = calibrate(home.index, embedder, at=NOW)
    assert change is not None
    assert "han|han" not in dict(change.medians)
    home.keep(change)
    assert home.index.calibration(embedder.name) == dict(change.medians)
    assert calibrate(home.index, embedder, at=NOW) is None
    home.say(CHINESE[:20], "s2")
    work(home.index, embedder)
    assert calibrate(home.index, embedder, at=NOW) is None
    home.say([*CHINESE, *(f"{t} Again." for t in ENGLISH)], "s3")
    work(home.index, embedder)
    second = calibrate(home.index, embedder, at=NOW)
    assert second is not None
    assert "han|han" in dict(second.medians)


def test_too_few(home: Any) -> None:
    """With few texts the embedder's baseline stands; nothing is embedded to find that out."""
    home.say(ENGLISH[:10])
    embedder = HashingEmbedder()
    work(home.index, embedder)
    before = embedder.calls
    assert calibrate(home.index, embedder, at=NOW) is None
    assert embedder.calls == before


def test_unknown_embedder(home: Any) -> None:
    """An embedder that nobody has measured is gauged with sentences of ours, once."""
    home.say(ENGLISH[:3])
    embedder = HashingEmbedder()
    embedder.baseline = {}
    change = calibrate(home.index, embedder, at=NOW)
    assert change is not None
    assert set(dict(change.medians)) == {"latin|latin", "han|han", "han|latin", "latin|han", COUNT}
    assert embedder.calls == (len(PASSAGES), sum(map(len, QUESTIONS.values())))
    home.keep(change)
    work(home.index, embedder)
    assert calibrate(home.index, embedder, at=NOW) is None


def test_provider_fails(home: Any) -> None:
    """When the embedder fails, what was done stays done, and the error goes up."""

    class Failing(Interrupted):
        def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
            try:
                return super().passages(texts)
            except KeyboardInterrupt:
                raise ProviderError("http://x failed") from None

    home.say(ENGLISH[:10])
    embedder = Failing()
    backlog = home.index.pending_count(embedder.name)
    with pytest.raises(ProviderError):
        work(home.index, embedder, batch=2)
    assert home.index.pending_count(embedder.name) == backlog - 4
