"""A memory in forms that other programs read: Markdown, GraphML, the Alaya design's JSON."""

from __future__ import annotations

import contextlib
import html
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from alaya.errors import ArchiveError, InvalidInput
from alaya.model.graph import Card, CardState, Link
from alaya.model.ids import file_name, session_node
from alaya.model.passage import Where
from alaya.model.raw import SessionState, TurnMark
from alaya.model.report import ExportReport
from alaya.model.scope import DEFAULT_USER, Scope
from alaya.model.time import format_time
from alaya.ports import Archive, Index

# Characters that XML 1.0 cannot hold, even escaped.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
# Those that a terminal obeys, and those that turn its direction; tabs and line ends stay.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
MANIFEST = ".alaya-export.json"
_OURS = re.compile(r"(?:cards/\w+/[^/\\\0]+\.md|sessions/[^/\\\0]+\.json|graph\.graphml|index\.md)")
_TOP = {"cards", "sessions", "graph.graphml", "index.md"}
_NODE_KEYS = ("type", "title", "kind", "importance", "confidence", "said_at", "tags")
_EDGE_KEYS = ("relation", "weight", "reason", "valid_at")


def export(
    archive: Archive, index: Index, *, where: Where, folder: Path, sessions: bool
) -> ExportReport:
    """Write cards/<kind>/*.md, graph.graphml and index.md; `sessions`: sessions/*.json too.

    What an earlier export wrote is replaced or taken away; other files are left alone. Exports of
    several users go to several folders: there is a wall between them.
    """
    _beside_the_memory(archive, folder)
    cards = list(index.find_cards(where))
    links = list(index.all_links(where))
    states = list(index.sessions(where.scope))
    out: dict[str, str] = {}
    names = {card.id: f"cards/{card.kind.value}/{_slug(card)}.md" for card, _ in cards}
    outgoing: dict[str, list[Link]] = {}
    for link in links:
        outgoing.setdefault(link.source, []).append(link)
    for card, state in cards:
        out[names[card.id]] = _markdown(card, state, links=outgoing.get(card.id, []), names=names)
    out["graph.graphml"] = _graphml(cards, states, links=links)
    out["index.md"] = _contents(cards, names, links=len(links), sessions=len(states))
    if sessions:
        for session in states:
            name = f"sessions/{file_name(session.session.id)}.json"
            text = json.dumps(_session(archive, index, state=session), ensure_ascii=False, indent=1)
            out[name] = text + "\n"
    earlier = _earlier(folder)
    # Known before it is written: what an interrupted export leaves is taken away by the next.
    _write(folder / MANIFEST, _manifest(where.scope, {*earlier, *out}))
    for name in sorted(earlier - out.keys()):
        _remove(folder, name)
    for name, text in out.items():
        _write(folder / name, text)
    _write(folder / MANIFEST, _manifest(where.scope, out))
    return ExportReport(
        folder=str(folder),
        cards=len(cards),
        links=len(links),
        sessions=len(states) if sessions else 0,
        files=tuple(out),
    )


def default_folder(home: Path, user: str) -> Path:
    """`export` in the home, and for another user than the default one a folder of their own."""
    folder = home / "export"
    if user == DEFAULT_USER:
        return folder
    name = file_name(user)
    return folder / (file_name(user, user) if name in _TOP else name)


def _beside_the_memory(archive: Archive, folder: Path) -> None:
    """An export into raw/ or state/ would be taken for the memory's own files."""
    home: Path | None = getattr(archive, "home", None)
    if home is None:
        return
    target = folder.absolute().resolve()
    for name in ("raw", "state"):
        kept = (home / name).resolve()
        if target == kept or kept in target.parents:
            raise InvalidInput(f"cannot export to {folder}: {kept} holds the memory itself")


def _manifest(scope: Scope, names: Iterable[str]) -> str:
    return json.dumps({"user": scope.user, "files": sorted(names)}, ensure_ascii=False) + "\n"


def _earlier(folder: Path) -> set[str]:
    """What an earlier export wrote into this folder; only names that an export gives."""
    try:
        listed = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        return {name for name in listed if isinstance(name, str) and _OURS.fullmatch(name)}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()


def _remove(folder: Path, name: str) -> None:
    path = folder / name
    try:
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not empty, or gone
            path.parent.rmdir()
    except OSError as error:
        raise ArchiveError(f"cannot delete {path}: {error.strerror}") from error


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise ArchiveError(f"cannot write {path}: {error.strerror}") from error


def _slug(card: Card) -> str:
    """A file name in the card's own script, made unique by the end of its id."""
    words = "-".join(re.findall(r"\w+", card.title.casefold()))
    kept = words.encode()[:80].decode("utf-8", "ignore").strip("-")
    return f"{kept or 'card'}-{card.id[-8:]}"


