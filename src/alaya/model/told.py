"""What an agent tells by name: entities, what it observed of them, and how they relate.

These are the words of the reference memory server of MCP. An entity here is an Entity, an
observation a card that mentions it, a relation a fact between two entities.
"""

from __future__ import annotations

from dataclasses import dataclass

from alaya.model.graph import EntityKind

RETRACTED = "retracted"  # in the metadata of an entity that was taken back: when
_KINDS = {
    "人": EntityKind.PERSON,
    "人物": EntityKind.PERSON,
    "用户": EntityKind.PERSON,
    "user": EntityKind.PERSON,
    "地点": EntityKind.PLACE,
    "location": EntityKind.PLACE,
    "city": EntityKind.PLACE,
    "事件": EntityKind.EVENT,
    "情绪": EntityKind.EMOTION,
    "活动": EntityKind.ACTIVITY,
    "组织": EntityKind.ORGANIZATION,
    "公司": EntityKind.ORGANIZATION,
    "company": EntityKind.ORGANIZATION,
    "工具": EntityKind.TOOL,
}


@dataclass(frozen=True)
class ToldEntity:
    """An entity by its name. `kind` is in any words; empty where it is not told."""

    name: str
    kind: str = ""
    observations: tuple[str, ...] = ()


@dataclass(frozen=True)
class ToldRelation:
    """A relation between two entities by their names, in active voice: works_at."""

    source: str
    relation: str
    target: str


@dataclass(frozen=True)
class ToldGraph:
    """Entities with what is observed of them, and relations that touch them.

    `left_out`: entities that are known beside these.
    """

    entities: tuple[ToldEntity, ...] = ()
    relations: tuple[ToldRelation, ...] = ()
    left_out: int = 0


def kind_of(words: str) -> EntityKind:
    """Which of alaya's kinds a kind in any words is: a thing where it is none of the others."""
    plain = words.strip().casefold()
    known = {kind.value: kind for kind in EntityKind} | _KINDS
    return known.get(plain, EntityKind.THING)
