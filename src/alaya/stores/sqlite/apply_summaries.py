"""Summaries to rows: said, said anew, forgotten, erased."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alaya.model import change as ch
from alaya.model.graph import Summary
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind
from alaya.model.time import format_time
from alaya.model.words import segment
from alaya.stores.sqlite import forms
from alaya.stores.sqlite.applying import Applying, as_json, drop_vectors


def summary_added(to: Applying, change: ch.SummaryAdded) -> None:
    """A summary; the one of its id before is retired, and this one stays forgotten where it was."""
    summary = change.summary
    user = summary.scope.user
    before = to.db.execute(
        "SELECT forgotten_at FROM summaries WHERE user=? AND id=? AND retired_at IS NULL",
        (user, summary.id),
    ).fetchone()
    withdraw(to, user, ids=[summary.id])
    added = to.db.execute(
        """INSERT INTO summaries(id,user,agent,session,origin,said_at,recorded_at,forgotten_at,
             text_hash,json) VALUES(?,?,?,?,?,?,?,?,?,?) RETURNING rowid""",
        (
            summary.id,
            user,
            summary.scope.agent,
            summary.session,
            summary.origin.value,
            format_time(summary.said_at),
            to.at,
            before[0] if before else None,
            sha256(summary.text),
            as_json(summary),
        ),
    ).fetchone()
    index_words(to, added[0] if added else 0, summary=summary)
    to.changed("summary")


def withdraw(to: Applying, user: str, *, ids: Iterable[str]) -> None:
    to.db.executemany(
        "UPDATE summaries SET retired_at=? WHERE user=? AND id=? AND retired_at IS NULL",
        ((to.at, user, name) for name in ids),
    )
    to.changed("summary")


def drop(to: Applying, user: str, *, ids: Iterable[str]) -> None:
    """The summaries of these ids, with their words and forms, and orphaned vectors."""
    for name in ids:
        rows: list[Any] = to.db.execute(
            "DELETE FROM summaries WHERE user=? AND id=? RETURNING rowid, text_hash", (user, name)
        ).fetchall()
        for rowid, text_hash in rows:
            to.db.execute("DELETE FROM former_summaries WHERE summary=?", (rowid,))
            forms.drop(to, user, kind=ItemKind.SUMMARY, rowid=rowid)
            drop_vectors(to, text_hash)
            to.changed("summary")


def index_words(to: Applying, rowid: int, *, summary: Summary) -> None:
    """The words of one summary: topic, content, single characters; its forms."""
    title, body = segment(summary.topic, to.stem), segment(summary.content, to.stem)
    to.db.execute(
        "INSERT INTO summary_words(rowid,title,body,chars) VALUES(?,?,?,?)",
        (rowid, " ".join(title.words), " ".join(body.words), " ".join(title.chars + body.chars)),
    )
    forms.write_summary(to, rowid, summary=summary)
