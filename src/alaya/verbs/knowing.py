"""The verbs that list knowledge: facts, entities, summaries. Methods of Memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alaya.errors import InvalidInput, NotFound
from alaya.model import asking
from alaya.model.action import EntityFound, FactFound
from alaya.model.graph import Summary
from alaya.model.passage import Query, Where
from alaya.parts import Opened, Parts

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


def facts(
    memory: Opened,
    about: str = "",
    *,
    always: bool = False,
    limit: int = PAGE,
    offset: int = 0,
    **fields: Any,
) -> list[FactFound]:
    """Facts that hold, the newest first; or those `about` an entity, or what a text speaks of.

    `as_of`: those that held then; `always`: also those that hold no longer, or not yet. Beside
    these believed_at, origins, agent and session. Raises InvalidInput.
    """
    from alaya.recall.knowledge import MOST, Known, share_held

    parts, text, page = memory.parts, asking.words(about), Page(limit, offset)
    where = asking.filter_of(memory.scope, fields, known=OF_FACTS)
    parts.follow()
    known = Known(parts.index, where, where.as_of or parts.clock(), always)
    if not text.strip():
        return known.facts(limit=page.limit, offset=page.offset)
    near = {entity.id: 1.0 for entity in known.named(text)}
    found, _ = known.around(
        near or _spoken_of(parts, known, text=text, where=where),
        1,
        held=share_held(text, parts.stem),
        most=MOST,
    )
    return found[page.offset : page.end]


def entities(
    memory: Opened, name: str = "", *, limit: int = PAGE, offset: int = 0, **fields: Any
) -> list[EntityFound]:
    """Who and what is known, the most spoken of first; or those of a name, an alias or an id.

    Narrowed by believed_at, agent and session. Raises InvalidInput.
    """
    from alaya.recall.knowledge import Known

    parts, page = memory.parts, Page(limit, offset)
    where = asking.filter_of(memory.scope, fields, known=OF_ENTITIES)
    parts.follow()
    known = Known(parts.index, where, parts.clock())
    return known.entities(asking.words(name), limit=page.limit, offset=page.offset)


def summaries(
    memory: Opened,
    session: str | None = None,
    *,
    limit: int = PAGE,
    offset: int = 0,
    **fields: Any,
) -> list[Summary]:
    """Summaries, the newest first; those of a session in its order.

    Narrowed by since, until, as_of, believed_at, origins and agent. Raises NotFound for an
    unknown session, and InvalidInput.
    """
    parts, page = memory.parts, Page(limit, offset)
    where = asking.filter_of(memory.scope, fields, known=OF_SUMMARIES)
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
