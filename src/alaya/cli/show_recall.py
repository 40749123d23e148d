"""What `alaya recall` prints: an Answer as lines, as JSON, and how its ranking came about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from alaya.cli.page import Page, day, one_line, printable, whole_words
from alaya.cli.result import document
from alaya.model.passage import Answer, Hit, ItemKind, Query
from alaya.model.raw import Origin

CLOSE = 0.3  # an average h_distance below this means that the goal is near (Alaya design 4.4)
_PREVIEW_LINES, _PREVIEW_CHARACTERS, _TITLE = 4, 320, 120


def recall_lines(
    answer: Answer, page: Page, *, explain: bool = False, numbered: bool = False
) -> list[str]:
    """The nodes, the paths that lead on (`numbered` after the nodes), and how far the goal is."""
    say = page.say
    lines = [page.heading("🔍", say("recall.heading", query=_asked(answer.query)))]
    if not answer.hits:
        lines += ["", say("recall.abstained" if answer.abstained else "recall.nothing_new")]
    for number, hit in enumerate(answer.hits, 1):
        lines += ["", *hit_lines(hit, page, number=number)]
    if answer.explorable:
        lines += ["", say("recall.explorable")]
        for number, path in enumerate(answer.explorable, len(answer.hits) + 1):
            near = f"{path.rel_sim_to_query:.2f}"
            mark = f"  [{number}] " if numbered else "  - "
            lines.append(mark + say("recall.path", rel=path.rel, count=path.count, sim=near))
    if answer.h_distance_avg is not None:
        lines += ["", _average(answer, page)]
    if answer.notes:
        lines += ["", *(say("recall.note", note=page.local(note)) for note in answer.notes)]
    if explain:
        lines += ["", *explain_lines(answer, page)]
    if answer.hits and not explain and not numbered:
        lines += page.hints("", say("recall.next", id=_first_card(answer) or answer.hits[0].id))
        if answer.explorable:
            lines += page.hints(say("recall.walk"))
    return lines


def explain_lines(answer: Answer, page: Page) -> list[str]:
    """Arms, distances, settings and times."""
    say, settings = page.say, dict(answer.settings)
    given = " ".join(f"{name}={value:g}" for name, value in answer.settings)
    lines = [page.heading("🧮", say("explain.heading", recipe=answer.recipe, settings=given))]
    lines.append("  " + say("explain.arms", arms=", ".join(answer.arms) or "-"))
    for number, hit in enumerate(answer.hits, 1):
        lines.append(f"  [{number}] {one_line(hit.title or hit.content, 60)}  ({hit.id})")
        lines.append("      " + say("explain.score", score=f"{hit.score:.3f}", sum=_sum(hit, page)))
        for arm in hit.arms:
            words = say("explain.arm", raw=f"{arm.raw:.4f}", vote=f"{arm.vote:.3f}", rank=arm.rank)
            lines.append(f"      {arm.arm:<10} {words}")
        lines.append(
            "      " + say("explain.h", h=f"{hit.h_distance:.3f}", sum=_terms(hit, settings))
        )
        if hit.repeats > 0:
            lines.append("      " + say("explain.repeats", much=f"{hit.repeats:.2f}"))
        if hit.via is not None:
            via = f"{hit.via.source} {hit.via.relation} {hit.via.target}"
            lines.append("      " + say("explain.via", edge=via, depth=hit.depth))
    stages = ", ".join(f"{name} {took:.1f}" for name, took in answer.stages_ms)
    lines.append("  " + say("explain.time", total=f"{answer.latency_ms:.1f}", stages=stages or "-"))
    return lines


def recall_document(answer: Answer, *, explain: bool = False) -> dict[str, Any]:
    """The Alaya design's JSON, with evidence, arms and what else is known of each node."""
    found: dict[str, Any] = {
        "nodes": [hit_document(hit) for hit in answer.hits],
        "explorable": [document(path) for path in answer.explorable],
        "h_distance_avg": _rounded(answer.h_distance_avg),
        "abstained": answer.abstained,
        "recipe": answer.recipe,
        "arms": list(answer.arms),
        "notes": list(answer.notes),
        "latency_ms": round(answer.latency_ms, 2),
        "id": answer.id,
    }
    if explain:
        found["explain"] = {
            "query": document(answer.query),
            "settings": dict(answer.settings),
            "stages_ms": {name: round(took, 3) for name, took in answer.stages_ms},
            "nodes": [_reasons(hit) for hit in answer.hits],
        }
    return found


