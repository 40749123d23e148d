"""Whose memory this is."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from alaya.errors import InvalidInput

DEFAULT_USER = "default"


@dataclass(frozen=True)
class Scope:
    """The part of a memory that a read may see and a write belongs to.

    `user` is the wall: it is always compared. `agent` and `session` narrow only when given.
    Raises InvalidInput for a user that nobody could tell from another.
    """

    user: str = DEFAULT_USER
    agent: str | None = None
    session: str | None = None

    def __post_init__(self) -> None:
        if why := _why_no_user(self.user):
            raise InvalidInput(f"user must be {why}, not {self.user[:80]!r}")

    def sees(self, other: Scope) -> bool:
        """Whether something that belongs to `other` is visible from here."""
        return (
            self.user == other.user
            and (self.agent is None or self.agent == other.agent)
            and (self.session is None or self.session == other.session)
        )


def _why_no_user(name: str) -> str | None:
    if not name.strip():
        return "a name that is not blank"
    if not name.isprintable() and any(unicodedata.category(char) == "Cc" for char in name):
        return "a name without control characters"
    return None
