"""From a card back to the words, checked against their hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from alaya.errors import ArchiveError, NotFound
from alaya.model.codec import encode
from alaya.model.ids import sha256
from alaya.model.passage import Where
from alaya.model.raw import ArchivedTurn, Session, SessionState, Span, TurnPlace
from alaya.model.scope import Scope
from alaya.model.trace import Quote, Trace
from alaya.ports import Archive, Index


def trace(archive: Archive, index: Index, *, card_id: str, where: Where) -> Trace:
    """The card, its sessions, and each span with the words it points at.

    Raises NotFound where the filter does not let the card through.
    """
    found = index.cards([card_id], where)
    if not found:
        raise NotFound(f"no card {card_id} (for user {where.scope.user!r}); see `alaya recall`")
    card, state = found[0]
    sessions, quotes, missing = quoted(archive, index, spans=card.evidence, where=where)
    return Trace(
        card=card,
        state=state,
        sessions=tuple((s.session, archive.session_path(s.session, 0)) for s in sessions),
        quotes=tuple(quotes),
        missing=tuple(missing),
    )


def quoted(
    archive: Archive, index: Index, *, spans: Sequence[Span], where: Where
) -> tuple[list[SessionState], list[Quote], list[Span]]:
    """The sessions of these spans, the spans with their words as they were said, and those whose
    words are not there any more."""
    sessions: dict[str, SessionState] = {}
    quotes: list[Quote] = []
    missing: list[Span] = []
    for span in spans:
        session = sessions.get(span.session) or index.session(where.scope, span.session)
        quote = None if session is None else quote_of(archive, index, session=session, span=span)
        if session is not None:
            sessions[span.session] = session
        if quote is None:
            missing.append(span)
        else:
            quotes.append(quote)
    quotes.sort(key=lambda q: (q.span.session, q.turn.ordinal, q.span.start))
    return list(sessions.values()), quotes, missing


def quote_of(archive: Archive, index: Index, *, session: SessionState, span: Span) -> Quote | None:
    """A span with its words; None where the archive no longer has the turn."""
    places = index.turns(Scope(session.session.scope.user), span.session, ids=[span.turn])
    if not places:
        return None
    place = places[0]
    try:
        turn = archive.turn(
            session.session, place.generation, offset=place.offset, length=place.length
        )
    except ArchiveError:
        return None
    words = turn.content[span.start : span.end]
    archived = ArchivedTurn(
        turn, place.ordinal, place.generation, place.offset, place.length, place.mark
    )
    return Quote(span, archived, words, verified=sha256(words) == span.sha256)


def read_places(
    archive: Archive, session: Session, *, places: Sequence[TurnPlace]
) -> list[ArchivedTurn]:
    """The turns at these places; one pass over the file for each run of one generation."""
    found: list[ArchivedTurn] = []
    for generation, group in groupby(places, key=lambda p: p.generation):
        wanted = {p.offset: p for p in group}
        start = min(wanted)
        end = max(p.offset + p.length for p in wanted.values())
        for archived in archive.turns(session, generation, start=start, end=end):
            place = wanted.get(archived.offset)
            if place is not None:
                found.append(replace(archived, ordinal=place.ordinal, mark=place.mark))
    return sorted(found, key=lambda t: t.ordinal)


def context_of(found: Trace) -> dict[str, Any]:
    """What `raw/contexts/card-<id>-context.json` holds: the card's turns, whole."""
    return {
        "card_id": found.card.id,
        "title": found.card.title,
        "sessions": [session.id for session, _ in found.sessions],
        "turns": [
            {
                "session": quote.span.session,
                "turn": quote.span.turn,
                "ordinal": quote.turn.ordinal,
                "role": quote.turn.turn.role.value,
                "content": quote.turn.turn.content,
                "said_at": encode(quote.turn.turn.said_at),
                "span": [quote.span.start, quote.span.end],
                "sha256": quote.span.sha256,
            }
            for quote in found.quotes
        ],
    }
