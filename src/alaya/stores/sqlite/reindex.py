"""L1 anew from L2: every text indexed again, every vector dropped."""

from __future__ import annotations

import json

from alaya.model.codec import decode
from alaya.model.graph import Card, Summary
from alaya.model.raw import Session
from alaya.model.time import parse_time
from alaya.model.words import Stemmer
from alaya.ports import ReadTurn
from alaya.stores.sqlite import apply_cards, apply_sessions, apply_summaries, counted, words
from alaya.stores.sqlite.applying import Applying, empty, new_life
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.schema import L1


def reset_l1(db: Database, stem: Stemmer, *, read_turn: ReadTurn) -> None:
    """In one transaction; calibration stays, it is the journal's."""
    with db.writing() as connection:
        to = Applying(connection, "", stem)
        empty(connection, L1)
        counted.forget(connection)
        new_life(connection)
        for rowid, text in db.rows("SELECT rowid, json FROM cards"):
            card: Card = decode(Card, json.loads(text))
            apply_cards.index_words(to, rowid, card=card)
        for rowid, text in db.rows("SELECT rowid, json FROM summaries"):
            summary: Summary = decode(Summary, json.loads(text))
            apply_summaries.index_words(to, rowid, summary=summary)
        sessions: dict[tuple[str, str], Session] = {}
        for user, name, text in db.rows("SELECT user, id, json FROM sessions"):
            sessions[user, name] = decode(Session, json.loads(text))
        rows = db.rows("SELECT rowid,user,session,said_at,generation,offset,length FROM turns")
        for rowid, user, name, said_at, generation, offset, length in rows:
            turn = read_turn(sessions[user, name], generation, offset=offset, length=length)
            apply_sessions.index_words(to, rowid, user=user, turn=turn, said_at=parse_time(said_at))
        words.settle(db, whole=True)
        to.changed("vector")
