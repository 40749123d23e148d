"""What of a memory goes into a prompt: items with citations, cut to a budget, as one block."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from alaya.model.raw import Origin

# What stands between them is alaya's own words: ingest keeps it and never learns it again.
OPEN_TAG, CLOSE_TAG = "<alaya-memory", "</alaya-memory>"


class Section(StrEnum):
    """The parts of a context, in the order in which they are shown."""

    NOTES = "notes"
    ENTITIES = "entities"
    FACTS = "facts"
    CARDS = "cards"
    SUMMARIES = "summaries"
    TURNS = "turns"


class Format(StrEnum):
    """How a context is written."""

    MARKDOWN = "md"
    TEXT = "text"
    JSON = "json"


class MarkKind(StrEnum):
    """Why an item is not simply to be believed."""

    CONTRADICTED = "contradicted"  # by something that was said later
    CONTRADICTS = "contradicts"  # something that was said earlier
    REPLACED = "replaced"  # by a newer version
    STALE = "stale"  # what it was concluded from was corrected
    CORRECTED = "corrected"  # somebody said what is right instead
    INVALID = "invalid"  # it was true in the world until then
    RETIRED = "retired"  # it was believed until then
    QUARANTINED = "quarantined"  # it was set aside as doubtful


@dataclass(frozen=True)
class Mark:
    """A warning that an item carries: `by` is the citation of the other one, where there is one."""

    kind: MarkKind
    by: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class ContextItem:
    """One thing remembered. `text` cannot be mistaken for alaya's own words.

    `id` is that of a card, a turn (`session#turn`), an entity, a link, a summary, or the path of a
    note. `citations` are as shown: `[card-…]`, `[session …#turn]`, `[note …]`. `sources` are the
    turns that it was taken from, as `session#turn`.
    """

    section: Section
    id: str
    text: str
    citations: tuple[str, ...]
    origin: Origin = Origin.AGENT
    title: str = ""
    label: str = ""  # a card's kind, or who spoke
    said_at: datetime | None = None
    marks: tuple[Mark, ...] = ()
    sources: tuple[str, ...] = ()
    cut: bool = False  # the text is a part of what was said

    @property
    def untrusted(self) -> bool:
        """Whether it came from a tool, a page or a host: fenced, and labelled as data."""
        return self.origin not in (Origin.OWNER, Origin.AGENT)


@dataclass(frozen=True)
class Context:
    """A block of text for a prompt, and what stands in it.

    `tokens` is the length of `text` as `counted_by` counts, never more than `budget`; where even
    an empty block is longer than that, `text` is empty (as JSON `{}` if that fits). `left_out`
    counts what was found and did not fit. `abstained`: nothing relevant is remembered.
    """

    question: str
    format: Format
    text: str
    items: tuple[ContextItem, ...]
    budget: int
    tokens: int
    counted_by: str
    left_out: int = 0
    abstained: bool = False
    notes: tuple[str, ...] = ()  # such as why tokens are estimated, or a note of the recall

    def __str__(self) -> str:
        return self.text

    @property
    def shown(self) -> tuple[str, ...]:
        """The ids of what is shown, to be given as `already_shown` the next time."""
        return tuple(item.id for item in self.items)
