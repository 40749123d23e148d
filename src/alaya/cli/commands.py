"""What each command of `alaya` takes. Options that every command takes stand in `parser`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from alaya.cli import commands_forgetting as forgetting
from alaya.cli import commands_provenance, commands_serving
from alaya.cli.commands_past import PAST
from alaya.cli.language import Say
from alaya.cli.values import among, several, share, whole

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
ROLES = ("user", "assistant", "tool", "system")
RECIPES = ("default", "alaya", "alice", "eywa")

Parser = argparse.ArgumentParser


def _init(parser: Parser, say: Say) -> None:
    pass


def _ingest(parser: Parser, say: Say) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*", help=say("ingest.paths"))
    parser.add_argument("--format", metavar="F", help=say("ingest.format"))
    parser.add_argument("--discover", action="store_true", help=say("ingest.discover"))
    parser.add_argument("--yes", "-y", action="store_true", help=say("ingest.yes"))
    parser.add_argument("--no-distill", action="store_true", help=say("ingest.no_distill"))


def _add(parser: Parser, say: Say) -> None:
    parser.add_argument("text", metavar="TEXT", nargs="*", help=say("add.text"))
    parser.add_argument("--session", metavar="ID", help=say("add.session"))
    parser.add_argument("--role", metavar="R", type=among(say, ROLES), help=say("add.role"))
    parser.add_argument("--name", metavar="NAME", help=say("add.name"))
    parser.add_argument("--at", metavar="T", help=say("add.at"))
    parser.add_argument("--messages", action="store_true", help=say("add.messages"))
    either = parser.add_mutually_exclusive_group()
    for flag, chosen in (("distill", True), ("no-distill", False)):
        told = say(f"add.{flag.replace('-', '_')}")
        either.add_argument(
            f"--{flag}", dest="distill", action="store_const", const=chosen, help=told
        )


def _distill(parser: Parser, say: Say) -> None:
    parser.add_argument("--session", metavar="ID", help=say("distill.session"))
    for flag in ("all", "redistill", "close", "rules", "dry-run"):
        parser.add_argument(f"--{flag}", action="store_true", help=say(f"distill.{flag}"))


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
    one("--recipe", "NAME", dest="recipe", type=among(say, RECIPES))
    many("--already-shown", "IDS", dest="already_shown")
    parser.add_argument("--again", dest="again", action="store_true", help=say("recall.again"))
    one("--session", "ID", dest="session")
    many("--kind", "K", dest="kinds", type=several(say, KINDS))
    many("--tag", "T", dest="tags")
    one("--since", "T", dest="since")
    one("--until", "T", dest="until")
    many("--tier", "T", dest="tiers", type=several(say, TIERS))
    many("--origin", "O", dest="origins", type=several(say, ORIGINS))
    one("--min-confidence", "X", dest="min_confidence", type=share(say))
    one("--as-of", "T", dest="as_of")
    one("--believed-at", "T", dest="believed_at")
    told = say("recall.include_quarantined")
    parser.add_argument("--include-quarantined", action="store_true", help=told)


def _context(parser: Parser, say: Say) -> None:
    many, one = _adders(parser, say)
    parser.add_argument("text", metavar="QUESTION", nargs="*", help=say("context.text"))
    parser.add_argument("--budget", metavar="N", type=whole(say, 0), help=say("context.budget"))
    parser.add_argument(
        "--format",
        metavar="md|text|json",
        type=among(say, ("md", "text", "json")),
        default="md",
        help=say("context.format"),
    )
    many("--concepts", "A,B", dest="concepts")
    parser.add_argument("--limit", metavar="N", type=whole(say, 1), help=say("context.limit"))
    one("--min-similarity", "X", dest="min_similarity", type=share(say))
    _filter(parser, say)


def _retrieve(parser: Parser, say: Say) -> None:
    _, one = _adders(parser, say)
    parser.add_argument("text", metavar="QUESTION", nargs="*", help=say("retrieve.text"))
    for kind in ("episodes", "entities", "edges", "summaries", "cards"):
        parser.add_argument(f"--no-{kind}", action="store_true", help=say(f"retrieve.no_{kind}"))
    for name, low in (("limit", 1), ("max-hops", 0), ("budget", 0)):
        told = say(f"retrieve.{name.replace('-', '_')}")
        parser.add_argument(f"--{name}", metavar="N", type=whole(say, low), help=told)
    one("--session", "ID", dest="session")
    for name in ("since", "until", "as_of", "believed_at"):
        one(f"--{name.replace('_', '-')}", "T", dest=name)


def _recall(parser: Parser, say: Say) -> None:
    many, one = _adders(parser, say)

    def flag(name: str, dest: str) -> None:
        parser.add_argument(name, dest=dest, action="store_true", help=say(f"recall.{dest}"))

    parser.add_argument("text", metavar="TEXT", nargs="*", help=say("recall.text"))
    many("--concepts", "A,B", dest="concepts")
    many("--rel", "R", dest="relations")
    one("--depth", "N", dest="depth", type=whole(say, 0))
    many("--from-nodes", "IDS", dest="from_nodes")
    parser.add_argument("-i", "--interactive", action="store_true", help=say("recall.interactive"))
    one("--from", "A", dest="source")
    one("--to", "B", dest="target")
    one("--limit", "N", dest="limit", type=whole(say, 1))
    one("--min-similarity", "X", dest="min_similarity", type=share(say))
    _filter(parser, say)
    flag("--no-graph", "no_graph")
    flag("--explain", "explain")


def _link(parser: Parser, say: Say) -> None:
    parser.add_argument("source", metavar="A", help=say("link.source"))
    parser.add_argument("target", metavar="B", help=say("link.target"))
    parser.add_argument("--rel", metavar="R", default="RELATES_TO", help=say("link.rel"))
    parser.add_argument("--reason", metavar="TEXT", default="", help=say("link.reason"))
    parser.add_argument(
        "--weight", metavar="W", type=share(say), default=1.0, help=say("link.weight")
    )


def _listing(parser: Parser, say: Say) -> None:
    """What every list takes: which part of it, and whose words."""
    parser.add_argument("--session", metavar="ID", help=say("list.session"))
    parser.add_argument("--believed-at", metavar="T", help=say("recall.believed_at"))
    parser.add_argument(
        "--limit", metavar="N", type=whole(say, 1), default=50, help=say("list.limit")
    )
    parser.add_argument(
        "--offset", metavar="N", type=whole(say, 0), default=0, help=say("list.offset")
    )


def _facts(parser: Parser, say: Say) -> None:
    parser.add_argument("text", metavar="ENTITY|TEXT", nargs="*", help=say("facts.text"))
    parser.add_argument("--as-of", metavar="T", help=say("facts.as_of"))
    parser.add_argument("--all", action="store_true", help=say("facts.all"))
    _listing(parser, say)


def _entities(parser: Parser, say: Say) -> None:
    parser.add_argument("text", metavar="NAME", nargs="*", help=say("entities.name"))
    _listing(parser, say)


def _summaries(parser: Parser, say: Say) -> None:
    for name in ("since", "until", "as-of"):
        told = say(f"recall.{name.replace('-', '_')}")
        parser.add_argument(f"--{name}", metavar="T", help=told)
    _listing(parser, say)


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
    parser.add_argument("--limit", metavar="N", type=whole(say, 1), help=say("embed.limit"))
    parser.add_argument("--worker", action="store_true", help=say("embed.worker"))


def _introspect(parser: Parser, say: Say) -> None:
    steps = ("distill", "consolidate", "cool", "forget")
    parser.add_argument(
        "--only", metavar="STEPS", action="append", type=several(say, steps),
        help=say("introspect.only"),
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help=say("introspect.dry-run"))


def _cron(parser: Parser, say: Say) -> None:
    kinds = ("crontab", "systemd", "openclaw")
    parser.add_argument(
        "--format", metavar="|".join(kinds), type=among(say, kinds), help=say("cron.format")
    )


def _watch(parser: Parser, say: Say) -> None:
    parser.add_argument("--ingest", action="store_true", help=say("watch.ingest"))
    parser.add_argument("--now", action="store_true", help=say("watch.now"))


def _config(parser: Parser, say: Say) -> None:
    parser.add_argument(
        "action",
        metavar="get|set|path|list",
        type=among(say, ("get", "set", "path", "list")),
        help=say("config.action"),
    )
    parser.add_argument("key", metavar="KEY", nargs="?", help=say("config.key"))
    parser.add_argument("value", metavar="VALUE", nargs="?", help=say("config.value"))


def _erase(parser: Parser, say: Say) -> None:
    for name, metavar in (("card", "ID"), ("session", "ID"), ("entity", "NAME"), ("query", "TEXT")):
        parser.add_argument(f"--{name}", metavar=metavar, help=say(f"erase.{name}"))
    parser.add_argument("--all", action="store_true", help=say("erase.all"))
    parser.add_argument("--reason", metavar="TEXT", default="", help=say("erase.reason"))
    parser.add_argument("--dry-run", action="store_true", help=say("erase.dry_run"))
    parser.add_argument("--yes", "-y", action="store_true", help=say("erase.yes"))
    parser.add_argument("--check", metavar="WORD", nargs="+", help=say("erase.check"))


def _backup(parser: Parser, say: Say) -> None:
    parser.add_argument("--output", metavar="FILE|DIR", help=say("backup.output"))
    parser.add_argument(
        "--keep", metavar="N", type=whole(say, 1), default=7, help=say("backup.keep")
    )


COMMANDS: dict[str, Callable[[Parser, Say], None]] = {
    "init": _init,
    "ingest": _ingest,
    "add": _add,
    "distill": _distill,
    "recall": _recall,
    "context": _context,
    "retrieve": _retrieve,
    "facts": _facts,
    "entities": _entities,
    "summaries": _summaries,
    **commands_provenance.commands(KINDS),
    "link": _link,
    **PAST,
    "schema": _schema,
    "status": _init,
    "usage": _usage,
    "introspect": _introspect,
    "cron": _cron,
    "watch": _watch,
    "export": _export,
    "verify": _verify,
    "rebuild": _init,
    "rebuild-l1": _init,
    "embed": _embed,
    **forgetting.COMMANDS,
    "erase": _erase,
    "backup": _backup,
    "config": _config,
    **commands_serving.COMMANDS,
}
