"""From a talk to what is known and back, by `add`, `facts`, `entities`, `summaries`, `retrieve`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from others import Contents, Done, Process

from alaya import Memory
from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.graph import Entity, EntityKind, Link, Summary
from alaya.model.ids import entity_id, sha256
from alaya.model.raw import Span
from alaya.model.report import Outcome
from alaya.projection import commit

SETTINGS = {"embedding.provider": "none", "embedding.background": False}
MOVED, ASKED = datetime(2026, 3, 5, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)
TALKS = {
    "en": {
        "said": ["Melanie lived in Rome for years", "On March 5 Melanie moved to Oslo"],
        "who": ("Melanie", "Mel", "Rome", "Oslo"),
        "facts": ("Melanie lives in Rome", "Melanie lives in Oslo"),
        "sum": ("Moving house", "Melanie moved from Rome to Oslo"),
        "question": "Where does Mel live?",
        "kind": "person",
    },
    "zh": {
        "said": ["阿信以前一直住在北京", "三月五日阿信搬到了成都"],
        "who": ("阿信", "信哥", "北京", "成都"),
        "facts": ("阿信住在北京", "阿信住在成都"),
        "sum": ("搬家", "阿信从北京搬到成都"),
        "question": "信哥现在住在哪里？",
        "kind": "人物",
    },
}


def learn(memory: Memory, session: str, talk: dict) -> None:
    """Write what a distiller would have learnt of a talk."""
    parts, scope = memory.parts, memory.scope
    turns = parts.index.turns(scope, session)
    evidence = [
        (Span(session, turn.id, 0, len(words), sha256(words)),)
        for turn, words in zip(turns, talk["said"], strict=True)
    ]
    name, alias, *places = talk["who"]
    ids = [entity_id(scope.user, one, evidence=session) for one in (name, *places)]
    person = Entity(ids[0], scope, name, EntityKind.PERSON, (alias,), evidence=(*evidence[0],))
    changes: list[Change] = [ch.EntityAdded(person)]
    lives = "LIVES_IN"
    for number, place in enumerate(places):
        began, ended = ((MOVED.replace(day=1), MOVED), (MOVED, None))[number]
        told = evidence[number]
        link = Link(scope, ids[0], lives, ids[number + 1], began, fact=talk["facts"][number])
        changes += [
            ch.EntityAdded(Entity(ids[number + 1], scope, place, EntityKind.PLACE, evidence=told)),
            ch.LinkAdded(replace(link, evidence=told, invalid_at=ended)),
        ]
    topic, content = talk["sum"]
    ends = {"first_turn": turns[0].id, "last_turn": turns[-1].id}
    summary = Summary(
        f"summary-{session}", scope, session, topic, content, said_at=MOVED, **ends,
        evidence=(*evidence[0], *evidence[1]),
    )  # fmt: skip
    commit(
        parts.archive,
        parts.index,
        decide=lambda: [*changes, ch.SummaryAdded(summary)],
        actor="test",
        verb="distill",
        clock=parts.clock,
    )


@pytest.fixture
def home(tmp_path: Path, alaya: Callable[..., Done]) -> Path:
    """Both talks, added on the command line, and what was learnt of them."""
    where = tmp_path / "home"
    for language, talk in TALKS.items():
        for number, words in enumerate(talk["said"]):
            when = f"2026-03-0{4 + number}T08:00:00Z"
            argv = ("--session", language, "--at", when, "--lang", language)
            assert alaya(where, "add", words, *argv).status == 0
        with Memory.open(where, settings=SETTINGS) as memory:
            learn(memory, language, talk)
    return where


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_known(alaya: Callable[..., Done], home: Path, language: str) -> None:
    """Facts by entity, alias and time; entities whole; summaries; also after a rebuild."""
    talk = TALKS[language]
    name, alias, *_ = talk["who"]
    before, now = talk["facts"]

    def told(*argv: str) -> Done:
        done = alaya(home, *argv, ALAYA_LANG=language)
        assert (done.status, done.err) == (0, "")
        return done

    def sentences(*argv: str) -> list[str]:
        return [one["fact"] for one in told("facts", *argv, "--json").json["facts"]]

    for _ in range(2):
        assert sentences(alias) == [now]
        assert sentences(name, "--as-of", "2026-03-02") == [before]
        assert set(sentences(name, "--all")) == {before, now}
        assert sentences(name, "--believed-at", "2026-03-02") == []
        assert sentences("--session", language) == [now]
        assert sentences(talk["said"][1]) == [now]
        shown = told("facts", name, "--all").out
        assert before in shown
        assert "2026-03-05" in shown
        assert f"{language}#said-" in shown
        listed = told("entities").out
        assert f"{name} = {alias} ({talk['kind']})" in listed
        whole = told("entities", alias, "--json").json["entities"]
        assert [(e["name"], e["aliases"]) for e in whole] == [(name, [alias])]
        assert {one["fact"] for one in whole[0]["facts"]} == {before, now}
        assert before in told("entities", name).out
        assert talk["sum"][1] in told("summaries", "--session", language).out
        assert len(told("summaries", "--limit", "1", "--json").json["summaries"]) == 1
        assert told("summaries", "--limit", "1", "--json").json["more"] == 1
        assert told("rebuild").status == 0
    other = told("facts", "--user", "other", "--json").json
    assert other == {"facts": [], "more": None}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_retrieve(home: Path, language: str) -> None:
    """A question brings the talk, who is meant, what holds, and a block that cites all of it."""
    talk = TALKS[language]
    with Memory.open(home, settings={**SETTINGS, "language": language}) as memory:
        found = memory.retrieve(talk["question"], max_hops=1)
        assert [edge.fact for edge in found.edges] == [talk["facts"][1]]
        assert found.entities[0].entity.name == talk["who"][0]
        assert found.context.text.startswith("<alaya-memory")
        assert talk["facts"][1] in found.context.text
        assert talk["facts"][0] not in found.context.text
        then = memory.retrieve(talk["question"], as_of="2026-03-04T09:00:00Z")
        assert [edge.fact for edge in then.edges] == [talk["facts"][0]]
        whole = memory.retrieve(talk["said"][1])
        assert talk["said"][1] in [hit.content for hit in whole.episodes]
        assert [hit.content for hit in whole.summaries] == [talk["sum"][1]]
        for hit in (*whole.episodes, *whole.summaries):
            assert hit.evidence
            assert 0 < hit.score <= 1
        kinds = ("episodes", "entities", "edges", "summaries")
        for kind in kinds:
            without = memory.retrieve(talk["said"][1], **{f"include_{kind}": False})
            assert getattr(without, kind) == ()
            assert [k for k in kinds if getattr(without, k)] == [k for k in kinds if k != kind]
        small = memory.retrieve(talk["said"][1], budget_tokens=90, format="text").context
        assert small.tokens <= 90
        assert memory.retrieve(talk["question"], user="other").abstained
        elsewhere = next(one for one in TALKS if one != language)
        narrow = memory.retrieve(talk["said"][1], session=elsewhere)
        assert (narrow.entities, narrow.edges) == ((), ())


def test_messages_through_a_pipe(home: Path, alaya_piped: Callable[..., Done]) -> None:
    """A list, an object that holds one, or a message a line; a bad one keeps all of them out."""
    talk = [{"role": "user", "content": "你好 👋"}, {"role": "assistant", "content": "hi"}]
    forms = (
        json.dumps(talk, ensure_ascii=False),
        json.dumps({"messages": talk}),
        "\n".join(json.dumps(one) for one in talk),
    )
    for number, text in enumerate(forms):
        done = alaya_piped(text.encode(), home, "add", "--messages", "--session", "p", "--json")
        assert (done.status, done.err) == (0, "")
        assert (len(done.json["episodes"]), done.json["known"]) == ((0, 2) if number else (2, 0))
    for bad, status in ((b"{", 1), (b"\xff\xfe", 1), (b'[{"role": "x", "content": "y"}]', 1)):
        done = alaya_piped(bad, home, "add", "--messages", "--session", "q")
        assert (done.status, done.out) == (status, "")
        assert done.err.startswith("alaya: ")
    assert alaya_piped(b"", home, "summaries", "--session", "q").status == 1
    plain = alaya_piped("记得买牛奶\n".encode(), home, "add", "--session", "p", "--json")
    assert plain.json["episodes"][0]["content"] == "记得买牛奶"
    both = alaya_piped(b"[]", home, "add", "--messages", "--role", "user")
    assert (both.status, "--role" in both.err) == (2, True)


def test_two_processes_add_to_one_session(
    tmp_path: Path,
    sized: Callable[[int, int], int],
    start: Callable[..., Process],
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
) -> None:
    """What each alone says stands once, and so does what both say; nobody's order is changed."""
    count, home = sized(30, 200), tmp_path / "home"

    def talk(who: str) -> list[Sequence[str]]:
        steps = []
        for n in range(count):
            own = {"role": "user", "content": f"{who} says {n} 句"}
            shared = {"role": "assistant", "content": f"both say {n}"}
            steps.append(["add", "one", json.dumps([own, shared])])
        return steps

    workers = [start(home, talk(who)) for who in ("ada", "bob")]
    done = [([line for line in one.lines() if "done" in line], *one.end()) for one in workers]
    assert [(len(lines), status, told) for lines, status, told in done] == [(count, 0, "")] * 2
    with opened(home) as memory:
        said = contents(memory).turns["one"]
        assert len(said) == len(set(said)) == 3 * count
        for who in ("ada", "bob"):
            mine = [one for one in said if one.startswith(who)]
            assert mine == [f"{who} says {n} 句" for n in range(count)]
        assert sorted(one for one in said if one.startswith("both")) == sorted(
            f"both say {n}" for n in range(count)
        )
        assert memory.verify().differences == ()


