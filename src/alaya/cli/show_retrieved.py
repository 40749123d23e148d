"""What `alaya retrieve` prints: turns, entities, facts, summaries and cards of a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alaya.cli.page import Page, day, one_line
from alaya.cli.show_context import context_document
from alaya.cli.show_knowledge import entity_document, entity_text, fact_document, fact_text
from alaya.cli.show_recall import hit_document, preview
from alaya.model.action import Retrieved
from alaya.model.passage import Hit

_TITLE = 120


def retrieved_lines(found: Retrieved, page: Page) -> list[str]:
    """Each kind under its heading, the nearest first."""
    say = page.say
    if found.abstained:
        return [say("retrieve.nothing")]
    lines: list[str] = []
    if found.episodes:
        lines += ["", page.heading("💬", say("retrieve.episodes"))]
        lines += [line for hit in found.episodes for line in _episode(hit, page)]
    if found.entities:
        lines += ["", page.heading("👤", say("retrieve.entities"))]
        for one in found.entities:
            known = say("entities.facts", count=one.facts)
            lines.append(f"  {entity_text(one.entity, page)}: {known} ({one.score:.2f})")
    if found.edges:
        lines += ["", page.heading("🔗", say("retrieve.edges"))]
        lines += [line for one in found.edges for line in fact_text(one, page)]
    lines += _hits(found.summaries, page, icon="📝", heading=say("retrieve.summaries"))
    lines += _hits(found.cards, page, icon="🧠", heading=say("retrieve.cards"))
    return lines[1:]


def retrieved_document(found: Retrieved) -> dict[str, Any]:
    """The kinds as `recall`, `entities` and `facts` give them, and the block for a prompt."""
    return {
        "episodes": [
            {**hit_document(hit), "speaker": hit.speaker, "topic": hit.topic}
            for hit in found.episodes
        ],
        "entities": [
            {**entity_document(one), "score": round(one.score, 4), "hops": one.hops}
            for one in found.entities
        ],
        "edges": [{**fact_document(one), "hops": one.hops} for one in found.edges],
        "summaries": [hit_document(hit) for hit in found.summaries],
        "cards": [hit_document(hit) for hit in found.cards],
        "context": context_document(found.context),
        "abstained": found.abstained,
    }


def _episode(hit: Hit, page: Page) -> list[str]:
    """Who said what, when, in which turn, and what the talk was about there."""
    words = preview(hit.content) or [""]
    lines = [f"  {one_line(hit.speaker, 40)}: {words[0]}", *(f"    {one}" for one in words[1:])]
    told = [f"{hit.score:.2f}", day(hit.said_at), one_line(hit.id, 100)]
    if hit.topic:
        told.append(page.say("retrieve.topic", topic=one_line(hit.topic, _TITLE)))
    return [*lines, page.styled("    " + " · ".join(told), "dim")]


def _hits(hits: Sequence[Hit], page: Page, *, icon: str, heading: str) -> list[str]:
    lines = ["", page.heading(icon, heading)] if hits else []
    for hit in hits:
        lines.append(f"  {one_line(hit.title or hit.content, _TITLE)}")
        lines += [f"    {line}" for line in preview(hit.content)]
        told = f"{hit.score:.2f} · {day(hit.said_at)} · {one_line(hit.id, 100)}"
        lines.append(page.styled(f"    {told}", "dim"))
    return lines
