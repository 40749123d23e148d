"""Talks, and replies of a model as they are written beforehand, for the tests of distilling."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from alaya.distill.calls import Asker
from alaya.distill.llm import ModelDistiller
from alaya.distill.prompts import texts
from alaya.distill.run import Rules, distill
from alaya.model.call import Call
from alaya.model.passage import Where
from alaya.model.report import DistillReport
from alaya.model.scope import Scope
from alaya.testing.scripted_llm import ScriptedLLM

USER = Scope("default")
NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
TALK = (
    ("u", "The import fails with a KeyError since Monday."),
    ("a", "The cause was a renamed column. I changed `id` to `item_id` in the import."),
    ("u", "that fixed it, thanks"),
)
MORE = (
    ("u", "We decided to run the import at night, because the table is locked by day."),
    ("a", "Noted: the import runs at night."),
)


def card(title: str, *turns: int, content: str = "", **more: Any) -> dict[str, Any]:
    """A card as a model writes it."""
    text = content or f"{title}, as was said."
    return {"title": title, "content": text, "type": "gotcha", "turns": list(turns), **more}


def link(source: str, relation: str, target: str) -> dict[str, str]:
    return {"from": source, "to": target, "relation": relation, "reason": "it was said"}


def says(*cards: dict[str, Any], links: tuple[dict[str, str], ...] = ()) -> dict[str, Any]:
    return {"cards": list(cards), "links": list(links)}


def numbered(call: Call) -> list[tuple[int, str]]:
    """(number, words) of each turn that a call holds."""
    found = re.findall(r"^\[(\d+)\] [^\n]*\n((?:\| [^\n]*\n?)*)", call.user, re.MULTILINE)
    return [(int(n), " ".join(line[2:] for line in said.splitlines())) for n, said in found]


def echo(call: Call) -> dict[str, Any]:
    """A model that makes a card of every turn that it sees."""
    return says(*(card(words[:60], n, content=words) for n, words in numbered(call)))


def scripted(
    home: Any, *script: Any, name: str = "scripted/1", prompt: str = "", **more: Any
) -> tuple[Rules, ScriptedLLM]:
    """Rules of distilling by a model that says what is written; `prompt` is added to its own."""
    fields = {k: more.pop(k) for k in ("gate", "window_tokens") if k in more}
    rules = {k: more.pop(k) for k in ("redistill", "all_kinds") if k in more}
    lines = script[0] if len(script) == 1 and callable(script[0]) else list(script)
    llm = ScriptedLLM(name, distill=lines)
    asker = Asker(llm, home.archive, "default", lambda: NOW, lambda: 0.0, **more)

    def words(language: str) -> texts.Prompt:
        body = texts.shipped("distill", language).replace("{{max_cards}}", "10")
        return texts.Prompt(body + prompt, language, "here")

    return Rules(ModelDistiller(asker, words, **fields), min_tokens=0, **rules), llm


def run(home, rules: Rules) -> DistillReport:
    return distill(home.archive, home.index, scope=USER, rules=rules, clock=lambda: NOW)


def cards(home) -> dict[str, Any]:
    return {c.title: c for c, _ in home.index.find_cards(Where(USER))}
