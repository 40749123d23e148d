"""A warm memory for hooks: a running MCP server also answers them, over a socket beside its home.

A hook is a process of its own, for which loading what a recall needs takes longer than a prompt may
wait; a server of the same scope has loaded it. The socket is readable by its owner alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alaya.errors import AlayaError
from alaya.model.ids import digest
from alaya.model.scope import Scope

if TYPE_CHECKING:
    from alaya.memory import Memory

BUDGET = 800  # tokens of a context at a prompt
_ASKED = 2_000  # characters of a prompt that are looked for
_SHOWN = 200  # ids that were shown in a session
_MOST = 4_000_000  # bytes of an event

Event = Mapping[str, Any]


def context_for(memory: Memory, event: Event) -> str:
    """What is remembered of an event's prompt, or of the folder in which a session begins.

    What the session was shown before is left out. Nothing: an empty text.
    """
    told = event.get("prompt")
    question = told if isinstance(told, str) else Path(str(event.get("cwd") or "")).name
    if not question.strip():
        return ""
    archive = memory.parts.archive
    name = f"hooks/{digest('hook', memory.scope.user, event.get('session_id'))}"
    shown = [str(one) for one in (archive.state(name) or {}).get("shown", [])]
    found = memory.context(question[:_ASKED], budget_tokens=BUDGET, already_shown=shown)
    if found.abstained or not found.items:
        return ""
    archive.set_state(name, {"shown": [*shown, *found.shown][-_SHOWN:]})
    return found.text


@contextlib.contextmanager
def listening(
    home: Path,
    scope: Scope,
    *,
    answer: Callable[[Event], str],
    crashed: Callable[[BaseException], object],
) -> Iterator[None]:
    """Answer hooks of this scope inside; where no socket can be made, nobody is answered."""
    path = _folder(home) / f"{_key(scope)}-{os.getpid()}.sock"
    server = socket.socket(socket.AF_UNIX)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        server.bind(str(path))
        path.chmod(0o600)
        server.listen(8)
    except OSError:  # such as a path that is too long for a socket
        server.close()
        yield
        return
    reply = partial(_answer, answer=answer, crashed=crashed)
    taking = threading.Thread(target=partial(_take, server, reply=reply), daemon=True)
    taking.start()
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def ask(home: Path, scope: Scope, *, event: Event, within: float) -> str | None:
    """What a server of this scope answers within so many seconds; None where there is none."""
    for path in sorted(_folder(home).glob(f"{_key(scope)}-*.sock")):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(within)
        with contextlib.closing(client):
            try:
                client.connect(str(path))
                client.sendall(json.dumps(event).encode())
                client.shutdown(socket.SHUT_WR)
                return _all(client).decode("utf-8", "replace")
            except TimeoutError:
                return ""
            except (ConnectionRefusedError, FileNotFoundError):
                path.unlink(missing_ok=True)  # of a server that was killed
            except OSError:
                continue
    return None


def _take(server: socket.socket, *, reply: Callable[[socket.socket], None]) -> None:
    while True:
        try:
            client, _ = server.accept()
        except OSError:  # closed: the server ends
            return
        threading.Thread(target=reply, args=(client,), daemon=True).start()


def _answer(
    client: socket.socket,
    *,
    answer: Callable[[Event], str],
    crashed: Callable[[BaseException], object],
) -> None:
    with contextlib.closing(client):
        try:
            event = json.loads(_all(client))
            text = answer(event if isinstance(event, dict) else {})
            client.sendall(text.encode())
        except (AlayaError, OSError, ValueError) as error:  # it went, or asked for what is not
            crashed(error)


def _all(client: socket.socket) -> bytes:
    parts, size = [], 0
    while size < _MOST and (part := client.recv(65_536)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _folder(home: Path) -> Path:
    return home / "state" / "warm"


def _key(scope: Scope) -> str:
    return digest("warm", scope.user, scope.agent)[:12]
