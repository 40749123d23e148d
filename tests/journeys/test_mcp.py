"""Agents use a memory over MCP: the official client, the real server, the real stores."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
import served
from mcp import Client
from served import call, over_http, over_stdio, run, text

from alaya import Memory
from alaya.model.scope import Scope
from alaya.server.mcp_tools import table

OFF = {"embedding.provider": "none", "embedding.background": False}
TRANSPORTS = {"stdio": over_stdio, "http": over_http}
JOHN = {"name": "John_Smith", "entityType": "person", "observations": ["Speaks fluent Spanish"]}
FIRM = {"name": "Anthropic", "entityType": "organization", "observations": ["An AI company"]}
WORKS = {"from": "John_Smith", "to": "Anthropic", "relationType": "works_at"}
SAID = "We decided to run the gateway under systemd, because Docker restarts lost its tokens."
ALSO = "我们决定金丝雀口令用紫罗兰，因为旧口令泄露了。"


def ways(cards: list[str], session: str) -> dict[str, dict[str, Any]]:
    """Arguments for every tool, as models give them."""
    return {
        "recall": {"q": "gateway systemd", "limit": "5", "kind": "decision"},
        "context": {"text": "金丝雀口令", "budget": "300"},
        "explore": {"from_nodes": f"[{cards[0]}]", "depth": "1"},
        "trace": {"id": f"[{cards[0]}]"},
        "why": {"card_id": cards[0]},
        "facts": {"about": "John_Smith"},
        "remember": {
            "text": "The user prefers short answers in the morning.",
            "type": "insight",
            "sources": cards[0],
            "importance": "0.8",
        },
        "link": {"from": cards[0], "to": f"alaya://cards/{cards[1]}", "rel": "depends on"},
        "status": {},
        "create_entities": {"entities": json.dumps([JOHN, FIRM])},
        "create_relations": {"relations": WORKS},
        "add_observations": {
            "observations": [{"entityName": "John_Smith", "contents": "Graduated in 2019"}]
        },
        "delete_observations": {
            "deletions": [{"entityName": "John_Smith", "observations": ["Graduated in 2019"]}]
        },
        "delete_relations": {"relations": [WORKS]},
        "delete_entities": {"names": "John_Smith"},
        "read_graph": {},
        "search_nodes": {"query": "spanish"},
        "open_nodes": {"names": ["John_Smith"]},
        "forget": {"card": f"[{cards[0]}]", "why": "it moved"},
    }


@pytest.fixture
def kept(tmp_path: Path) -> Callable[..., tuple[Path, list[str], str]]:
    """A home with two decisions of a user: where, the cards, the session."""

    def make(user: str = "default", words: tuple[str, ...] = (SAID, ALSO)) -> Any:
        home = tmp_path / "home"
        with Memory.open(home, Scope(user), settings=OFF) as memory:
            added = [memory.add(one, session=f"s{i}", distill=True) for i, one in enumerate(words)]
            return home, [card.id for one in added for card in one.cards], "s0"

    return make


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_every_tool_is_listed_and_answers(
    transport: str, kept: Callable[..., tuple[Path, list[str], str]]
) -> None:
    """Over either transport each tool takes what models give it, and answers without an error."""
    home, cards, session = kept()
    asked = ways(cards, session)

    async def talk() -> None:
        async with TRANSPORTS[transport](home) as client:
            listed = (await client.list_tools()).tools
            assert {tool.name for tool in listed} == set(table(read_only=False)) == set(asked)
            assert all(tool.description and tool.input_schema for tool in listed)
            for name, arguments in asked.items():
                found = await call(client, name, **arguments)
                assert not found.is_error, (name, text(found))
                assert text(found)
            found = await call(client, "recall", query="金丝雀口令是什么")
            assert f"[{cards[1]}]" in text(found)
            assert "[session s1#" in text(found)
            found = await call(client, "recall", query="gateway under systemd", turns=False)
            assert f"[{cards[0]}]" not in text(found)  # it was forgotten
            with Memory.open(home, settings=OFF) as memory:
                assert memory.restore(cards[0]).cards
                [made] = [c for c in memory.cards() if "short answers" in c.content]
            found = await call(client, "why", card=made.id)
            assert f"[{cards[0]}]" in text(found)
            await _resources(client, cards, session)

    run(talk)


async def _resources(client: Client, cards: list[str], session: str) -> None:
    """Resources and prompts hold the words, with citations."""
    listed = {str(one.uri) for one in (await client.list_resources()).resources}
    assert {f"alaya://cards/{cards[0]}", f"alaya://sessions/{session}"} <= listed
    shapes = (await client.list_resource_templates()).resource_templates
    assert {one.name for one in shapes} == {"cards", "sessions", "summaries"}
    for uri in (f"alaya://cards/{cards[0]}", f"alaya://sessions/{session}"):
        (read,) = (await client.read_resource(uri)).contents
        assert SAID in getattr(read, "text", "")
        assert f"[session {session}#" in getattr(read, "text", "")
    names = {one.name for one in (await client.list_prompts()).prompts}
    assert names == {"session_start", "session_end"}
    start = await client.get_prompt("session_start", {"task": "gateway under systemd"})
    assert f"[{cards[0]}]" in getattr(start.messages[0].content, "text", "")
    end = await client.get_prompt("session_end", {})
    assert "`remember`" in getattr(end.messages[0].content, "text", "")


def test_the_reference_conversation(tmp_path: Path) -> None:
    """The example of the reference memory server goes as there: same names, shapes, results; what
    is deleted leaves recall, its words stay, and a rebuild has the same graph."""
    home = tmp_path / "home"

    async def talk() -> None:
        async with over_stdio(home) as client:
            empty = await call(client, "read_graph")
            assert json.loads(empty.content[0].text) == {"entities": [], "relations": []}
            made = await call(client, "create_entities", entities=[JOHN, FIRM])
            assert made.structured_content == {"entities": [JOHN, FIRM]}
            assert json.loads(made.content[0].text) == [JOHN, FIRM]
            again = await call(client, "create_entities", entities=[JOHN])
            assert json.loads(again.content[0].text) == []
            assert json.loads(
                (await call(client, "create_relations", relations=[WORKS])).content[0].text
            ) == [WORKS]
            wanted = ["Graduated in 2019", "Prefers morning meetings", "Speaks fluent Spanish"]
            added = await call(
                client,
                "add_observations",
                observations=[{"entityName": "John_Smith", "contents": wanted}],
            )
            assert added.structured_content == {
                "results": [{"entityName": "John_Smith", "addedObservations": wanted[:2]}]
            }
            missing = await call(
                client,
                "add_observations",
                observations=[{"entityName": "Nobody", "contents": ["x"]}],
            )
            assert missing.is_error
            assert "Entity with name Nobody not found" in text(missing)
            whole = {**JOHN, "observations": ["Speaks fluent Spanish", *wanted[:2]]}
            for name, asked in (
                ("search_nodes", {"query": "spanish"}),
                ("search_nodes", {"query": "SMITH"}),
                ("open_nodes", {"names": ["John_Smith", "Nobody"]}),
            ):
                found = await call(client, name, **asked)
                assert found.structured_content == {"entities": [whole], "relations": [WORKS]}
            gone = await call(
                client,
                "delete_observations",
                deletions=[{"entityName": "John_Smith", "observations": wanted[:1]}],
            )
            assert gone.structured_content["success"] is True
            assert not (await call(client, "delete_relations", relations=[WORKS])).is_error
            left = await call(client, "read_graph")
            assert left.structured_content["relations"] == []
            assert "Graduated in 2019" not in text(left)
            assert not (await call(client, "delete_entities", entityNames=["John_Smith"])).is_error
            left = await call(client, "read_graph")
            assert left.structured_content == {"entities": [FIRM], "relations": []}
            assert "Spanish" not in text(
                await call(client, "recall", query="Who speaks Spanish?", kinds=["observation"])
            )

    run(talk)
    with Memory.open(home, settings=OFF) as memory:
        assert not memory.verify().differences
        (session,) = memory.sessions()
        words = [turn.turn.content for turn in memory.transcript(session.id).turns]
        assert "John_Smith: Graduated in 2019" in words
        before = memory.told()
        memory.rebuild()
        assert memory.told() == before


def test_another_users_words_are_never_seen(
    kept: Callable[..., tuple[Path, list[str], str]],
) -> None:
    """No tool, resource or prompt tells one user what another said, by search or by id, whatever
    user the model names."""
    canary = (
        "We decided that the zanzibar canary runs under systemd, because Docker lost its tokens."
    )
    home, cards, session = kept("alice", (canary, ALSO))
    with Memory.open(home, Scope("alice"), settings=OFF) as memory:
        memory.add("John_Smith is the zanzibar admin.", session="own of alice", distill=True)
        turn = f"{session}#{memory.transcript(session).turns[0].turn.id}"
    asked = ways(cards, session)
    more = {
        "recall": {"query": "zanzibar canary", "user": "alice", "session": session},
        "context": {"query": "金丝雀口令", "agent": "alice"},
        "trace": {"card": cards[0], "user_id": "alice"},
        "explore": {"from_nodes": [turn, session, "own of alice"], "scope": "alice"},
        "search_nodes": {"query": "zanzibar 紫罗兰"},
    }

    async def talk() -> None:
        async with over_stdio(home, "--user", "bob") as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == set(asked)
            for calls in (asked, more):
                for name, arguments in calls.items():
                    seen = text(await call(client, name, **arguments)).casefold()
                    assert "zanzibar" not in seen, name
                    assert "紫罗兰" not in seen, name
            listed = str((await client.list_resources()).resources)
            assert cards[0] not in listed
            for kind, name in (("cards", cards[0]), ("sessions", "own of alice")):
                with pytest.raises(Exception, match="no "):
                    await client.read_resource(f"alaya://{kind}/{name}")
            start = await client.get_prompt("session_start", {"task": "zanzibar canary"})
            assert "systemd" not in str(start.messages)

    run(talk)


def test_reading_only(kept: Callable[..., tuple[Path, list[str], str]]) -> None:
    """A server that only reads has no tool that writes, says so, and writes no record."""
    home, cards, session = kept()
    with Memory.open(home, settings=OFF) as memory:
        before = memory.status().journal_seq

    async def talk() -> None:
        async with over_stdio(home, "--read-only") as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == set(table(read_only=True))
            for name, arguments in ways(cards, session).items():
                found = await call(client, name, **arguments)
                assert found.is_error == (name not in names), (name, text(found))
                assert not found.is_error or "--read-only" in text(found)

    run(talk)
    with Memory.open(home, settings=OFF) as memory:
        assert memory.status().journal_seq == before


def test_mistakes_say_what_to_change(kept: Callable[..., tuple[Path, list[str], str]]) -> None:
    """Wrong calls are results that a model can learn from; the log has no word of a memory."""
    home, cards, _ = kept()
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("recall", {}, "query is missing: arguments are query"),
        ("recall", {"querry": "x"}, "'querry' is not known here"),
        ("recall", {"query": "x", "limit": "many"}, "limit must be a number such as 10"),
        ("recall", {"query": "x", "limit": 0}, "limit must be at least 1"),
        ("recall", {"query": "x", "kinds": ["decison"]}, "did you mean decision?"),
        ("recall", {"query": "x", "since": "some day"}, "some day"),
        ("explore", {"from_nodes": ["card-none"]}, "card-none"),
        ("trace", {"card": "card-none"}, "no card card-none"),
        ("link", {"source": cards[0], "target": cards[0]}, "itself"),
        ("link", {"source": cards[0], "target": cards[1], "weight": 0}, "weight"),
        ("create_entities", {"entities": ["John"]}, "list of objects"),
        ("create_entities", {"entities": [{}]}, "name is missing"),
        ("create_relations", {"relations": [WORKS]}, "John_Smith not found"),
        ("recal", {"query": "x"}, "did you mean recall?"),
    ]

    async def talk() -> None:
        async with over_stdio(home) as client:
            for name, arguments, hint in wrong:
                found = await call(client, name, **arguments)
                assert found.is_error, (name, arguments)
                assert hint in text(found), (name, arguments, text(found))
                assert "Traceback" not in text(found)
            found = await call(client, "recall", query="systemd gateway", user="x", colour="red")
            assert not found.is_error
            assert "Left out: user." in text(found)
            assert "colour" in text(found)

    run(talk)
    logged = "".join(path.read_text() for path in (home / "logs").glob("*.log"))
    assert "systemd" not in logged
    assert "Traceback" not in logged


def test_killed_in_the_middle(tmp_path: Path) -> None:
    """What a server acknowledged before it was killed is there, and the home is sound."""
    home = tmp_path / "home"
    done: list[str] = []

    async def add(client: Client, number: int) -> None:
        made = await call(client, "create_entities", entities=[{**JOHN, "name": f"No {number}"}])
        if not made.is_error:
            done.append(f"No {number}")

    async def talk() -> None:
        with served.http_server(home) as (url, process):
            async with Client(url, mode="legacy") as client, anyio.create_task_group() as group:
                for number in range(60):
                    group.start_soon(add, client, number)
                while len(done) < 10:
                    await anyio.sleep(0.01)
                process.kill()
                group.cancel_scope.cancel()

    with suppress(Exception):  # the client minds that its server is gone, in a way of its own
        run(talk)
    assert 10 <= len(done) < 60
    with Memory.open(home, settings=OFF) as memory:
        names = {one.name for one in memory.told(limit=100).entities}
        assert set(done) <= names
        assert not memory.verify().differences


def test_two_servers_on_one_home(tmp_path: Path) -> None:
    """Two servers write to one home at once; each sees what the other wrote."""
    home = tmp_path / "home"

    async def talk() -> None:
        async with over_stdio(home) as one, over_stdio(home, ALAYA_LANG="zh") as other:

            async def add(client: Client, number: int) -> None:
                entity = {**JOHN, "name": f"Person {number}"}
                assert not (await call(client, "create_entities", entities=[entity])).is_error

            async with anyio.create_task_group() as group:
                for number in range(12):
                    group.start_soon(add, (one, other)[number % 2], number)
            for client in (one, other):
                found = await call(client, "read_graph")
                assert len(found.structured_content["entities"]) == 12
            told = await call(other, "recall", query="什么都没有的问题")
            assert text(told) == "没有相关的记忆。"

    run(talk)
