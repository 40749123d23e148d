"""What `alaya add`, `facts`, `entities` and `summaries` print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from alaya.cli.page import Page, day, one_line, printable
from alaya.cli.result import document
from alaya.cli.show_distill import distill_lines
from alaya.cli.show_writes import counts
from alaya.model.action import Added, EntityFound, FactFound
from alaya.model.graph import Entity, Link, Summary
from alaya.model.raw import Span

_SENTENCE, _NAME, _ID = 300, 80, 100
_SHOWN = 20  # of what was learnt
_CITED = 3  # turns of one item


def added_lines(found: Added, page: Page, *, llm: str | None = None) -> list[str]:
    """`alaya add`: how much is new, and what was learnt."""
    say, session = page.say, one_line(found.session, _ID)
    if found.episodes:
        lines = [page.done(say("add.done", count=len(found.episodes), session=session))]
    else:
        lines = [page.done(say("add.nothing_new", session=session))]
    if found.known and found.episodes:
        lines.append(say("add.known", count=found.known))
    if found.skipped:
        lines.append(say("ingest.skipped", what=counts(found.skipped)))
    if found.redacted:
        total = sum(found.redacted.values())
        lines.append(say("ingest.redacted", count=total, what=counts(found.redacted)))
    if found.distilled is None:
        return [*lines, *page.hints(say("add.next", session=session))]
    lines += distill_lines(found.distilled, page, llm=llm)
    for entity in found.entities[:_SHOWN]:
        lines.append(page.done(entity_text(entity, page), "  "))
    for fact in found.facts[:_SHOWN]:
        lines.append(page.done(one_line(fact.fact, _SENTENCE), "  "))
    for summary in found.summaries[:_SHOWN]:
        text = f"{summary.topic}: {summary.content}"
        lines.append(page.done(one_line(text, _SENTENCE), "  "))
    kinds = (found.entities, found.facts, found.summaries)
    if any(kinds):
        names = ("entities", "facts", "summaries")
        learnt = dict(zip(names, map(len, kinds), strict=True))
        lines.append(say("add.learnt", **learnt))
    return lines


def fact_lines(found: Sequence[FactFound], page: Page, *, more: int | None) -> list[str]:
    """`alaya facts`: a sentence, what it joins, since when, and the turns that tell it."""
    say = page.say
    if not found:
        return [say("facts.none")]
    lines = [page.heading("🔗", say("facts.heading"))]
    for one in found:
        lines += fact_text(one, page)
    return [*lines, *_more(more, page)]


def entity_lines(found: Sequence[EntityFound], page: Page, *, more: int | None) -> list[str]:
    """`alaya entities`: a line for each."""
    say = page.say
    if not found:
        return [say("entities.none")]
    lines = [page.heading("👤", say("entities.heading"))]
    for one in found:
        known = say("entities.facts", count=one.facts)
        lines.append(f"  {entity_text(one.entity, page)}: {known}")
    return [*lines, *_more(more, page)]


def whole_entity(one: EntityFound, page: Page, *, facts: Sequence[FactFound]) -> list[str]:
    """`alaya entities NAME`: all that is known of it."""
    say, entity = page.say, one.entity
    lines = [page.heading("👤", entity_text(entity, page)), f"  {entity.id}"]
    if entity.summary:
        lines.append(f"  {one_line(entity.summary, _SENTENCE)}")
    if entity.evidence:
        lines.append("  " + say("knowledge.from", turns=_turns(entity.evidence)))
    lines.append("  " + say("entities.facts", count=len(facts)) + (":" if facts else ""))
    return [*lines, *(line for fact in facts for line in fact_text(fact, page, indent="    "))]


def summary_lines(found: Sequence[Summary], page: Page, *, more: int | None) -> list[str]:
    """`alaya summaries`: topic, day, what was said in sum, and which turns."""
    say = page.say
    if not found:
        return [say("summaries.none")]
    lines = [page.heading("📝", say("summaries.heading"))]
    for one in found:
        place = f"{one.session}#{one.first_turn} … #{one.last_turn}"
        lines.append(f"  {one_line(one.topic, _NAME)} ({day(one.said_at)})")
        lines += [f"    {printable(line)}" for line in one.content.split("\n") if line.strip()]
        lines.append(page.styled(f"    {one_line(place, 2 * _ID)}", "dim"))
    return [*lines, *_more(more, page)]


def fact_document(one: FactFound) -> dict[str, Any]:
    """A fact as JSON: its sentence, its ends by name, its times, its evidence."""
    link = one.link
    return {
        "id": link.id,
        "fact": link.fact,
        "subject": {"id": link.source, "name": one.subject},
        "relation": link.relation,
        "object": {"id": link.target, "name": one.object},
        "holds": one.holds,
        **{name: document(getattr(link, name)) for name in _TIMES},
        "weight": link.weight,
        "origin": link.origin.value,
        "score": round(one.score, 4),
        "evidence": document(link.evidence),
    }


def entity_document(one: EntityFound) -> dict[str, Any]:
    """An entity as JSON, with in how many facts it stands."""
    entity = one.entity
    return {
        "id": entity.id,
        "name": entity.name,
        "kind": entity.kind.value,
        "aliases": list(entity.aliases),
        "summary": entity.summary,
        "fact_count": one.facts,
        "evidence": document(entity.evidence),
    }


_TIMES = ("valid_at", "invalid_at", "recorded_at", "retired_at")


def fact_text(one: FactFound, page: Page, *, indent: str = "  ") -> list[str]:
    """A fact: its sentence, its ends, when it holds, and the turns that tell it."""
    link, say = one.link, page.say
    ends = f"{one_line(one.subject, _NAME)} —{link.relation}→ {one_line(one.object, _NAME)}"
    lines = [indent + one_line(link.fact, _SENTENCE)]
    about = [ends, _when(link, page)]
    if link.evidence:
        about.append(say("knowledge.from", turns=_turns(link.evidence)))
    return [*lines, page.styled(f"{indent}  {'; '.join(about)}", "dim")]


def _when(link: Link, page: Page) -> str:
    """Since when it holds, and until when, if it does not hold for ever."""
    if link.invalid_at is None:
        return page.say("facts.since", day=day(link.valid_at))
    return page.say("facts.until", day=day(link.valid_at), end=day(link.invalid_at))


def entity_text(entity: Entity, page: Page) -> str:
    """An entity: its names and its kind."""
    names = " = ".join(dict.fromkeys([entity.name, *entity.aliases]))
    kind = page.say(f"entity.{entity.kind.value}")
    return f"{one_line(names, 2 * _NAME)} ({kind})"


def _turns(evidence: Sequence[Span]) -> str:
    turns = Counter(f"{span.session}#{span.turn}" for span in evidence)
    shown = [one_line(turn, _ID) for turn in list(turns)[:_CITED]]
    return ", ".join([*shown, *(["…"] if len(turns) > _CITED else [])])


def _more(more: int | None, page: Page) -> list[str]:
    return [] if more is None else [page.say("knowledge.more", offset=more)]
