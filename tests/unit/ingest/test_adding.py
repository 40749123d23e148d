"""`Memory.add`: messages of a program into a session that grows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from alaya import Memory, Scope
from alaya.errors import InvalidInput
from alaya.model.raw import Origin, Role, TurnMark

SETTINGS = {"embedding.provider": "none", "embedding.background": False}
TALK = [
    {"role": "user", "name": "阿信", "content": "我今天去了星巴克"},
    {"role": "assistant", "name": "Jarvis", "content": "How was the coffee? ☕"},
    {"role": "user", "content": "ok"},
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", settings=SETTINGS) as memory:
        yield memory


def archived(memory: Memory, session: str, user: str = "default") -> list[Any]:
    """The turns of a session, from the archive."""
    parts, scope = memory.parts, Scope(user)
    state = parts.index.session(scope, session)
    assert state is not None
    return [
        parts.archive.turn(state.session, p.generation, offset=p.offset, length=p.length)
        for p in parts.index.turns(scope, session)
        if p.mark is TurnMark.ACTIVE
    ]


def test_messages_become_turns(memory: Memory) -> None:
    """Word for word, with speaker, role, time and trust; the report has them as they were kept."""
    at = datetime(2026, 3, 1, 9, tzinfo=UTC)
    first = {**TALK[0], "timestamp": at, "mood": "好"}
    added = memory.add([first, *TALK[1:]], session="s", agent="jarvis")
    assert (added.session, added.created, added.known, added.distilled) == ("s", True, 0, None)
    assert list(added.episodes) == archived(memory, "s")
    one, two, _ = added.episodes
    assert (one.content, one.name, one.role, one.said_at) == (
        "我今天去了星巴克",
        "阿信",
        Role.USER,
        at,
    )
    assert (two.origin, one.metadata) == (Origin.AGENT, {"mood": "好"})
    state = memory.parts.index.session(Scope("default", "jarvis"), "s")
    assert state is not None
    assert state.session.started_at == at
    assert memory.verify().differences == ()


def test_a_talk_given_again_adds_what_is_new(memory: Memory) -> None:
    """The whole talk, its end, or the same twice: each message stands once, in its order."""
    memory.add(TALK, session="s")
    assert memory.add(TALK, session="s").episodes == ()
    grown = memory.add([*TALK, {"role": "user", "content": "ok"}], session="s")
    assert ([t.content for t in grown.episodes], grown.known) == (["ok"], 3)
    more = memory.add([{"role": "assistant", "content": "ok"}], session="s")
    assert len(more.episodes) == 1
    assert [t.content for t in archived(memory, "s")] == [
        *(one["content"] for one in TALK),
        "ok",
        "ok",
    ]


def test_ids_and_times_tell_messages_apart(memory: Memory) -> None:
    """One id is one message; the same words at another time are said again."""
    said = {"role": "user", "content": "继续"}
    memory.add([{**said, "id": "m1"}, {**said, "id": "m2"}], session="s")
    assert memory.add([{**said, "id": "m2"}, {**said, "id": "m3"}], session="s").known == 1
    for day in ("2026-03-01", "2026-03-02", "2026-03-02"):
        memory.add([{**said, "timestamp": day}], session="s")
    assert len(archived(memory, "s")) == 5
    twice = memory.add([{**said, "id": 7}, {**said, "id": 7}, {**said, "id": "7"}], session="t")
    assert [t.id for t in twice.episodes] == ["7"]
    # An id that is used for other words loses neither.
    memory.add([{"role": "user", "content": "other", "id": "m1"}], session="s")
    assert [t.content for t in archived(memory, "s")].count("other") == 1
    assert len(archived(memory, "s")) == 6


def test_a_clock_may_be_a_little_ahead(memory: Memory) -> None:
    """A time of a few hours to come is kept: clocks differ, and a local time has no zone."""
    soon = datetime.now(UTC) + timedelta(hours=12)
    (turn,) = memory.add({"role": "user", "content": "x", "timestamp": soon}).episodes
    assert turn.said_at == soon


def test_tools_secrets_and_alayas_own_words(memory: Memory) -> None:
    """Calls and results are kept, secrets replaced, and what alaya said is marked across calls."""
    key = "sk-proj-" + "a1B2c3D4" * 6
    call = {"id": "c1", "function": {"name": "alaya_recall", "arguments": '{"text": "x"}'}}
    added = memory.add(
        [{"role": "user", "content": f"the key is {key}"}, {"role": "assistant", "content": None,
         "tool_calls": [call]}],
        session="s",
    )  # fmt: skip
    assert key not in added.episodes[0].content
    assert sum(added.redacted.values()) == 1
    assert added.episodes[1].tool_calls[0].name == "alaya_recall"
    result = {"role": "tool", "tool_call_id": "c1", "content": "we decided on Redis"}
    (answer,) = memory.add([result], session="s").episodes
    assert (answer.injected, answer.origin) == (((0, 19),), Origin.TOOL)
    again = memory.add([{"role": "user", "content": f"the key is {key}"}], session="s")
    assert (again.known, again.redacted) == (1, {})


def test_a_text_and_where_it_goes(memory: Memory, tmp_path: Path) -> None:
    """A text is the user's; without a session it goes to that of the day, of the agent."""
    assert memory.add("记得买牛奶").session.startswith("added-20")
    assert memory.add("x", agent="jarvis").session.startswith("added-jarvis-20")
    assert memory.add({"role": "user", "content": "y"}, session="t").session == "t"
    scope = Scope("default", "jarvis", "own")
    with Memory.open(tmp_path / "home", scope, settings=SETTINGS) as narrow:
        assert narrow.add("z").session == "own"
    bob = memory.add("of Bob", user="bob", session="t")
    assert bob.created
    assert [t.content for t in archived(memory, "t", "bob")] == ["of Bob"]
    assert [t.content for t in archived(memory, "t")] == ["y"]