def hit_document(hit: Hit) -> dict[str, Any]:
    """One node as JSON."""
    card = hit.card
    return {
        "card_id": hit.id if hit.kind is ItemKind.CARD else None,
        **({} if hit.kind is ItemKind.CARD else {f"{hit.kind.value}_id": hit.id}),
        "title": hit.title,
        "content": hit.content,
        "score": _rounded(hit.score),
        "h_distance": _rounded(hit.h_distance),
        "matched_rel": hit.matched_rel,
        "rel_similarity": _rounded(hit.rel_similarity),
        "kind": card.kind.value if card else hit.kind.value,
        "tags": list(card.tags) if card else [],
        "tier": hit.tier.value if hit.tier else None,
        "origin": hit.origin.value,
        "said_at": document(hit.said_at),
        "stale": hit.stale,
        "evidence": [document(span) for span in hit.evidence],
        "arms": {
            arm.arm: {"raw": _rounded(arm.raw), "vote": _rounded(arm.vote), "rank": arm.rank}
            for arm in hit.arms
        },
    }


def _reasons(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.id,
        "parts": {name: _rounded(value) for name, value in hit.parts},
        "concept_distance": _rounded(hit.concept_distance),
        "relation_distance": _rounded(hit.relation_distance),
        "depth": hit.depth,
        "repeats": _rounded(hit.repeats),
        "via": document(hit.via),
    }


def _sum(hit: Hit, page: Page) -> str:
    """What the recipe added up: `= concept 0.800 − depth 0.020`. Parts of 0 are left out."""
    told = [(name, value) for name, value in hit.parts if abs(value) >= 0.0005]
    text = ""
    for name, value in told:
        sign = "−" if value < 0 else "+" if text else ""
        word = page.say(f"part.{name}")
        text += f"{f' {sign} ' if text else sign}{word} {abs(value):.3f}"
    return f" = {text}" if text else ""


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _asked(query: Query) -> str:
    """`concepts=["Gateway重启"] relations=["CAUSED_BY"] depth=2`, or the text in quotes."""
    parts = [json.dumps(one_line(query.text, 200), ensure_ascii=False)] if query.text else []
    for name in ("concepts", "relations", "from_nodes"):
        if values := getattr(query, name):
            parts.append(f"{name}={json.dumps(list(values), ensure_ascii=False)}")
    if query.depth is not None:
        parts.append(f"depth={query.depth}")
    return printable(" ".join(parts))


def hit_lines(hit: Hit, page: Page, *, number: int) -> list[str]:
    """One node: its title, how near it is, and the beginning of its words."""
    say, card = page.say, hit.card
    label = (
        f"#{card.kind.value}"
        if card
        else say("recall.summary" if hit.kind is ItemKind.SUMMARY else "recall.turn")
    )
    title = page.styled(one_line(hit.title or hit.content, _TITLE), "bold")
    marks = [say("recall.stale")] if hit.stale else []
    if hit.origin in (Origin.TOOL, Origin.UNTRUSTED):
        marks.append(say("recall.origin", origin=hit.origin.value))
    lines = [" ".join([f"[{number}] {title} (h={hit.h_distance:.2f}) {label}", *marks])]
    if hit.matched_rel:
        near = "-" if hit.rel_similarity is None else f"{hit.rel_similarity:.2f}"
        lines.append("    " + say("recall.matched", rel=hit.matched_rel, sim=near))
    if hit.title or "\n" in hit.content or len(hit.content) > _TITLE:
        lines += [f"    {line}" for line in preview(hit.content)]
    facts = say("recall.facts", score=f"{hit.score:.2f}", day=day(hit.said_at))
    lines.append(page.styled(f"    {hit.id} · {facts}", "dim"))
    return lines


def preview(content: str) -> list[str]:
    """The beginning of a card, line by line."""
    cut = printable(content).strip()
    short = whole_words(cut, _PREVIEW_CHARACTERS)
    lines = [line.rstrip() for line in short.split("\n") if line.strip()]
    kept = lines[:_PREVIEW_LINES]
    if kept and (len(lines) > len(kept) or len(short) < len(cut)):
        kept[-1] += " …"
    return kept


def _average(answer: Answer, page: Page) -> str:
    far = answer.h_distance_avg or 0.0
    if far < CLOSE:
        verdict = ("🎯 " if page.decor else "") + page.say("recall.close")
    else:
        verdict = page.say("recall.explore" if answer.explorable else "recall.far")
    return page.say("recall.average", h=f"{far:.2f}", verdict=verdict)


def _first_card(answer: Answer) -> str | None:
    return next((hit.id for hit in answer.hits if hit.kind is ItemKind.CARD), None)


def _terms(hit: Hit, settings: Mapping[str, float]) -> str:
    """alpha × concept distance + beta × relation distance + gamma × 0.1 × depth."""
    if not {"alpha", "beta", "gamma"} <= settings.keys():
        return f"{hit.concept_distance:.3f}, {hit.relation_distance:.3f}, {hit.depth}"
    return (
        f"alpha {settings['alpha']:g} × {hit.concept_distance:.3f} + "
        f"beta {settings['beta']:g} × {hit.relation_distance:.3f} + "
        f"gamma {settings['gamma']:g} × 0.1 × {hit.depth}"
    )