def test_killed_while_adding(
    tmp_path: Path,
    start: Callable[..., Process],
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
) -> None:
    """Killed at any write, all of a call stands or none; the call made again completes it."""
    talk = [{"role": "user", "content": f"{n} 句 of the talk"} for n in range(3)]
    steps = [["add", "one", json.dumps(talk)]]
    counting = start(tmp_path / "counted", steps, "--count")
    count = next(line["count"] for line in counting.lines() if "count" in line)
    assert counting.end() == (0, "")
    words = [one["content"] for one in talk]
    for at in sorted({*range(1, count, max(1, count // 8)), count}):
        home = tmp_path / f"home-{at}"
        killed = start(home, steps, "--die-at", str(at))
        assert list(killed.lines())[-1:] == [{"enter": 0}]
        assert killed.end()[0] == -9
        with opened(home) as memory:
            assert contents(memory).turns in ({}, {"one": words})
            memory.add(talk, session="one")
            assert contents(memory).turns == {"one": words}
            assert memory.verify().differences == ()


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("I live in Berlin.", "I moved to Madrid.", "Berlin"),
        ("我住在上海。", "我搬到了杭州。", "上海"),
    ],
)
def test_what_ended_is_listed_when_it_is_asked_for(
    before: str, after: str, place: str, tmp_path: Path
) -> None:
    """`always` lists a fact that another one ended, marked so; by itself and by its place."""
    with Memory.open(tmp_path / "home", settings=SETTINGS) as memory:
        for number, text in enumerate((before, after)):
            said = {"role": "user", "content": text, "timestamp": f"2026-0{3 + 5 * number}-01"}
            memory.add([said], session=f"s{number}", distill=True)
        assert [found.link.fact for found in memory.facts() if place in found.link.fact] == []
        for about in ("", place):
            listed = memory.facts(about, always=True)
            assert [found.holds for found in listed if place in found.link.fact] == [False]


def test_a_short_session_that_is_named_is_distilled_again(tmp_path: Path) -> None:
    """`add` distils it however short it is, so distilling it anew by name does not pass it by."""
    with Memory.open(tmp_path / "home", settings=SETTINGS) as memory:
        memory.add("I live in Berlin.", session="s", distill=True)
        [again] = memory.distill("s", redistill=True).sessions
        assert again.outcome is not Outcome.TOO_SHORT
