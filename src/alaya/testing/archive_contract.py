"""What every Archive must do. A test module derives a class and names an adapter.

    class TestMine(ArchiveContract):
        @pytest.fixture
        def make_archive(self, tmp_path):
            return lambda: MyArchive(tmp_path / "home")

`make_archive` opens the same archive anew each time, as another process would.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from alaya.errors import ArchiveError
from alaya.model.change import CardAdded, LinkAdded, Pinned
from alaya.model.graph import CardKind
from alaya.model.ids import sha256
from alaya.model.raw import Role, Session, ToolCall, Turn
from alaya.model.record import Draft, DraftCard, Parked, Position, RecallLog
from alaya.model.scope import Scope
from alaya.ports import Archive
from alaya.projection import Grow, commit
from alaya.testing.invented import ALICE, BOB, START, card, day, link, session, turn
from alaya.testing.oracle import OracleIndex

MakeArchive = Callable[[], Archive]

STRANGE = (
    "../../x",
    "/etc/passwd",
    "..",
    "a/b\\c",
    "x" * 400,
    "会" * 400,
    "ΐ" * 400,
    "😀 party",
    "CON",
    "con.txt",
    "a:b*c?",
    "Case",
    "case",
    "x.g1",
    "x~g1",
    "trailing.",
    " ",
    "-rf",
)


def recall(at: float, card: str = "card-a") -> RecallLog:
    return RecallLog(day(at), "alice", {"text": "词"}, ((card, 0.5),), {}, 1.5, (), True, False)


class ArchiveContract:
    """Needs a fixture `make_archive`."""

    @pytest.fixture
    def archive(self, make_archive: MakeArchive) -> Archive:
        archive = make_archive()
        archive.create()
        return archive

    # --- the journal ----------------------------------------------------------------------------

    def test_create(self, make_archive: MakeArchive) -> None:
        """Made once, and nothing is made the second time."""
        assert make_archive().create()
        assert make_archive().create() == []
        assert make_archive().head() == Position()
        assert list(make_archive().records(Position())) == []
        assert list(make_archive().verify()) == []

    def test_records(self, archive: Archive, make_archive: MakeArchive) -> None:
        """What was appended is read back, in order, whole, by everyone, from any position."""
        written = [
            ("owner", "distill", (CardAdded(card("a", "标题 \u2028", content="x\ny")),), day(0)),
            (
                "coder",
                "link",
                (LinkAdded(link("a", "因为", target="b")), Pinned(BOB, (), True)),
                day(40),
            ),
            ("", "nothing", (), day(41)),
        ]
        ends = []
        for actor, verb, changes, at in written:
            with archive.lock() as writer:
                before = writer.head()
                ends.append(writer.append(actor, verb, changes=changes, at=at))
                assert writer.head() == ends[-1] == replace(ends[-1], seq=before.seq + 1)
        other = make_archive()
        assert other.head() == archive.head() == ends[-1]
        found = list(other.records(Position()))
        assert [(r.actor, r.verb, r.changes, r.time) for r in found] == written
        assert [r.position for r in found] == ends
        for number, end in enumerate(ends):
            assert [r.seq for r in other.records(end)] == [2, 3][number:]
        assert list(other.verify()) == []

    def test_several_at_once(self, archive: Archive) -> None:
        """Records that are appended under one hold of the lock follow each other."""
        with archive.lock() as writer:
            for number in range(3):
                writer.append("", f"verb {number}", changes=(), at=day(number))
        assert [r.verb for r in archive.records(Position())] == ["verb 0", "verb 1", "verb 2"]

    def test_the_clock_goes_back(self, archive: Archive) -> None:
        """Records keep their order, and their times go forward, whatever the clock says."""
        times = [day(60), day(0), day(31), day(90), day(-400)]
        for at in times:
            with archive.lock() as writer:
                writer.append("", "verb", changes=(), at=at)
        told = [r.time for r in archive.records(Position())]
        assert told == sorted(set(told))
        assert [at - day(60) < timedelta(seconds=1) for at in told] == [True] * 3 + [False] * 2
        assert (told[0], told[3]) == (day(60), day(90))
        assert list(archive.verify()) == []

    def test_one_writer(self, make_archive: MakeArchive, archive: Archive) -> None:
        """The lock lets one writer in at a time, and every record in."""

        def write(name: str) -> None:
            mine = make_archive()
            for number in range(10):
                with mine.lock() as writer:
                    writer.append(name, str(number), changes=(), at=START)

        threads = [threading.Thread(target=write, args=(f"t{i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = list(archive.records(Position()))
        assert [r.seq for r in found] == list(range(1, 41))
        for name in ("t0", "t1", "t2", "t3"):
            assert [r.verb for r in found if r.actor == name] == [str(i) for i in range(10)]

    def test_released_after_an_error(self, archive: Archive) -> None:
        """An error while the lock is held releases it and adds no record."""
        with pytest.raises(ZeroDivisionError), archive.lock():
            raise ZeroDivisionError
        with archive.lock() as writer:
            assert writer.append("", "verb", changes=(), at=START).seq == 1

    def test_behind_the_end(self, archive: Archive) -> None:
        """A follower that knows more than the journal holds is told that it was cut."""
        with archive.lock() as writer:
            end = writer.append("", "verb", changes=(), at=START)
        with pytest.raises(ArchiveError):
            list(archive.records(replace(end, seq=9, offset=end.offset + 1000)))
        with pytest.raises(ArchiveError):
            list(archive.records(Position(3, "0" * 64, "2027-01.jsonl", 10)))

    # --- sessions -------------------------------------------------------------------------------

    def test_turns(self, archive: Archive) -> None:
        """Turns come back word for word, by range and by place, with ordinals from 0."""
        said = [
            turn("1", "héllo\r\n\u2028 \x07 word", said_at=day(0.5)),
            turn("2", "", role=Role.ASSISTANT, tool_calls=(ToolCall("c", "run", '{"a": 1}'),)),
            turn("3", "结果 😀" * 5000, role=Role.TOOL, tool_call_id="c", is_error=True),
            turn("4", "x", injected=((0, 1),), metadata={"k": [None]}, parent="1", name="Zoë"),
        ]
        with archive.lock() as writer:
            start, middle, sha = writer.append_turns(session(), 0, at=0, turns=said[:2])
            then, end, other = writer.append_turns(session(), 0, at=middle, turns=said[2:])
        assert (start, then) == (0, middle)
        assert sha != other
        found = list(archive.turns(session(), 0, start=0, end=end))
        assert [t.turn for t in found] == said
        assert [t.ordinal for t in found] == [0, 1, 2, 3]
        later = list(archive.turns(session(), 0, start=middle, end=end))
        assert [(t.turn.id, t.ordinal) for t in later] == [("3", 0), ("4", 1)]
        for place in found:
            assert (
                archive.turn(session(), 0, offset=place.offset, length=place.length) == place.turn
            )

    def test_torn_turns(self, archive: Archive) -> None:
        """Text that no encoding can hold is written, replaced, and does not lose the rest."""
        with archive.lock() as writer:
            _, end, _ = writer.append_turns(session(), 0, at=0, turns=[turn("1", "a\ud800b\x00c")])
        (found,) = archive.turns(session(), 0, start=0, end=end)
        assert found.turn.content.startswith("a")
        assert found.turn.content.endswith("c")

    def test_unacknowledged_is_cut(self, archive: Archive) -> None:
        """Bytes behind the place where a session is known to end are cut by the next turns."""
        with archive.lock() as writer:
            _, end, _ = writer.append_turns(session(), 0, at=0, turns=[turn("1", "kept")])
            writer.append_turns(
                session(), 0, at=end, turns=[turn("2", "crashed before the journal")]
            )
            _, last, _ = writer.append_turns(session(), 0, at=end, turns=[turn("2", "anew")])
        found = [t.turn.content for t in archive.turns(session(), 0, start=0, end=last)]
        assert found == ["kept", "anew"]

    def test_strange_sessions(self, archive: Archive) -> None:
        """Any session id, of any user, in any generation, has a file of its own."""

        def said(one: Session, generation: int) -> Turn:
            return turn("1", f"{one.scope.user} {one.id} {generation}")

        every = [
            (session(name, scope), generation)
            for scope in (ALICE, BOB, Scope(), Scope("~"))
            for name in STRANGE
            for generation in (0, 1, 2)
        ]
        ends = []
        with archive.lock() as writer:
            for one, generation in every:
                turns = [said(one, generation)]
                ends.append(writer.append_turns(one, generation, at=0, turns=turns)[1])
        for (one, generation), end in zip(every, ends, strict=True):
            (found,) = archive.turns(one, generation, start=0, end=end)
            assert found.turn == said(one, generation)

    def test_altered_turns(self, archive: Archive) -> None:
        """What the journal says of a session's bytes is checked."""
        index = OracleIndex()
        grow = Grow(session(), 0, 0, 0, (turn("1", "a"), turn("2", "b")))
        commit(archive, index, decide=lambda: [grow], actor="", verb="ingest", clock=lambda: START)
        assert list(archive.verify()) == []
        places = index.turns(ALICE, "s")
        assert [
            archive.turn(session(), 0, offset=p.offset, length=p.length).content for p in places
        ] == [
            "a",
            "b",
        ]
        state = index.session(ALICE, "s")
        assert state is not None
        with archive.lock() as writer:
            writer.append_turns(session(), 0, at=0, turns=[turn("1", "A"), turn("2", "b")])
        (found,) = archive.verify()
        assert (found.layer, found.what) == ("L3", "turns were altered")
        with archive.lock() as writer:
            writer.append_turns(session(), 0, at=0, turns=[turn("1", "A")])
        (found,) = archive.verify()
        assert "missing" in found.what

    # --- the rest -------------------------------------------------------------------------------

    def test_drafts(self, archive: Archive) -> None:
        """A draft is known by what it says, not by what it cost, and is read back whole."""
        cards = (DraftCard("题", "c", CardKind.GOTCHA, (("1", 0, 2),), ("t",), 0.3, 0.7, {"k": 1}),)
        draft = Draft("../s", "rules-1", "hash", 0, 3, cards, raw="said \ud800", tokens_in=5)
        name = archive.put_draft(draft)
        assert archive.put_draft(replace(draft, tokens_in=9, raw=None)) == name
        assert archive.put_draft(replace(draft, last=4)) != name
        found = archive.draft("../s", name)
        assert found is not None
        assert replace(found, raw=None) == replace(draft, raw=None)
        assert archive.draft("../s", "nothing") is None
        assert archive.draft("other", name) is None

    def test_recalls(self, archive: Archive, make_archive: MakeArchive) -> None:
        """Recalls are read back since a time, and on from any place in their log."""
        assert archive.recalls_size() == 0
        archive.log_recalls([])
        archive.log_recalls([recall(0), recall(40)])
        size = archive.recalls_size()
        make_archive().log_recalls([recall(41)])
        assert archive.recalls_size() > size > 0
        assert [r.at for r in archive.recalls()] == [day(0), day(40), day(41)]
        assert next(iter(archive.recalls(day(40)))) == recall(40)
        assert len(list(archive.recalls(day(40.5)))) == 1
        places = [place for _, place in archive.recalls_after(Position())]
        for number, place in enumerate(places):
            assert [r.at for r, _ in archive.recalls_after(place)] == [day(40), day(41)][number:]

    def test_parked(self, archive: Archive) -> None:
        """What was parked is listed with its reason, once, until its source is read anew."""
        one = Parked("/logs/a\ud800", "not JSON", START, 7, 120, "{…")
        archive.park(one)
        archive.park(one)
        archive.park(replace(one, line=8))
        archive.park(Parked("/logs/b", "not UTF-8", START))
        assert len(list(archive.parked())) == 3
        archive.unpark(one.source)
        assert [p.source for p in archive.parked()] == ["/logs/b"]
        archive.unpark("nothing")

    def test_claims(self, archive: Archive, make_archive: MakeArchive) -> None:
        """One holds a claim of a name, others of other names; who comes later is told so."""
        for _ in range(2):
            with archive.claim("u", "会话/1") as mine, make_archive().claim("u", "会话/1") as other:
                assert (mine, other) == (True, False)
                with archive.claim("u", "会话/2") as apart, archive.claim("v", "会话/1") as theirs:
                    assert (apart, theirs) == (True, True)

    def test_state(self, archive: Archive, make_archive: MakeArchive) -> None:
        """Small documents are replaced whole, apart from each other, and taken away."""
        assert archive.state("cursors/x") is None
        archive.set_state("cursors/x", {"at": 1, "词": [None]})
        archive.set_state("cursors/X", {"at": 2})
        archive.set_state("y", {})
        assert make_archive().state("cursors/x") == {"at": 1, "词": [None]}
        assert make_archive().state("cursors/X") == {"at": 2}
        assert make_archive().state("y") == {}
        archive.set_state("cursors/x", None)
        archive.set_state("cursors/x", None)
        assert archive.state("cursors/x") is None

    def test_context_and_size(self, archive: Archive) -> None:
        """A context is written where it says; everything counts as size."""
        before = archive.size()
        path = archive.put_context("card-a", {"词": sha256("x")})
        assert path.endswith("card-a-context.json")
        assert archive.size() > before
