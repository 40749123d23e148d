"""What the commands of provenance print: a value in, lines out."""

from __future__ import annotations

from collections.abc import Sequence

from alaya.cli.page import Page, minute, one_line
from alaya.model.graph import Card
from alaya.model.raw import Event
from alaya.model.trace import Chain, Corrected, Node, Remembered, Why

_TEXT, _TITLE, _LISTED = 100, 80, 20
_GOOD, _BAD = ("verified",), ("altered", "missing")


def remembered_lines(found: Remembered, page: Page) -> list[str]:
    """`alaya remember`."""
    title = one_line(found.card.title, _TITLE)
    key = "remember.again" if found.again else "remember.done"
    lines = [page.done(page.say(key, id=found.id, title=title))]
    if found.doubts:
        lines.append(page.warn(page.say("remember.quarantined", cues=_cues(found.doubts, page))))
        lines += page.hints(page.say("quarantine.hint", id=found.id))
    return lines


def event_lines(events: Sequence[Event], page: Page) -> list[str]:
    """`alaya events`: one line each."""
    if not events:
        return [page.say("events.none")]
    return [f"{minute(event.at)}  {_event(event, page)}" for event in events]


def chain_lines(chain: Chain, page: Page) -> list[str]:
    """`alaya trace --chain`: down to the words, then up to what was concluded."""
    lines = [page.heading("🔬", page.say("chain.down"))]
    lines += [_label(chain.down, page), *_branches(chain.down.children, page, before="")]
    lines += ["", page.heading("🌱", page.say("chain.up"))]
    if not chain.up.children:
        return [*lines, page.say("chain.nothing")]
    return [*lines, _label(chain.up, page), *_branches(chain.up.children, page, before="")]


def _branches(nodes: Sequence[Node], page: Page, *, before: str) -> list[str]:
    lines = []
    for number, node in enumerate(nodes, 1):
        last = number == len(nodes)
        lines.append(f"{before}{'└─' if last else '├─'} {_label(node, page)}")
        below = before + ("   " if last else "│  ")
        lines += _branches(node.children, page, before=below)
    return lines


def _label(node: Node, page: Page) -> str:
    text = one_line(node.text, _TEXT)
    if node.kind == "words":
        marks = " ".join(_mark(mark, page) for mark in node.marks)
        return f'"{text}"  {one_line(node.id, _TEXT)} {marks}'.rstrip()
    kind = "" if node.kind == "card" else page.say(f"happened.{node.kind}")
    origin = node.origin.value if node.origin else ""
    about = " · ".join(part for part in (kind, origin) if part)
    parts = [one_line(node.id, _TEXT), f"({about})" if about else "", text]
    return " ".join([*(p for p in parts if p), *(_mark(mark, page) for mark in node.marks)])


def _mark(mark: str, page: Page) -> str:
    said = page.say(f"mark.{mark}")
    if mark in _GOOD:
        return page.styled(f"✓ {said}", "green")
    if mark in _BAD:
        return page.styled(f"✗ {said}", "red")
    return page.styled(f"[{said}]", "yellow")


def derived_lines(derived: Sequence[str], page: Page) -> list[str]:
    """What `alaya trace` says of the way up."""
    if not derived:
        return []
    shown = ", ".join(derived[:_LISTED]) + ("…" if len(derived) > _LISTED else "")
    return ["", page.say("trace.derived", count=len(derived), cards=shown)]


