"""What a backup holds, and what restoring one did."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class BackedUp:
    """One file of a backup: its path in the home, its bytes and their SHA-256."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself: how far its journal goes, and every file."""

    made_at: datetime
    alaya: str
    seq: int
    chain: str
    files: tuple[BackedUp, ...] = ()
    layout: int = 1


@dataclass(frozen=True)
class BackupReport:
    """`path` was written: `records` of the journal, `files`, `bytes` packed; `removed` are older
    backups that made room."""

    path: str
    made_at: datetime
    records: int
    files: int
    bytes: int
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class RestoreReport:
    """The home now holds what `backup` held. `before` is where the home that stood there is kept.

    `erased_since` are erasures that the backup knows nothing of: what they took is back.
    """

    backup: str
    home: str
    made_at: datetime
    records: int
    turns: int
    cards: int
    before: str = ""
    erased_since: tuple[str, ...] = field(default=())
