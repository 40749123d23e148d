"""Whose memory this is."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_USER = "default"


@dataclass(frozen=True)
class Scope:
    """The part of a memory that a read may see and a write belongs to.

    `user` is the wall: it is always compared. `agent` and `session` narrow only when given.
    """

    user: str = DEFAULT_USER
    agent: str | None = None
    session: str | None = None

    def sees(self, other: Scope) -> bool:
        """Whether something that belongs to `other` is visible from here."""
        return (
            self.user == other.user
            and (self.agent is None or self.agent == other.agent)
            and (self.session is None or self.session == other.session)
        )
