"""The commands of provenance: remember, event, events, trace, why, correct, confirm, quarantine."""

from __future__ import annotations

import re
from argparse import Namespace

from alaya.cli import show_provenance as show
from alaya.cli import show_reads
from alaya.cli.adding import stdin_text
from alaya.cli.opening import open_memory
from alaya.cli.page import Page
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result, document


def remember(args: Namespace, page: Page) -> Result:
    """Put down something with what it came from."""
    parents = [p for text in args.derived_from for p in re.split(r"[,，、\s]+", text) if p]
    text = " ".join(args.text) if args.text else stdin_text(page)
    with open_memory(args) as memory:
        found = memory.remember(
            text,
            kind=args.kind,
            event=args.event,
            derived_from=parents,
            importance=args.importance,
            origin=args.origin,
        )
    return Result(
        document(found),
        lambda page: show.remembered_lines(found, page),
        confirms=not found.doubts,
    )


def event(args: Namespace, page: Page) -> Result:
    """Write an event down, so that what is remembered can cite it."""
    with open_memory(args) as memory:
        with memory.event(args.kind, input=args.input, output=args.output) as going:
            pass
        found = memory.chain(going.id).down
    return Result(document(found), lambda _: [found.id])


def events(args: Namespace, page: Page) -> Result:
    """What happened in a session."""
    with open_memory(args) as memory:
        found = memory.events(args.session)
    return Result({"events": document(found)}, lambda page: show.event_lines(found, page))


def trace(args: Namespace, page: Page) -> Result:
    """Go back from a card to the words, or draw the trees both ways."""
    if args.chain or not args.card.startswith("card-"):
        with open_memory(args) as memory:
            chain = memory.chain(args.card)
        return Result(document(chain), lambda page: show.chain_lines(chain, page))
    with open_memory(args) as memory:
        found = memory.trace(args.card)
        derived = memory.why(args.card).derived
    return Result(
        {**document(found), "derived": list(derived)},
        lambda page: [
            *show_reads.trace_lines(found, page),
            *show.derived_lines(derived, page),
        ],
    )


def why(args: Namespace, page: Page) -> Result:
    """Why a card says what it says, and how far that holds."""
    with open_memory(args) as memory:
        found = memory.why(args.card)
    return Result(
        {**document(found), "times": found.times}, lambda page: show.why_lines(found, page)
    )


def correct(args: Namespace, page: Page) -> Result:
    """Say what is right instead."""
    text = " ".join(args.text) if args.text else stdin_text(page)
    with open_memory(args) as memory:
        found = memory.correct(args.what, words=text, reason=args.reason)
    return Result(
        document(found),
        lambda page: show.corrected_lines(found, page, what=args.what),
        confirms=True,
    )


def confirm(args: Namespace, page: Page) -> Result:
    """Say that a card holds."""
    with open_memory(args) as memory:
        found = memory.confirm(args.card, reason=args.reason)
    return Result(
        {"card": args.card, "times": found.times, "stale": found.trace.state.stale},
        lambda page: [page.done(page.say("confirm.done", id=args.card, times=found.times))],
        confirms=True,
    )


def quarantine(args: Namespace, page: Page) -> Result:
    """List what is set aside, or change that."""
    if args.action == "list" and args.cards:
        raise BadUsage(page.say("bad.quarantine_list"), "")
    if args.action != "list" and not args.cards:
        raise BadUsage(page.say("bad.quarantine_cards", action=args.action), "")
    with open_memory(args) as memory:
        if args.action == "list":
            found = memory.quarantined()
            return Result(
                {"quarantined": document(found)}, lambda page: show.quarantine_lines(found, page)
            )
        verb = memory.release if args.action == "release" else memory.hold
        changed = verb(*args.cards, reason=args.reason)
    key = f"quarantine.{args.action}.done"
    return Result(
        {"changed": changed},
        lambda page: [page.done(page.say(key, count=len(changed)))],
        confirms=True,
    )
