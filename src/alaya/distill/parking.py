"""What is parked of calls to a model, and when it is taken back.

A reply that cannot be used is parked word for word, under the call. Where no answer came at all
there is nothing to keep: each session that waits is one item, with how often it was tried.
"""

from __future__ import annotations

from datetime import datetime

from alaya.model.call import Call
from alaya.model.record import Parked
from alaya.ports import Archive

_NOBODY = "-"  # the call is about no session


def source(call: Call, key: str) -> str:
    """What a parked reply to a call is named by."""
    return f"model {' '.join(call.about) or _NOBODY} {call.stage} {key}"


def silent(archive: Archive, call: Call, *, reason: str, at: datetime) -> None:
    """No answer came: one item for each session that the call is about, counted."""
    names = _waiting(call)
    before = {p.source: p.times for p in archive.parked() if p.source in names}
    for name in names:
        archive.unpark(name)
        archive.park(Parked(name, reason, at, times=before.get(name, 0) + 1))


def answered(archive: Archive, call: Call, *, key: str) -> None:
    """Take back what was parked because of this call."""
    for name in (source(call, key), *_waiting(call)):
        archive.unpark(name)


def clear(archive: Archive, session: str, *, before: datetime) -> None:
    """Take back what was parked of a session before then: all of it has been dealt with."""
    for parked in list(archive.parked()):
        mine = parked.source.startswith("model ") and f" {session} " in parked.source
        if mine and parked.at < before:
            archive.unpark(parked.source)


def _waiting(call: Call) -> list[str]:
    return [f"model {name} {call.stage}" for name in call.about or (_NOBODY,)]
