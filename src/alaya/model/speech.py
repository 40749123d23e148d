"""What of a turn is memory: its words without what alaya itself had put there."""

from __future__ import annotations

from alaya.model.raw import Role, Turn

_INDEXED = 20_000  # characters of a turn that are indexed: the tail of a huge output is noise


def visible(turn: Turn) -> str:
    """A turn's words without what alaya itself had put there."""
    text, kept, last = turn.content, [], 0
    for start, end in sorted(turn.injected):
        kept.append(text[last:start])
        last = max(last, end)
    return "".join([*kept, text[last:]]) if turn.injected else text


def indexed(turn: Turn) -> str:
    """The text of a turn that is looked up by words: who speaks, and what."""
    return f"{turn.name or ''}\n{visible(turn)[:_INDEXED]}"


def embeddable(turn: Turn) -> str:
    """The text of a turn that gets a vector: speech, not the noise of tools. May be empty."""
    return visible(turn).strip() if turn.role in (Role.USER, Role.ASSISTANT) else ""
