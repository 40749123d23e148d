"""The command `relations`: what could be tidied among their names, and doing it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from alaya.cli.opening import open_memory
from alaya.cli.page import Page, one_line
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result, document
from alaya.model.graph import Relation
from alaya.model.vocabulary import Alike, Moved, Proposals

if TYPE_CHECKING:
    from alaya.memory import Memory

_NAME, _REASON, _MOST = 80, 100, 20
_TAKES = {"list": 0, "promote": 1, "alias": 2, "split": 2}


def relations(args: Namespace, page: Page) -> Result:
    """list, promote NAME, alias NAME INTO, split NAME INTO."""
    typed = sum(word is not None for word in (args.name, args.into))
    which = bool(args.links or args.reason)
    defined = args.definition is not None
    split, promote = args.action == "split", args.action == "promote"
    if typed != _TAKES[args.action] or which is not split or (defined and not promote):
        raise BadUsage(page.say(f"bad.relations_{args.action}"), "")
    do = {"list": _list, "promote": _promote, "alias": _alias, "split": _split}[args.action]
    with open_memory(args) as memory:
        return do(args, memory)


def _list(args: Namespace, memory: Memory) -> Result:
    found, used = memory.relation_proposals(), memory.relations()
    listed = {"relations": document(used), "proposals": document(found)}
    return Result(listed, lambda page: _lines(found, page, used=used))


def _promote(args: Namespace, memory: Memory) -> Result:
    made = memory.promote_relation(args.name, definition=args.definition)

    def lines(page: Page) -> list[str]:
        told = [page.done(page.say("relations.promoted", name=made.name))]
        if made.definition:
            told.append(page.say("relations.defined", definition=one_line(made.definition, 300)))
        return told

    return Result(document(made), lines, confirms=True)


def _alias(args: Namespace, memory: Memory) -> Result:
    return _moved(memory.alias_relation(args.name, into=args.into), key="relations.aliased")


def _split(args: Namespace, memory: Memory) -> Result:
    found = memory.split_relation(
        args.name, into=args.into, links=args.links or (), reason=args.reason or ""
    )
    return _moved(found, key="relations.split")


def _moved(found: Moved, *, key: str) -> Result:
    values = {"name": found.name, "into": found.into, "links": found.links}
    return Result(document(found), lambda page: [page.done(page.say(key, **values))], confirms=True)


def _lines(found: Proposals, page: Page, *, used: Sequence[Relation]) -> list[str]:
    say = page.say
    lines = [page.heading("🔗", say("relations.heading"))]
    lines += [
        "  " + one_line(say("relations.frequent", name=one.name, uses=one.frequency).strip(), _NAME)
        for one in used
        if one.frequency
    ][:_MOST]
    lines += _alike(found.aliases, page, heading="relations.aliases")
    lines += _alike(found.close, page, heading="relations.close")
    if found.promote:
        lines.append(say("relations.promote"))
    for name, uses in found.promote[:_MOST]:
        lines.append(say("relations.frequent", name=one_line(name, _NAME), uses=uses))
        lines.append(_command(f"promote {name}", page))
    if found.vague:
        lines.append(say("relations.vague"))
    for one in found.vague[:_MOST]:
        lines.append(say("relations.frequent", name=one_line(one.name, _NAME), uses=one.uses))
        lines += [say("relations.why", reason=one_line(why, _REASON)) for why in one.reasons]
        lines.append(_command(f"split {one.name} INTO --reason TEXT", page))
    if found.clusters:
        lines.append(say("relations.clusters"))
    lines += ["  " + one_line(" = ".join(names), 2 * _NAME) for names in found.clusters[:_MOST]]
    if not found.count and not found.close:
        lines.append(say("relations.none"))
    if found.why_no_vectors:
        lines.append(page.warn(say("relations.no_vectors", why=page.local(found.why_no_vectors))))
    return lines


def _alike(found: Sequence[Alike], page: Page, *, heading: str) -> list[str]:
    lines = [page.say(heading)] if found else []
    for one in found[:_MOST]:
        values = {"name": one_line(one.name, _NAME), "into": one_line(one.into, _NAME)}
        lines.append(
            page.say("relations.alike", uses=one.uses, similarity=one.similarity, **values)
        )
        lines.append(_command(f"alias {one.name} {one.into}", page))
    return lines


def _command(command: str, page: Page) -> str:
    return page.styled(f"    alaya relations {one_line(command, 200)}", "dim")
