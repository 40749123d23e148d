"""From what somebody names to what an erasure would take, with enough of it shown to decide."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from alaya.erasing.blanking import owner, texts, texts_of_turn
from alaya.erasing.known import Known, known_of
from alaya.erasing.reach import Taken, closed, rest_on
from alaya.errors import InvalidInput, NotFound
from alaya.model import change as ch
from alaya.model.erasure import Planned, Target
from alaya.model.passage import Where
from alaya.model.raw import Turn
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.model.words import DENSE, normal
from alaya.ports import Archive, Index

_SHOWN = 80  # characters of a turn that are shown
_INSIDE = f"[^\\W{DENSE}]"  # a character of a word that spaces end
Matches = Callable[[str], bool]


@dataclass(frozen=True)
class Found:
    """What was planned, with what is known of the user."""

    planned: Planned
    known: Known


def plan(archive: Archive, index: Index, *, scope: Scope, target: Target) -> Found:
    """What erasing `target` takes of the scope's user.

    Raises InvalidInput for no target or several, NotFound for one that is not there.
    """
    named = [target.card, target.session, target.entity, target.query]
    if sum(value is not None for value in named) + target.everything != 1:
        raise InvalidInput(
            "name one thing to erase: a card, a session, an entity, a query, or all of a user"
        )
    known = known_of(archive.records(Position()), scope.user)
    taken = Taken(scope.user, everything=target.everything)
    if target.card is not None:
        _card(taken, known, card=target.card)
    elif target.session is not None:
        _session(taken, known, session=target.session)
    elif target.entity is not None:
        _entity(taken, known, entity=target.entity, archive=archive, index=index)
    elif target.query is not None:
        _query(taken, known, query=target.query, archive=archive)

    @functools.cache
    def order(session: str) -> Mapping[str, int]:
        places = index.turns(Scope(scope.user), session)
        return {place.id: place.ordinal for place in places}

    reach = closed(taken, known, order=order)
    return Found(_shown(Planned(reach), known, archive=archive), known)


def turns_of(archive: Archive, known: Known, *, session: str) -> Iterator[tuple[int, Turn]]:
    """(generation, turn) for each turn of a session, also those that were superseded."""
    header, ends = known.sessions[session]
    for generation, end in sorted(ends.items()):
        for archived in archive.turns(header, generation, start=0, end=end):
            yield generation, archived.turn


def matcher(query: str) -> Matches:
    """Whether all words of a query stand in a text, whole ones where spaces end words."""
    parts = normal(query).casefold().split()
    if not parts:
        raise InvalidInput("nothing to look for: give words")
    patterns = [re.compile(_bordered(part)) for part in parts]

    def matches(text: str) -> bool:
        plain = normal(text).casefold()
        return all(pattern.search(plain) for pattern in patterns)

    return matches


def names_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Any of these names, as it stands in a text; a name of one character is in every text."""
    wanted = sorted({name.strip() for name in names if len(name.strip()) > 1}, key=len)
    if not wanted:
        return None
    return re.compile("|".join(_bordered(name) for name in reversed(wanted)), re.IGNORECASE)


def _bordered(part: str) -> str:
    before = rf"(?<!{_INSIDE})" if re.match(_INSIDE, part) else ""
    after = rf"(?!{_INSIDE})" if re.match(_INSIDE, part[-1]) else ""
    return f"{before}{re.escape(part)}{after}"


def _card(taken: Taken, known: Known, *, card: str) -> None:
    if card not in known.cards:
        raise NotFound(f"no card {card} (for user {known.user!r}); see `alaya recall`")
    taken.cards.add(card)


def _session(taken: Taken, known: Known, *, session: str) -> None:
    if session not in known.sessions:
        raise NotFound(f"no session {session!r}; `alaya status` shows how many there are")
    taken.sessions.add(session)
    for name, versions in known.cards.items():
        if any(v.session == session and not v.evidence and not v.sources for v in versions):
            taken.cards.add(name)  # said to the memory in that session, without a turn


def _entity(taken: Taken, known: Known, *, entity: str, archive: Archive, index: Index) -> None:
    """The entity, all that was said of it, and its names wherever they stand."""
    where = Where(Scope(known.user))
    found = [known.entities[entity]] if entity in known.entities else []
    if not found:
        ids = [one.id for one in index.entities(where, [entity])]
        found = [known.entities[name] for name in ids if name in known.entities]
    if not found:
        raise NotFound(f"nothing is known of {entity!r}; see `alaya entities`")
    if len(found) > 1:
        ids = [one.id for one in found]
        raise InvalidInput(f"{entity!r} is the name of {len(ids)}: name one of {', '.join(ids)}")
    one = found[0]
    taken.entities.add(one.id)
    taken.named.add(one.id)
    for span in rest_on(known, one):
        taken.take(span.session, span.turn, ranges=((span.start, span.end),))
    pattern = names_pattern((one.name, *one.aliases))
    if pattern is None:
        return
    for session in known.sessions:
        for _, turn in turns_of(archive, known, session=session):
            said = [match.span() for match in pattern.finditer(turn.content)]
            others = (t for t in texts_of_turn(turn) if t is not turn.content)
            if not said and any(pattern.search(text) for text in others):
                said = [(0, 0)]  # in its name or its tools: nothing of what was said
            if said:
                taken.take(session, turn.id, ranges=tuple(said))


def _query(taken: Taken, known: Known, *, query: str, archive: Archive) -> None:
    matches = matcher(query)
    for session in known.sessions:
        for _, turn in turns_of(archive, known, session=session):
            if any(matches(text) for text in texts_of_turn(turn)):
                taken.take(session, turn.id)
    for record in archive.records(Position()):
        for change in record.changes:
            if owner(change) == known.user and matches("\n".join(texts(change))):
                _take(taken, change)
    if not (taken.turns or taken.cards or taken.entities or taken.links or taken.summaries):
        raise NotFound(f"nothing of user {known.user!r} holds all of {query!r}")


def _take(taken: Taken, change: ch.Change) -> None:
    match change:
        case ch.CardAdded(card=card) | ch.CardRevised(card=card) | ch.CardMerged(card=card):
            taken.cards.add(card.id)
        case ch.EntityAdded(entity=entity) | ch.EntityRevised(entity=entity):
            taken.entities.add(entity.id)
        case ch.LinkAdded(link=link):
            taken.links.add(link.id)
        case ch.SummaryAdded(summary=summary):
            taken.summaries.add(summary.id)
        case _:
            pass  # a title or a reason: the words in it are scrubbed


def _shown(planned: Planned, known: Known, *, archive: Archive) -> Planned:
    reach = planned.reach
    wanted = {(session, turn): ranges for session, turn, ranges in reach.turns}
    turns = [
        (f"{session}#{turn.id}", _first_words(turn, wanted[session, turn.id]))
        for session in dict.fromkeys(name for name, _ in wanted)
        for _, turn in turns_of(archive, known, session=session)
        if (session, turn.id) in wanted
    ]
    titles = ((name, known.latest(name)) for name in reach.cards)
    return Planned(
        reach,
        cards=tuple((name, version.title) for name, version in titles if version),
        entities=tuple((name, known.entities[name].name) for name in reach.entities),
        sessions=tuple((name, known.sessions[name][0].title or "") for name in reach.sessions),
        turns=tuple(turns),
    )


def _first_words(turn: Turn, ranges: tuple[tuple[int, int], ...]) -> str:
    said = " … ".join(turn.content[start:end] for start, end in ranges) or turn.content
    return " ".join(said[: 2 * _SHOWN].split())[:_SHOWN]