def test_odd_characters(memory: Memory) -> None:
    """NUL goes, a lone surrogate is replaced, emoji and everything else stay; twice is once."""
    odd = "a\x00b \ud800 👩‍👩‍👧 \U0001f600 ﷽"
    (turn,) = memory.add(odd, session="s").episodes
    assert turn.content == "ab � 👩‍👩‍👧 \U0001f600 ﷽"
    assert memory.add(odd, session="s").known == 1
    assert memory.add("x", session="会话/../\ud800").session == "会话/../�"
    assert memory.verify().differences == ()


@pytest.mark.parametrize(
    ("messages", "says"),
    [
        ([], "nothing to add"),
        ("  ", "every message is empty"),
        ([{"role": "user", "content": ""}], "every message is empty"),
        (7, "not int"),
        (b"bytes", "not bytes"),
        ([TALK[0], "text"], "message 2 is str"),
        ([{"role": "wizard", "content": "x"}], "role must be .* not 'wizard'"),
        ([{"content": "x"}], "role must be .* not None"),
        ([{"role": "user"}], "message 1 has no content"),
        ([{"role": "user", "content": 7}], "content must be"),
        ([{"role": "user", "content": object()}], "message 1 is not JSON"),
        ([{"role": "user", "content": ["好", 7]}], "message 1: content must be a text or a list"),
        ([{"role": "user", "content": [{"image": "x"}]}], "such as .*, not {'image': 'x'}"),
        ([{"role": "user", "content": "x", "id": ["m1"]}], "message 1: id must be a text or a"),
        ([{"role": "user", "content": "x", "id": True}], "message 1: id must be a text or a"),
        ([*TALK, {"role": "user", "content": "x", "name": {"zh": "阿信"}}], "message 4: name must"),
        ([{"role": "user", "content": "x", "tool_calls": "f()"}], "tool_calls must be a list"),
        ([{"role": "user", "content": "x", "metadata": 3}], "metadata must be an object, not 3"),
        ([{"role": "user", "content": "x", "timestamp": "2999-01-01"}], "is still to come"),
        (
            [{**TALK[0], "id": "m1"}, TALK[1], {**TALK[2], "id": "m1"}],
            "messages 1 and 3 have the same id, 'm1', but are not the same",
        ),
        ([*TALK, {"role": "user", "content": "x", "timestamp": "soon"}], "message 4: timestamp"),
        ("x" * (16 * 1024 * 1024), "longer than 16 MiB"),
    ],
)
def test_what_is_no_message_writes_nothing(memory: Memory, messages: Any, says: str) -> None:
    """The error names the message; those before it are not kept either."""
    with pytest.raises(InvalidInput, match=says):
        memory.add(messages, session="s")
    assert memory.parts.index.session(memory.scope, "s") is None
    assert memory.parts.archive.head().seq == 0


def test_deep_nesting_is_told(memory: Memory) -> None:
    """A message nested without end is a mistake, not a crash."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidInput, match="message 1 is not JSON"):
        memory.add([{"role": "user", "content": "x", "more": deep}], session="s")


def test_a_large_talk_is_one_commit(memory: Memory) -> None:
    """Two thousand messages are one record of the journal."""
    many = [{"role": "user", "content": f"message {n} 第{n}条"} for n in range(2000)]
    assert len(memory.add(many, session="s").episodes) == 2000
    assert memory.parts.archive.head().seq == 1
    assert memory.add(many, session="s").known == 2000
    assert memory.parts.archive.head().seq == 1


def test_sessions_of_others_are_left_alone(memory: Memory, tmp_path: Path) -> None:
    """A session that follows a file, or is another agent's, is not added to."""
    log = tmp_path / "log.json"
    log.write_text('{"id": "filed", "turns": [{"role": "user", "content": "x"}]}')
    memory.ingest(log)
    with pytest.raises(InvalidInput, match=r"session filed follows .*log\.json"):
        memory.add("y", session="filed")
    memory.add("x", session="s", agent="jarvis")
    with pytest.raises(InvalidInput, match="belongs to agent jarvis, not to friday"):
        memory.add("y", session="s", agent="friday")
    assert memory.add("y", session="s").session == "s"
    for name in ("", " ", "\x00"):
        with pytest.raises(InvalidInput, match="session must be a name"):
            memory.add("y", session=name)


@pytest.mark.parametrize("automatic", [False, True])
def test_distilling_as_wished(tmp_path: Path, automatic: bool) -> None:
    """None: as configured, for a session that is long enough; True: always; False: never."""
    fact = "The staging database moved to port 5433 because 5432 was taken. Remember that."
    settings = {**SETTINGS, "distill.auto_distill": automatic}
    with Memory.open(tmp_path / "home", settings=settings) as memory:
        assert memory.add(fact, session="a", distill=False).distilled is None
        quiet = memory.add(f"{fact} Yes.", session="a")
        assert (quiet.distilled is not None, quiet.cards) == (automatic, ())
        learnt = memory.add(TALK, session="a", distill=True)
        assert learnt.distilled is not None
        assert [c.id for c in learnt.cards] == [c[0] for c in learnt.distilled.sessions[0].cards]
        assert learnt.cards
        assert all(span.session == "a" for card in learnt.cards for span in card.evidence)
