"""Cards, their versions and flags to rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from alaya.model import change as ch
from alaya.model.graph import Card, Tier
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind
from alaya.model.time import format_time
from alaya.model.words import segment
from alaya.stores.sqlite import apply_summaries, former, forms
from alaya.stores.sqlite.apply_links import move_links
from alaya.stores.sqlite.applying import Applying, as_json, drop_vectors


def card_added(to: Applying, change: ch.CardAdded) -> None:
    _card(to, change.card)


def card_revised(to: Applying, change: ch.CardRevised) -> None:
    _card(to, change.card)


def card_merged(to: Applying, change: ch.CardMerged) -> None:
    _card(to, change.card)
    for name in change.merged:
        if name != change.card.id:
            _retire(to, change.card.scope.user, card=name)
            move_links(to, change.card.scope.user, old=name, new=change.card.id)


def _card(to: Applying, card: Card) -> None:
    """A new version; the one before it keeps its row and its words, and is retired.

    What was decided about a card (pinned, quarantined, forgotten, its tier) holds for the new
    version; that it was stale does not. One that is not held any more begins anew, and if it was
    withdrawn, whatever version comes is the next one.
    """
    user = card.scope.user
    last = to.db.execute(
        "SELECT version,withdrawn,retired_at,pinned,quarantined,tier,forgotten_at FROM cards"
        " WHERE user=? AND id=? ORDER BY version DESC LIMIT 1",
        (user, card.id),
    ).fetchone() or (0, 0, "", 0, 0, "HOT", None)
    version, withdrawn, retired, *flags = last
    if withdrawn:
        card = replace(card, version=max(card.version, version + 1))
    elif card.version <= version:
        return
    if retired is not None:
        flags = [0, 0, "HOT", None]
    _retire(to, user, card=card.id)
    added = to.db.execute(
        """INSERT INTO cards(id,version,user,agent,session,kind,origin,confidence,importance,
             said_at,recorded_at,text_hash,draft,json,pinned,quarantined,tier,forgotten_at)
           VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING rowid""",
        (
            card.id,
            card.version,
            user,
            card.scope.agent,
            card.scope.session,
            card.kind.value,
            card.origin.value,
            card.confidence,
            card.importance,
            format_time(card.said_at),
            to.at,
            sha256(card.text),
            card.draft,
            as_json(card),
            *flags,
        ),
    ).fetchone()
    rowid = added[0] if added else 0
    to.db.executemany(
        "INSERT OR IGNORE INTO card_tags(tag,card) VALUES(?,?)",
        ((tag.casefold(), rowid) for tag in card.tags),
    )
    to.db.executemany(
        "INSERT OR IGNORE INTO spans VALUES(?,?,?,?,?,?,?)",
        ((user, s.session, s.turn, rowid, s.start, s.end, s.sha256) for s in card.evidence),
    )
    to.db.executemany(
        "INSERT OR IGNORE INTO card_events(user,event,card) VALUES(?,?,?)",
        ((user, event, rowid) for event in card.source_events),
    )
    index_words(to, rowid, card=card)
    to.changed("card")


def _retire(to: Applying, user: str, *, card: str) -> None:
    to.db.execute(
        "UPDATE cards SET retired_at=? WHERE user=? AND id=? AND retired_at IS NULL",
        (to.at, user, card),
    )
    to.changed("card")


def _flag(to: Applying, user: str, *, cards: Sequence[str], assignment: str, value: object) -> None:
    former.keep_cards(to, user, cards=cards)
    to.db.executemany(
        f"UPDATE cards SET {assignment} WHERE user=? AND id=?",
        ((value, user, card) for card in cards),
    )
    to.changed("card")


def cooled(to: Applying, change: ch.Cooled) -> None:
    """The tier of each card; the vectors of one that is COLD now go, those of its versions too."""
    user = change.scope.user
    former.keep_cards(to, user, cards=(card for card, _ in change.tiers))
    to.db.executemany(
        "UPDATE cards SET tier=? WHERE user=? AND id=?",
        ((tier.value, user, card) for card, tier in change.tiers),
    )
    to.changed("card")
    for card, tier in change.tiers:
        if tier is Tier.COLD:
            hashes = "SELECT DISTINCT text_hash FROM cards WHERE user=? AND id=?"
            for row in to.db.execute(hashes, (user, card)).fetchall():
                drop_vectors(to, str(row[0]))


def forgotten(to: Applying, change: ch.Forgotten) -> None:
    _forget(to, change, assignment="forgotten_at=coalesce(forgotten_at,?)", value=to.at)


def restored(to: Applying, change: ch.Restored) -> None:
    _forget(to, change, assignment="forgotten_at=?", value=None)


def _forget(
    to: Applying, change: ch.Forgotten | ch.Restored, *, assignment: str, value: str | None
) -> None:
    """Cards and summaries alike: their ids differ."""
    user = change.scope.user
    _flag(to, user, cards=change.cards, assignment=assignment, value=value)
    former.keep_summaries(to, user, ids=change.cards)
    to.db.executemany(
        f"UPDATE summaries SET {assignment} WHERE user=? AND id=?",
        ((value, user, name) for name in change.cards),
    )
    to.changed("summary")


def pinned(to: Applying, change: ch.Pinned) -> None:
    _flag(
        to, change.scope.user, cards=change.cards, assignment="pinned=?", value=int(change.pinned)
    )


def quarantined(to: Applying, change: ch.Quarantined) -> None:
    _flag(
        to,
        change.scope.user,
        cards=change.cards,
        assignment="quarantined=?",
        value=int(change.quarantined),
    )


def marked_stale(to: Applying, change: ch.MarkedStale) -> None:
    _flag(to, change.scope.user, cards=change.cards, assignment="stale=?", value=int(change.stale))


def promoted(to: Applying, change: ch.Promoted) -> None:
    former.keep_cards(to, change.scope.user, cards=change.cards)
    for card in change.cards:
        to.db.execute(
            "UPDATE cards SET json=json_set(json,'$.horizon',?) WHERE user=? AND id=?"
            " AND retired_at IS NULL",
            (change.horizon.value, change.scope.user, card),
        )
    to.changed("card")


def erased(to: Applying, change: ch.Erased) -> None:
    """Every version of the cards, with words, spans, tags and links, and orphaned vectors; and
    the summaries."""
    user = change.scope.user
    apply_summaries.drop(to, user, ids=change.ids)
    for name in change.ids:
        rows: list[Any] = to.db.execute(
            "SELECT rowid,text_hash FROM cards WHERE user=? AND id=?", (user, name)
        ).fetchall()
        for rowid, text_hash in rows:
            for sql in (
                "DELETE FROM card_tags WHERE card=?",
                "DELETE FROM spans WHERE card=?",
                "DELETE FROM card_events WHERE card=?",
                "DELETE FROM former_cards WHERE card=?",
                "DELETE FROM cards WHERE rowid=?",
            ):
                to.db.execute(sql, (rowid,))
            forms.drop(to, user, kind=ItemKind.CARD, rowid=rowid)
            drop_vectors(to, text_hash)
        to.db.execute("DELETE FROM accesses WHERE user=? AND card=?", (user, name))
        for table in ("links", "former_links"):
            sql = f"DELETE FROM {table} WHERE user=? AND (source=? OR target=?)"
            to.db.execute(sql, (user, name, name))
    to.changed("card")
    to.changed("relation")


def withdraw(to: Applying, user: str, *, cards: Sequence[str]) -> None:
    """The current versions end, and hold nothing up: what is said again of the card is held."""
    to.db.executemany(
        "UPDATE cards SET retired_at=coalesce(retired_at,?), withdrawn=1 WHERE user=? AND id=?",
        ((to.at, user, card) for card in cards),
    )
    to.changed("card")


def index_words(to: Applying, rowid: int, *, card: Card) -> None:
    """The words of one card version: title and tags, content, single characters; its forms."""
    title = segment(f"{card.title}\n{' '.join(card.tags)}", to.stem)
    body = segment(card.content, to.stem)
    chars = " ".join(title.chars + body.chars)
    to.db.execute(
        "INSERT INTO card_words(rowid,title,body,chars) VALUES(?,?,?,?)",
        (rowid, " ".join(title.words), " ".join(body.words), chars),
    )
    forms.write_card(to, rowid, card=card)
