"""`alaya recall -i`, a walk through the memory, and `alaya recall --from A --to B`, a path.

A walk takes one line at a time: from a person at a terminal, who is shown a prompt, or from a pipe
or a file, as if each line had been typed, without one. The end of the input ends the walk.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alaya.cli import query as queries
from alaya.cli import show_path, show_reads, show_recall
from alaya.cli.opening import open_memory, scope_of
from alaya.cli.output import out
from alaya.cli.page import Page, day, is_terminal, one_line, printable
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result
from alaya.errors import InvalidInput, UserError
from alaya.model.graph import Card
from alaya.model.passage import Answer, Hit, ItemKind, Query
from alaya.model.time import utc_now

if TYPE_CHECKING:
    from alaya.memory import Memory

_LONGEST = 1 << 16  # bytes of a line that are read at once
_CARD_LINES = 40  # of the card where one stands
_QUESTION = ("text", "query", "concepts", "from_nodes")
_OPTIONS = {
    "text": "TEXT",
    "concepts": "--concepts",
    "from_nodes": "--from-nodes",
    "limit": "--limit",
    "min_similarity": "--min-similarity",
    "graph_expand": "--no-graph",
    "recipe": "--recipe",
    "already_shown": "--already-shown",
    "show_again": "--again",
}
_WORDS = {
    "quit": ("q", "quit", "exit", "退出", "离开"),
    "back": ("b", "back", "返回", "后退"),
    "help": ("h", "help", "?", "？", "帮助"),
    "trace": ("t", "trace", "追溯", "原话"),
    "search": ("s", "search", "搜索", "搜"),
}
_COMMANDS = {word: name for name, words in _WORDS.items() for word in words}
# A word of Latin letters ends where something else begins; a Chinese one needs no space behind it.
_COMMAND = re.compile(
    r"(?P<word>[a-z?？]+|追溯|原话|搜索|搜|退出|离开|返回|后退|帮助)(?:\s*(?P<rest>.*))?",
    re.IGNORECASE | re.DOTALL,
)


def path(args: Namespace, page: Page, *, asked: Mapping[str, Any]) -> Result:
    """Find the best chain of links from one end to the other."""
    typed = queries.given(args)
    if any(end in typed for end in queries.ENDS):
        missing = [f"--{end}" for end in queries.ENDS if end not in asked]
        if missing:
            raise BadUsage(page.say("bad.path_end", what=missing[0]), "")
        other = [n for n in typed if n not in (*queries.ENDS, *queries.OF_PATHS)]
        if other:
            what = _option(other[0], said=typed[other[0]])
            raise BadUsage(page.say("bad.path_with", what=what), "")
    try:
        wanted = queries.build_path(asked, scope_of(args), now=utc_now())
    except queries.Wrong as wrong:
        raise InvalidInput(page.say(wrong.key, **wrong.values)) from wrong
    with open_memory(args) as memory:
        found = memory.path(
            wanted.source,
            wanted.target,
            relations=wanted.relations,
            max_depth=wanted.max_depth,
            where=wanted.where,
        )
    return Result(
        show_path.path_document(found),
        lambda page: show_path.path_lines(found, page, explain=args.explain),
    )


def _option(name: str, *, said: object) -> str:
    """The option that was typed for a key of the query: `--no-cards` for include_cards, False."""
    if name.startswith("include_"):
        name = name if said else name.replace("include", "no")
        return "--" + name.replace("_", "-")
    return _OPTIONS.get(name, name)


def walk(args: Namespace, page: Page) -> Result:
    """Ask, look, and go on from what was found, until the walker has enough."""
    typed = queries.given(args)
    if args.json:
        raise BadUsage(page.say("bad.walk_json"), "")
    if any(end in typed for end in queries.ENDS):
        raise BadUsage(page.say("bad.walk_path"), "")
    with open_memory(args) as memory:
        walker = _Walker(memory, args, page=page)
        if queries.asks(typed):
            walker.ask(typed)
        else:
            walker.check()
        person = is_terminal(sys.stdin) and is_terminal(sys.stdout)
        if person:
            out("\n".join(page.hints("", page.say("walk.help"))))
        try:
            for line in _typed() if person else _piped():
                if not walker.takes(line):
                    break
        except KeyboardInterrupt:
            if person:
                print(flush=True)  # what is said next begins on a line of its own
            raise
    return Result(None, lambda page: [])


@dataclass(frozen=True)
class _View:
    """Where the walker stands: what was asked, what was found, and the card it was asked from."""

    fields: Mapping[str, Any]
    answer: Answer
    at: Card | None = None


class _Walker:
    """One walk: an open memory, and the views that were seen on the way."""

    def __init__(self, memory: Memory, args: Namespace, *, page: Page) -> None:
        self._memory, self._args, self._page = memory, args, page
        self._base = {
            name: value
            for name, value in queries.given(args).items()
            if name not in (*_QUESTION, "relations")
        }
        self._views: list[_View] = []

    def check(self) -> None:
        """See that what was typed beside a question can be understood. Raises InvalidInput."""
        self._query({**self._base, "text": "-"})

    def ask(self, fields: Mapping[str, Any], at: Card | None = None) -> None:
        """Recall, and stand where that leads."""
        answer = self._memory.recall(query=self._query(fields))
        self._views.append(_View(fields, answer, at))
        self._show()

    def takes(self, line: str) -> bool:
        """Do what a line says; whether the walk goes on."""
        command, rest = understood(line)
        if command == "quit":
            return False
        try:
            self._do(command, rest)
        except UserError as error:  # one step that cannot be taken does not end the walk
            out(self._page.warn(str(error)))
        return True

    def _do(self, command: str, rest: str) -> None:
        if command == "help":
            out(self._page.say("walk.help"))
        elif command == "back":
            self._back()
        elif command == "trace":
            self._trace(rest)
        elif command == "go":
            self._go(int(rest))
        elif command == "card":
            self._stand_at(rest)
        elif rest:
            self.ask({**self._base, "text": rest})

    def _back(self) -> None:
        if len(self._views) < 2:
            out(self._page.say("walk.first"))
            return
        self._views.pop()
        self._show()

    def _go(self, number: int) -> None:
        """To the node of this number, or along the relation of this number."""
        view = self._views[-1] if self._views else None
        hits = view.answer.hits if view else ()
        ways = view.answer.explorable if view else ()
        if view is None or not 1 <= number <= len(hits) + len(ways):
            out(self._page.say("walk.no_number", number=number, most=len(hits) + len(ways)))
        elif number > len(hits):
            nodes = [hit.id for hit in hits if hit.card] or list(view.fields.get("from_nodes", ()))
            rel = ways[number - len(hits) - 1].rel
            self.ask({**self._question(), "from_nodes": nodes, "relations": [rel]})
        elif hits[number - 1].kind is ItemKind.CARD:
            self._stand_at(hits[number - 1].id)
        else:
            out("\n".join(self._words_of(hits[number - 1])))

    def _stand_at(self, node: str) -> None:
        cards = {hit.id: hit.card for view in self._views for hit in view.answer.hits}
        self.ask({**self._question(), "from_nodes": [node]}, at=cards.get(node))

    def _trace(self, what: str) -> None:
        view = self._views[-1] if self._views else None
        hits = view.answer.hits if view else ()
        node = what
        if what.isdecimal():
            if not 1 <= int(what) <= len(hits):
                out(self._page.say("walk.no_node", number=int(what), most=len(hits)))
                return
            hit = hits[int(what) - 1]
            if hit.kind is not ItemKind.CARD:
                out("\n".join(self._words_of(hit)))
                return
            node = hit.id
        elif not what and view and view.at:
            node = view.at.id
        elif not what:
            out(self._page.say("walk.trace_what"))
            return
        out("\n".join(show_reads.trace_lines(self._memory.trace(node), self._page)))

    def _question(self) -> dict[str, Any]:
        """What was looked for, so that distances stay those from the goal."""
        fields = self._views[-1].fields if self._views else {}
        return {**self._base, **{k: fields[k] for k in ("text", "concepts") if k in fields}}

    def _query(self, fields: Mapping[str, Any]) -> Query:
        try:
            return queries.build(fields, scope_of(self._args), now=utc_now())
        except queries.Wrong as wrong:
            raise InvalidInput(self._page.say(wrong.key, **wrong.values)) from wrong

    def _show(self) -> None:
        view, page = self._views[-1], self._page
        lines = _card_lines(view.at, page) if view.at else []
        lines += show_recall.recall_lines(
            view.answer, page, explain=self._args.explain, numbered=True
        )
        out("\n".join(["", *lines] if len(self._views) > 1 else lines))

    def _words_of(self, hit: Hit) -> list[str]:
        said = "walk.summary" if hit.kind is ItemKind.SUMMARY else "walk.turn"
        return [self._page.say(said, id=one_line(hit.id, 120)), *_indented(hit.content)]


def understood(line: str) -> tuple[str, str]:
    """A line as (what to do, with what): go NUMBER, card ID, search TEXT, trace, back, help, quit.

    What is no command and no number is looked for; an empty line asks for nothing.
    """
    text = line.strip()
    if text.isdecimal():
        return "go", text if len(text) < 10 else "0"
    if re.fullmatch(r"card-\S+", text):
        return "card", text
    found = _COMMAND.fullmatch(text)
    name = _COMMANDS.get(found["word"].lower()) if found else None
    rest = (found["rest"] or "").strip() if found else ""
    if name == "trace" and (not rest or re.fullmatch(r"\d{1,9}|card-\S+", rest)):
        return name, rest
    if name == "search":
        return ("search", rest) if rest else ("help", "")
    if name in ("quit", "back", "help") and not rest:
        return name, ""
    return "search", text


def _typed() -> Iterator[str]:
    """Lines from a person, with editing where the terminal can do it; Control-D ends them."""
    if os.environ.get("TERM", "dumb") != "dumb":
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - `input` uses it
    with contextlib.suppress(AttributeError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    while True:
        try:
            yield input("> ")
        except EOFError:
            print(flush=True)
            return


def _piped() -> Iterator[str]:
    """Lines from a pipe or a file, whatever the locale; a closed one holds none."""
    if sys.stdin is None:
        return
    while line := sys.stdin.buffer.readline(_LONGEST):
        yield line.decode("utf-8", "replace").lstrip("\ufeff")


def _card_lines(card: Card, page: Page) -> list[str]:
    """The card where one stands, whole or nearly so."""
    lines = [page.styled(one_line(card.title or card.content, 120), "bold")]
    lines += _indented(card.content)[:_CARD_LINES]
    lines.append(page.styled(f"    {card.id} · {card.kind.value} · {day(card.said_at)}", "dim"))
    return [*lines, ""]


def _indented(text: str) -> list[str]:
    return [f"    {line.rstrip()}" for line in printable(text).strip().split("\n")]
