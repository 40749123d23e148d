"""The arguments of `alaya`, by argparse alone: nothing else of alaya is imported for them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from alaya import __version__
from alaya.cli import helptext
from alaya.cli.language import LANGUAGES, Say, help_texts, sayer

# Named here so that help need not import the model; a test keeps them equal to its enumerations.
KINDS = (
    "concept",
    "pattern",
    "gotcha",
    "decision",
    "observation",
    "reasoning",
    "action",
    "result",
    "success",
    "failure",
    "insight",
    "principle",
    "skill",
)
TIERS = ("HOT", "WARM", "COLD")
ORIGINS = ("owner", "agent", "tool", "untrusted", "system")
RECIPES = ("default", "alaya", "alice", "eywa")

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
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=_maker(say), title="commands"
    )
    for name, fill in _COMMANDS.items():
        command = commands.add_parser(name, help=say(name), description=say(f"{name}.about"))
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
            words = {name: _cut(word, long) for name, word in found.groupdict().items()}
            near = _nearest(words["what"]) if key == "bad.choice" else None
            return say("bad.similar", what=words["what"], near=near) if near else say(key, **words)
    return message


def _nearest(word: str) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word.strip("'\""), COMMANDS, n=1)), None)


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
        type=_setting(say),
        dest="set" + suffix,
        default=default,
        help=say("set"),
    )
    group.add_argument(
        "--lang", metavar="LANG", type=_among(say, LANGUAGES), default=default, help=say("lang")
    )


def _init(parser: Parser, say: Say) -> None:
    pass


def _ingest(parser: Parser, say: Say) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*", help=say("ingest.paths"))
    parser.add_argument("--format", metavar="F", help=say("ingest.format"))
    parser.add_argument("--discover", action="store_true", help=say("ingest.discover"))
    parser.add_argument("--yes", "-y", action="store_true", help=say("ingest.yes"))
    parser.add_argument("--no-distill", action="store_true", help=say("ingest.no_distill"))


def _distill(parser: Parser, say: Say) -> None:
    parser.add_argument("--session", metavar="ID", help=say("distill.session"))
    parser.add_argument("--all", action="store_true", help=say("distill.all"))
    parser.add_argument("--redistill", action="store_true", help=say("distill.redistill"))
    parser.add_argument("--close", action="store_true", help=say("distill.close"))


def _adders(parser: Parser, say: Say) -> tuple[Callable[..., None], Callable[..., None]]:
    """Adding an option of a query that can be repeated, and one that cannot."""

    def many(name: str, metavar: str, *, dest: str, **options: Any) -> None:
        parser.add_argument(
            name, metavar=metavar, dest=dest, action="append", help=say(f"recall.{dest}"), **options
        )

    def one(name: str, metavar: str, *, dest: str, **options: Any) -> None:
        parser.add_argument(name, metavar=metavar, dest=dest, help=say(f"recall.{dest}"), **options)

    return many, one


def _filter(parser: Parser, say: Say) -> None:
    many, one = _adders(parser, say)
    for what in ("sessions", "summaries", "cards", "notes"):
        either = parser.add_mutually_exclusive_group()
        dest = f"include_{what}"
        for name, chosen in ((dest, True), (f"no_{what}", False)):
            flags, told = [f"--{name}".replace("_", "-")], say(f"recall.{name}")
            if name == "include_summaries":
                flags.append("--summaries")
            either.add_argument(*flags, dest=dest, action="store_const", const=chosen, help=told)
    one("--recipe", "NAME", dest="recipe", type=_among(say, RECIPES))
    many("--already-shown", "IDS", dest="already_shown")
    parser.add_argument("--again", dest="again", action="store_true", help=say("recall.again"))
    one("--session", "ID", dest="session")
    many("--kind", "K", dest="kinds", type=_several(say, KINDS))
    many("--tag", "T", dest="tags")
    one("--since", "T", dest="since")
    one("--until", "T", dest="until")
    many("--tier", "T", dest="tiers", type=_several(say, TIERS))
    many("--origin", "O", dest="origins", type=_several(say, ORIGINS))
    one("--min-confidence", "X", dest="min_confidence", type=_share(say))
    one("--as-of", "T", dest="as_of")
    one("--believed-at", "T", dest="believed_at")


def _context(parser: Parser, say: Say) -> None:
    many, one = _adders(parser, say)
    parser.add_argument("text", metavar="QUESTION", nargs="*", help=say("context.text"))
    parser.add_argument("--budget", metavar="N", type=_whole(say, 0), help=say("context.budget"))
    parser.add_argument(
        "--format",
        metavar="md|text|json",
        type=_among(say, ("md", "text", "json")),
        default="md",
        help=say("context.format"),
    )
    many("--concepts", "A,B", dest="concepts")
    parser.add_argument("--limit", metavar="N", type=_whole(say, 1), help=say("context.limit"))
    one("--min-similarity", "X", dest="min_similarity", type=_share(say))
    _filter(parser, say)


def _recall(parser: Parser, say: Say) -> None:
    many, one = _adders(parser, say)

    def flag(name: str, dest: str) -> None:
        parser.add_argument(name, dest=dest, action="store_true", help=say(f"recall.{dest}"))

    parser.add_argument("text", metavar="TEXT", nargs="*", help=say("recall.text"))
    many("--concepts", "A,B", dest="concepts")
    many("--rel", "R", dest="relations")
    one("--depth", "N", dest="depth", type=_whole(say, 0))
    many("--from-nodes", "IDS", dest="from_nodes")
    parser.add_argument("-i", "--interactive", action="store_true", help=say("recall.interactive"))
    one("--from", "A", dest="source")
    one("--to", "B", dest="target")
    one("--limit", "N", dest="limit", type=_whole(say, 1))
    one("--min-similarity", "X", dest="min_similarity", type=_share(say))
    _filter(parser, say)
    flag("--no-graph", "no_graph")
    flag("--explain", "explain")


def _trace(parser: Parser, say: Say) -> None:
    parser.add_argument("card", metavar="CARD", help=say("trace.card"))


def _link(parser: Parser, say: Say) -> None:
    parser.add_argument("source", metavar="A", help=say("link.source"))
    parser.add_argument("target", metavar="B", help=say("link.target"))
    parser.add_argument("--rel", metavar="R", default="RELATES_TO", help=say("link.rel"))
    parser.add_argument("--reason", metavar="TEXT", default="", help=say("link.reason"))
    parser.add_argument(
        "--weight", metavar="W", type=_share(say), default=1.0, help=say("link.weight")
    )


def _schema(parser: Parser, say: Say) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--relations", action="store_true", help=say("schema.relations"))
    which.add_argument("--node-types", action="store_true", help=say("schema.node_types"))


def _usage(parser: Parser, say: Say) -> None:
    parser.add_argument("--since", metavar="T", help=say("usage.since"))


def _export(parser: Parser, say: Say) -> None:
    parser.add_argument("--output", metavar="DIR", help=say("export.output"))
    parser.add_argument("--sessions", action="store_true", help=say("export.sessions"))


def _verify(parser: Parser, say: Say) -> None:
    parser.add_argument("--repair", action="store_true", help=say("verify.repair"))


def _embed(parser: Parser, say: Say) -> None:
    parser.add_argument("--limit", metavar="N", type=_whole(say, 1), help=say("embed.limit"))
    parser.add_argument("--worker", action="store_true", help=say("embed.worker"))


def _config(parser: Parser, say: Say) -> None:
    parser.add_argument(
        "action",
        metavar="get|set|path|list",
        type=_among(say, ("get", "set", "path", "list")),
        help=say("config.action"),
    )
    parser.add_argument("key", metavar="KEY", nargs="?", help=say("config.key"))
    parser.add_argument("value", metavar="VALUE", nargs="?", help=say("config.value"))


_COMMANDS: dict[str, Callable[[Parser, Say], None]] = {
    "init": _init,
    "ingest": _ingest,
    "distill": _distill,
    "recall": _recall,
    "context": _context,
    "trace": _trace,
    "link": _link,
    "schema": _schema,
    "status": _init,
    "usage": _usage,
    "export": _export,
    "verify": _verify,
    "rebuild": _init,
    "rebuild-l1": _init,
    "embed": _embed,
    "config": _config,
}
COMMANDS = tuple(_COMMANDS)


def _shown(text: str) -> str:
    return _cut(repr(text), 80)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _setting(say: Say) -> Callable[[str], str]:
    def setting(text: str) -> str:
        if "=" not in text.lstrip("="):
            raise argparse.ArgumentTypeError(say("bad.setting", value=_shown(text)))
        return text

    return setting


def _among(say: Say, allowed: tuple[str, ...]) -> Callable[[str], str]:
    def among(text: str) -> str:
        if text not in allowed:
            raise argparse.ArgumentTypeError(
                say("bad.among", value=_shown(text), allowed=", ".join(allowed))
            )
        return text

    return among


def _several(say: Say, allowed: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Some of `allowed`, separated by commas, in either case."""
    proper = {name.lower(): name for name in allowed}

    def several(text: str) -> list[str]:
        found = [part.strip() for part in re.split("[,，、]", text) if part.strip()]
        for part in found:
            if part.lower() not in proper:
                raise argparse.ArgumentTypeError(
                    say("bad.among", value=_shown(part), allowed=", ".join(allowed))
                )
        return [proper[part.lower()] for part in found]

    return several


def _whole(say: Say, low: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if value < low:
            raise argparse.ArgumentTypeError(say("bad.whole", value=_shown(text), low=low))
        return value

    return whole


def _share(say: Say) -> Callable[[str], float]:
    def share(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise argparse.ArgumentTypeError(say("bad.share", value=_shown(text)))
        return value

    return share
