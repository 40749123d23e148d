"""Facts against what is held: what holds for any history."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import example, given, settings
from hypothesis import strategies as st

from alaya.distill.knowledge import reconciled
from alaya.distill.single import FOR_LIFE, single
from alaya.distill.timeline import Stated
from alaya.model.change import Change, FactRetired, LinkAdded
from alaya.model.graph import Link
from alaya.model.raw import Span
from alaya.model.relations import CONTRADICTS
from alaya.model.scope import Scope

SCOPE = Scope("alice")
START = datetime(2020, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """So many days after the first of January 2020."""
    return START + timedelta(days=number)


def stated(relation: str, what: str, said: int, *, on: int | None = None, **more: object) -> Stated:
    """Of `me`, said on a day in a turn of its own."""
    valid_at = None if on is None else day(on)
    span = Span("s", f"t{said}", 0, 5, "hash")
    fact = Stated("me", relation, what, f"{relation} {what}", (span,), day(said), valid_at)
    return replace(fact, **more)  # type: ignore[arg-type]


def after(held: dict[str, Link], changes: list[Change]) -> dict[str, Link]:
    """What is believed once changes were applied, also of what ended."""
    held = dict(held)
    for change in changes:
        if isinstance(change, LinkAdded):
            held[change.link.id] = change.link
        elif isinstance(change, FactRetired) and change.invalid_at is None:
            held.pop(change.link, None)
        elif isinstance(change, FactRetired) and change.link in held:
            link = held[change.link]
            held[link.id] = replace(link, invalid_at=change.invalid_at, retired_at=day(9999))
    return held


facts = st.builds(
    stated,
    st.sampled_from(["LIVES_IN", "HAS_PET", "住在"]),
    st.sampled_from(["a", "b", "c"]),
    st.integers(0, 30),
    on=st.none() | st.integers(0, 30),
    invalid_at=st.none() | st.integers(0, 30).map(day),
    corrects=st.booleans(),
    instead_of=st.none() | st.sampled_from(["a", "b", "c"]),
)


@settings(deadline=None)
@given(st.lists(facts, max_size=5))
@example([stated("LIVES_IN", "a", 1), stated("LIVES_IN", "b", 3), stated("LIVES_IN", "a", 2)])
def test_told_twice(told: list[Stated]) -> None:
    """The same facts told once more, in the order in which they were said, change nothing."""
    told = sorted(told, key=lambda one: one.said_at)
    first = reconciled(told, [], scope=SCOPE)
    held = after({}, first)
    assert reconciled(told, list(held.values()), scope=SCOPE) == []


@settings(deadline=None)
@given(st.lists(facts, max_size=6))
def test_many_stand_side_by_side(told: list[Stated]) -> None:
    """Of a relation that somebody can have many of, nothing is ended by another one."""
    told = sorted(
        (replace(one, invalid_at=None, corrects=False) for one in told), key=lambda one: one.said_at
    )
    changes = reconciled(told, [], scope=SCOPE)
    pets = {one.object for one in told if one.relation == "HAS_PET"}
    held = [k for k in after({}, changes).values() if k.relation == "HAS_PET"]
    assert {link.target for link in held if link.invalid_at is None} == pets


@settings(deadline=None)
@given(st.lists(facts, max_size=6))
def test_one_at_a_time(told: list[Stated]) -> None:
    """At no time two of one kind are so, unless both were told of it or they contradict."""
    told = sorted(told, key=lambda one: one.said_at)
    told = [replace(one, invalid_at=None, valid_at=None, corrects=False) for one in told]
    held = after({}, reconciled(told, [], scope=SCOPE)).values()
    homes = [k for k in held if single(k.relation) and k.relation != CONTRADICTS]
    for moment in range(40):
        now = [
            k.target
            for k in homes
            if k.valid_at <= day(moment) and (k.invalid_at is None or day(moment) < k.invalid_at)
        ]
        assert len(set(now)) <= 1 or len({one.said_at for one in told}) < len(told)


def test_for_life() -> None:
    """A birthday does not change: another one, told later, contradicts it and ends nothing."""
    assert "birthday" in FOR_LIFE
    held = after({}, reconciled([stated("BORN_ON", "3 May", 1)], [], scope=SCOPE))
    (added, link) = reconciled([stated("BORN_ON", "4 May", 9)], list(held.values()), scope=SCOPE)
    assert isinstance(added, LinkAdded)
    assert isinstance(link, LinkAdded)
    assert (link.link.relation, link.link.metadata["facts"]) == (
        CONTRADICTS,
        [*held, added.link.id],
    )
    assert link.link.evidence == (*next(iter(held.values())).evidence, *added.link.evidence)


def test_two_people_contradicted_in_one_way() -> None:
    """Where of two people the same two things are told, one link tells of both."""
    told = [
        replace(stated("BORN_ON", what, said), subject=who)
        for who in ("ann", "bob")
        for what, said in (("3 May", 1), ("4 May", 9))
    ]
    told.sort(key=lambda one: one.said_at)
    held = after({}, reconciled(told, [], scope=SCOPE))
    (link,) = (link for link in held.values() if link.relation == CONTRADICTS)
    assert len(link.metadata["facts"]) == 4
    assert reconciled(told, list(held.values()), scope=SCOPE) == []


def test_read_anew() -> None:
    """What only this session's words had told, and a new reading does not tell, is retired."""
    here = Scope("alice", session="s")
    told = [stated("HAS_PET", "Tom", 1), stated("HAS_PET", "Rex", 2)]
    held = after({}, reconciled(told, [], scope=here))
    elsewhere = stated("HAS_PET", "Mia", 3, evidence=(Span("other", "t", 0, 5, "hash"),))
    held = after(held, reconciled([elsewhere], list(held.values()), scope=here))
    changes = reconciled([told[0]], list(held.values()), scope=here, anew=True)
    assert {link.target for link in after(held, changes).values()} == {"Tom", "Mia"}
    assert [(c.reason, c.invalid_at) for c in changes if isinstance(c, FactRetired)] == [
        ("redistilled", None)
    ]


def test_said_again() -> None:
    """A fact keeps the words of everybody who told it, and its beginning."""
    held = after({}, reconciled([stated("HAS_PET", "Tom", 1)], [], scope=SCOPE))
    changes = reconciled([stated("HAS_PET", "Tom", 9)], list(held.values()), scope=SCOPE)
    (link,) = after(held, changes).values()
    assert [span.turn for span in link.evidence] == ["t1", "t9"]
    assert (link.valid_at, link.invalid_at) == (day(1), None)
