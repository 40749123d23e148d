"""What is held of somebody, fact by fact, while more is learnt: what `knowledge` decides on.

A link's metadata tell what its two times and its words cannot: how sure its beginning and its end
are, what it stands in place of, and which statements it was told by, so that none is learnt twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from alaya.distill.single import single
from alaya.model.change import Change, FactRetired, LinkAdded
from alaya.model.graph import Link
from alaya.model.ids import digest
from alaya.model.raw import Origin, Span
from alaya.model.relations import canonical
from alaya.model.scope import Scope
from alaya.model.time import format_time

SAID = "from_when_said"  # its beginning is when it was said, or the day before its end
UNTIL = "until_the_next"  # its end is when the next one begins
PLANNED = "planned"  # it was to begin only after it was said
REPLACES = "replaces"  # ids of links that turned out to be wrong
HEARD = "heard"  # hashes of the statements that it was told by
FACTS = "facts"  # ids of the links that contradict each other
_MOST = 50  # statements that one link keeps


@dataclass(frozen=True)
class Stated:
    """A fact whose ends are known entities. `relation` as `relation_name` writes it.

    `valid_at`, `invalid_at` are what the words tell. `instead_of`: the entity that was wrong.
    """

    subject: str
    relation: str
    object: str
    fact: str
    evidence: tuple[Span, ...]
    said_at: datetime
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    corrects: bool = False
    instead_of: str | None = None
    confidence: float = 0.5
    origin: Origin = Origin.AGENT
    key: str = ""  # its hash as it was told, before anything was made of its times

    @property
    def kind(self) -> str:
        """Facts of one kind about one subject are about the same thing."""
        return single(self.relation) or self.relation

    @property
    def hash(self) -> str:
        """The same for the same told in the same words."""
        if self.key:
            return self.key
        times = [format_time(at) if at else "" for at in (self.valid_at, self.invalid_at)]
        words = [(one.session, one.turn, one.start, one.end) for one in self.evidence]
        return digest("stated", self.kind, self.object, times, self.corrects, words)

    def link(self, scope: Scope, valid_at: datetime, *, assumed: bool = False) -> Link:
        """It as a link that begins then."""
        return Link(
            scope=scope,
            source=self.subject,
            relation=self.relation,
            target=self.object,
            valid_at=valid_at,
            weight=self.confidence,
            fact=self.fact,
            evidence=self.evidence,
            invalid_at=self.invalid_at,
            origin=self.origin,
            metadata={HEARD: [self.hash], **({SAID: True} if assumed else {})},
        )


@dataclass
class Timeline:
    """The changes so far, and what is held after them, by link id."""

    scope: Scope
    held: dict[str, Link]
    changes: list[Change] = field(default_factory=list)
    met: set[str] = field(default_factory=set)  # links that are told of, added or known

    def about(self, stated: Stated) -> list[Link]:
        """Facts of this kind about this subject, from the first to the last."""
        found = [
            link
            for link in self.held.values()
            if link.source == stated.subject
            and (single(link.relation) or link.relation) == stated.kind
        ]
        return sorted(found, key=lambda link: (link.valid_at, link.id))

    def heard(self, stated: Stated) -> bool:
        """Whether this was learnt from these words before."""
        found = [k for k in self.about(stated) if stated.hash in k.metadata.get(HEARD, ())]
        self.met.update(link.id for link in found)
        return bool(found)

    def add(self, link: Link) -> None:
        """It is so; a link that is held already is written anew."""
        link = replace(canonical(link), recorded_at=None, retired_at=None)
        self.held[link.id] = link
        self.met.add(link.id)
        self.changes.append(LinkAdded(link))

    def hear(self, link: Link, stated: Stated) -> Link:
        """It was said again, in these words. What ended stays as it is."""
        self.met.add(link.id)
        heard = link.metadata.get(HEARD, ())
        if link.retired_at is not None or stated.hash in heard or len(heard) >= _MOST:
            return link
        evidence = tuple(dict.fromkeys((*link.evidence, *stated.evidence)))
        more = {**link.metadata, HEARD: [*heard, stated.hash]}
        self.add(replace(link, evidence=evidence, metadata=more))
        return self.held[link.id]

    def end(self, link: Link, at: datetime, *, stated: Stated) -> None:
        """It was so until then. What ends only later stays until then."""
        if link.invalid_at is not None and link.invalid_at <= at:
            return
        if at > stated.said_at:
            self.add(replace(link, invalid_at=at))
            return
        retired = link.retired_at or stated.said_at
        self.held[link.id] = replace(link, invalid_at=at, retired_at=retired)
        self.met.add(link.id)
        self.changes.append(FactRetired(self.scope, link.id, stated.fact, at))

    def drop(self, link: Link, reason: str) -> None:
        """It never was so, and neither does it contradict anything."""
        gone = [link.id]
        gone += [i for i, o in self.held.items() if link.id in o.metadata.get(FACTS, ())]
        for name in gone:
            self.held.pop(name, None)
            self.changes.append(FactRetired(self.scope, name, reason))


def in_place_of(link: Link, gone: Sequence[Link]) -> Link:
    """The link as it stands in place of others: with their ids, and what these were told by."""
    if not gone:
        return link
    ids, heard = [*link.metadata.get(REPLACES, ())], [*link.metadata.get(HEARD, ())]
    for one in gone:
        ids += [*one.metadata.get(REPLACES, ()), *([one.id] if one.id != link.id else [])]
        heard += one.metadata.get(HEARD, ())
    more = {REPLACES: list(dict.fromkeys(ids)), HEARD: list(dict.fromkeys(heard))}
    return replace(link, metadata={**link.metadata, **more})
