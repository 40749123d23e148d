"""Writing through the journal: decided on what is there, decided again where it changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from alaya import projection
from alaya.errors import ArchiveError, Busy, NotFound
from alaya.model import change as ch
from alaya.model.graph import Tier
from alaya.model.passage import Where
from alaya.model.raw import Span
from alaya.model.record import Position
from alaya.projection import Grow, catch_up, commit
from alaya.provenance.words import context_of, trace
from alaya.stores.files.archive import FileArchive
from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.invented import ALICE, BOB, START, card, link, session, span, turn
from alaya.testing.oracle import OracleIndex


@pytest.fixture
def archive(tmp_path: Path) -> FileArchive:
    archive = FileArchive(tmp_path / "home")
    archive.create()
    return archive


@pytest.fixture
def index(archive: FileArchive) -> Iterator[SqliteIndex]:
    index = SqliteIndex(archive.home / "alaya.db", stem=lambda w: w, read_turn=archive.turn)
    yield index
    index.close()


def write(archive, index, decide, touches=None):
    return commit(
        archive, index, decide=decide, actor="a", verb="v", clock=lambda: START, touches=touches
    )


def append(archive, *changes) -> None:
    """Another process writes."""
    with archive.lock() as writer:
        writer.append("other", "v", changes=changes, at=START)


def test_nothing_decided(archive, index) -> None:
    """What decides on nothing writes nothing."""
    append(archive, ch.CardAdded(card("a")))
    assert write(archive, index, list).seq == 1
    assert archive.head().seq == 1
    assert index.position().seq == 1


def meanwhile(archive, others):
    """A decision during which others write, a record each time it is made."""
    made = []

    def decide():
        made.append(len(made))
        if others:
            append(archive, *others.pop(0))
        return [ch.CardAdded(card(f"mine-{len(made)}"))]

    return decide, made


def test_decided_again(archive, index) -> None:
    """What was decided before others wrote is decided anew, on what they wrote."""
    others = [[ch.CardAdded(card("x"))], [ch.CardAdded(card("y"))]]
    decide, made = meanwhile(archive, others)
    assert write(archive, index, decide).seq == 3
    assert len(made) == 3
    found = {c.id for c, _ in index.find_cards(Where(ALICE))}
    assert found == {"card-x", "card-y", "card-mine-3"}


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (ch.Forgotten(ALICE, ("card-a",), ""), True),
        (ch.CardMerged(card("m"), ("card-a",)), True),
        (ch.CardRevised(card("a", version=2)), True),
        (ch.Cooled(ALICE, (("card-a", Tier.COLD),)), True),
        (ch.Forgotten(ALICE, ("card-b",), ""), False),
        (ch.LinkAdded(link("x", "R", target="y")), False),
        (ch.SessionDistilled(ALICE, "s", "d", "r", 0, "h", 0), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_decided_again_where_touched(archive, index, change, again) -> None:
    """With `touches`, only what touches the same things makes it be decided anew."""
    decide, made = meanwhile(archive, [[change]])
    assert write(archive, index, decide, touches=("card-a",)).seq == 2
    assert len(made) == 1 + again


def test_gives_up(archive, index, monkeypatch) -> None:
    """Where others never stop, one is told, and nothing is written."""
    monkeypatch.setattr(projection, "_TRIES", 3)
    decide, made = meanwhile(archive, [[ch.CardAdded(card(f"{n}"))] for n in range(9)])
    with pytest.raises(Busy):
        write(archive, index, decide)
    assert len(made) == 3
    assert {r.actor for r in archive.records(Position())} == {"other"}


def test_a_decision_that_fails(archive, index) -> None:
    """An error while deciding leaves no record and no lock."""

    def decide():
        raise NotFound("no card")

    with pytest.raises(NotFound):
        write(archive, index, decide)
    assert archive.head() == Position()
    append(archive, ch.CardAdded(card("a")))
    assert catch_up(archive, index).seq == 1


def test_turns_are_filled_in(archive, index) -> None:
    """A follower that reads the journal later gets the turns with their ordinals."""
    for first, at in ((0, 0), (2, None)):
        end = at if at is not None else index.session(ALICE, "s").end
        said = (turn(f"{first}", "a"), turn(f"{first + 1}", "b"))
        write(archive, index, lambda f=first, e=end, s=said: [Grow(session(), 0, e, f, s)])
    late = OracleIndex()
    catch_up(archive, late)
    assert late.turns(ALICE, "s") == index.turns(ALICE, "s")
    assert [p.ordinal for p in late.turns(ALICE, "s")] == [0, 1, 2, 3]
    assert index.session(ALICE, "s").tokens == 4


def test_a_journal_that_was_replaced(archive, index, tmp_path) -> None:
    """A follower does not follow another journal than the one it began with."""
    append(archive, ch.CardAdded(card("a")))
    catch_up(archive, index)
    other = FileArchive(tmp_path / "other")
    other.create()
    append(other, ch.CardAdded(card("x")))
    append(other, ch.CardAdded(card("y")))
    with pytest.raises(ArchiveError):
        catch_up(other, index)
    assert [c.id for c, _ in index.find_cards(Where(ALICE))] == ["card-a"]


@pytest.fixture
def cited(archive, index):
    """A card with two quotes in order, one that does not fit, and one that is not there."""
    grow = Grow(session(), 0, 0, 0, (turn("1", "我们决定 hello"), turn("2", "there")))
    good, other = span("s", "2", words="there"), span("s", "1", words="决定", start=2)
    wrong = Span("s", "1", 0, 2, "of other words")
    lost = [span("s", "9"), span("t", "1")]
    evidence = (good, other, wrong, *lost)
    write(archive, index, lambda: [grow])
    write(archive, index, lambda: [ch.CardAdded(card("a", evidence=evidence))])
    return trace(archive, index, card_id="card-a", where=Where(ALICE))


def test_trace(cited) -> None:
    """From a card to the words, in order, each checked; what is not there is named."""
    assert [(q.words, q.verified) for q in cited.quotes] == [
        ("我们", False),
        ("决定", True),
        ("there", True),
    ]
    assert [(s.session, s.turn) for s in cited.missing] == [("s", "9"), ("t", "1")]
    assert [s.id for s, _ in cited.sessions] == ["s"]
    assert Path(cited.sessions[0][1]).exists()
    context = context_of(cited)
    assert [t["turn"] for t in context["turns"]] == ["1", "1", "2"]


def test_trace_through_the_wall(cited, archive, index) -> None:
    """Another user's card is not there; nor is one that never was."""
    for name, where in (("card-a", Where(BOB)), ("card-b", Where(ALICE))):
        with pytest.raises(NotFound, match=name):
            trace(archive, index, card_id=name, where=where)


def test_trace_of_altered_words(cited, archive, index) -> None:
    """Words that were altered in the archive are shown, and not as verified."""
    path = Path(archive.session_path(session()))
    path.write_bytes(path.read_bytes().replace(b"there", b"THERE"))
    found = trace(archive, index, card_id="card-a", where=Where(ALICE))
    assert [(q.words, q.verified) for q in found.quotes][-1] == ("THERE", False)
    path.unlink()
    assert len(trace(archive, index, card_id="card-a", where=Where(ALICE)).missing) == 5
