"""Erasing through Memory: what was named, what rests on it, and what stays."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from alaya import Memory
from alaya.errors import InvalidInput, NotFound
from alaya.model.scope import Scope

SETTINGS = {
    "embedding.provider": "hashing",
    "embedding.background": False,
    "distill.min_session_tokens": 0,
}
Open = Callable[..., Memory]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    monkeypatch.setenv("ALAYA_EMBEDDING_CACHE", str(tmp_path / "cache"))

    def make(user: str = "default") -> Memory:
        return Memory.open(tmp_path / "home", Scope(user), settings=SETTINGS)

    return make


def said(memory: Memory) -> str:
    """Every turn of the user, as the archive has it."""
    found = []
    for state in memory.parts.index.sessions(memory.scope):
        for place in memory.parts.index.turns(memory.scope, state.session.id):
            turn = memory.parts.archive.turn(
                state.session, place.generation, offset=place.offset, length=place.length
            )
            found.append(turn.content)
    return "\n".join(found)


def standing(memory: Memory, *words: str) -> list[str]:
    home = memory.config.home
    files = [p for p in sorted(home.parent.rglob("*")) if p.is_file()]
    return [p.name for p in files for w in words if w.encode() in p.read_bytes()]


@pytest.mark.parametrize("word", ["Quibblestone", "翡翠计划", "🦜🦚", "a-b-c@host.example", "xq"])
def test_a_query_takes_every_turn_that_holds_it(opened: Open, word: str) -> None:
    """Latin, Chinese, emoji, an address, a very short word; turns without it stay as they are."""
    with opened() as memory:
        memory.add(
            [{"role": "user", "content": f"We decided on {word} for the port."}], session="a"
        )
        memory.add([{"role": "user", "content": f"再说一遍 {word}!"}], session="b")
        memory.add(
            [{"role": "user", "content": "The port is 8080, and xquery stays."}], session="c"
        )
        memory.distill()
        memory.embed()
        report = memory.erase(query=word)
        assert report is not None
        assert report.remaining == ()
        assert report.counts["turns"] == 2
        assert "The port is 8080, and xquery stays." in said(memory)
        assert said(memory).replace("xquery", "").count(word) == 0
        if len(word.encode()) > 4:
            assert standing(memory, word) == []
        assert memory.find_words(word).places == ()
        assert memory.verify().differences == ()


def test_an_entity_is_forgotten_by_name(opened: Open) -> None:
    """What was said of it goes, and its name wherever it stands; others keep theirs."""
    with opened() as memory:
        memory.add(
            [
                {"role": "user", "name": "Brunhilde", "content": "I moved to Oslo last year."},
                {"role": "user", "name": "Tom", "content": "Brunhilde Zwick paid, Tom did not."},
            ],
            session="a",
            distill=True,
        )
        known = [found.entity.name for found in memory.entities()]
        assert "Brunhilde" in known
        report = memory.erase(entity="Brunhilde")
        assert report is not None
        assert report.remaining == ()
        assert standing(memory, "Brunhilde", "brunhilde") == []
        assert "Tom did not." in said(memory)
        assert "Brunhilde" not in [found.entity.name for found in memory.entities()]
        with pytest.raises(NotFound):
            memory.erase(entity="Brunhilde")


def test_shared_words_stay_where_they_are(opened: Open) -> None:
    """A word that another session says too stays there; what else was erased does not."""
    with opened() as memory:
        memory.add([{"role": "user", "content": "Postgres runs on Kestrelwing."}], session="a")
        memory.add([{"role": "user", "content": "Postgres 用于账单。"}], session="b")
        report = memory.erase(session="a")
        assert report is not None
        assert report.shared >= 1
        assert said(memory) == "Postgres 用于账单。"
        assert standing(memory, "Kestrelwing") == []


def test_nobody_else_is_touched(opened: Open) -> None:
    """All of one user goes, and all of another stays, also a session of the same name."""
    with opened("ada") as ada, opened("bob") as bob:
        for memory, word in ((ada, "Adasecret"), (bob, "Bobsecret")):
            text = f"We decided to use {word} as the gateway."
            memory.add([{"role": "user", "content": text}], session="same", distill=True)
        kept = said(bob)
        report = ada.erase(everything=True)
        assert report is not None
        assert report.remaining == ()
        assert said(ada) == ""
        assert said(bob) == kept
        assert bob.recall("gateway Bobsecret").hits
        assert standing(ada, "Adasecret") == []
        assert ada.verify().differences == ()


def test_an_ingested_log_does_not_bring_it_back(opened: Open, tmp_path: Path) -> None:
    """Neither the same log, nor a copy, nor the same talk given again; what is new does come."""
    lines = [
        {"role": "user", "content": "Remember that the vault code is Marzipandrache, never tell."},
        {"role": "assistant", "content": "I shall remember that the vault has a code."},
    ]
    log = tmp_path / "talk.jsonl"
    log.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with opened() as memory:
        (taken,) = memory.ingest(log).sessions
        memory.add(lines, session="live")
        for name in (taken.session.id, "live"):
            assert memory.erase(session=name) is not None
        copy = tmp_path / "copy.jsonl"
        copy.write_text(log.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        log.touch()
        assert memory.ingest(log, copy).turns == 0
        new = {"role": "user", "content": "Something new: 新的内容。"}
        assert [one.content for one in memory.add([*lines, new], session="live").episodes] == [
            new["content"]
        ]
        assert standing(memory, "Marzipandrache") == ["copy.jsonl", "talk.jsonl"]


def test_what_people_wrote_is_named_not_changed(opened: Open) -> None:
    """A prompt that holds the words is reported; the words of a reason must be others."""
    with opened() as memory:
        memory.init()
        memory.add([{"role": "user", "content": "Ask Wolperdinger first."}], session="a")
        prompt = memory.config.home / "prompts" / "distill.txt"
        prompt.parent.mkdir(exist_ok=True)
        packed = memory.config.home / "old.gz"
        packed.write_bytes(gzip.compress(b"wolperdinger"))
        prompt.write_text("Never mention Wolperdinger.", encoding="utf-8")
        with pytest.raises(InvalidInput, match="reason"):
            memory.erase(session="a", reason="Wolperdinger asked")
        report = memory.erase(session="a", reason="asked")
        assert report is not None
        assert report.remaining == ("old.gz", "prompts/distill.txt")


def test_only_shown(opened: Open) -> None:
    """A dry run and a refusal change nothing; one thing has to be named, and be there."""
    with opened() as memory:
        memory.add([{"role": "user", "content": "Keep Kaleidophon."}], session="a")
        before = memory.parts.archive.head()
        shown = memory.erase(session="a", dry_run=True)
        assert shown is not None
        assert shown.counts == {"sessions": 1}
        assert memory.erase(session="a", agreed=lambda planned: False) is None
        assert memory.parts.archive.head() == before
        for what in ({}, {"session": "a", "query": "b"}, {"turn": "x"}, {"card": 3}):
            with pytest.raises(InvalidInput):
                memory.erase(**what)
        for what in ({"session": "none"}, {"card": "none"}, {"query": "none such"}):
            with pytest.raises(NotFound):
                memory.erase(**what)


@pytest.mark.parametrize("word", ["Quibblestone", "翡翠计划"])
def test_ids_are_no_words_of_anybody(opened: Open, word: str) -> None:
    """Ids in a text are not blanked where it stays, and are not counted as words that remain.

    The id of a correction stands in its turn, and in what says why another card was stale.
    """
    with opened() as memory:
        wrong = memory.remember(f"The gateway {word} listens on 5433", kind="result")
        drawn = memory.remember("So we wait.", kind="reasoning", derived_from=[wrong.id])
        event = memory.correct(wrong.id, words=f"{word} listens on 6000", reason="moved").event
        memory.undo()
        report = memory.erase(card=wrong.id)
        assert report is not None
        assert report.remaining == ()
        assert standing(memory, word) == []
        happened = memory.history(drawn.id).happened
        assert any(event.id in one.reason for one in happened)
        assert memory.verify().differences == ()
