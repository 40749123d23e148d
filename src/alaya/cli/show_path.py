"""What `alaya recall --from A --to B` prints: a chain of links, or how close one came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alaya.cli.page import Page, day, one_line
from alaya.cli.result import document
from alaya.model.ids import session_node
from alaya.model.path import Chain, Path, PathStep, Place
from alaya.model.raw import Origin

_TITLE, _REASON = 120, 300
_QUOTED = (Origin.TOOL, Origin.UNTRUSTED)


def path_lines(path: Path, page: Page, *, explain: bool = False) -> list[str]:
    """Each node and each link in order, and how far it is in all; or that there is no chain."""
    say, query = page.say, path.query
    ends = {"source": one_line(query.source, 80), "target": one_line(query.target, 80)}
    lines = [page.heading("🧭", say("path.heading", **ends))]
    if path.chain is not None:
        if not path.chain.steps:
            lines += ["", say("path.same")]
        lines += ["", *_chain(path.chain, page), "", _total(path, path.chain, page=page)]
    elif path.unmatched:
        lines += ["", *(say("path.unmatched", text=one_line(t, 80)) for t in path.unmatched)]
    else:
        lines += ["", say("path.none", depth=path.max_depth, nodes=path.expanded)]
        if path.closest is not None:
            last = path.closest.places[-1]
            key = "path.closest" if path.closest.steps else "path.stayed"
            lines.append(say(key, far=f"{last.concept_distance:.2f}"))
            lines += ["", *_chain(path.closest, page)]
    notes = [page.local(note) for note in path.notes]
    if not path.complete:
        notes.append(say("path.cut_off"))
    if notes:
        lines += ["", *(say("recall.note", note=note) for note in notes)]
    shown = path.chain or path.closest
    if explain and shown is not None:
        lines += ["", *_reasons(path, shown, page=page)]
    return lines


def path_document(path: Path) -> dict[str, Any]:
    """The same as JSON; `chain` is null where there is none, and then `closest` is not."""
    return {
        "found": path.found,
        "from": path.query.source,
        "to": path.query.target,
        "distance": None if path.chain is None else _rounded(path.chain.distance),
        "chain": None if path.chain is None else _document(path.chain),
        "closest": None if path.closest is None else _document(path.closest),
        "unmatched": list(path.unmatched),
        "complete": path.complete,
        "max_depth": path.max_depth,
        "expanded": path.expanded,
        "notes": list(path.notes),
        "settings": dict(path.settings),
        "latency_ms": round(path.latency_ms, 2),
    }


def _document(chain: Chain) -> dict[str, Any]:
    before = [place.id for place in chain.places]
    return {
        "distance": _rounded(chain.distance),
        "ends": [_rounded(cost) for cost in chain.ends],
        "nodes": [_node(place) for place in chain.places],
        "steps": [
            {
                "from": before[number],
                "rel": step.relation,
                "to": step.place.id,
                "against": step.against,
                "reason": step.link.reason,
                "fact": step.link.fact,
                "weight": _rounded(step.link.weight),
                "rel_similarity": _rounded(step.rel_similarity),
                "distance": _rounded(step.distance),
                "valid_at": document(step.link.valid_at),
                "origin": step.link.origin.value,
                "evidence": [document(span) for span in step.link.evidence],
                "link_id": step.link.id,
            }
            for number, step in enumerate(chain.steps)
        ],
    }


def _node(place: Place) -> dict[str, Any]:
    told = place.card or place.quote
    return {
        "id": place.id,
        "title": place.title,
        "kind": _kind(place),
        "concept_distance": _rounded(place.concept_distance),
        "content": told.content if told else "",
        "origin": told.origin.value if told else None,
        "said_at": document(told.said_at) if told else None,
        "evidence": [document(span) for span in told.evidence] if told else [],
    }


def _kind(place: Place) -> str:
    if place.card is not None:
        return place.card.kind.value
    if place.quote is not None:
        return "turn"
    return "session" if place.id.startswith(session_node("")) else place.id.partition("-")[0]


def _chain(chain: Chain, page: Page) -> list[str]:
    lines = _place(chain.start, page, number=1)
    for number, step in enumerate(chain.steps, 2):
        lines += [*_step(step, page), *_place(step.place, page, number=number)]
    return lines


def _place(place: Place, page: Page, *, number: int) -> list[str]:
    told = place.card or place.quote
    title = page.styled(one_line(place.title, _TITLE), "bold")
    line = f"[{number}] {title} #{_kind(place)}"
    if told is not None and told.origin in _QUOTED:
        line += " " + page.say("recall.origin", origin=told.origin.value)
    said = page.say("path.said", day=day(told.said_at)) if told else ""
    return [line, page.styled(f"    {one_line(place.id, _TITLE)}{said}", "dim")]


def _step(step: PathStep, page: Page) -> list[str]:
    """The link between two nodes, with an arrow in the direction in which it was said."""
    numbers = {
        "rel": page.styled(step.relation, "cyan"),
        "weight": f"{step.link.weight:.2f}",
        "sim": f"{step.rel_similarity:.2f}",
        "distance": f"{step.distance:.2f}",
    }
    arrow, link = "↑" if step.against else "↓", page.say("path.step", **numbers)
    lines = [f"  {arrow} {link}"]
    if step.link.origin in _QUOTED:
        lines[0] += " " + page.say("recall.origin", origin=step.link.origin.value)
    if step.link.reason:
        lines.append("    " + page.say("path.reason", text=one_line(step.link.reason, _REASON)))
    if step.link.fact:
        lines.append("    " + page.say("path.fact", text=one_line(step.link.fact, _REASON)))
    return lines


def _total(path: Path, chain: Chain, *, page: Page) -> str:
    return page.say(
        "path.total",
        distance=f"{chain.distance:.2f}",
        links=len(chain.steps),
        nodes=path.expanded,
    )


def _reasons(path: Path, chain: Chain, *, page: Page) -> Sequence[str]:
    """alpha x concept distance + beta x (1 - similarity x weight) + gamma x 0.1, for each step."""
    numbers = dict(path.settings)
    given = " ".join(f"{name}={value:g}" for name, value in path.settings)
    lines = [page.heading("🧮", page.say("path.explain", settings=given))]
    for number, step in enumerate(chain.steps, 2):
        near = f"{step.rel_similarity:.2f} × {step.link.weight:.2f}"
        terms = (
            f"alpha {numbers['alpha']:g} × {step.place.concept_distance:.3f} + "
            f"beta {numbers['beta']:g} × (1 - {near}) + gamma {numbers['gamma']:g} × 0.1"
        )
        lines.append(f"  [{number}] {terms} = {step.distance:.3f}")
    begin, end = (f"{cost:.3f}" for cost in chain.ends)
    lines.append("  " + page.say("path.ends", begin=begin, end=end))
    lines.append("  " + page.say("path.time", total=f"{path.latency_ms:.1f}"))
    return lines


def _rounded(value: float) -> float:
    return round(value, 4)
