"""Cards, sessions and summaries as resources: alaya://cards/ID, alaya://sessions/ID …"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote

import mcp_types as types

from alaya.errors import InvalidInput, NotFound
from alaya.recall.quoting import one_line
from alaya.server import mcp_results as results
from alaya.server.mcp import Home
from alaya.server.mcp_results import LEAST, Desk
from alaya.server.mcp_words import say_in

if TYPE_CHECKING:
    from alaya.memory import Memory

SCHEME = "alaya://"
KINDS = ("cards", "sessions", "summaries")
_TEXT = "text/markdown"
_LISTED = 20  # newest of each kind
_NAME = 80
_TURNS = 50


def desk(home: Home, memory: Memory, *, wanted: int | None = None) -> Desk:
    """With what an answer of at most so many tokens (None: mcp.result_tokens) is written."""
    counter = memory.parts.token_counter()
    return Desk(
        budget=max(LEAST, home.budget if wanted is None else wanted),
        count=counter.count,
        counted_by=counter.name,
        language=home.language,
        say=say_in(home.language),
    )


def templates(say: Callable[..., str]) -> list[types.ResourceTemplate]:
    """Where any card, session or summary is found."""
    shapes = {"cards": "{id}", "sessions": "{id}{?offset}", "summaries": "{id}"}
    return [
        types.ResourceTemplate(
            name=kind,
            uri_template=f"{SCHEME}{kind}/{shapes[kind]}",
            description=say(f"resource.{kind}"),
            mime_type=_TEXT,
        )
        for kind in KINDS
    ]


def listed(home: Home) -> list[types.Resource]:
    """The newest sessions, cards and summaries."""
    memory = home.memory()
    found = [
        _resource("sessions", session.id, name=session.title or session.id)
        for session in memory.sessions(limit=_LISTED)
    ]
    found += [_resource("cards", card.id, name=card.title) for card in memory.cards(limit=_LISTED)]
    for summary in memory.summaries(limit=_LISTED):
        found.append(_resource("summaries", summary.id, name=summary.topic))
    return found


def read(home: Home, uri: str) -> str:
    """The text of a resource. Raises NotFound and InvalidInput."""
    kind, _, rest = uri.removeprefix(SCHEME).partition("/")
    name, _, asked = rest.partition("?")
    name = unquote(name)
    if not uri.startswith(SCHEME) or kind not in KINDS or not name:
        raise NotFound(say_in(home.language)("no_resource", uri=uri[:200]))
    memory = home.memory()
    written = desk(home, memory)
    if kind == "cards":
        return results.trace(written, memory.trace(name))
    if kind == "summaries":
        return results.summary(written, memory.summary(name))
    return _session(written, memory, name=name, asked=asked)


def _session(written: Desk, memory: Memory, *, name: str, asked: str) -> str:
    offset = parse_qs(asked).get("offset", ["0"])[0]
    if not offset.isdecimal():
        raise InvalidInput(f"offset {offset[:20]!r} is not a whole number of at least 0")
    found = memory.transcript(name, limit=_TURNS, offset=int(offset))
    last = found.offset + len(found.turns)
    told = {"id": one_line(name, _NAME), "first": found.offset + 1, "last": last}
    head = written.say("transcript", **told, total=found.total)
    more = written.say("transcript.more", id=quote(name, safe=""), offset=last)
    tail = [more] if last < found.total else []
    return results.transcript(written, found, head=head, tail=tail)


def _resource(kind: str, id: str, *, name: str) -> types.Resource:
    return types.Resource(
        name=one_line(name, _NAME) or id,
        uri=f"{SCHEME}{kind}/{quote(id, safe='')}",
        mime_type=_TEXT,
    )