def why_lines(why: Why, page: Page) -> list[str]:
    """`alaya why`: who, when, from what, how often; what speaks against it; how it stands."""
    say, card = page.say, why.trace.card
    title = one_line(card.title, _TITLE)
    who = card.scope.agent or say("why.nobody")
    lines = [
        page.heading("❓", say("why.heading", id=card.id, title=title)),
        "  " + say("why.said", at=minute(card.said_at), origin=card.origin.value, agent=who),
        "  " + say("why.times", times=why.times, version=card.version),
    ]
    source = say("why.from")
    lines += [f"  {source} {_event(event, page)}" for event in why.events]
    for quote in why.trace.quotes:
        mark = "verified" if quote.verified else "altered"
        speaker = quote.turn.turn.name or say(f"role.{quote.turn.turn.role.value}")
        words = one_line(quote.words, _TEXT)
        lines.append(f'  {one_line(speaker, 40)}: "{words}" {_mark(mark, page)}')
    if why.trace.missing:
        lines.append(page.warn(say("trace.missing", count=len(why.trace.missing)), "  "))
    for key, cards in (
        ("why.derived_from", why.derived_from),
        ("why.replaces", why.replaces),
        ("why.replaced_by", why.replaced_by),
        ("why.contradicts", why.contradicts),
    ):
        lines += [f"  {say(key)} {_card(one)}" for one in cards]
    if why.derived:
        lines.append("  " + say("why.derived", count=len(why.derived)))
    return [*lines, *_standing(why, page)]


def _standing(why: Why, page: Page) -> list[str]:
    """Whether it holds: stale, set aside, forgotten, and for which correction."""
    say, state, lines = page.say, why.trace.state, list[str]()
    if state.stale:
        lines.append(page.warn(say("why.stale"), "  "))
    for event in why.corrections:
        about = one_line(", ".join(event.about[:2]), _TEXT)
        reason = one_line(str(event.metadata.get("reason") or ""), _TEXT)
        told = say("why.correction", id=event.id, at=minute(event.at), about=about)
        lines.append(f"  {told}" + (f": {reason}" if reason else ""))
    if state.stale:
        lines += page.hints("  " + say("why.confirm", id=why.trace.card.id))
    if state.quarantined:
        cues = _cues(why.doubts, page) if why.doubts else say("why.by_hand")
        lines.append(page.warn(say("why.quarantined", cues=cues), "  "))
    if state.forgotten_at:
        lines.append(page.warn(say("why.forgotten", at=minute(state.forgotten_at)), "  "))
    return lines or ["  " + page.done(say("why.holds"))]


def corrected_lines(found: Corrected, page: Page, *, what: str) -> list[str]:
    """`alaya correct`."""
    say = page.say
    lines = [
        page.done(say("correct.done", what=one_line(what, _TEXT), event=found.event.id)),
        "  " + say("correct.card", card=_card(found.card), version=found.card.version),
    ]
    if found.stale:
        lines.append("  " + say("correct.stale", count=len(found.stale)))
        lines += [f"    - {card}" for card in found.stale[:_LISTED]]
        if len(found.stale) > _LISTED:
            lines.append("    " + say("more", count=len(found.stale) - _LISTED))
    if found.retired:
        lines.append("  " + say("correct.facts", count=len(found.retired)))
    return lines


def quarantine_lines(found: Sequence[Remembered], page: Page) -> list[str]:
    """`alaya quarantine`: each card with why it is there."""
    say = page.say
    if not found:
        return [say("quarantine.none")]
    lines = [page.heading("🧪", say("quarantine.heading", count=len(found)))]
    for one in found:
        cues = _cues(one.doubts, page) if one.doubts else say("why.by_hand")
        lines.append(f"- {_card(one.card)} ({one.card.origin.value}; {cues})")
    return [*lines, *page.hints(say("quarantine.hint", id="CARD"))]


def _card(card: Card) -> str:
    return f'{card.id} "{one_line(card.title, _TITLE)}"'


def _event(event: Event, page: Page) -> str:
    tool = one_line(str(event.metadata.get("tool") or ""), 40)
    kind = page.say(f"happened.{event.kind.value}")
    return f"{kind}{f' {tool}' if tool else ''}  {one_line(event.id, 200)}  ({event.origin.value})"


def _cues(cues: Sequence[str], page: Page) -> str:
    return ", ".join(page.say(f"cue.{cue}") for cue in cues)
