"""What an erasure reaches, and what it has to say afterwards. Never the words themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

Ranges = tuple[tuple[int, int], ...]
MARK = "_"  # stands for each character that was erased, so that the places of all others stay


def blanked(words: str) -> bool:
    """Whether words were erased: nothing is left of them but marks."""
    return bool(words) and not words.strip(MARK)


@dataclass(frozen=True)
class Target:
    """What is to be erased: exactly one of these. `everything`: all that a user has.

    `entity` is an id or a name; `query` words that must all stand in a turn, a card, a note.
    """

    card: str | None = None
    session: str | None = None
    entity: str | None = None
    query: str | None = None
    everything: bool = False


@dataclass(frozen=True)
class Reach:
    """Everything of one user that an erasure takes, by id.

    `sessions` and what stands in `turns` without ranges go whole; of other turns only the
    character `ranges`. `cut` are cards that keep other evidence, `named` the entities whose names
    go wherever they stand.
    """

    user: str
    everything: bool = False
    sessions: tuple[str, ...] = ()
    turns: tuple[tuple[str, str, Ranges], ...] = ()
    cards: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to erase."""
        return not (
            self.everything
            or self.sessions
            or self.turns
            or self.cards
            or self.entities
            or self.summaries
            or self.notes
        )


@dataclass(frozen=True)
class Intent:
    """An erasure that has begun: what it takes to end it in another process.

    `words` are salted hashes of what is to be looked for, `texts` the hashes of whole texts by
    which the cache knows their vectors, `files` the sessions that go: (id, begin, generation).
    """

    id: str
    at: datetime
    by: str
    reason: str
    reach: Reach
    salt: str
    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    tombstones: tuple[str, ...] = ()
    files: tuple[tuple[str, datetime, int], ...] = ()


@dataclass(frozen=True)
class Planned:
    """What an erasure would take, for people: (id, title or first words) of each thing."""

    reach: Reach
    cards: tuple[tuple[str, str], ...] = ()
    entities: tuple[tuple[str, str], ...] = ()
    sessions: tuple[tuple[str, str], ...] = ()
    turns: tuple[tuple[str, str], ...] = ()  # (session#turn, words)


@dataclass(frozen=True)
class EraseReport:
    """What was erased (with `dry_run`: would be), how many of each and in which places.

    `remaining`: places where some of the words still stand, and why nothing was done about it;
    empty: no byte of them is left in the home. `shared`: how many of the words stay, because they
    also stand in what was not to be erased. `receipt` is the file that keeps this report.
    """

    id: str
    at: datetime
    user: str
    reason: str
    counts: Mapping[str, int]
    removed: Mapping[str, int] = field(default_factory=dict)  # by place: files, lines, rows
    searched: int = 0  # distinctive words that were looked for
    shared: int = 0
    files: int = 0  # that were searched
    remaining: tuple[str, ...] = ()
    receipt: str = ""
    dry_run: bool = False
    planned: Planned | None = None
    finished: tuple[str, ...] = ()  # erasures that had been interrupted, and are done now


@dataclass(frozen=True)
class FoundWords:
    """Where words stand: files of the home, and items (`card`, `turn`, `summary`) of the index."""

    words: int
    files: int
    places: tuple[str, ...] = ()
