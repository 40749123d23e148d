"""What was held at a time is what a memory was that had come only so far; undoing and rolling back
lead there, and can be undone themselves."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from alaya.errors import InvalidInput, NotFound
from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind
from alaya.model.held import ThingKind, things_of
from alaya.model.passage import ItemKind, Where
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.past import records
from alaya.past.rollback import diff, rollback
from alaya.past.undo import Wish, undo
from alaya.projection import catch_up, commit, filled
from alaya.stores.files.archive import FileArchive
from alaya.testing.invented import ALICE, BOB, day, everything, link
from alaya.testing.oracle import OracleIndex

from . import histories as h
from .test_rebuild import live, opened, steps

pytestmark = [pytest.mark.timeout(1200)]
LATE = day(100)
MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.integers(0, 4), st.integers(0, 40)),
        st.tuples(st.sampled_from(["undo", "seq", "with", "back"]), st.integers(0, 9), st.just(0)),
    ),
    max_size=10,
)


class Lived:
    """A history in both stores; what was erased never was, and no session has an agent.

    (Erasure is of the past, too, and so is which agent a session turns out to be of.)
    """

    def __init__(self, folder, history) -> None:
        history = [
            ([c for c in changes if not isinstance(c, ch.Erased)], said, Scope(scope.user))
            for changes, said, scope in history
        ]
        self.archive = FileArchive(folder)
        self.archive.create()
        self.index, self.oracle = opened(self.archive), OracleIndex()
        live(self.archive, self.index, history)
        self.follow()

    def follow(self) -> None:
        catch_up(self.archive, self.index)
        catch_up(self.archive, self.oracle)

    @property
    def records(self):
        return list(self.archive.records(Position()))

    @property
    def things(self):
        return {t for r in self.records for change in r.changes for t in things_of(change)}

    def held(self, user: str, at=None):
        """What is held now, or was; both stores say the same."""
        found = self.index.held(self.things, Scope(user), at=at)
        assert self.oracle.held(self.things, Scope(user), at=at) == found
        return found

    def undo(self, **wish):
        return undo(
            self.archive,
            self.index,
            scope=ALICE,
            wish=Wish(**wish),
            clock=lambda: LATE,
            dry_run=False,
        )

    def closed(self) -> None:
        """A rebuild gives the same, and the store is sound."""
        before = sorted(self.index.fingerprint())
        with self.index.reset():
            catch_up(self.archive, self.index)
        assert sorted(self.index.fingerprint()) == before
        h.same_answers(self.index, self.oracle, day(2))
        wrong = {d.what for d in self.index.check()}
        assert wrong <= {"link leads to a card that is not there"}
        self.index.close()


def then(value, at):
    return replace(value, believed_at=at) if isinstance(value, Where) else value


class Then:
    """A store that answers every question as of one moment."""

    def __init__(self, index, at) -> None:
        self._index, self._at = index, at

    def __getattr__(self, name):
        found = getattr(self._index, name)
        return lambda *args, **named: found(
            *(then(a, self._at) for a in args), **{k: then(v, self._at) for k, v in named.items()}
        )


@settings(max_examples=settings().max_examples // 2)
@given(steps)
def test_as_it_stood(tmp_path_factory, history) -> None:
    """Asked what was believed at any time, both stores answer as one that was fed only so far."""
    lived = Lived(tmp_path_factory.mktemp("past"), history)
    short, things = OracleIndex(), lived.things
    for record in lived.records:
        seq = record.position.seq
        short.apply(record.position, filled(lived.archive, record.changes), at=record.time)
        for one in (Then(lived.index, record.time), Then(lived.oracle, record.time)):
            for where in h.filters(record.time):
                if where.believed_at is None:
                    h._same_graph(one, short, where)
                    _same_words(one, short, where)
        for scope in (ALICE, BOB):
            assert lived.held(scope.user, record.time) == short.held(things, scope)
            assert lived.index.touched(seq, scope) == lived.oracle.touched(seq, scope)
        assert lived.index.moment(seq) == lived.oracle.moment(seq) == (record.position, record.time)
        assert lived.index.seq_at(record.time) == lived.oracle.seq_at(record.time) == seq
    ids = [f"card-{name}" for name in h.NAMES]
    assert lived.index.versions(ids, ALICE) == lived.oracle.versions(ids, ALICE)
    assert lived.index.touching(things, ALICE) == lived.oracle.touching(things, ALICE)
    lived.index.close()


def _same_words(one, other, where: Where) -> None:
    """Which items hold a word, and their forms."""
    for kind in (ItemKind.CARD, ItemKind.TURN, ItemKind.SUMMARY):
        for text in ("网关", "gateway C++", "🎉カナ"):
            found, expected = (x.match(text, kind, where=where, limit=99) for x in (one, other))
            assert {s.id for s in found} == {s.id for s in expected}
    for kind, ids in ((ItemKind.CARD, ["card-a", "card-b"]), (ItemKind.TURN, ["s#0", "s#2"])):
        items = (x.items(ids, kind, where=where, reach=1) for x in (one, other))
        found, expected = (sorted(listed, key=repr) for listed in items)
        assert found == expected


@given(steps, st.integers(1, 3))
def test_undo_restores(tmp_path_factory, history, count) -> None:
    """Undoing the last changes brings back what was held before them, undoing that what was after.

    Nobody else's memory is touched, and each record is undone once. What a record that cannot be
    undone (one that holds another user's changes) made of the same things since stays: then the
    undo is refused, since it would overwrite that.
    """
    lived = Lived(tmp_path_factory.mktemp("undo"), history)
    after, others = lived.held("alice"), lived.held("bob")
    report = refused = None
    try:
        report = lived.undo(count=count)
    except (InvalidInput, NotFound) as error:
        refused = str(error)
    if report is None:
        stays = [r.position.seq for r in lived.records if records.why_not(r, "alice")]
        assert refused == "there is nothing to undo" or any(
            f"#{seq} (v), which cannot be undone" in refused for seq in stays
        )
        assert lived.held("alice") == after
        lived.index.close()
        return
    lived.follow()
    first = min(one.seq for one in report.undone)
    mixed = [r for r in lived.records if r.position.seq >= first]
    mine = all(
        r.verb == "undo" or records.why_not(r, "alice") == "" or not records.is_of(r, "alice")
        for r in mixed
    )
    before = lived.held("alice", records.before(lived.index, first))
    own = {k: v for k, v in before.items() if k.kind is not ThingKind.RELATION}
    now = {k: v for k, v in lived.held("alice").items() if k.kind is not ThingKind.RELATION}
    if mine:
        assert now == own
    bob = {k: v for k, v in others.items() if k.kind is not ThingKind.RELATION}
    assert {k: v for k, v in lived.held("bob").items() if k.kind is not ThingKind.RELATION} == bob
    for one in report.undone:
        with pytest.raises(InvalidInput, match="already"):
            lived.undo(seq=one.seq)
    lived.undo(seq=report.seq)
    lived.follow()
    assert lived.held("alice") == after
    lived.closed()


@given(steps, st.data())
def test_undo_of_an_older_record(tmp_path_factory, history, data) -> None:
    """An older record is undone alone, or refused naming what was built on it; with that it goes
    to where nothing it touched is as if it had ever been. Undoing the undoing brings all back."""
    lived = Lived(tmp_path_factory.mktemp("older"), history)
    mine = (r for r in lived.records if records.is_of(r, "alice"))
    seqs = [r.position.seq for r in mine if not records.why_not(r, "alice")]
    assume(seqs)
    seq, before = data.draw(st.sampled_from(seqs)), lived.held("alice")
    try:
        report = lived.undo(seq=seq)
    except InvalidInput:
        try:
            report = lived.undo(seq=seq, later=True)
        except InvalidInput:  # another user's changes stand in one record with these
            lived.index.close()
            return
        assert len(report.undone) > 1
    lived.follow()
    lived.undo(seq=report.seq)
    lived.follow()
    assert lived.held("alice") == before
    lived.closed()


@given(steps, st.data())
def test_rollback(tmp_path_factory, history, data) -> None:
    """Rolled back, the memory holds what it held; nothing is rewritten, it can be undone, and a
    second rollback changes nothing. The diff is empty then, and tells every difference before."""
    lived = Lived(tmp_path_factory.mktemp("rollback"), history)
    written = lived.records
    assume(written)
    to = records.moment_of(lived.index, data.draw(st.integers(0, len(written))))
    now, was = lived.held("alice"), lived.held("alice", to.at)
    end = records.moment_of(lived.index, len(written))
    told = diff(lived.index, scope=ALICE, start=to, end=end)
    assert {d.thing for d in told.differences} == {
        thing for thing in {*now, *was} if now.get(thing) != was.get(thing)
    }

    def back():
        return rollback(
            lived.archive, lived.index, scope=ALICE, to=to, clock=lambda: LATE, dry_run=False
        )

    report = back()
    lived.follow()
    assert lived.held("alice") == was
    assert lived.records[: len(written)] == written
    assert back().seq is None
    lived.follow()
    if report.seq is not None:
        lived.undo(seq=report.seq)
        lived.follow()
        assert lived.held("alice") == now
    lived.closed()


@given(MOVES)
def test_one_home_at_a_time(tmp_path_factory, moves) -> None:
    """Whatever is undone or rolled back, in whatever order, two homes never hold at once.

    A move ends the fact before it and begins another, as `distill.decisions` does.
    """
    lived = Lived(tmp_path_factory.mktemp("moves"), [])
    index = lived.index

    def told():
        return list(index.all_links(everything(include_ended=True)))

    def move(town: int, at: int):
        new = link("entity-a", "LIVES_IN", target=f"entity-{town}", valid_at=day(at), fact="f")
        if any(k.valid_at >= new.valid_at for k in told()):
            return []
        open_ones = [k for k in told() if k.invalid_at is None]
        ended = [ch.FactRetired(ALICE, k.id, "moved", new.valid_at) for k in open_ones]
        return [*ended, ch.LinkAdded(new)]

    def write(changes) -> None:
        commit(lived.archive, index, decide=lambda: changes, actor="", verb="v", clock=lambda: LATE)

    write([ch.EntityAdded(Entity(f"entity-{n}", ALICE, n, EntityKind.PLACE)) for n in "a01234"])
    for what, one, two in moves:
        with contextlib.suppress(InvalidInput, NotFound):
            if what == "move":
                write(move(one, two))
            elif what == "undo":
                lived.undo()
            elif what == "back":
                to = records.moment_of(index, one)
                rollback(
                    lived.archive, index, scope=ALICE, to=to, clock=lambda: LATE, dry_run=False
                )
            else:
                lived.undo(seq=one, later=what == "with")
        spans = sorted((k.valid_at, k.invalid_at or day(999)) for k in told())
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    lived.follow()
    lived.closed()
