"""What a scripted model notes of talks becomes the right graph at every date, on both time axes.

The scenarios stand in tests/data/facts: what is said when, what a model makes of it, what is true.

    moves                                                   its name
    2020-05-01 Anna: I live in York. > Anna | lives in | York
    2024-05-03 Anna: I moved to Leeds last month. > Anna | moved to | Leeds | from=last month
    ? 2021-01-01: Anna lives in York                        the graph at that date, as believed now
    ? 2024-06-01 @ 2023-01-01: Anna lives in York           as believed at another
    ? now: Anna moved to Leeds                              without a date
    ! Anna; York; Leeds                                     the entities, or `Melanie = Mel`

Lines of one day are one session. After `>` a fact, or an entity:
`+ Alex (school) : person : other`. Subjects are people, objects things, unless such a line says
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from alaya.distill.calls import Asker
from alaya.distill.learning import Learned, familiar, learned
from alaya.distill.llm_facts import Asked, ask_facts
from alaya.model.change import Change
from alaya.model.passage import Where
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, Turn
from alaya.model.record import Draft
from alaya.model.scope import Scope
from alaya.projection import commit
from alaya.testing.scripted_llm import ScriptedLLM

USER = Scope("default")
_SAID = re.compile(r"(\d{4}-\d\d-\d\d) ([^:：]+)[:：](.*)")
_ASKED = re.compile(r"\? (now|\d{4}-\d\d-\d\d)(?: @ (\d{4}-\d\d-\d\d))?:(.*)")
_FLAGS = ("over", "corrects", "other")


@dataclass(frozen=True)
class Scenario:
    """`said`: (day, speaker, words, what the model notes). `asked`: (as of, believed at, facts)."""

    name: str
    said: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    asked: tuple[tuple[str, str, frozenset[str]], ...]
    entities: frozenset[str] | None


def scenarios(language: str) -> list[Scenario]:
    """The scenarios in a file, an empty line between them."""
    text = (Path(__file__).parents[2] / "data" / "facts" / f"{language}.txt").read_text("utf-8")
    return [_scenario(block.strip().splitlines()) for block in re.split(r"\n\s*\n", text.strip())]


def _scenario(lines: list[str]) -> Scenario:
    said, asked, entities = [], [], None
    for line in map(str.strip, lines[1:]):
        if found := _ASKED.fullmatch(line):
            asked.append((found[1], found[2] or "", _several(found[3])))
        elif line.startswith("!"):
            entities = _several(line[1:])
        elif found := _SAID.fullmatch(line):
            words, *notes = (part.strip() for part in found[3].split(" > "))
            said.append((found[1], found[2], words, tuple(notes)))
        else:
            raise ValueError(f"not a line of a scenario: {line}")
    return Scenario(lines[0].strip(), tuple(said), tuple(asked), entities)


def _several(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split(";") if part.strip())


@dataclass
class World:
    """A home in which a scenario is told; `drafts` can be told again."""

    home: Any
    drafts: list[tuple[Draft, Session, Mapping[str, ArchivedTurn]]] = field(default_factory=list)

    def tell(self, scenario: Scenario) -> None:
        """Each day's talk becomes a session, is asked about, and committed at noon."""
        for day, lines in groupby(scenario.said, key=lambda line: line[0]):
            self._session(day, list(lines))

    def again(self) -> list[Change]:
        """The changes that telling every draft once more amounts to."""
        return [c for draft in self.drafts for c in self._learn(*draft).changes]

    def facts(self, as_of: str = "now", believed_at: str = "") -> frozenset[str]:
        """What the graph holds, as `subject relation object`."""
        where = Where(
            USER,
            as_of=None if as_of == "now" else _time(as_of),
            believed_at=_time(believed_at) if believed_at else None,
        )
        names = {e.id: _label(e) for e in self.home.index.entities(Where(USER))}
        found = set()
        for link in self.home.index.all_links(where):
            ends = [names[link.source], names[link.target]]
            if link.relation == "CONTRADICTS":
                ends.sort()
            relation = link.relation.replace("_", " ")
            found.add(f"{ends[0]} {relation.lower()} {ends[1]}")
        return frozenset(found)

    def entities(self) -> frozenset[str]:
        """`name = alias, alias` of each entity."""
        return frozenset(
            _label(e) + (f" = {', '.join(sorted(e.aliases))}" if e.aliases else "")
            for e in self.home.index.entities(Where(USER))
        )

    def _session(self, day: str, lines: list[Any]) -> None:
        at = _time(day) + timedelta(hours=9)
        session = Session(f"talk-{day}", USER, at)
        turns = []
        for n, (_, who, words, _) in enumerate(lines):
            turn = Turn(f"t{n}", Role.USER, words, at + timedelta(minutes=n), who, Origin.OWNER)
            turns.append(ArchivedTurn(turn, n, 0, n * 100, 100))
        self.home.tell(session, turns, at=at)
        llm = ScriptedLLM(facts=[_reply(lines)])
        asker = Asker(llm, self.home.archive, "default", lambda: at, lambda: 0.0)
        read, _ = ask_facts(asker, Asked(session, tuple(turns)))
        assert not read.rejected
        draft = Draft(
            session.id,
            "scripted",
            day,
            0,
            len(turns),
            entities=tuple(read.entities),
            facts=tuple(read.facts),
        )
        self.drafts.append((draft, session, {t.turn.id: t for t in turns}))
        commit(
            self.home.archive,
            self.home.index,
            decide=lambda: list(self._learn(*self.drafts[-1]).changes),
            actor="test",
            verb="distill",
            clock=lambda: at + timedelta(hours=3),
        )

    def _learn(self, draft: Draft, session: Session, turns: Mapping[str, ArchivedTurn]) -> Learned:
        known = familiar(self.home.index, session, draft=draft, turn=turns.get)
        return learned(draft, session, familiar=known, turn=turns.get)


