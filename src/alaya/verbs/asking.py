"""What the verbs that ask do: recall, context, retrieve, path, trace, and counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from alaya.introspect import status as counting
from alaya.model import asking
from alaya.model import path as paths
from alaya.model.action import Retrieved, Wish
from alaya.model.call import UsageReport
from alaya.model.context import Context
from alaya.model.note import Note
from alaya.model.passage import Answer, Hit, ItemKind, Query, Where
from alaya.model.report import Status
from alaya.model.scope import Scope
from alaya.model.trace import Trace
from alaya.parts import How, Parts
from alaya.provenance import words


def recall(parts: Parts, asked: Query) -> Answer:
    """Where a question leads."""
    from alaya.recall.answer import recall  # only here: it loads NumPy, which takes 60 ms

    parts.follow()
    return recall(parts.recaller(), asked)


def context(
    parts: Parts,
    recall: Callable[[Query], Answer],
    *,
    asked: Query,
    budget_tokens: int | None,
    format: str,
    notes: Sequence[Note],
) -> Context:
    """Recall as much as could fit into the budget, and write it as one block."""
    from alaya.recall import context as contexts  # only here: most recalls need none

    usual = parts.config.recall
    budget = usual.context_tokens if budget_tokens is None else budget_tokens
    wish = contexts.wanted(budget, format, language=parts.config.language, notes=notes)
    limit = asked.limit or contexts.most_hits(budget, usual.max_results)
    return parts.compose(recall(replace(asked, limit=limit)), wish)


def query_for_context(
    text: str, query: Query | None, *, scope: Scope, given: Mapping[str, Any]
) -> Query:
    """As `asking.query_of`: a context quotes turns and has summaries unless it is told not to."""
    quoting = {"include_sessions": True, "include_summaries": True}
    return asking.query_of(text, query, scope=scope, given=given if query else {**quoting, **given})


def retrieve(
    parts: Parts,
    recall: Callable[[Query], Answer],
    *,
    question: str,
    scope: Scope,
    kinds: tuple[bool, bool, bool, bool],
    given: Mapping[str, Any],
) -> Retrieved:
    """Recall, read what the graph knows around it, and write both as one block.

    `kinds`: whether episodes, entities, edges and summaries are wanted, in this order.
    """
    from alaya.recall import context as contexts
    from alaya.recall import retrieving

    rest = dict(given)
    budget = rest.pop("budget_tokens", None)
    written = contexts.wanted(
        parts.config.recall.context_tokens if budget is None else budget,
        rest.pop("format", "md"),
        language=parts.config.language,
        notes=(),
    )
    narrowed = {name: rest.pop(name) for name in ("agent", "session") if rest.get(name) is not None}
    limit = rest.pop("limit", None) or parts.config.recall.max_results
    wish = Wish(*kinds, max_hops=rest.pop("max_hops", Wish.max_hops), limit=limit)
    asked = asking.query_of(question, None, scope=replace(scope, **narrowed), given=rest)
    answer = recall(retrieving.query_for(asked, wish))
    found = retrieving.retrieve(parts.recaller(), answer, wish=wish)
    return Retrieved(
        episodes=_with_topics(parts, found.hits(ItemKind.TURN), user=scope.user),
        entities=found.entities,
        edges=found.edges,
        summaries=found.summaries,
        cards=found.hits(ItemKind.CARD),
        context=parts.compose(found.answer, written, around=found.around),
    )


def _with_topics(parts: Parts, hits: Sequence[Hit], *, user: str) -> tuple[Hit, ...]:
    """Turns with what the talk was about there: of the summary over them, else by rules."""
    from alaya.distill.episodes import topics_of  # only here: most recalls need no topics

    wanted: dict[str, list[str]] = {}
    for hit in hits:
        session, turn = _turn_of(hit)
        wanted.setdefault(session, []).append(turn)
    topics: dict[str, str] = {}
    rules = parts.summing(user, How(rules=True))
    for session, turns in wanted.items():
        state = parts.index.session(Scope(user), session)
        if state is not None:
            found = topics_of(parts.archive, parts.index, state=state, rules=rules, turns=turns)
            topics |= {f"{session}#{turn}": topic for turn, topic in found.items()}
    return tuple(replace(hit, topic=topics.get(hit.id, "")) for hit in hits)


def _turn_of(hit: Hit) -> tuple[str, str]:
    """The session and the id of a turn that was found; either may hold a `#`."""
    if hit.evidence:
        return hit.evidence[0].session, hit.evidence[0].turn
    session, _, turn = hit.id.partition("#")
    return session, turn


def path(parts: Parts, query: paths.PathQuery, *, scope: Scope) -> paths.Path:
    """The best chain of links between two ends."""
    from alaya.recall.navigate import find_path  # only here: most recalls need no path

    parts.follow()
    return find_path(parts.recaller(), replace(query, where=asking.where_of(query.where, scope)))


def trace(parts: Parts, card: str, *, scope: Scope) -> Trace:
    """From a card back to the words, also from one that left recall; keeps what it came from."""
    parts.follow()
    where = Where(scope=scope, include_forgotten=True, include_quarantined=True)
    found = words.trace(parts.archive, parts.index, card_id=card, where=where)
    parts.archive.put_context(card, words.context_of(found))
    return found


def node_types(parts: Parts, scope: Scope) -> Mapping[str, int]:
    """How many nodes of each kind."""
    parts.follow()
    counts = parts.index.counts(scope)
    return {k: n for k, n in counts.items() if not k.startswith(("links", "tiers"))}


def status(parts: Parts, scope: Scope) -> Status:
    """The three layers in numbers."""
    behind = parts.follow()
    found = counting.status(
        parts.archive,
        parts.index,
        scope=scope,
        config=parts.config,
        embedder=(parts.embedder, parts.embedder_why),
        distiller=parts.distiller_name(),
        now=parts.clock(),
    )
    return replace(found, behind=behind + found.behind)


def usage(parts: Parts, scope: Scope, *, since: datetime | None) -> UsageReport:
    """The calls of a user to a model, and the day so far of all users."""
    from alaya.distill.calls import used_today
    from alaya.distill.usage import rows

    archive = parts.archive
    mine = (usage for usage in archive.usages(since) if usage.user == scope.user)
    today = used_today(archive, parts.clock())
    return UsageReport(rows(mine), today, parts.config.distill.max_tokens_per_day)
