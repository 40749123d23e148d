"""What the graph knows around the hits of a recall: links, facts, other ends, summaries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alaya.model.graph import Card, CardState, Entity, Link, Summary
from alaya.model.passage import Answer, Hit, ItemKind, Where
from alaya.model.raw import Event, EventKind, Origin
from alaya.model.scope import Scope
from alaya.ports import GraphReader, Index

_LINKS = 12  # of one node, the heaviest
_LOOKED_THROUGH = 200  # of one node, for those that are of a scope
_LOOKED_AT = 200  # characters of a question in which names are looked for
_NAME_WORDS, _NAME_CHARACTERS = 3, 6
_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_AROUND = ".,;:!?\"'()，。；：！？、“”‘’「」《》（）"
_ENTITIES = 20  # whose facts are read


@dataclass(frozen=True)
class Surroundings:
    """`cards`: the hits and what they are linked to, by id. `links` are heaviest first.

    Read as they stood at a time, both tell by `retired_at` that they were given up since.

    `entities` are those that are to be told of by name, each with how far it can be trusted.
    `corrected`: the turns (`session#turn`) of which somebody said what is right instead, and where.
    """

    cards: Mapping[str, tuple[Card, CardState]] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    summaries: tuple[Summary, ...] = ()
    entities: tuple[tuple[Entity, Origin], ...] = ()
    corrected: Mapping[str, Event] = field(default_factory=dict)


def surroundings(index: Index, answer: Answer) -> Surroundings:
    """Read, through the filter of the recall, what stands around its hits and the names it holds.

    Facts are those of entities that the question names or the hits lead to.
    """
    where = answer.query.where
    hits = [hit.id for hit in answer.hits if hit.kind is ItemKind.CARD]
    links = index.links(hits, where, limit_per_node=_LINKS) if hits else []
    entities = _entities(index, where, links=links, text=" ".join(answer.query.phrases))
    if entities:
        links += index.links(entities, where, limit_per_node=_LINKS)
        links += _facts(index, where, entities=entities)
    known = {link.id: link for link in links}
    ends = {end for link in known.values() for end in (link.source, link.target)}
    cards = [*hits, *sorted(end for end in ends.difference(hits) if end.startswith("card-"))]
    found = {card.id: (card, state) for card, state in index.cards(cards, where)} if cards else {}
    if where.believed_at is not None:
        since = index.given_up([*found, *known], where.scope, since=where.believed_at)
        found = {
            name: (card, replace(state, retired_at=state.retired_at or since.get(name)))
            for name, (card, state) in found.items()
        }
        known = {
            name: replace(link, retired_at=link.retired_at or since.get(name))
            for name, link in known.items()
        }
    summaries = _summaries(index, answer)
    said = corrections(index, where, cited=[*answer.hits, *known.values(), *summaries])
    return Surroundings(found, tuple(known.values()), summaries, corrected=said)


def corrections(
    index: GraphReader, where: Where, *, cited: Iterable[Hit | Link | Summary]
) -> dict[str, Event]:
    """The last correction of each turn that is cited, as far as it was known."""
    turns = dict.fromkeys(f"{s.session}#{s.turn}" for one in cited for s in one.evidence)
    found: dict[str, Event] = {}
    told = index.events(Scope(where.scope.user), about=list(turns)) if turns else []
    for event in told:
        known = where.believed_at is None or event.at <= where.believed_at
        if event.kind is EventKind.CORRECTION and known:
            found |= {name: event for name in event.about if name in turns}
    return found


def _entities(index: GraphReader, where: Where, *, links: Sequence[Link], text: str) -> list[str]:
    """Ids of the entities that the question names, then of those at the ends of links."""
    # An entity has no kind, time or tier, and may be of no session: it is found by user alone, its
    # facts by the filter.
    whose = Where(scope=Scope(where.scope.user), believed_at=where.believed_at)
    names = names_in(text)
    named = [entity.id for entity in index.entities(whose, names)] if names else []
    ends = [end for link in links for end in (link.source, link.target)]
    met = [end for end in ends if end.startswith("entity-")]
    return list(dict.fromkeys([*named, *met]))[:_ENTITIES]


def _facts(index: GraphReader, where: Where, *, entities: Sequence[str]) -> list[Link]:
    """What a narrower scope says of entities that were recorded outside it."""
    scope = where.scope
    if scope.agent is None and scope.session is None:
        return []  # nothing is outside it
    wide = replace(where, scope=Scope(scope.user))
    of: Counter[str] = Counter()
    found = []
    for link in index.links(entities, wide, limit_per_node=_LOOKED_THROUGH):
        ends = {link.source, link.target}
        cited = dict.fromkeys(span.session for span in link.evidence)
        here = any(index.session(scope, name) is not None for name in cited)
        if all(end.startswith("entity-") for end in ends) and (
            here or (not cited and scope.sees(link.scope))
        ):
            if min(of[end] for end in ends) < _LINKS:
                found.append(link)
            of.update(ends)
    return found


def names_in(text: str) -> list[str]:
    """What in a text may be a name: up to three words together, up to six Chinese characters."""
    found: dict[str, None] = {}
    words = text[:_LOOKED_AT].split()
    for size in range(_NAME_WORDS, 0, -1):
        for start in range(len(words) - size + 1):
            name = " ".join(words[start : start + size]).strip(_AROUND)
            found |= {name: None, name.removesuffix("'s").removesuffix("’s"): None}
    for run in _RUN.findall(text[:_LOOKED_AT]):
        for size in range(min(_NAME_CHARACTERS, len(run)), 1, -1):
            found.update(dict.fromkeys(run[at : at + size] for at in range(len(run) - size + 1)))
    return [name for name in found if len(name) > 1]


def _summaries(index: GraphReader, answer: Answer) -> tuple[Summary, ...]:
    """Those that were found; then of the sessions that the hits cite, those of topics that hold a
    cited turn (the summary of a whole session holds each of them)."""
    where = answer.query.where
    hits = [hit.id for hit in answer.hits if hit.kind is ItemKind.SUMMARY]
    kept = index.summaries(where, ids=hits) if hits else []
    cited: dict[str, dict[str, None]] = {}
    for hit in answer.hits:
        for span in hit.evidence:
            cited.setdefault(span.session, {})[span.turn] = None
    for session, turns in cited.items():
        whole = index.summaries(where, session)
        summaries = [s for s in whole if s.metadata.get("level", "topic") == "topic"]
        if not summaries:
            continue
        ends = [turn for s in summaries for turn in (s.first_turn, s.last_turn)]
        places = index.turns(where.scope, session, ids=list(dict.fromkeys([*turns, *ends])))
        at = {place.id: place.ordinal for place in places}
        ordinals = [at[turn] for turn in turns if turn in at]
        kept += [s for s in summaries if _holds(s, at, ordinals=ordinals)]
    return tuple({summary.id: summary for summary in kept}.values())


def _holds(summary: Summary, at: Mapping[str, int], *, ordinals: Sequence[int]) -> bool:
    first, last = at.get(summary.first_turn), at.get(summary.last_turn)
    return first is not None and last is not None and any(first <= n <= last for n in ordinals)
