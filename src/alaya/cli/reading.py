"""The commands that read: recall, context, schema, status, verify."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from alaya.cli import query as queries
from alaya.cli import show_context, show_recall, show_retrieved, show_usage
from alaya.cli import show_reads as show
from alaya.cli.opening import open_memory, scope_of
from alaya.cli.page import Page, is_terminal
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result, document
from alaya.errors import InvalidInput
from alaya.model.passage import Query
from alaya.model.report import VerifyReport
from alaya.model.time import utc_now

_TIMES = ("since", "until", "as_of", "believed_at")


def recall(args: Namespace, page: Page) -> Result:
    """Go from words, concepts or cards to what is remembered; or walk, or find a path."""
    if args.interactive:
        from alaya.cli import navigating

        return navigating.walk(args, page)
    asked = _asked(args, page)
    if any(end in asked for end in queries.ENDS):
        from alaya.cli import navigating

        return navigating.path(args, page, asked=asked)
    query = _query(asked, args, page=page)
    with open_memory(args) as memory:
        answer = memory.recall(query=query)
    return Result(
        show_recall.recall_document(answer, explain=args.explain),
        lambda page: show_recall.recall_lines(answer, page, explain=args.explain),
    )


def context(args: Namespace, page: Page) -> Result:
    """What belongs into a prompt, as one block."""
    quoting = {"include_sessions": True, "include_summaries": True}
    asked = {**quoting, **_asked(args, page, missing="bad.no_question")}
    query = _query(asked, args, page=page)
    with open_memory(args) as memory:
        found = memory.context(query=query, budget_tokens=args.budget, format=args.format)
    return Result(
        show_context.context_document(found), lambda page: show_context.context_lines(found, page)
    )


def retrieve(args: Namespace, page: Page) -> Result:
    """Turns, entities, facts and summaries of a question, and a block for a prompt."""
    question = " ".join(args.text)
    if not question.strip():
        raise BadUsage(page.say("bad.no_question"), "")
    kinds = ("episodes", "entities", "edges", "summaries", "cards")
    fields: dict[str, Any] = {f"include_{k}": False for k in kinds if getattr(args, f"no_{k}")}
    typed = {"budget_tokens": args.budget}
    typed |= {name: getattr(args, name) for name in ("session", "limit", "max_hops", *_TIMES)}
    try:
        for name, value in typed.items():
            if value is not None:
                timed = name in _TIMES
                fields[name] = queries.time_of(name, value, now=utc_now()) if timed else value
    except queries.Wrong as wrong:
        raise InvalidInput(page.say(wrong.key, **wrong.values)) from wrong
    with open_memory(args) as memory:
        found = memory.retrieve(question, **fields)
    return Result(
        show_retrieved.retrieved_document(found),
        lambda page: show_retrieved.retrieved_lines(found, page),
    )


def _query(asked: Mapping[str, Any], args: Namespace, *, page: Page) -> Query:
    try:
        return queries.build(asked, scope_of(args), now=utc_now())
    except queries.Wrong as wrong:
        raise InvalidInput(page.say(wrong.key, **wrong.values)) from wrong


def _asked(args: Namespace, page: Page, *, missing: str = "bad.no_query") -> dict[str, Any]:
    """What is asked. Standard input is read only when the arguments hold no query."""
    typed = queries.given(args)
    if queries.asks(typed):
        return typed
    piped = {} if sys.stdin is None or is_terminal(sys.stdin) else _stdin(page)
    if not piped:
        raise BadUsage(page.say(missing), "")
    return {**piped, **typed}


def _stdin(page: Page) -> dict[str, Any]:
    try:
        return queries.read_json(sys.stdin.buffer)
    except queries.Wrong as wrong:
        raise InvalidInput(page.say(wrong.key, **wrong.values)) from wrong


def schema(args: Namespace, page: Page) -> Result:
    """Relations and node types, and how often they are used."""
    both = args.relations == args.node_types
    with open_memory(args) as memory:
        relations = memory.relations() if args.relations or both else None
        types = memory.node_types() if args.node_types or both else None
    found: dict[str, Any] = {}
    if relations is not None:
        found["relations"] = document(relations)
    if types is not None:
        found["node_types"] = dict(types)

    def lines(page: Page) -> list[str]:
        first = [] if relations is None else show.relation_lines(relations, page)
        second = [] if types is None else show.node_type_lines(types, page)
        return [*first, *([""] if first and second else []), *second]

    return Result(found, lines)


def status(args: Namespace, page: Page) -> Result:
    """The three layers in numbers."""
    with open_memory(args) as memory:
        found = memory.status()
    return Result(document(found), lambda page: show.status_lines(found, page))


def usage(args: Namespace, page: Page) -> Result:
    """What calls to a model took."""
    try:
        since = args.since and queries.time_of("since", args.since, now=utc_now())
    except queries.Wrong as wrong:
        raise InvalidInput(page.say(wrong.key, **wrong.values)) from wrong
    with open_memory(args) as memory:
        report = memory.usage(since)
    return Result(document(report), lambda page: show_usage.usage_lines(report, page))


def verify(args: Namespace, page: Page) -> Result:
    """Whether the three layers agree and the archive is what was written."""
    with open_memory(args) as memory:
        report = memory.verify(repair=args.repair)
    return Result(
        document(report),
        lambda page: show.verify_lines(report, page),
        status=verify_status(report),
        confirms=not report.differences,
    )


def verify_status(report: VerifyReport) -> int:
    """0: all is well, or is since it was mended; 3: something is wrong."""
    return 3 if report.differences else 0
