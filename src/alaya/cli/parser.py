"""The arguments of `alaya`, by argparse alone: nothing else of alaya is imported for them."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, NoReturn

from alaya import __version__
from alaya.cli import commands, helptext
from alaya.cli.language import LANGUAGES, Say, help_texts, sayer
from alaya.cli.values import among, cut, setting

# How argparse words its complaints -> the key of ours. The groups fill in what differs.
_COMPLAINTS = (
    (r"unrecognized arguments: (?P<what>.+)", "bad.unknown"),
    (r"the following arguments are required: (?P<what>.+)", "bad.required"),
    (r"argument (?P<name>.+?): expected (?:one|at least one|\d+) arguments?", "bad.value_missing"),
    (r"argument (?P<name>.+?): ignored explicit argument (?P<what>.+)", "bad.no_value"),
    (r"argument (?P<name>.+?): not allowed with argument (?P<what>.+)", "bad.together"),
    (r"argument \S*: invalid choice: (?P<what>'[^']*'|\S+) .*", "bad.choice"),
    (r"argument (?P<name>.+?): (?P<what>.+)", "bad.argument"),
)


class BadUsage(Exception):
    """What was typed cannot be understood: exit status 2."""

    def __init__(self, message: str, usage: str) -> None:
        super().__init__(message)
        self.usage = usage


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that speaks the language of choice and raises BadUsage."""

    say: Say

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, rest = self.parse_known_args(args, namespace)
        if rest:  # argparse would show the usage of `alaya` for what was said to a command
            meant = subparsers(self).get(getattr(found, "command", None) or "", self)
            meant.error(f"unrecognized arguments: {' '.join(rest)}")
        return found

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse keeps silent about an output that cannot be written.
        print(message, end="", file=file or sys.stderr, flush=True)

    def format_help(self) -> str:
        return helptext.help_text(self, self.say, width=helptext.columns())

    def format_usage(self) -> str:
        return "\n".join(helptext.usage_lines(self, self.say, width=helptext.columns())) + "\n"

    def error(self, message: str) -> NoReturn:
        raise BadUsage(complaint(message, self.say), self.format_usage())


def build(language: str) -> Parser:
    """The parser for `alaya` and all its commands."""
    say = sayer(help_texts(language))
    parser = _new(Parser, say, prog="alaya", description=say("alaya"))
    added = parser.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=_maker(say), title="commands"
    )
    for name, fill in commands.COMMANDS.items():
        command = added.add_parser(name, help=say(name), description=say(f"{name}.about"))
        fill(command, say)
        _add_everywhere(command, say, suffix="_after", default=argparse.SUPPRESS)
    _add_everywhere(parser, say, suffix="_first", default=None)
    parser.add_argument("--version", action="version", help=say("version"), version=_version())
    return parser


def subparsers(parser: Parser) -> dict[str, Parser]:
    """The parser of each command."""
    found: dict[str, Parser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.update(action.choices)
    return found


def complaint(message: str, say: Say) -> str:
    """What argparse complains of, in our words."""
    for pattern, key in _COMPLAINTS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            long = 400 if key == "bad.argument" else 80  # that one holds a complaint of ours
            words = {name: cut(word, long) for name, word in found.groupdict().items()}
            near = _nearest(words["what"]) if key == "bad.choice" else None
            return say("bad.similar", what=words["what"], near=near) if near else say(key, **words)
    return message


def _nearest(word: str) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word.strip("'\""), commands.COMMANDS, n=1)), None)


def _version() -> str:
    return f"alaya {__version__} (Python {sys.version_info.major}.{sys.version_info.minor})"


def _new(cls: type[Parser], say: Say, **options: Any) -> Parser:
    parser = cls(add_help=False, allow_abbrev=False, **options)
    parser.say = say
    parser._positionals.title = "arguments"
    parser._optionals.title = "options"
    parser.add_argument("-h", "--help", action="help", help=say("help"))
    return parser


def _maker(say: Say) -> Any:
    def make(**options: Any) -> Parser:
        return _new(Parser, say, **options)

    return make


def _add_everywhere(parser: Parser, say: Say, *, suffix: str, default: Any) -> None:
    """Options that stand before or after the command; the later one wins, `--set` adds up."""
    title = "everywhere" if default is argparse.SUPPRESS else "global"
    group = parser.add_argument_group(title)
    flag = False if default is None else default
    group.add_argument("--home", metavar="DIR", default=default, help=say("home"))
    group.add_argument("--user", metavar="NAME", default=default, help=say("user"))
    group.add_argument("--agent", metavar="NAME", default=default, help=say("agent"))
    group.add_argument("--json", action="store_true", default=flag, help=say("json"))
    group.add_argument("--quiet", "-q", action="store_true", default=flag, help=say("quiet"))
    group.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        type=setting(say),
        dest="set" + suffix,
        default=default,
        help=say("set"),
    )
    group.add_argument(
        "--lang", metavar="LANG", type=among(say, LANGUAGES), default=default, help=say("lang")
    )
