"""What keeps a log that is ingested again from bringing back what was erased: salted hashes.

A turn is known by its session and id, where the source gives ids that are no mere numbers; by its
session, speaker and words; and a long one by its words wherever they come from. Who has the home
has the salt: it keeps tombstones of different homes apart, and words that can be guessed can be
tried.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from alaya.model.erased_words import salted
from alaya.model.raw import Turn
from alaya.model.time import format_time
from alaya.model.words import normal
from alaya.ports import Archive

STATE = "tombstones"
_GLOBAL_IDS = 16  # characters: an id this long is no ordinal
_VARIANT = re.compile(r"(?:@\d+|~[0-9a-f]{8})\Z")  # of a source that was rewritten: see settle
_LONG = 40  # characters: who says so much again, in the same words, has copied it

IsErased = Callable[[str, Turn], bool]


def salt_of(archive: Archive) -> str:
    """The salt of a home's tombstones, made for its first."""
    state = archive.state(STATE)
    if state is not None:
        return str(state["salt"])
    salt = secrets.token_hex(16)
    archive.set_state(STATE, {"salt": salt, "hashes": []})
    return salt


def names(
    salt: str, user: str, *, session: str, turn: Turn, elsewhere: bool = True
) -> Iterator[str]:
    """Under which hashes a turn is buried."""
    words = " ".join(normal(turn.content).casefold().split())
    own = _VARIANT.sub("", turn.id)
    if len(own) >= _GLOBAL_IDS:
        yield salted(salt, "id", user, session, own)
    if words:
        yield salted(salt, "said", user, session, turn.role.value, words)
    if elsewhere and len(words) >= _LONG:
        yield salted(salt, "words", user, words)


def bury(archive: Archive, hashes: Iterable[str], *, at: datetime) -> None:
    """Add to the tombstones of a home. The archive's lock is held."""
    state = archive.state(STATE) or {"salt": salt_of(archive), "hashes": []}
    known = {*state["hashes"], *hashes}
    archive.set_state(
        STATE, {"salt": state["salt"], "at": format_time(at), "hashes": sorted(known)}
    )


def erased(archive: Archive, user: str, *, elsewhere: bool) -> IsErased:
    """Whether a turn of a session was erased, as the tombstones stand now.

    `elsewhere`: also where its words were erased in another session; who says them anew by hand
    may.
    """
    state = archive.state(STATE)
    if state is None or not state["hashes"]:
        return lambda session, turn: False
    salt, known = str(state["salt"]), frozenset(state["hashes"])

    def is_erased(session: str, turn: Turn) -> bool:
        found = names(salt, user, session=session, turn=turn, elsewhere=elsewhere)
        return any(name in known for name in found)

    return is_erased
