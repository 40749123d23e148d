"""What every TextIndex must give for ranking: items with their forms, and what mentions a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from alaya.errors import Unsupported
from alaya.model import change as ch
from alaya.model.forms import Forms
from alaya.model.graph import CardKind, Summary
from alaya.model.passage import Item, ItemKind, Mention, Where
from alaya.model.raw import Origin, Role, SessionKind, TurnMark
from alaya.model.scope import Scope
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, BOB, START, Told, card, day, revised, session, turn


def turns(told: Told, *ids: str, reach: int = 0, where: Where | None = None) -> list[str]:
    """Ids of the items that are found for these, in a fixed order."""
    found = told.index.items(ids, ItemKind.TURN, where=where or Where(ALICE), reach=reach)
    return sorted(item.id for item in found)


def one(
    told: Told, name: str, *, kind: ItemKind = ItemKind.TURN, where: Where | None = None
) -> Item:
    """The one item of this id."""
    (found,) = told.index.items([name], kind, where=where or Where(ALICE))
    return found


def mentions(
    told: Told, *names: str, kind: ItemKind = ItemKind.CARD, where: Where | None = None
) -> dict[str, set[Mention]]:
    """What mentions these names."""
    found = told.index.mentioning(names, kind, where=where or Where(ALICE), most=50)
    return {name: set(items) for name, items in found.items()}


class ItemsContract(IndexContract):
    """Needs a fixture `make_index`."""

    @pytest.fixture
    def talk(self, told: Told) -> Told:
        """Nine turns of one talk, two of another one, all of one day."""
        told.says(session("s"), *(turn(str(n), f"gateway {n}") for n in range(9)))
        told.says(session("t"), turn("0", "other"), turn("1", "talk"))
        return told

    def test_turn(self, told: Told) -> None:
        """A turn has its place, its speaker and the forms of its words without the name."""
        told.says(
            session(),
            turn("1", "first"),
            turn("2", "Did you ask Ada Lovelace?", name="Grace Hopper", said_at=day(2)),
        )
        assert one(told, "s#2") == Item(
            "s#2",
            ItemKind.TURN,
            day(2),
            Forms("ask ada lovelace", ("ada lovelace",), "", asks=True),
            session="s",
            ordinal=1,
            speaker="grace hopper",
        )
        assert one(told, "s#1") == Item("s#1", ItemKind.TURN, START, Forms("first"), session="s")

    def test_chinese_turn(self, told: Told) -> None:
        """Titles in 《》 are names, the first line is a heading, the speaker has bigrams."""
        told.says(session(), turn("1", "红楼梦\n曹雪芹写了《石头记》吗？", name="林黛玉"))
        found = one(told, "s#1")
        assert found.forms.names == ("石头 头记",)
        assert found.forms.heading == "红楼 楼梦"
        assert found.forms.asks
        assert found.forms.terms[:4] == ("红楼", "楼梦", "曹雪", "雪芹")
        assert found.speaker == "林黛 黛玉"

    def test_roles_are_no_speakers(self, told: Told) -> None:
        """A name that only tells the role is none; a tool says nothing, and mentions nothing."""
        text = "Listing\nby Ada Lovelace, who wrote it"
        names = ("Assistant", "user", "AI", "助手", " ", None)
        told.says(
            session(),
            *(turn(str(n), text, name=name) for n, name in enumerate(names)),
            turn("tool", text, role=Role.TOOL, name="Bash"),
            turn("system", text, role=Role.SYSTEM, name="Setup"),
        )
        for name in (*map(str, range(len(names))), "tool", "system"):
            assert one(told, f"s#{name}").speaker == ""
        for name in ("tool", "system"):
            forms = one(told, f"s#{name}").forms
            assert forms == Forms("listing ada lovelace wrote")
        found = mentions(told, "ada lovelace", "listing", kind=ItemKind.TURN)
        said = {f"s#{n}" for n in range(len(names))}
        assert {m.id for m in found["ada lovelace"]} == said
        assert {m.id for m in found["listing"]} == said

    def test_injected(self, told: Told) -> None:
        """What alaya itself had put there has no forms; nothing said has empty ones."""
        text = "morning <memory>Ghost Rider</memory> evening"
        told.says(session(), turn("1", text, injected=((8, 36),)), turn("2", ""))
        assert one(told, "s#1").forms == Forms("morning evening")
        assert one(told, "s#2").forms == Forms()

    def test_days(self, told: Told) -> None:
        """What a text speaks of is told from when it was said, or its session began."""
        late = session(started_at=day(9))
        told.says(
            late,
            turn("1", "昨天见的, not 3.14", said_at=day(2)),
            turn("2", "she leaves on 8 May; I met her in January and yesterday"),
            turn("3", "yesterday", role=Role.TOOL),
        )
        told.cards(card("a", "Yesterday", content="and 去年", said_at=day(1)))
        summed = Summary("summary-a", ALICE, "s", "昨天", "and last year", "1", "2", day(1))
        told.tell(ch.SummaryAdded(summed))
        year, eighth = (date(2025, 1, 1), date(2025, 12, 31)), date(2026, 5, 8)
        for name, kind, runs in (
            ("s#1", ItemKind.TURN, [(day(1), day(1))]),
            (
                "s#2",
                ItemKind.TURN,
                [(date(2026, 1, 1), date(2026, 1, 31)), (day(8), day(8)), (eighth, eighth)],
            ),
            ("s#3", ItemKind.TURN, []),
            ("card-a", ItemKind.CARD, [year, (day(0), day(0))]),
            ("summary-a", ItemKind.SUMMARY, [year, (day(0), day(0))]),
        ):
            found = one(told, name, kind=kind).forms.days
            assert found == tuple((a.toordinal(), b.toordinal()) for a, b in runs), name

    def test_card(self, told: Told) -> None:
        """A card's title is its heading, its tags are among its terms; it has no place."""
        told.cards(
            card("a", "Gateway 配置", content="Ask Ada Lovelace. Why?", tags=("容器",)),
        )
        found = one(told, "card-a", kind=ItemKind.CARD)
        forms = Forms("gateway 配置 容器 ask ada lovelace", (), "gateway 配置", asks=True)
        assert found._replace(forms=replace(found.forms, names=())) == Item(
            "card-a", ItemKind.CARD, START, forms
        )
        assert any("ada lovelace" in name for name in found.forms.names)

    def test_only_what_is_asked_for(self, talk: Told) -> None:
        """Each of the ids once, whatever is asked twice, unknown or of another kind."""
        talk.cards(card("a"))
        asked = ("s#3", "t#0", "s#3", "s#99", "s", "", "#", "x#y#z", "card-a")
        assert turns(talk, *asked) == ["s#3", "t#0"]
        assert turns(talk) == []
        found = talk.index.items(["card-a", "s#1", "card-a"], ItemKind.CARD, where=Where(ALICE))
        assert [item.id for item in found] == ["card-a"]

    def test_reach(self, talk: Told) -> None:
        """Neighbours come along, each once, up to the ends of the talk and no further."""
        assert turns(talk, "s#4", reach=1) == ["s#3", "s#4", "s#5"]
        assert turns(talk, "s#4", "s#5", reach=2) == [f"s#{n}" for n in range(2, 8)]
        assert turns(talk, "s#8", "t#0", reach=1) == ["s#7", "s#8", "t#0", "t#1"]
        assert turns(talk, "s#0", reach=1000) == [f"s#{n}" for n in range(9)]
        found = talk.index.items(["s#4"], ItemKind.TURN, where=Where(ALICE), reach=1)
        assert sorted(item.ordinal for item in found) == [3, 4, 5]

    def test_many(self, told: Told) -> None:
        """Thousands at once are no other than one by one."""
        told.says(session(), *(turn(str(n), f"word{n}") for n in range(3000)))
        ids = [f"s#{n}" for n in range(0, 3000, 3)]
        assert len(turns(told, *ids)) == 1000
        assert len(turns(told, *ids, reach=2)) == 3000

    def test_documents(self, told: Told) -> None:
        """A turn of a collection of documents stands alone."""
        documents = session("d", kind=SessionKind.DOCUMENTS)
        told.says(documents, *(turn(str(n), f"document {n}") for n in range(5)))
        assert turns(told, "d#2", reach=2) == ["d#2"]
        assert turns(told, "d#1", "d#3", reach=9) == ["d#1", "d#3"]
        found = one(told, "d#2")
        assert (found.session, found.ordinal) == ("", 0)

    def test_marked(self, talk: Told) -> None:
        """What is not on the active branch is absent, and does not bring others."""
        talk.tell(ch.TurnsMarked(ALICE, "s", ("4",), TurnMark.SIDE))
        assert turns(talk, "s#4") == []
        assert turns(talk, "s#4", reach=2) == []
        assert turns(talk, "s#3", reach=2) == ["s#1", "s#2", "s#3", "s#5"]
        talk.tell(ch.TurnsMarked(ALICE, "s", ("4",), TurnMark.ACTIVE))
        assert turns(talk, "s#3", reach=1) == ["s#2", "s#3", "s#4"]

    def test_ids_with_hashes(self, told: Told) -> None:
        """Session and turn may hold a `#` themselves."""
        told.says(session("a#b"), turn("1", "one"), turn("2#x", "two"))
        told.says(session("a"), turn("b#9", "three"))
        assert turns(told, "a#b#2#x") == ["a#b#2#x"]
        assert turns(told, "a#b#1", "a#b#9") == ["a#b#1", "a#b#9"]
        assert turns(told, "a#b#1", reach=1) == ["a#b#1", "a#b#2#x"]

    def test_walls(self, told: Told) -> None:
        """Nothing of another user comes along, whatever the sessions are called."""
        for scope in (ALICE, BOB):
            name = scope.user.title()
            told.says(session("s", scope), *(turn(str(n), f"ask {name} Smith") for n in range(4)))
            told.cards(card(name, f"ask {name} Smith", scope=scope))
        for scope in (ALICE, BOB):
            where, name = Where(scope), scope.user.title()
            terms = ("ask", scope.user, "smith")
            found = told.index.items(["s#1"], ItemKind.TURN, where=where, reach=1)
            assert [item.forms.terms for item in found] == [terms] * 3
            found = told.index.items(["card-Alice", "card-Bob"], ItemKind.CARD, where=where)
            assert [item.id for item in found] == [f"card-{name}"]
            for other in ("alice smith", "bob smith"):
                for kind, count in ((ItemKind.CARD, 1), (ItemKind.TURN, 4)):
                    held = mentions(told, other, kind=kind, where=where)
                    assert len(held.get(other, ())) == count * (other[0] == scope.user[0])
        assert turns(told, "s#1", where=Where(Scope("carol")), reach=3) == []

    def test_filtered(self, told: Told) -> None:
        """Every field of a filter holds for items, their neighbours and mentions."""
        coder = session("s", Scope("alice", "coder"))
        told.says(
            coder,
            *(turn(str(n), "ask Ada Lovelace", said_at=day(n)) for n in range(6)),
            turn("6", "ask Ada Lovelace", said_at=day(6), origin=Origin.TOOL),
        )
        told.says(coder, turn("7", "ask Ada Lovelace", said_at=day(7)))
        for fields, expected in (
            ({"since": day(3)}, "34567"),
            ({"until": day(3)}, "012"),
            ({"as_of": day(2)}, "012"),
            ({"origins": (Origin.TOOL,)}, "6"),
            ({"origins": (Origin.AGENT,), "since": day(5)}, "57"),
            ({"believed_at": day(1)}, "0123456"),
            ({"believed_at": day(0)}, ""),
            ({"kinds": (CardKind.CONCEPT,)}, ""),
            ({"min_confidence": 0.1}, ""),
            ({"scope": Scope("alice", "writer")}, ""),
            ({"scope": Scope("alice", "coder", "s")}, "01234567"),
            ({"scope": Scope("alice", session="t")}, ""),
        ):
            where = replace(Where(ALICE), **fields)
            ids = [f"s#{n}" for n in expected]
            every = [f"s#{n}" for n in range(8)]
            assert turns(told, *every, where=where) == ids, fields
            assert turns(told, *ids[:1], where=where, reach=9) == ids, fields
            found = mentions(told, "ada lovelace", kind=ItemKind.TURN, where=where)
            assert {m.id for m in found.get("ada lovelace", ())} == set(ids), fields

    def test_cards_filtered(self, told: Told) -> None:
        """So it does for cards, and for what is forgotten."""
        told.cards(
            card("a", "Ada", kind=CardKind.GOTCHA, tags=("t",)),
            card("b", "Ada", confidence=0.1, said_at=day(5)),
            card("c", "Ada"),
        )
        told.tell(ch.Forgotten(ALICE, ("card-c",), ""))
        for fields, expected in (
            ({}, "ab"),
            ({"kinds": (CardKind.GOTCHA,)}, "a"),
            ({"tags": ("T",)}, "a"),
            ({"since": day(1)}, "b"),
            ({"min_confidence": 0.3}, "a"),
            ({"include_forgotten": True}, "abc"),
            ({"believed_at": day(1)}, "abc"),
        ):
            where, ids = Where(ALICE, **fields), {f"card-{n}" for n in expected}
            every = ["card-a", "card-b", "card-c"]
            assert {i.id for i in told.index.items(every, ItemKind.CARD, where=where)} == ids
            assert mentions(told, "ada", where=where) == {"ada": {Mention(i, True) for i in ids}}

    def test_only_current(self, told: Told) -> None:
        """A card has the forms of what it says now; in the past, of what it said then."""
        told.cards(card("a", "Old Word"))
        told.tell(ch.CardRevised(revised(card("a"), title="New Word")))
        then = Where(ALICE, believed_at=day(1))
        assert one(told, "card-a", kind=ItemKind.CARD).forms.heading == "new word"
        assert one(told, "card-a", kind=ItemKind.CARD, where=then).forms.heading == "old word"
        new = {"new word": {Mention("card-a", leads=True)}}
        assert mentions(told, "old word", "new word") == new
        assert set(mentions(told, "old word", "new word", where=then)) == {"old word"}

    def test_mentioning(self, told: Told) -> None:
        """By name or heading, in any script; what leads is told apart."""
        told.cards(
            card("ada", "Ada Lovelace (mathematician)", content="wrote notes"),
            card("notes", "notes", content="they were by Ada Lovelace, about 《分析机》"),
            card("机", "分析机", content="那台机器"),
        )
        told.says(session(), turn("1", "he met Ada Lovelace"), turn("2", "《分析机》"))
        assert mentions(told, "ada lovelace", "分析 析机", "notes", "met", "") == {
            "ada lovelace": {Mention("card-ada", leads=True), Mention("card-notes")},
            "分析 析机": {Mention("card-机", leads=True), Mention("card-notes")},
            "notes": {Mention("card-notes", leads=True)},
        }
        assert mentions(told, "ada lovelace", "分析 析机", "notes", kind=ItemKind.TURN) == {
            "ada lovelace": {Mention("s#1")},
            "分析 析机": {Mention("s#2")},
        }
        assert mentions(told) == {}

    def test_most(self, told: Told) -> None:
        """A name that more items of the user hold is absent, also where few of them pass."""
        told.cards(*(card(str(n), "Ada", said_at=day(n)) for n in range(5)))
        told.cards(*(card(f"bob{n}", "Ada", scope=BOB) for n in range(9)))
        ask = told.index.mentioning
        assert len(ask(["ada"], ItemKind.CARD, where=Where(ALICE), most=5)["ada"]) == 5
        late = Where(ALICE, since=day(4))
        assert [m.id for m in ask(["ada"], ItemKind.CARD, where=late, most=5)["ada"]] == ["card-4"]
        for where in (Where(ALICE), late):
            assert dict(ask(["ada"], ItemKind.CARD, where=where, most=4)) == {}
        assert dict(ask(["ada"], ItemKind.CARD, where=Where(ALICE), most=0)) == {}

    def test_erased(self, told: Told) -> None:
        """Nothing is left of what was erased, nor of its earlier versions."""
        told.cards(
            card("a", "Old", content="by Ada Lovelace"), card("b", content="by Ada Lovelace")
        )
        told.tell(ch.CardRevised(revised(card("a"), title="New", content="by Ada Lovelace")))
        told.tell(ch.Erased(ALICE, ("card-a",), (1, 2)))
        assert told.index.items(["card-a"], ItemKind.CARD, where=Where(ALICE)) == []
        past = Where(ALICE, believed_at=day(1))
        assert told.index.items(["card-a"], ItemKind.CARD, where=past) == []
        for where in (Where(ALICE), past):
            found = mentions(told, "old", "new", "ada lovelace", where=where)
            assert found == {"ada lovelace": {Mention("card-b")}}
        most = told.index.mentioning(["ada lovelace"], ItemKind.CARD, where=Where(ALICE), most=1)
        assert set(most) == {"ada lovelace"}
        assert list(told.index.check()) == []

    def test_anew(self, talk: Told) -> None:
        """Forms that were made anew, or in a store that was emptied, are the same."""
        talk.cards(card("a", "Ada Lovelace"), card("b", content="by Ada Lovelace"))

        def seen() -> Sequence[object]:
            ids = [f"s#{n}" for n in range(9)]
            found = talk.index.items(ids, ItemKind.TURN, where=Where(ALICE), reach=1)
            found += talk.index.items(["card-a", "card-b"], ItemKind.CARD, where=Where(ALICE))
            held = mentions(talk, "ada lovelace")
            return sorted(found, key=lambda item: item.id), held, sorted(talk.index.fingerprint())

        before = seen()
        talk.index.reset_l1()
        assert seen() == before
        with talk.index.reset():
            assert turns(talk, "s#1") == []
            talk.replay(talk.index)
        assert seen() == before
        assert list(talk.index.check()) == []

    def test_unsupported(self, told: Told) -> None:
        """What has no forms is refused, never silently empty."""
        for kind in (ItemKind.RELATION, ItemKind.ENTITY):
            with pytest.raises(Unsupported):
                told.index.items(["x"], kind, where=Where(ALICE))
            with pytest.raises(Unsupported):
                told.index.mentioning(["x"], kind, where=Where(ALICE), most=9)
