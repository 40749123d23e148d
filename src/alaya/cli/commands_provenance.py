"""What the commands of provenance take: where a memory is from, and whether it holds."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from alaya.cli.language import Say
from alaya.cli.values import among, share

Parser = argparse.ArgumentParser
ORIGINS = ("owner", "agent", "tool", "untrusted")
# Named here so that help need not import the model; a test keeps them equal to its enumeration.
EVENTS = (
    "user_message",
    "tool_call",
    "reasoning",
    "final_answer",
    "retrieval",
    "reflection",
    "correction",
    "import",
)


def _remember(kinds: tuple[str, ...]) -> Callable[[Parser, Say], None]:
    def fill(parser: Parser, say: Say) -> None:
        parser.add_argument("text", metavar="TEXT", nargs="*", help=say("remember.text"))
        parser.add_argument(
            "--kind",
            metavar="K",
            type=among(say, kinds),
            default="observation",
            help=say("remember.kind"),
        )
        parser.add_argument("--event", metavar="ID", help=say("remember.event"))
        parser.add_argument(
            "--derived-from",
            metavar="CARDS",
            action="append",
            default=[],
            help=say("remember.derived_from"),
        )
        parser.add_argument(
            "--importance",
            metavar="X",
            type=share(say),
            default=0.5,
            help=say("remember.importance"),
        )
        parser.add_argument(
            "--origin",
            metavar="O",
            type=among(say, ORIGINS),
            default="agent",
            help=say("remember.origin"),
        )

    return fill


def _event(parser: Parser, say: Say) -> None:
    parser.add_argument("kind", metavar="KIND", type=among(say, EVENTS), help=say("event.kind"))
    parser.add_argument("--input", metavar="TEXT", default="", help=say("event.input"))
    parser.add_argument("--output", metavar="TEXT", default="", help=say("event.output"))


def _events(parser: Parser, say: Say) -> None:
    parser.add_argument("session", metavar="SESSION", help=say("events.session"))


def _trace(parser: Parser, say: Say) -> None:
    parser.add_argument("card", metavar="ID", help=say("trace.card"))
    parser.add_argument("--chain", action="store_true", help=say("trace.chain"))


def _why(parser: Parser, say: Say) -> None:
    parser.add_argument("card", metavar="CARD", help=say("why.card"))


def _correct(parser: Parser, say: Say) -> None:
    parser.add_argument("what", metavar="ID", help=say("correct.what"))
    parser.add_argument("text", metavar="TEXT", nargs="*", help=say("correct.text"))
    parser.add_argument("--reason", metavar="TEXT", default="", help=say("correct.reason"))


def _confirm(parser: Parser, say: Say) -> None:
    parser.add_argument("card", metavar="CARD", help=say("confirm.card"))
    parser.add_argument("--reason", metavar="TEXT", default="", help=say("confirm.reason"))


def _quarantine(parser: Parser, say: Say) -> None:
    parser.add_argument(
        "action",
        metavar="list|release|hold",
        nargs="?",
        type=among(say, ("list", "release", "hold")),
        default="list",
        help=say("quarantine.action"),
    )
    parser.add_argument("cards", metavar="CARD", nargs="*", help=say("quarantine.cards"))
    parser.add_argument("--reason", metavar="TEXT", default="", help=say("quarantine.reason"))


def commands(kinds: tuple[str, ...]) -> dict[str, Callable[[Parser, Say], None]]:
    """The commands of this chapter; `kinds` are those of cards."""
    return {
        "remember": _remember(kinds),
        "event": _event,
        "events": _events,
        "trace": _trace,
        "why": _why,
        "correct": _correct,
        "confirm": _confirm,
        "quarantine": _quarantine,
    }
