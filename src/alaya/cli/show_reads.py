"""What trace, schema, status, verify and config print: a report value in, lines out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from alaya.cli.page import Page, day, minute, one_line, printable, size
from alaya.cli.show_writes import tilde
from alaya.model.graph import Relation
from alaya.model.raw import Role
from alaya.model.report import EmbeddingStatus, Status, VerifyReport
from alaya.model.trace import Quote, Trace
from alaya.model.vocabulary import VAGUE

_PROMOTE_FROM = 100  # uses of a free relation, Alaya design 4.7.1
_PARKED_SHOWN, _LINKS_SHOWN = 10, 4
# The bands of the Alaya design's status, as ranges of the ten that a Status counts.
_BANDS = ((9, 10), (7, 9), (5, 7), (3, 5), (0, 3))


def trace_lines(trace: Trace, page: Page) -> list[str]:
    """From a card to the words that carry it."""
    say, card = page.say, trace.card
    lines = [page.heading("🔬", say("trace.heading", id=card.id, title=one_line(card.title, 120)))]
    state = trace.state
    facts = f"{card.kind.value} · {state.tier.value} {state.temperature:.2f} · {card.origin.value}"
    marks = [name for name in ("pinned", "stale", "quarantined") if getattr(state, name)]
    lines.append("  " + " · ".join([facts, *(say(f"trace.{mark}") for mark in marks)]))
    lines += ["", say("trace.sessions")]
    for session, _ in trace.sessions:
        lines.append(f"- {printable(session.id)} ({minute(session.started_at)})")
    lines += ["", say("trace.context")]
    for quote in trace.quotes:
        lines += _quote(quote, page)
    if not trace.quotes:
        lines.append("  " + say("trace.no_quotes"))
    if trace.missing:
        lines.append(page.warn(say("trace.missing", count=len(trace.missing))))
        lines += [f"  {span.session}#{span.turn} {span.start}-{span.end}" for span in trace.missing]
    lines += ["", say("trace.full")]
    lines += [say("trace.view", path=tilde(path)) for _, path in trace.sessions]
    return lines


def _quote(quote: Quote, page: Page) -> list[str]:
    say, turn = page.say, quote.turn
    known = turn.turn.role in (Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM)
    speaker = say(f"role.{turn.turn.role.value}") if known else str(turn.turn.role)
    if turn.turn.name:
        speaker += f" ({one_line(turn.turn.name, 40)})"
    mark = (
        page.styled("✓ " + say("trace.verified"), "green")
        if quote.verified
        else page.styled("✗ " + say("trace.altered"), "red")
    )
    first, *rest = printable(quote.words).strip().split("\n")
    head = say("trace.turn", number=turn.ordinal + 1, speaker=speaker, words=first)
    return [head, *(f"    {line}" for line in rest), f"    {mark}"]


def relation_lines(relations: Sequence[Relation], page: Page) -> list[str]:
    """`alaya schema --relations`."""
    say = page.say
    core = [r for r in relations if r.is_core]
    free = sorted((r for r in relations if not r.is_core), key=lambda r: (-r.frequency, r.name))
    used = {r.name: r.frequency for r in core}
    lines = [page.heading("📊", say("schema.relations")), say("schema.core")]
    for relation in core:
        if relation.name == "CAUSED_BY" and "CAUSES" in used:
            continue
        name, count = relation.name, relation.frequency
        if name == "CAUSES" and "CAUSED_BY" in used:
            name, count = "CAUSES / CAUSED_BY", count + used["CAUSED_BY"]
        lines.append(_used(name, page, count=count))
    lines.append(say("schema.custom"))
    lines += [_used(r.name, page, count=r.frequency) + _remark(r, page) for r in free]
    if not free:
        lines.append("  " + say("schema.no_custom"))
    total = sum(r.frequency for r in relations)
    lines.append(say("schema.total", edges=total, core=len(core), custom=len(free)))
    return lines


def _used(name: str, page: Page, *, count: int) -> str:
    return f"  {name:<22} {page.say('schema.uses', count=count):>12}"


def _remark(relation: Relation, page: Page) -> str:
    if relation.alias_of:
        return "  " + page.say("schema.alias", name=relation.alias_of)
    if relation.name in VAGUE:
        return "  " + page.say("schema.generic")
    return "  " + page.say("schema.promote") if relation.frequency > _PROMOTE_FROM else ""


def node_type_lines(counts: Mapping[str, int], page: Page) -> list[str]:
    """`alaya schema --node-types`."""
    say, kinds = page.say, kinds_of(counts)
    total = counts.get("cards", sum(kinds.values()))
    lines = [page.heading("📊", say("schema.node_types")), say("schema.cards")]
    for kind, count in sorted(kinds.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"  {kind:<14} {count:>8,} ({count / max(total, 1):.0%})")
    lines.append("  " + say("schema.card_total", count=total))
    for name in ("sessions", "turns", "entities", "summaries"):
        if name in counts:
            lines.append(say(f"schema.{name}", count=counts[name]))
    return lines


def kinds_of(counts: Mapping[str, int]) -> dict[str, int]:
    """The cards by kind in a mapping that names them `cards.<kind>`."""
    return {k.partition(".")[2]: n for k, n in counts.items() if k.startswith("cards.") and n}


def status_lines(status: Status, page: Page) -> list[str]:
    """`alaya status`: the three layers, then what needs a person."""
    say, counts = page.say, status.counts
    sessions, disk = counts.get("sessions", 0), size(status.archive_bytes)
    lines = [
        page.heading("📊", say("status.heading", home=tilde(status.home), user=status.user)),
        say("status.l3"),
        "  " + say("status.sessions", count=sessions, size=disk),
        "  " + say("status.turns", count=counts.get("turns", 0)),
        "  " + say("status.oldest", day=day(status.oldest)),
        "  " + say("status.newest", day=day(status.newest)),
        "  " + say("status.undistilled", count=status.undistilled),
        "  " + say("status.journal", count=status.journal_seq),
    ]
    if status.behind:
        lines.append(page.warn(say("status.behind", count=status.behind), "  "))
    lines += [say("status.l2"), "  " + say("status.cards", count=counts.get("cards", 0))]
    for kind, count in sorted(kinds_of(counts).items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"    - {kind}: {count:,}")
    lines += _links(counts, page)
    lines += _index(status, page)
    lines.append(say("status.distiller", name=status.distiller))
    lines += _parked(status, page)
    return lines


def _links(counts: Mapping[str, int], page: Page) -> list[str]:
    lines = ["  " + page.say("status.links", count=counts.get("links", 0))]
    named = [(k.partition(".")[2], n) for k, n in counts.items() if k.startswith("links.") and n]
    named.sort(key=lambda item: (-item[1], item[0]))
    shown = named[:_LINKS_SHOWN] if len(named) > _LINKS_SHOWN + 1 else named
    lines += [f"    - {name}: {count:,}" for name, count in shown]
    if len(named) > len(shown):
        others = sum(count for _, count in named[len(shown) :])
        lines.append("    - " + page.say("status.others", count=others))
    return lines


def _index(status: Status, page: Page) -> list[str]:
    say = page.say
    lines = [say("status.l1"), "  " + say("status.database", size=size(status.database_bytes))]
    for tier in ("HOT", "WARM", "COLD"):
        taken = size(status.tier_memory.get(tier, 0)), size(status.tier_disk.get(tier, 0))
        told = {"count": status.tiers.get(tier, 0), "memory": taken[0], "disk": taken[1]}
        lines.append("  " + say(f"status.tier_{tier.lower()}", **told))
    if status.flags:
        lines.append("  " + say("status.flags", **status.flags))
    lines += [f"  {line}" for line in embedding_lines(status.embedding, page)]
    if any(status.temperatures):
        lines.append(say("status.temperature"))
        lines += temperature_lines(status.temperatures)
    return lines


def embedding_lines(embedding: EmbeddingStatus, page: Page) -> list[str]:
    """Which embedder is in use, why, and how far it has come."""
    say = page.say
    if embedding.provider == "none":
        return [say("embedding.none", why=page.local(embedding.why))]
    name = embedding.model or embedding.provider
    if embedding.provider not in ("auto", name.partition("/")[0]):
        name = f"{embedding.provider} {name}"
    dimensions = embedding.dimensions or "?"
    lines = [
        say("embedding.name", name=name, dimensions=dimensions, why=page.local(embedding.why)),
        say("embedding.backlog", done=embedding.done, pending=embedding.pending),
    ]
    if embedding.pending:
        lines.append(say("embedding.worker", state=embedding.worker))
    for other, count in embedding.other_models.items():
        lines.append(say("embedding.other", name=other, count=count))
    return lines


def temperature_lines(counts: Sequence[int]) -> list[str]:
    """`0.7-0.9: ██████████ 42%`: the longest bar is the fullest band."""
    total = max(sum(counts), 1)
    bands = [(low, high, sum(counts[low:high])) for low, high in _BANDS]
    fullest = max(count for _, _, count in bands) or 1
    lines = []
    for low, high, count in bands:
        filled = round(10 * count / fullest)
        bar = "█" * filled + "░" * (10 - filled)
        lines.append(f"  {low / 10:.1f}-{high / 10:.1f}: {bar} {count / total:.0%}")
    return lines


def _parked(status: Status, page: Page) -> list[str]:
    if not status.parked:
        return []
    lines = [page.warn(page.say("status.parked", count=len(status.parked)))]
    for item in status.parked[-_PARKED_SHOWN:]:
        place = tilde(item.source) + (f":{item.line}" if item.line is not None else "")
        tried = page.say("status.tried", count=item.times) if item.times > 1 else ""
        lines.append(f"  {printable(place)}: {one_line(item.reason, 300)}{tried}")
    if len(status.parked) > _PARKED_SHOWN:
        lines.append("  " + page.say("more", count=len(status.parked) - _PARKED_SHOWN))
    return lines


def verify_lines(report: VerifyReport, page: Page) -> list[str]:
    """`alaya verify`: each difference by name."""
    say = page.say
    counted = say(
        "verify.counts",
        records=report.records,
        turns=report.turns,
        cards=report.cards,
        vectors=report.vectors,
    )
    mended = [page.done(say("verify.repaired"))] if report.repaired else []
    if not report.differences:
        return [*mended, page.done(say("verify.clean")), "  " + counted]
    lines = [*mended, page.warn(say("verify.differences", count=len(report.differences)))]
    for item in report.differences:
        lines.append(f"  [{item.layer}] {printable(item.what)}: {printable(item.where)}")
        if item.advice:
            lines.append(f"       {printable(item.advice)}")
    lines.append("  " + counted)
    return lines if report.repaired else [*lines, *page.hints(say("verify.repair"))]


def value_text(value: Any) -> str:
    """A setting as `config get` prints it: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def config_lines(settings: Sequence[tuple[str, Any, str]], page: Page) -> list[str]:
    """`alaya config list`: key, value and, unless it is the default, where the value is from."""
    width = max((len(key) for key, _, _ in settings), default=0)
    lines = []
    for key, value, source in settings:
        said = "" if source == "default" else f"  ({_source(source, page)})"
        lines.append(f"{key:<{width}} = {value_text(value)}" + page.styled(said, "dim"))
    return lines


def _source(source: str, page: Page) -> str:
    return page.say(f"config.from_{source}")
