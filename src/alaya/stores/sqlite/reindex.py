"""L1 anew from L2: every word indexed again, every vector dropped."""

from __future__ import annotations

import json

from alaya.model.codec import decode
from alaya.model.graph import Card
from alaya.model.raw import ArchivedTurn, Session
from alaya.model.words import Stemmer
from alaya.ports import ReadTurn
from alaya.stores.sqlite import apply_cards, apply_sessions
from alaya.stores.sqlite.applying import Applying, new_life
from alaya.stores.sqlite.connection import Database


def reset_l1(db: Database, stem: Stemmer, *, read_turn: ReadTurn) -> None:
    """In one transaction; calibration stays, it is the journal's."""
    with db.writing() as connection:
        to = Applying(connection, "", stem)
        for table in ("card_words", "turn_words", "vectors"):
            connection.execute(f"DELETE FROM {table}")
        new_life(connection)
        for rowid, text in db.rows("SELECT rowid, json FROM cards"):
            card: Card = decode(Card, json.loads(text))
            apply_cards.index_words(to, rowid, card=card)
        sessions: dict[tuple[str, str], Session] = {}
        for user, name, text in db.rows("SELECT user, id, json FROM sessions"):
            sessions[user, name] = decode(Session, json.loads(text))
        rows = db.rows("SELECT rowid,user,session,ordinal,generation,offset,length FROM turns")
        for rowid, user, name, ordinal, generation, offset, length in rows:
            turn = read_turn(sessions[user, name], generation, offset=offset, length=length)
            archived = ArchivedTurn(turn, ordinal, generation, offset, length)
            apply_sessions.index_words(to, rowid, archived=archived)
        to.changed("vector")
