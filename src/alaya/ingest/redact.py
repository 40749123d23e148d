"""Secrets become typed placeholders such as `[REDACTED:openai-key]` before anything is stored."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from alaya.ingest.secret_rules import RULES, Rule
from alaya.model.raw import Session, ToolCall, Turn

_KEY_BEGINS = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_ENDS = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_TELLING = re.compile(r"(?i)pass|pwd|secret|token|key|credential|auth|cookie|密|口令|令牌")
_LONGEST_KEY = 20_000  # characters; an RSA key of 16,384 bits has 12,500
# What a key that was cut off is made of: base64 lines, perhaps numbered, quoted or escaped.
_KEY_BODY = re.compile(
    r"(?:(?:\s|\\[nrt]|[>|+:\d→]){0,20}"
    r"(?:[A-Za-z-]{3,20}: [^\n\\]{1,80}|[A-Za-z0-9+/]{16,}+={0,2}))+"
)


def redact(text: str) -> tuple[str, dict[str, int]]:
    """The text without its secrets, and how many of each type it had.

    Doing it twice changes nothing more: it goes on until nothing is found, since what one rule
    takes out may have hidden a secret from another.
    """
    counts: Counter[str] = Counter()
    while True:
        replaced = _once(text, counts)
        if replaced == text:
            return text, dict(counts)
        text = replaced


def redact_turn(turn: Turn) -> tuple[Turn, dict[str, int]]:
    """The turn with secrets out of its words, tool arguments and metadata."""
    counts: Counter[str] = Counter()
    content = _counted(turn.content, counts)
    calls = tuple(_call(call, counts) for call in turn.tool_calls)
    metadata = _inside(turn.metadata, counts)
    if not counts:
        return turn, {}
    redacted = dataclasses.replace(
        turn,
        content=content,
        tool_calls=calls,
        metadata=metadata,
        redacted=turn.redacted + sum(counts.values()),
    )
    return redacted, dict(counts)


def redact_session(session: Session) -> tuple[Session, dict[str, int]]:
    """The session with secrets out of its title and metadata."""
    counts: Counter[str] = Counter()
    title = None if session.title is None else _counted(session.title, counts)
    metadata = _inside(session.metadata, counts)
    if not counts:
        return session, {}
    return dataclasses.replace(session, title=title, metadata=metadata), dict(counts)


def redact_value(value: Any) -> Any:
    """A JSON value with secrets out of all its strings."""
    return _inside(value, Counter())


def _call(call: ToolCall, counts: Counter[str]) -> ToolCall:
    arguments = _counted(call.arguments, counts)
    return call if arguments == call.arguments else dataclasses.replace(call, arguments=arguments)


def _counted(text: str, counts: Counter[str]) -> str:
    replaced, found = redact(text)
    counts.update(found)
    return replaced


def _inside(value: Any, counts: Counter[str]) -> Any:
    if isinstance(value, str):
        return _counted(value, counts)
    if isinstance(value, Mapping):
        return {name: _member(str(name), item, counts=counts) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_inside(item, counts) for item in value]
    return value


def _member(name: str, value: Any, *, counts: Counter[str]) -> Any:
    """A member of an object: its name says what it is, as it would in text."""
    if not isinstance(value, str) or len(value) > 500 or not _TELLING.search(name):
        return _inside(value, counts)
    prefix = f"{name}="
    if redact(prefix)[0] != prefix:
        return _counted(value, counts)
    found: Counter[str] = Counter()
    named = _counted(prefix + value, found)
    if not named.startswith(prefix):
        return _counted(value, counts)
    counts.update(found)
    return named.removeprefix(prefix)


def _once(text: str, counts: Counter[str]) -> str:
    if len(text) < 6:
        return text
    if "-----BEGIN " in text:
        text = _without_keys(text, counts)
    lowered = text.lower()
    for rule in RULES:
        if any(needle in lowered for needle in rule.needles):
            replaced = _apply(rule, text, counts=counts)
            if replaced is not text:
                text, lowered = replaced, replaced.lower()
    return text


def _apply(rule: Rule, text: str, *, counts: Counter[str]) -> str:
    kept: list[str] = []
    start = 0
    for match in rule.pattern.finditer(text):
        if "[REDACTED:" in match["secret"] or (rule.check and not rule.check(match)):
            continue
        secret = match["secret"].rstrip(".,") if rule.check else match["secret"]
        begin = match.start("secret")
        kept += [text[start:begin], f"[REDACTED:{rule.kind}]"]
        start = begin + len(secret)
        counts[rule.kind] += 1
    return text if not kept else "".join([*kept, text[start:]])


def _without_keys(text: str, counts: Counter[str]) -> str:
    kept: list[str] = []
    start = 0
    while begins := _KEY_BEGINS.search(text, start):
        ends = _KEY_ENDS.search(text, begins.end(), begins.end() + _LONGEST_KEY)
        body = _KEY_BODY.match(text, begins.end())
        stop = ends.end() if ends else body.end() if body else None
        if stop is None:  # it is only spoken of
            kept.append(text[start : begins.end()])
            start = begins.end()
            continue
        kept += [text[start : begins.start()], "[REDACTED:private-key]"]
        counts["private-key"] += 1
        start = stop
    return text if not kept else "".join([*kept, text[start:]])