def _label(entity: Any) -> str:
    return f"{entity.name} ({entity.summary})" if entity.summary else entity.name


def _time(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def _reply(lines: list[Any]) -> dict[str, Any]:
    """What the model answers: the notes of every turn, each citing its number."""
    entities: dict[str, dict[str, Any]] = {}
    facts = []
    for number, (_, _, _, notes) in enumerate(lines, 1):
        for note in notes:
            if note.startswith("+"):
                entity = _entity(note[1:], number)
                entities[entity["name"]] = entity
    for number, (_, _, _, notes) in enumerate(lines, 1):
        for note in notes:
            if not note.startswith("+"):
                facts.append(_fact(note, number))
                ends = ((facts[-1]["subject"], "person"), (facts[-1]["object"], "thing"))
                for name, kind in ends:
                    made = {"name": name, "kind": kind, "turns": [number]}
                    entities.setdefault(name, made)
    return {"entities": list(entities.values()), "facts": facts}


def _entity(note: str, number: int) -> dict[str, Any]:
    name, kind, *more = (part.strip() for part in note.split(" : "))
    aliases = [one.removeprefix("also ") for one in more if one.startswith("also ")]
    other = "other" in more
    return {"name": name, "kind": kind, "aliases": aliases, "other": other, "turns": [number]}


def _fact(note: str, number: int) -> dict[str, Any]:
    subject, relation, what, *more = (part.strip() for part in note.split(" | "))
    fact = {"subject": subject, "relation": relation, "object": what, "turns": [number]}
    return {**fact, "fact": f"{subject} {relation} {what}.", **dict(_settings(more))}


def _settings(more: list[str]) -> Iterator[tuple[str, Any]]:
    for one in " ; ".join(more).split(" ; ") if more else ():
        name, _, value = one.partition("=")
        yield name, (True if name in _FLAGS else value)


ALL = [one for language in ("en", "zh") for one in scenarios(language)]


@pytest.mark.parametrize("scenario", ALL, ids=lambda one: one.name.replace(" ", "-"))
def test_the_graph_at_chosen_dates(home: Any, scenario: Scenario) -> None:
    """As of a date in the world, and as believed at another; told again, nothing changes."""
    world = World(home)
    world.tell(scenario)
    for as_of, believed_at, expected in scenario.asked:
        assert world.facts(as_of, believed_at) == expected, (as_of, believed_at)
    if scenario.entities is not None:
        assert world.entities() == scenario.entities
    assert world.again() == []


def test_there_are_enough() -> None:
    """At least 40 scenarios, a good part of them Chinese, each with its own name."""
    assert len(ALL) >= 40
    assert len(scenarios("zh")) >= 15
    assert len({one.name for one in ALL}) == len(ALL)
