"""The relations alaya knows, and the readings of an edge in its two directions."""

from __future__ import annotations

import re
from dataclasses import replace

from alaya.errors import InvalidInput
from alaya.model.graph import Edge, Link, Relation

CAUSES, CAUSED_BY = "CAUSES", "CAUSED_BY"
DEPENDS_ON = "DEPENDS_ON"
SIMILAR_TO = "SIMILAR_TO"
CONTRADICTS = "CONTRADICTS"
TEMPORAL_NEXT = "TEMPORAL_NEXT"
EXTRACTED_FROM = "EXTRACTED_FROM"
DERIVED_FROM = "DERIVED_FROM"
SUPERSEDES = "SUPERSEDES"
RELATES_TO = "RELATES_TO"
MENTIONS = "MENTIONS"  # a card speaks of an entity

SYMMETRIC = frozenset({SIMILAR_TO, CONTRADICTS})
# Two names of one edge: the key is stored as the value with source and target exchanged.
INVERSE = {CAUSED_BY: CAUSES}

CORE = tuple(
    Relation(name=name, is_core=True, definition=definition)
    for name, definition in (
        (CAUSES, "one thing makes the other happen, 导致"),
        (CAUSED_BY, "one thing happened because of the other, 由于"),
        (DEPENDS_ON, "one thing needs the other to work, 依赖于"),
        (SIMILAR_TO, "both follow the same pattern, 相似"),
        (CONTRADICTS, "both cannot hold, or one replaces the other, 矛盾"),
        (TEMPORAL_NEXT, "one thing comes after the other in time, 之后"),
        (EXTRACTED_FROM, "a card was taken from a session, 提取自"),
        (DERIVED_FROM, "a memory was concluded from another, 推导自"),
        (SUPERSEDES, "a newer version replaces an older one, 取代"),
    )
)
CORE_NAMES = frozenset(relation.name for relation in CORE)
_MAX_NAME = 80


def relation_name(text: str) -> str:
    """`caused by` and `Caused-By` become CAUSED_BY; other scripts keep their letters."""
    name = re.sub(r"[\W_]+", "_", text.strip()).strip("_").upper()
    if not name or len(name) > _MAX_NAME:
        raise InvalidInput(
            f"not a relation name: {text[:100]!r}; use letters in any language, such as "
            f"DEPENDS_ON or 受启发于, at most {_MAX_NAME} characters"
        )
    return name


def canonical(link: Link) -> Link:
    """The one form in which an edge is stored, whichever way round it was said."""
    if link.relation in INVERSE:
        return replace(
            link, source=link.target, relation=INVERSE[link.relation], target=link.source
        )
    if link.relation in SYMMETRIC and link.source > link.target:
        return replace(link, source=link.target, target=link.source)
    return link


def stored_as(relation: str) -> tuple[str, bool, bool]:
    """How `relation` is read from stored edges: (stored name, follow forward, follow backward)."""
    if relation in INVERSE:
        return INVERSE[relation], False, True
    return relation, True, relation in SYMMETRIC


def reading(link: Link | Edge, at: str) -> tuple[str, str]:
    """How a stored edge reads from one of its ends: (relation name, node at the other end).

    Read against its direction, CAUSES is CAUSED_BY, a symmetric relation is itself, and any other
    one keeps its name.
    """
    if link.source == at:
        return link.relation, link.target
    for name, stored in INVERSE.items():
        if link.relation == stored:
            return name, link.source
    return link.relation, link.source


def edge_name(link: Link) -> str:
    """An edge whenever it was said: its ends and relation, in the stored direction."""
    stored = canonical(link)
    return f"{stored.source} {stored.relation} {stored.target}"
