"""Tags that a host wraps around what it adds to the words of a user."""

from __future__ import annotations

import re

_REMINDER = ("system-reminder",)
_DROPPED = (
    "system-reminder",
    "task-notification",
    "user-prompt-submit-hook",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-name",
    "command-message",
    "command-contents",
    "bash-stdout",
    "bash-stderr",
)
_KEPT = ("command-args", "bash-input")  # the user's own words stand in these
_OPENING = re.compile(r"<(?P<tag>[a-z]{1,20}(?:-[a-z]{1,20}){1,4})(?:\s[^<>]{0,200})?>")


def without_wrappers(text: str, *, reminders_only: bool = False) -> str:
    """The text without such tags and what they hold; what a user passed to a command stays.

    A tag without an end is left as it is. Linear in the length of the text.
    """
    if "<" not in text:
        return text
    dropped = _REMINDER if reminders_only else _DROPPED
    kept: list[str] = []
    start, changed = 0, False
    ends = dict.fromkeys((*_DROPPED, *_KEPT), 0)
    while match := _OPENING.search(text, start):
        tag = match["tag"]
        inside = tag in dropped or (not reminders_only and tag in _KEPT)
        # once a closing tag is not found, it is not looked for again
        end = text.find(f"</{tag}>", match.end()) if inside and ends[tag] >= 0 else -1
        if end < 0:
            if inside:
                ends[tag] = -1
            kept.append(text[start : match.end()])
            start = match.end()
            continue
        changed = True
        kept.append(text[start : match.start()])
        if tag in _KEPT:
            kept.append(text[match.end() : end])
        start = end + len(tag) + 3
    if not changed:
        return text
    return "".join([*kept, text[start:]]).strip()
