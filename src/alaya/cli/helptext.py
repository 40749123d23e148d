"""`--help` as text: the same on every Python, in any language, wide characters aligned."""

from __future__ import annotations

import argparse
import os
import re
import sys
import unicodedata
from collections.abc import Iterable

from alaya.cli.language import Say

_TOKENS = re.compile(r"\n|[^\S\n]+|(?:[^\s⺀-￯]+|[⺀-￯])[，。；：、）」！？]*")
_COLUMN = 26


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns; Chinese breaks between characters."""
    lines, line = [], ""
    for token in _TOKENS.findall(text):
        if token == "\n" or width_of(line + token.rstrip()) > width:
            lines.append(line.rstrip())
            line = "" if token.isspace() else token
        elif line or not token.isspace():
            line += token
    return [*lines, line.rstrip()]


def cut(text: str, width: int) -> str:
    """The text, shortened to `width` columns where it is longer."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) >= width:
        text = text[:-1]
    return text + "…"


def pad(text: str, width: int) -> str:
    """The text followed by blanks up to `width` columns."""
    return text + " " * max(0, width - width_of(text))


def columns() -> int:
    """The width for help: the terminal's, between 60 and 100; 80 where there is none."""
    try:
        found = int(os.environ.get("COLUMNS") or os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError, AttributeError):
        found = 80
    return min(max(found, 60), 100)


def help_text(parser: argparse.ArgumentParser, say: Say, *, width: int) -> str:
    """The whole help of a command, or of alaya."""
    name, groups = parser.prog.partition(" ")[2], parser._action_groups
    lines = usage_lines(parser, say, width=width)
    lines += ["", *wrap(parser.description or "", width)]
    for group in groups:
        shown = [a for a in group._group_actions if a.help != argparse.SUPPRESS]
        if group.title == "everywhere":
            lines += _everywhere(shown, say, width=width)
        elif shown:
            lines += ["", say(f"title.{group.title}")]
            lines += [line for action in shown for line in _entry(action, width)]
    if name:
        lines += ["", say("title.examples"), *(f"  {e}" for e in examples(name, say))]
    else:
        lines += ["", *wrap(say("epilog"), width)]
    return "\n".join(lines) + "\n"


def usage_lines(parser: argparse.ArgumentParser, say: Say, *, width: int) -> list[str]:
    """`usage: alaya recall [TEXT ...] [--concepts A,B] …`, without what every command takes."""
    everywhere = {id(a) for a in _group(parser, "everywhere")}
    actions = [a for a in parser._actions if a.help != argparse.SUPPRESS and a.dest != "help"]
    actions = [a for a in actions if id(a) not in everywhere]
    optional = [_invocation(a, a.required) for a in actions if a.option_strings]
    positional = [_positional(a) for a in actions if not a.option_strings]
    head = f"{say('title.usage')} {parser.prog}"
    lines, line = [], head
    for part in (*positional, *optional):
        if width_of(line) + 1 + width_of(part) > width:
            lines.append(line)
            line = " " * width_of(head)
        line += " " + part
    return [*lines, line]


def examples(command: str, say: Say) -> list[str]:
    """The example lines of a command."""
    return say(f"{command}.examples").splitlines()


def _group(parser: argparse.ArgumentParser, title: str) -> Iterable[argparse.Action]:
    return (a for g in parser._action_groups if g.title == title for a in g._group_actions)


def _entry(action: argparse.Action, width: int) -> list[str]:
    if isinstance(action, argparse._SubParsersAction):
        return [
            line
            for choice in action._choices_actions
            for line in _two_columns(f"  {choice.dest}", choice.help or "", width=width)
        ]
    left = ", ".join(action.option_strings) or _metavar(action)
    if action.option_strings and action.nargs != 0:
        left += " " + _metavar(action)
    return _two_columns("  " + left, action.help or "", width=width)


def _two_columns(left: str, right: str, *, width: int) -> list[str]:
    wrapped = wrap(right, width - _COLUMN)
    if width_of(left) >= _COLUMN:
        return [left, *(" " * _COLUMN + line for line in wrapped)]
    first, *rest = wrapped
    return [pad(left, _COLUMN) + first, *(" " * _COLUMN + line for line in rest)]


def _everywhere(actions: list[argparse.Action], say: Say, *, width: int) -> list[str]:
    names = ", ".join(" ".join((max(a.option_strings, key=len), *_value(a))) for a in actions)
    return ["", *wrap(f"{say('title.everywhere')} {names}", width)]


def _value(action: argparse.Action) -> tuple[str, ...]:
    return () if action.nargs == 0 else (_metavar(action),)


def _metavar(action: argparse.Action) -> str:
    return str(action.metavar or action.dest.upper())


def _invocation(action: argparse.Action, required: bool) -> str:
    text = " ".join((max(action.option_strings, key=len), *_value(action)))
    return text if required else f"[{text}]"


def _positional(action: argparse.Action) -> str:
    name = _metavar(action)
    return {"*": f"[{name} ...]", "?": f"[{name}]", "+": f"{name} ..."}.get(str(action.nargs), name)
