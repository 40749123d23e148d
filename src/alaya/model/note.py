"""A Markdown file that people edit by hand, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from alaya.model.raw import Metadata
from alaya.model.scope import Scope


class NoteKind(StrEnum):
    """The folders of the Qiming design."""

    SOUL = "soul"
    SUCCESS = "success"
    FAILURE = "failure"
    INSIGHT = "insight"
    SKILL = "skill"
    DECISION = "decision"
    PATTERN = "pattern"


@dataclass(frozen=True)
class Note:
    """One version of a note file. `path` is relative to the notes folder, with `/`."""

    scope: Scope
    path: str
    kind: NoteKind
    title: str
    content: str
    sha256: str
    edited_at: datetime
    metadata: Metadata = field(default_factory=dict)
