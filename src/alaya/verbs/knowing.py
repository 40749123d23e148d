"""What the verbs that list knowledge do: facts, entities, summaries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from alaya.errors import InvalidInput, NotFound
from alaya.model.action import EntityFound, FactFound
from alaya.model.graph import Summary
from alaya.model.passage import Query, Where
from alaya.parts import Parts

if TYPE_CHECKING:
    from alaya.recall.knowledge import Known

PAGE = 50  # items, unless it is said
OF_FACTS = ("as_of", "believed_at", "origins")
OF_ENTITIES = ("believed_at",)
OF_SUMMARIES = ("since", "until", "as_of", "believed_at", "origins")


@dataclass(frozen=True)
class Page:
    """A part of a list. Raises InvalidInput for one that nobody can have."""

    limit: int = PAGE
    offset: int = 0

    def __post_init__(self) -> None:
        for name, value, low in (("limit", self.limit, 1), ("offset", self.offset, 0)):
            if not isinstance(value, int) or value < low:
                raise InvalidInput(f"{name} {value!r} is not a whole number of at least {low}")

    @property
    def end(self) -> int:
        """Behind the last item."""
        return self.offset + self.limit


def facts(parts: Parts, where: Where, *, about: str, always: bool, page: Page) -> list[FactFound]:
    """All facts; or those about an entity; or those of what a text names, or was said about it."""
    from alaya.recall.knowledge import MOST, Known, share_held

    parts.follow()
    known = Known(parts.index, where, where.as_of or parts.clock(), always)
    if not about.strip():
        return known.facts(limit=page.limit, offset=page.offset)
    near = {entity.id: 1.0 for entity in known.named(about)}
    found, _ = known.around(
        near or _spoken_of(parts, known, text=about, where=where),
        1,
        held=share_held(about, parts.stem),
        most=MOST,
    )
    return found[page.offset : page.end]


def entities(parts: Parts, where: Where, *, name: str, page: Page) -> list[EntityFound]:
    """All entities, or those of a name."""
    from alaya.recall.knowledge import Known

    parts.follow()
    known = Known(parts.index, where, parts.clock())
    return known.entities(name, limit=page.limit, offset=page.offset)


def summaries(parts: Parts, where: Where, *, session: str | None, page: Page) -> list[Summary]:
    """The summaries of a session as it went, or all, the newest first."""
    parts.follow()
    wanted = where.scope.session if session is None else session
    if wanted is not None and parts.index.session(where.scope, wanted) is None:
        raise NotFound(f"no session {wanted!r}; `alaya status` shows how many there are")
    found = parts.index.summaries(where, wanted)
    if wanted is None:
        found.reverse()
    return found[page.offset : page.end]


def _spoken_of(parts: Parts, known: Known, *, text: str, where: Where) -> dict[str, float]:
    """The entities that the turns which a text recalls were taken from, and how near they are."""
    from alaya.recall.answer import recall

    query = Query(text, where=where, include_cards=False, include_sessions=True)
    answer = recall(parts.recaller(), query)
    return {entity.id: score for entity, score in known.met(answer.hits)}
