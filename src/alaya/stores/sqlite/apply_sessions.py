"""Sessions, turns and events to rows."""

from __future__ import annotations

from datetime import datetime

from alaya.model import change as ch
from alaya.model.ids import sha256
from alaya.model.raw import ArchivedTurn, Session, Turn
from alaya.model.speech import embeddable, indexed
from alaya.model.time import format_time
from alaya.model.words import segment, tokens
from alaya.stores.sqlite import former, forms
from alaya.stores.sqlite.applying import Applying, as_json

EVENT = "SELECT json FROM events WHERE user=:user AND id=:name"


def session_grew(to: Applying, change: ch.SessionGrew) -> None:
    session, user = change.session, change.session.scope.user
    said = [t.turn.said_at for t in change.turns if t.turn.said_at is not None]
    last = format_time(max(said)) if said else None
    # A session has one agent: what it turns out to be holds for the turns before, too.
    known = to.db.execute(
        "SELECT agent, kind FROM sessions WHERE user=? AND id=?", (user, session.id)
    ).fetchone()
    if known is not None and known[0] != session.scope.agent:
        to.db.execute(
            "UPDATE turns SET agent=? WHERE user=? AND session=?",
            (session.scope.agent, user, session.id),
        )
    if known is not None and known[1] != session.kind.value:
        to.changed("dropped")  # whether its turns stand alone is another now
    to.db.execute(
        """INSERT INTO sessions(user,id,agent,kind,started_at,last_said_at,generation,turns,
             "end",tokens,json) VALUES(?,?,?,?,?,?,?,?,?,?,?)
           ON CONFLICT(user,id) DO UPDATE SET agent=excluded.agent, kind=excluded.kind,
             last_said_at=max(coalesce(last_said_at,''), coalesce(excluded.last_said_at,'')),
             generation=excluded.generation, turns=excluded.turns, "end"=excluded."end",
             tokens=sessions.tokens+excluded.tokens, json=excluded.json""",
        (
            user,
            session.id,
            session.scope.agent,
            session.kind.value,
            format_time(session.started_at),
            last,
            change.generation,
            change.first + change.count,
            change.end,
            change.tokens,
            as_json(session),
        ),
    )
    for archived in change.turns:
        _turn(to, session, archived=archived)
    to.changed("turn")


def _turn(to: Applying, session: Session, *, archived: ArchivedTurn) -> None:
    turn = archived.turn
    text, said_at = embeddable(turn), turn.said_at or session.started_at
    rowid = to.db.execute(
        """INSERT INTO turns(user,agent,session,id,ordinal,generation,offset,length,role,origin,
             said_at,recorded_at,sha256,text_hash,tokens,mark,parent)
           VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
           ON CONFLICT(user,session,id) DO NOTHING RETURNING rowid""",
        (
            session.scope.user,
            session.scope.agent,
            session.id,
            turn.id,
            archived.ordinal,
            archived.generation,
            archived.offset,
            archived.length,
            turn.role.value,
            turn.origin.value,
            format_time(said_at),
            to.at,
            sha256(turn.content),
            sha256(text) if text else None,
            tokens(turn.content),
            archived.mark.value,
            turn.parent,
        ),
    ).fetchone()
    if rowid is not None:
        index_words(to, rowid[0], user=session.scope.user, turn=turn, said_at=said_at)


def turns_marked(to: Applying, change: ch.TurnsMarked) -> None:
    former.keep_turns(to, change.scope.user, session=change.session, turns=change.turns)
    to.db.executemany(
        "UPDATE turns SET mark=? WHERE user=? AND session=? AND id=?",
        ((change.mark.value, change.scope.user, change.session, t) for t in change.turns),
    )
    to.changed("turn")


def session_distilled(to: Applying, change: ch.SessionDistilled) -> None:
    user = change.scope.user
    to.db.execute(
        "UPDATE sessions SET distilled=max(distilled,?) WHERE user=? AND id=?",
        (change.turns, user, change.session),
    )
    text = as_json(change)
    to.db.execute(
        """INSERT INTO distilled(user,session,content_hash,turns,draft,recorded_at,json)
           SELECT ?1,?2,?3,?4,?5,?6,?7 WHERE NOT EXISTS(SELECT 1 FROM distilled WHERE user=?1
             AND content_hash=?3 AND session=?2 AND retired_at IS NULL AND json=?7)""",
        (
            user,
            change.session,
            change.content_hash,
            change.turns,
            change.draft,
            to.at,
            text,
        ),
    )


def session_undistilled(to: Applying, change: ch.SessionUndistilled) -> None:
    user = change.scope.user
    to.db.executemany(
        "UPDATE distilled SET retired_at=? WHERE user=? AND session=? AND content_hash=?"
        " AND retired_at IS NULL",
        ((to.at, user, change.session, name) for name in change.content_hashes),
    )
    to.db.execute(
        "UPDATE sessions SET distilled=(SELECT ifnull(max(turns),0) FROM distilled d"
        " WHERE d.user=sessions.user AND d.session=sessions.id AND d.retired_at IS NULL)"
        " WHERE user=? AND id=?",
        (user, change.session),
    )


def event_added(to: Applying, change: ch.EventAdded) -> None:
    event = change.event
    former.keep_value(to, "event", user=event.scope.user, name=event.id, found=EVENT)
    to.db.execute(
        "INSERT OR REPLACE INTO events(id,user,session,turn,kind,at,json) VALUES(?,?,?,?,?,?,?)",
        (
            event.id,
            event.scope.user,
            event.session,
            event.turn,
            event.kind.value,
            format_time(event.at),
            as_json(event),
        ),
    )
    user = event.scope.user
    to.db.execute("DELETE FROM event_about WHERE user=? AND event=?", (user, event.id))
    to.db.executemany(
        "INSERT OR IGNORE INTO event_about(user,about,event) VALUES(?,?,?)",
        ((user, about, event.id) for about in event.about),
    )


def index_words(to: Applying, rowid: int, *, user: str, turn: Turn, said_at: datetime) -> None:
    """The words of one turn, with the name of who speaks; its forms."""
    words = segment(indexed(turn), to.stem)
    to.db.execute(
        "INSERT INTO turn_words(rowid,body,chars) VALUES(?,?,?)",
        (rowid, " ".join(words.words), " ".join(words.chars)),
    )
    forms.write_turn(to, rowid, user=user, turn=turn, said_at=said_at)
