"""The nodes that a walk or a path may begin at: cards, sessions, turns and entities.

A walk that begins at a turn begins at the cards that cite it, or at its session.
"""

from __future__ import annotations

from collections.abc import Sequence

from alaya.errors import NotFound
from alaya.model.graph import Link
from alaya.model.ids import session_node
from alaya.model.passage import Where
from alaya.model.relations import EXTRACTED_FROM
from alaya.ports import GraphReader
from alaya.recall.cited import cuts

_TAKEN = 200  # cards of a session


def starts(index: GraphReader, wanted: Sequence[str], *, where: Where) -> list[str]:
    """These nodes, each once; the id of a session may stand without `session:`.

    A turn, `SESSION#TURN`, stays where a card cites it, else its session stands for it.
    Raises NotFound for one that is not there (for this user, within the filter).
    """
    unique = list(dict.fromkeys(wanted))
    cards = {card.id for card, _ in index.cards(unique, where)}
    found = []
    for node in unique:
        if node in cards or is_there(index, node, where=where):
            found.append(node)
        elif index.session(where.scope, node) is not None:
            found.append(session_node(node))
        elif (turn := turn_of(index, node, where=where)) is not None:
            cited = index.cards_of_turns(where, [turn])
            found.append("#".join(turn) if cited else session_node(turn[0]))
        else:
            what = "card " if node.startswith("card-") else ""
            raise NotFound(
                f"no {what}{node[:80]} to go on from (for this user, within the filter, and not "
                "forgotten); nodes are cards, session:ID, turns (SESSION#TURN) and entities"
            )
    return list(dict.fromkeys(found))


def taken_from(index: GraphReader, nodes: Sequence[str], *, where: Where) -> list[Link]:
    """The links by which cards were taken from these sessions and turns, heaviest first."""
    sessions = [node for node in nodes if node.startswith("session:")]
    turns = [cut for node in nodes if node not in sessions for cut in cuts(node)]
    cited = index.cards_of_turns(where, turns) if turns else {}
    wanted = {(card, session_node(turn[0])) for turn, cards in cited.items() for card in cards}
    ends = [*sessions, *dict.fromkeys(card for cards in cited.values() for card in cards)]
    if not ends:
        return []
    found = index.links(ends, where, relations=[EXTRACTED_FROM], limit_per_node=_TAKEN)
    return [
        link for link in found if link.target in sessions or (link.source, link.target) in wanted
    ]


def turns_among(nodes: Sequence[str]) -> list[str]:
    """Those of these nodes (as `starts` gives them) that are turns."""
    return [node for node in nodes if not node.startswith(("card-", "session:", "entity-"))]


def is_there(index: GraphReader, node: str, *, where: Where) -> bool:
    """Whether a node of this full id is there and passes."""
    if node.startswith("card-"):
        return bool(index.cards([node], where))
    if node.startswith("session:"):
        return index.session(where.scope, node.removeprefix("session:")) is not None
    return node.startswith("entity-") and node in entity_names(index, where)


def turn_of(index: GraphReader, node: str, *, where: Where) -> tuple[str, str] | None:
    """The session and the id of the turn that is meant, if there is one."""
    for session, turn in cuts(node.removeprefix("session:")):
        if index.turns(where.scope, session, ids=[turn]):
            return session, turn
    return None


def entity_names(index: GraphReader, where: Where) -> dict[str, str]:
    """The name of every entity that is seen, by id."""
    # An entity has no kind, tag or time of its own: only the scope and belief tell it apart.
    narrow = Where(scope=where.scope, believed_at=where.believed_at)
    return {entity.id: entity.name for entity in index.entities(narrow)}
