"""One erasure, from its plan to its receipt; and one that was interrupted, to its end.

An intent is written first: ids and salted hashes, no words. Everything behind it can be done again,
so whoever comes next after a crash ends it. The order is: what repeats words, the journal, the
session files, the record of the erasure, then the database (which is grown anew from what is
left), the cache, and the search that proves it.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from alaya import tombstones
from alaya.erasing.blanking import Blanking
from alaya.erasing.gathering import Gathered, gather
from alaya.erasing.known import Known, known_of
from alaya.erasing.planning import Found, names_pattern, plan
from alaya.erasing.reach import Taken
from alaya.errors import Busy, InvalidInput
from alaya.model import change as ch
from alaya.model.call import KeptReply, Usage
from alaya.model.change import Change, Erased, MarkedStale
from alaya.model.codec import decode, encode, words_of
from alaya.model.erased_words import (
    blank,
    holds,
    known_by_hash,
    salted,
    scrubber,
    session_tombstone,
    telling,
    vocabulary,
)
from alaya.model.erasure import EraseReport, Intent, Planned, Target
from alaya.model.passage import ItemKind, Query
from alaya.model.raw import Session, Turn
from alaya.model.record import Draft, Parked, Position, RecallLog
from alaya.model.scope import Scope
from alaya.model.time import format_time
from alaya.ports import Archive, Index, Writer
from alaya.ports_erasing import Eraser, Has, Scrub
from alaya.projection import Clock, catch_up

_WAIT = 60.0  # seconds for another erasure, backup or restore
_TRIES = 20
_THEIRS = ("prompts", "config.json")  # what people wrote for alaya to read: it is only named


@dataclass(frozen=True)
class Home:
    """What an erasure works on.

    `forget` removes vectors from the cache by the hashes of their texts; `renew_backups` replaces
    backups from before by one from now, and tells how many were; nothing is embedded in the
    background while `quiet` is held.
    """

    archive: Archive
    index: Index
    eraser: Eraser
    forget: Callable[[Sequence[str]], int]
    renew_backups: Callable[[], int]
    quiet: Callable[[], AbstractContextManager[object]]
    shipped: Callable[[], Iterable[str]]  # prompts and settings as alaya brings them
    clock: Clock


@dataclass(frozen=True)
class Swept:
    """See `ports_erasing.Sweep`."""

    user: str
    everything: bool
    sessions: tuple[str, ...]
    cards: tuple[str, ...]
    notes: tuple[str, ...]
    scrub: Scrub


@dataclass
class _Sought:
    """The words of an erasure, as they are known to this process. `terms` are empty in another
    process than that which began it."""

    has: Has
    scrub: Scrub
    count: int = 0
    shared: int = 0
    terms: tuple[str, ...] = field(default=())


def erase(
    home: Home,
    *,
    scope: Scope,
    target: Target,
    reason: str = "",
    dry_run: bool = False,
    agreed: Callable[[Planned], bool] = lambda planned: True,
) -> EraseReport | None:
    """Erase `target` for good; None where `agreed` was shown the plan and said no.

    Raises InvalidInput and NotFound as `planning.plan` does, and Busy.
    """
    with home.eraser.alone(_WAIT) as alone:
        if not alone:
            raise Busy("another process erases, backs up or restores; try again when it is done")
        finished = _ended(home)
        catch_up(home.archive, home.index)
        for number in range(_TRIES):
            found = plan(home.archive, home.index, scope=scope, target=target)
            if not number and not dry_run and not agreed(found.planned):
                return None
            head = home.archive.head()
            taken = Taken.of(found.planned.reach)
            gathered = _gathered(home, taken, known=found.known)
            if holds(reason, gathered.words.__contains__):
                raise InvalidInput("the reason holds words that are to be erased; give another")
            intent = _intent(home, scope, found=found, gathered=gathered, reason=reason)
            sought = _sought(intent, gathered.words, known=found.known)
            sought.shared = gathered.shared
            if dry_run:
                return _report(intent, sought, planned=found.planned)
            removed = _removed(home, intent, sought=sought, known=found.known, head=head)
            if removed is not None:
                with home.quiet():
                    report = _proved(home, intent, sought=sought, removed=removed)
                return replace(report, planned=found.planned, finished=finished)
    raise Busy("other processes kept writing while words were to be erased; try again")


def finish(home: Home, *, wait: float = 0.0) -> tuple[str, ...]:
    """End an erasure that was interrupted; returns its id, or nothing where there is none.

    While another process is at it, it is left to that one.
    """
    if home.eraser.begun() is None:
        return ()
    with home.eraser.alone(wait) as alone:
        return _ended(home) if alone else ()


def _ended(home: Home) -> tuple[str, ...]:
    begun = home.eraser.begun()
    if begun is None:
        return ()
    intent: Intent = decode(Intent, begun)
    known = known_of(home.archive.records(Position()), intent.reach.user)
    sought = _sought(intent, frozenset(), known=known)
    removed = _removed(home, intent, sought=sought, known=known, head=None) or {}
    with home.quiet():
        _proved(home, intent, sought=sought, removed=removed)
    return (intent.id,)


def _gathered(home: Home, taken: Taken, *, known: Known) -> Gathered:
    users: dict[str, None] = {}
    for record in home.archive.records(Position()):
        for change in record.changes:
            if isinstance(change, ch.SessionGrew):
                users[change.session.scope.user] = None
    others = [
        known_of(home.archive.records(Position()), user) for user in users if user != taken.user
    ]
    return gather(home.archive, taken, known=known, others=others)


def _intent(home: Home, scope: Scope, *, found: Found, gathered: Gathered, reason: str) -> Intent:
    at, salt = home.clock(), secrets.token_hex(16)
    buried = tombstones.salt_of(home.archive)
    buried_turns = {
        name
        for session, turn in gathered.turns
        for name in tombstones.names(buried, scope.user, session=session, turn=turn)
    }
    buried_sessions = {
        session_tombstone(buried, scope.user, session=session)
        for session in found.planned.reach.sessions
    }
    return Intent(
        id=f"erasure-{format_time(at)[:10]}-{secrets.token_hex(4)}",
        at=at,
        by=scope.agent or scope.user,
        reason=reason,
        reach=found.planned.reach,
        salt=salt,
        words=tuple(sorted(salted(salt, word) for word in gathered.words)),
        texts=tuple(sorted(gathered.texts)),
        tombstones=tuple(sorted({*buried_turns, *buried_sessions})),
        files=tuple(
            (session, found.known.sessions[session][0].started_at, generation)
            for session in found.planned.reach.sessions
            for generation in sorted(found.known.sessions[session][1])
        ),
    )


def _sought(intent: Intent, words: Iterable[str], *, known: Known) -> _Sought:
    """What to look for: by the hashes in the intent, and names of entities as they stand."""
    has = known_by_hash(intent.salt, intent.words)
    entities = [known.entities[name] for name in intent.reach.named if name in known.entities]
    pattern = names_pattern(tuple(name for e in entities for name in (e.name, *e.aliases)))
    by_word = scrubber(has)

    def scrub(text: str) -> str:
        if pattern is not None:
            text = blank(text, [found.span() for found in pattern.finditer(text)])
        return by_word(text)

    return _Sought(has, scrub, len(intent.words), terms=tuple(words))


def _removed(
    home: Home, intent: Intent, *, sought: _Sought, known: Known, head: Position | None
) -> Mapping[str, int] | None:
    """Take the words out of L3; None, having done nothing, if it is not at `head` any more."""
    reach = intent.reach
    touched = tuple(sorted({*reach.sessions, *(session for session, _, _ in reach.turns)}))
    with home.archive.lock() as writer:
        if head is not None and writer.head().seq != head.seq:
            return None
        home.eraser.begin(encode(intent))
        tombstones.bury(home.archive, intent.tombstones, at=intent.at)
        sweep = Swept(reach.user, reach.everything, touched, reach.cards, reach.notes, sought.scrub)
        removed = dict(home.eraser.sweep(sweep))
        stale = set(reach.cut)
        lines = _rewritten(home, intent, sought=sought, known=known, stale=stale)
        removed["journal"] = len(lines)
        _recorded(home, writer, intent=intent, lines=lines, stale=stale - set(reach.cards))
    return removed


def _rewritten(
    home: Home, intent: Intent, *, sought: _Sought, known: Known, stale: set[str]
) -> Mapping[int, str]:
    """The journal and the session files without the words; the hashes of blanked lines."""
    reach = intent.reach
    with home.eraser.rewriting() as rewriting:
        blanking = Blanking(Taken.of(reach), sought.scrub, intent.salt, rewriting.grown)
        for session in dict.fromkeys(session for session, _, _ in reach.turns):
            header, ends = known.sessions[session]
            for generation in sorted(ends):
                rewriting.session(
                    header,
                    generation,
                    header=blanking.header,
                    turn=functools.partial(blanking.turn, session),
                )
        for name, began, generation in intent.files:
            rewriting.drop_session(Session(name, Scope(reach.user), began), generation)
        lines = rewriting.journal(
            _noting(blanking, stale),
            salt=intent.salt,
            anonymous=reach.user if reach.everything else None,
        )
        rewriting.commit()
    return lines


def _recorded(
    home: Home, writer: Writer, *, intent: Intent, lines: Mapping[int, str], stale: set[str]
) -> None:
    """The record of the erasure, unless a run that was interrupted had written it."""
    for record in home.archive.records(Position()):
        for change in record.changes:
            if isinstance(change, Erased) and change.receipt == intent.id:
                return
    reach, scope = intent.reach, Scope(intent.reach.user)
    ids = (*reach.sessions, *reach.cards, *reach.entities, *reach.links, *reach.summaries)
    erased = Erased(
        scope,
        ids,
        tuple(lines),
        reason=intent.reason,
        lines=tuple(lines.values()),
        receipt=intent.id,
    )
    changes: list[Change] = [erased]
    if stale and not reach.everything:
        changes.append(MarkedStale(scope, tuple(sorted(stale)), True, because="erased"))
    writer.append(intent.by, "erase", changes=changes, at=home.clock())


def _noting(blanking: Blanking, stale: set[str]) -> Callable[[Change], Change | None]:
    """Blank a change; cards of which the text changed are stale."""

    def blank_change(change: Change) -> Change | None:
        left = blanking.change(change)
        match left:
            case ch.CardAdded(card=card) | ch.CardRevised(card=card) | ch.CardMerged(card=card):
                if left is not change and left != change:
                    stale.add(card.id)
            case _:
                pass
        return left

    return blank_change


def _proved(
    home: Home, intent: Intent, *, sought: _Sought, removed: Mapping[str, int]
) -> EraseReport:
    """Take the words out of everything else, look for them everywhere, and write the receipt."""
    done = dict(removed)
    catch_up(home.archive, home.index)
    home.index.compact()
    if gone := home.forget(intent.texts):
        done["embedding cache"] = gone
    if renewed := home.renew_backups():
        done["backups"] = renewed
    own, shipped = _own_words(home, intent), vocabulary(home.shipped())
    remaining, files = [], 0

    def has(word: str) -> bool:
        return sought.has(word) and telling(word) and word not in own

    def has_beside(word: str) -> bool:
        return has(word) and word not in shipped

    for name, stands in home.eraser.search(has):
        files += 1
        if stands and name.split("/", 1)[0] in _THEIRS:
            stands = any(found for _, found in home.eraser.search(has_beside, within=name))
        if stands:
            remaining.append(name)
    remaining += _in_vocabulary(home.index, sought.terms)
    report = replace(_report(intent, sought), removed=done, files=files, remaining=tuple(remaining))
    receipt = home.eraser.end(encode(report), name=intent.id)
    return replace(report, receipt=receipt)


def _own_words(home: Home, intent: Intent) -> set[str]:
    """The words of alaya itself, and the names by which things are known."""
    reach = intent.reach
    names = words_of(Change, RecallLog, Query, Draft, Parked, Usage, KeptReply, Turn, EraseReport)
    said = [*names, *reach.sessions, reach.user, intent.id, intent.reason, intent.by]
    for record in home.archive.records(Position()):
        said += [record.actor, record.verb]
    return vocabulary((*said, *home.index.own_words(), *home.eraser.own_words()))


def _in_vocabulary(index: Index, words: Sequence[str]) -> list[str]:
    """Kinds of items of which the word index still holds a word."""
    found = []
    for kind in (ItemKind.CARD, ItemKind.TURN, ItemKind.SUMMARY):
        if index.frequencies(words, kind)[1]:
            found.append(f"words of {kind.value}s in alaya.db")
    return found


def _report(intent: Intent, sought: _Sought, *, planned: Planned | None = None) -> EraseReport:
    reach = intent.reach
    counts = {
        "sessions": len(reach.sessions),
        "turns": len(reach.turns),
        "cards": len(reach.cards),
        "entities": len(reach.entities),
        "links": len(reach.links),
        "summaries": len(reach.summaries),
        "events": len(reach.events),
        "notes": len(reach.notes),
        "cut": len(reach.cut),
    }
    return EraseReport(
        id=intent.id,
        at=intent.at,
        user=reach.user,
        reason=intent.reason,
        counts={what: count for what, count in counts.items() if count},
        searched=sought.count,
        shared=sought.shared,
        dry_run=planned is not None,
        planned=planned,
    )
