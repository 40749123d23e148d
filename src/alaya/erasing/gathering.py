"""The words by which an erasure is known: those of what goes that stand in nothing that stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from alaya.erasing.blanking import Blanking, owner, structural, texts, texts_of_turn
from alaya.erasing.known import Known
from alaya.erasing.planning import turns_of
from alaya.erasing.reach import Taken
from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.erased_words import vocabulary, without_ids
from alaya.model.ids import sha256
from alaya.model.raw import Turn
from alaya.model.record import Position
from alaya.model.speech import embeddable
from alaya.ports import Archive


@dataclass(frozen=True)
class Gathered:
    """`words` are distinctive, `shared` of them stay elsewhere; `texts` are hashes of whole texts,
    `turns` (session, turn) as they were before."""

    words: frozenset[str]
    shared: int
    texts: frozenset[str]
    turns: tuple[tuple[str, Turn], ...]


def gather(archive: Archive, taken: Taken, *, known: Known, others: Iterable[Known]) -> Gathered:
    """Read the archive twice: for the words that go, and for which of them stay somewhere.

    `others`: what other users have, whose words are left alone.
    """
    touched = _touched_turns(archive, taken, known=known)
    cut = Blanking(taken, _nothing, "", lambda _: "")
    gone: set[str] = set()
    hashes: set[str] = set()
    for session, turn in touched:
        left = cut.turn(session, turn)
        if left.content.strip("_"):
            gone |= _words(turn.content[a:b] for a, b in taken.turns[session, turn.id])
        else:
            gone |= _words(texts_of_turn(turn))
        hashes.add(sha256(embeddable(turn)))
    for change in _changes(archive):
        if owner(change) == taken.user and (falls := _falls(change, taken)) is not None:
            if falls:
                gone |= _words(texts(change))
            hashes |= _hashes(change)
    for name in taken.named:
        if name in known.entities:
            entity = known.entities[name]
            gone |= vocabulary((entity.name, *entity.aliases))
    words = gone - _staying(archive, taken, known=known, others=others, gone=gone)
    return Gathered(frozenset(words), len(gone) - len(words), frozenset(hashes), tuple(touched))


def _words(said: Iterable[str]) -> set[str]:
    """The words of texts; ids in them stand in other records, too, and stay there."""
    return vocabulary(map(without_ids, said))


def _touched_turns(archive: Archive, taken: Taken, *, known: Known) -> list[tuple[str, Turn]]:
    sessions = known.sessions if taken.everything else {name for name, _ in taken.turns}
    return [
        (session, turn)
        for session in sorted({*sessions, *taken.sessions} & known.sessions.keys())
        for _, turn in turns_of(archive, known, session=session)
        if taken.touches(session, turn.id)
    ]


def _staying(
    archive: Archive, taken: Taken, *, known: Known, others: Iterable[Known], gone: set[str]
) -> set[str]:
    """Which of these words stand in what is not erased, and not even touched."""
    found: set[str] = set()

    def hear(said: Iterable[str]) -> None:
        found.update(vocabulary(said) & gone)

    for change in _changes(archive):
        if owner(change) != taken.user or _falls(change, taken) is None:
            hear(texts(change))
    cut = Blanking(taken, _nothing, "", lambda _: "")
    for one in (known, *others):
        mine = one is known
        for session, (header, _) in one.sessions.items():
            if mine and (taken.everything or session in taken.sessions):
                continue
            hear((header.source or "", header.id, header.channel or ""))
            for _, turn in turns_of(archive, one, session=session):
                if mine and taken.touches(session, turn.id):
                    hear((cut.turn(session, turn).content,))
                else:
                    hear(texts_of_turn(turn))
    return found


def _changes(archive: Archive) -> Iterator[Change]:
    for record in archive.records(Position()):
        yield from record.changes


def _falls(change: Change, taken: Taken) -> bool | None:
    """Whether a change of the user is dropped; None where it is left as it is.

    False: it stays, but its texts may hold what was erased.
    """
    if isinstance(change, ch.Calibrated):
        return None
    if owner(change) is None:
        return False
    if taken.everything:
        return True
    left, touched = structural(change, taken)
    if left is None:
        return True
    return False if touched or taken.named else None


def _hashes(change: Change) -> set[str]:
    """Under which hashes the vectors of a change's text are kept."""
    match change:
        case ch.CardAdded(card=card) | ch.CardRevised(card=card) | ch.CardMerged(card=card):
            return {sha256(card.text)}
        case ch.SummaryAdded(summary=summary):
            return {sha256(summary.text)}
    return set()


def _nothing(text: str) -> str:
    return text