def _markdown(card: Card, state: CardState, *, links: list[Link], names: dict[str, str]) -> str:
    front = {
        "id": card.id,
        "title": card.title,
        "type": card.kind.value,
        "tags": list(card.tags),
        "importance": card.importance,
        "confidence": card.confidence,
        "said_at": format_time(card.said_at),
        "created_at": format_time(card.created_at),
        "origin": card.origin.value,
        "tier": state.tier.value,
        "source_sessions": sorted({span.session for span in card.evidence}),
    }
    # JSON is YAML: no value can break the front matter.
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()]
    body = ["---", *lines, "---", "", f"# {card.title}", "", card.content, ""]
    if links:
        body += ["## Links", ""]
        for link in links:
            other = names.get(link.target)
            target = f"[{link.target}](../../{other})" if other else link.target
            reason = f": {link.reason}" if link.reason else ""
            body.append(f"- {link.relation} {target}{reason}")
        body.append("")
    if card.evidence:
        body += ["## Evidence", ""]
        body += [f"- session {s.session}, turn {s.turn}, {s.start}-{s.end}" for s in card.evidence]
        body.append("")
    return _CONTROL.sub("", "\n".join(body))


def _graphml(
    cards: Iterable[tuple[Card, CardState]],
    states: Iterable[SessionState],
    *,
    links: Iterable[Link],
) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    numbers = {"importance", "confidence", "weight"}
    for domain, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for key in keys:
            kind = "double" if key in numbers else "string"
            lines.append(
                f'<key id="{domain}_{key}" for="{domain}" attr.name="{key}" attr.type="{kind}"/>'
            )
    lines.append('<graph id="alaya" edgedefault="directed">')
    nodes: set[str] = set()
    for card, _ in cards:
        values = ("card", card.title, card.kind.value, card.importance, card.confidence)
        rest = (format_time(card.said_at), ", ".join(card.tags))
        lines.append(_node(card.id, (*values, *rest)))
        nodes.add(card.id)
    for state in states:
        session = state.session
        name = session_node(session.id)
        title = session.title or session.id
        said = format_time(session.started_at)
        lines.append(_node(name, ("session", title, session.kind.value, "", "", said)))
        nodes.add(name)
    for link in links:
        for end in (link.source, link.target):
            if end not in nodes:
                nodes.add(end)
                lines.append(_node(end, ("entity", end)))
        ends = f"source={_attribute(link.source)} target={_attribute(link.target)}"
        values_of = (link.relation, link.weight, link.reason, format_time(link.valid_at))
        data = "".join(
            _data("edge", k, value=v) for k, v in zip(_EDGE_KEYS, values_of, strict=True)
        )
        lines.append(f"<edge id={_attribute(link.id)} {ends}>{data}</edge>")
    return "\n".join([*lines, "</graph>", "</graphml>", ""])


def _node(name: str, values: tuple[object, ...]) -> str:
    data = "".join(
        _data("node", key, value=value) for key, value in zip(_NODE_KEYS, values, strict=False)
    )
    return f"<node id={_attribute(name)}>{data}</node>"


def _data(domain: str, key: str, *, value: object) -> str:
    text = _NOT_XML.sub("", str(value))
    return f'<data key="{domain}_{key}">{html.escape(text, quote=False)}</data>' if text else ""


def _attribute(text: str) -> str:
    return f'"{html.escape(_NOT_XML.sub("", text))}"'


def _contents(
    cards: list[tuple[Card, CardState]], names: dict[str, str], *, links: int, sessions: int
) -> str:
    lines = ["# Alaya", "", f"{len(cards)} cards, {links} links, {sessions} sessions", ""]
    by_kind: dict[str, list[Card]] = {}
    for card, _ in cards:
        by_kind.setdefault(card.kind.value, []).append(card)
    for kind, members in sorted(by_kind.items()):
        lines += [f"## {kind} ({len(members)})", ""]
        for card in sorted(members, key=lambda c: (-c.importance, c.title)):
            title = re.sub(r"([\[\]\\])", r"\\\1", " ".join(card.title.split()))
            lines.append(f"- [{title}]({names[card.id]})")
        lines.append("")
    return _CONTROL.sub("", "\n".join(lines))


def _session(archive: Archive, index: Index, *, state: SessionState) -> dict[str, Any]:
    """The Alaya design's session document (3.1), of the turns on the active branch."""
    session, turns = state.session, []
    for place in index.turns(Scope(session.scope.user), session.id):
        if place.mark is not TurnMark.ACTIVE:
            continue
        turn = archive.turn(session, place.generation, offset=place.offset, length=place.length)
        item: dict[str, Any] = {"id": turn.id, "role": turn.role.value, "content": turn.content}
        if turn.said_at:
            item["timestamp"] = int(turn.said_at.timestamp() * 1000)
        if turn.name:
            item["name"] = turn.name
        if turn.tool_calls:
            item["tool_calls"] = [
                {"id": c.id, "name": c.name, "arguments": c.arguments} for c in turn.tool_calls
            ]
        if turn.tool_call_id:
            item["tool_call_id"] = turn.tool_call_id
        turns.append(item)
    return {
        "id": session.id,
        "timestamp": int(session.started_at.timestamp() * 1000),
        "channel": session.channel,
        "agent": session.scope.agent,
        "turns": turns,
        "metadata": {**session.metadata, "tokens": state.tokens, "kind": session.kind.value},
    }
