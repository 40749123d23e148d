"""Runs of turns, whatever is said: nothing lost, nothing twice, and nothing moved by growth."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from alaya.distill.segments import Cut, segments
from alaya.model.raw import ArchivedTurn, Role, Turn

START = datetime(2026, 3, 31, 9, tzinfo=UTC)
_WORDS = (
    "tomato basil garden slug fence", "railway ticket platform express berlin",
    "redis port gateway timeout host", "番茄 罗勒 菜园", "高铁 站台 车票", "ok", "谢谢", "",
    "by the way railway ticket", "换个话题 番茄 菜园",
)  # fmt: skip
_SAID = st.tuples(
    st.sampled_from(_WORDS),
    st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL]),
    st.sampled_from([0, 1, 1, 1, 30, 500]),
    st.integers(0, 3),
)


def made(said: list[tuple[str, Role, int, int]]) -> tuple[list[ArchivedTurn], list[list[float]]]:
    """Turns, so many minutes apart, and a vector for each."""
    turns, vectors = [], []
    at = START
    for i, (words, role, minutes, axis) in enumerate(said):
        at += timedelta(minutes=minutes)
        turns.append(ArchivedTurn(Turn(f"t{i}", role, words, at), i, 0, i * 100, 100))
        vectors.append([1.0 if axis == j else 0.1 for j in range(4)])
    return turns, vectors


@given(st.lists(_SAID, max_size=70), st.booleans(), st.booleans())
def test_every_turn_once(said, over: bool, by_vectors: bool) -> None:
    """Runs follow each other and cover every turn once; only the last may be open."""
    turns, vectors = made(said)
    found = segments(turns, cut=Cut(0.3), vectors=vectors if by_vectors else (), over=over)
    covered = [i for run in found for i in range(run.first, run.last + 1)]
    assert covered == list(range(len(turns)))
    assert all(run.closed for run in found[:-1])
    assert all(run.closed == over for run in found[-1:])


@given(st.lists(_SAID, max_size=70), st.integers(0, 70), st.booleans())
def test_growth_moves_nothing(said, known: int, by_vectors: bool) -> None:
    """What was closed when a session was shorter is cut the same when it is longer."""
    turns, vectors = made(said)
    known = min(known, len(turns))
    before = segments(turns[:known], cut=Cut(0.3), vectors=vectors[:known] if by_vectors else ())
    after = segments(turns, cut=Cut(0.3), vectors=vectors if by_vectors else ())
    closed = [(run.first, run.last) for run in before if run.closed]
    assert closed == [(run.first, run.last) for run in after][: len(closed)]
