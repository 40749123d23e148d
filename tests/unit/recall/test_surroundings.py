"""What the graph knows around a recall that is narrowed to a session or an agent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind
from alaya.model.passage import Answer, Query, Where
from alaya.model.scope import Scope
from alaya.recall.surroundings import surroundings
from alaya.testing.invented import ALICE, Told, link

NARROW = Scope(ALICE.user, "jarvis", "s")


@pytest.mark.parametrize(("name", "place"), [("阿信", "星巴克"), ("Ada", "London")])
def test_entities_belong_to_the_user(told: Told, name: str, place: str) -> None:
    """Facts of the session are found by names that were recorded without one; others' are not."""
    for number, one in enumerate((name, place)):
        told.tell(ch.EntityAdded(Entity(f"entity-{number}", ALICE, one, EntityKind.THING)))
    here = replace(
        link("entity-0", "KNOWS", target="entity-1", fact=f"{name} {place}"), scope=NARROW
    )
    there = replace(
        link("entity-1", "KNOWS", target="entity-0", fact="elsewhere"),
        scope=replace(NARROW, session="other"),
    )
    told.links(here, there)
    asked = Query(f"{name} ?", where=Where(NARROW))
    found = surroundings(told.index, Answer(asked, (), (), None, True, (), ()))
    assert [one.id for one in found.links] == [here.id]
