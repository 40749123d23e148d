"""What every TextIndex must do: which items a text matches, in every script.

The rank is the index's own business, except where there can be no two opinions.
"""

from __future__ import annotations

import pytest

from alaya.errors import Unsupported
from alaya.model import change as ch
from alaya.model.graph import CardKind, Tier
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Origin, Role, TurnMark
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, Told, card, day, revised, session, turn

# name, title, content
_TEXTS = (
    ("zh", "网关配置", "部署 Gateway 时端口冲突导致启动失败"),
    ("mixed", "审计", "gen-itgc监控 每天跑一次"),
    ("cpp", "languages", "We rewrote it in C++ last year"),
    ("c", "languages", "The driver is plain C code"),
    ("csharp", "languages", "The client is written in C# today"),
    ("dots", "settings", "set plugins.allow to true"),
    ("kana", "会議", "明日はカタカナとひらがなのテストです"),
    ("ko", "회의록", "내일 회의는 오후 세시에 시작합니다"),
    ("emoji", "mood", "the team was 🎉 and 👍🏽 and ❤️ after 👨‍👩‍👧"),
    ("wide", "２０２６年计划", "ＡＢＣ 项目 １２３"),
    ("quotes", 'it\'s "quoted"', "AND OR NOT NEAR(a b) col:umn star*"),
    ("camel", "symbols", "call openSession then read HTTPServer_port"),
    ("thai", "ภาษา", "ประเทศไทยสวยงาม"),
)
_FOUND = (
    # a question, and the cards that must be found
    ("配置", {"zh"}),
    ("网", {"zh"}),
    ("冲突", {"zh"}),
    ("GATEWAY", {"zh"}),
    ("gen-itgc监控", {"mixed"}),
    ("itgc", {"mixed"}),
    ("监控", {"mixed"}),
    ("c++", {"cpp"}),
    ("C", {"c"}),
    ("c#", {"csharp"}),
    ("plugins.allow", {"dots"}),
    ("plugins", {"dots"}),
    ("カタカナ", {"kana"}),
    ("ｶﾀｶﾅ", {"kana"}),  # half-width
    ("ひら", {"kana"}),
    ("회의", {"ko"}),
    ("회의록", {"ko"}),
    ("시", {"ko"}),
    ("🎉", {"emoji"}),
    ("👍", {"emoji"}),
    ("👍🏿", {"emoji"}),  # another skin tone
    ("❤", {"emoji"}),  # without the variation selector
    ("❤️", {"emoji"}),
    ("👨‍👩‍👧", {"emoji"}),
    ("👧", {"emoji"}),
    ("2026", {"wide"}),
    ("ａｂｃ", {"wide"}),
    ("abc", {"wide"}),
    ("１２３", {"wide"}),
    ('"quoted"', {"quotes"}),
    ("star*", {"quotes"}),
    ("col:umn", {"quotes"}),
    ("open session", {"camel"}),
    ("HTTPServer_port", {"camel"}),
    ("ไทย", {"thai"}),
)
_HARMLESS = (
    "",
    " \n\t",
    "\x00",
    "\ud83d",
    "\udcff\udcff",
    '"',
    '""',
    "'",
    "*",
    "(",
    "NEAR(",
    "NEAR(a b, 3)",
    "a AND",
    "NOT",
    "title:x",
    "-x",
    "^x",
    "{title}: y",
    "%_[]",
    "\\",
    "; DROP TABLE card_words; --",
    "\u200d\ufe0f",
    "\U0010ffff\ufffe",
    "…——！？",
)


class WordsContract(IndexContract):
    """Needs a fixture `make_index`."""

    @pytest.fixture
    def library(self, told: Told) -> Told:
        told.cards(*(card(name, title, content=content) for name, title, content in _TEXTS))
        said = [turn(name, f"{title}\n{content}") for name, title, content in _TEXTS]
        told.says(session(), *said)
        return told

    @pytest.mark.parametrize(("question", "expected"), _FOUND, ids=[q for q, _ in _FOUND])
    def test_found(self, library: Told, question: str, *, expected: set[str]) -> None:
        """What holds the words of the question is found, first, among cards and turns."""
        for kind, prefix in ((ItemKind.CARD, "card-"), (ItemKind.TURN, "s#")):
            found = [
                s.id for s in library.index.match(question, kind, where=Where(ALICE), limit=50)
            ]
            assert expected <= {item.removeprefix(prefix) for item in found}
            assert found[0].removeprefix(prefix) in expected

    def test_not_found(self, library: Told) -> None:
        """C++, C and C# are three things; a word that stands nowhere finds nothing."""
        for question, others in (("C++", {"c", "csharp"}), ("C#", {"c", "cpp"}), ("C", {"cpp"})):
            found = library.index.match(question, ItemKind.CARD, where=Where(ALICE), limit=50)
            assert not {s.id.removeprefix("card-") for s in found} & others, question
        for question in ("zebra", "斑馬", "置配", "🦓", "しまうま"):
            assert (
                library.index.match(question, ItemKind.CARD, where=Where(ALICE), limit=50) == []
            ), question

    @pytest.mark.parametrize("question", _HARMLESS, ids=ascii)
    def test_harmless(self, library: Told, question: str) -> None:
        """No text is a query language, and none is an error."""
        for kind in (ItemKind.CARD, ItemKind.TURN):
            found = library.index.match(question, kind, where=Where(ALICE), limit=5)
            assert all(s.id for s in found)
            torn = library.index.match(
                f"{question} 网关 {question}", kind, where=Where(ALICE), limit=5
            )
            assert "zh" in {s.id.split("#")[-1].removeprefix("card-") for s in torn}

    def test_long_question(self, library: Told) -> None:
        """A question of 100,000 characters is answered, with what it is made of."""
        for text in ("网关配置" * 25_000, "gateway " * 12_500, "x" * 100_000, "😀" * 100_000):
            found = {
                s.id for s in library.index.match(text, ItemKind.CARD, where=Where(ALICE), limit=5)
            }
            assert ("card-zh" in found) == ("x" not in text and "😀" not in text)

    def test_every_term_counts(self, told: Told) -> None:
        """Any shared term matches; what shares more, or has it in its title, is first."""
        told.cards(
            card("both", "deploy", content="gateway gateway restart"),
            card("one", "other", content="gateway and much else that has nothing to do with it"),
            card("none", "third", content="nothing"),
        )
        found = told.index.match("gateway restart", ItemKind.CARD, where=Where(ALICE), limit=9)
        assert [s.id for s in found] == ["card-both", "card-one"]
        assert found[0].score > found[1].score
        told.cards(
            card("titled", "restart", content="x y z"), card("worded", "x", content="restart y z")
        )
        found = told.index.match("restart", ItemKind.CARD, where=Where(ALICE), limit=9)
        assert next(s.id for s in found) == "card-titled"
        assert (
            len(told.index.match("restart gateway", ItemKind.CARD, where=Where(ALICE), limit=2))
            == 2
        )

    def test_tags_are_words(self, told: Told) -> None:
        """A card is found by its tags."""
        told.cards(card("a", tags=("kubernetes", "容器")), card("b"))
        for question in ("Kubernetes", "容器"):
            found = told.index.match(question, ItemKind.CARD, where=Where(ALICE), limit=9)
            assert [s.id for s in found] == ["card-a"]

    def test_only_current(self, told: Told) -> None:
        """A card is found by what it says now, in the past by what it said then."""
        told.cards(card("a", "old word"))
        at = told.tell(ch.CardRevised(revised(card("a"), title="new word")))
        told.cards(card("gone", "old gone"))
        told.tell(ch.Forgotten(ALICE, ("card-gone",), ""))

        def found(text: str, where: Where) -> list[str]:
            return [s.id for s in told.index.match(text, ItemKind.CARD, where=where, limit=9)]

        assert found("old", Where(ALICE)) == []
        assert found("word", Where(ALICE)) == ["card-a"]
        assert found("old", Where(ALICE, believed_at=day(1))) == ["card-a"]
        assert found("old", Where(ALICE, include_forgotten=True)) == ["card-gone"]
        assert found("new", Where(ALICE, until=at)) == ["card-a"]

    def test_erased(self, told: Told) -> None:
        """Erased words find nothing and weigh nothing."""
        told.cards(card("a", "secret"), card("b", "public"))
        told.tell(ch.Erased(ALICE, ("card-a",), (1,)))
        assert told.index.match("secret", ItemKind.CARD, where=Where(ALICE), limit=9) == []
        assert told.index.frequencies(["secret", "public"], ItemKind.CARD)[1] == {"public": 1}

    def test_filtered(self, library: Told) -> None:
        """Every field of a filter holds for words, too."""
        library.tell(ch.Cooled(ALICE, (("card-zh", Tier.COLD),)))
        index = library.index
        for where, hit in (
            (Where(ALICE, tiers=(Tier.COLD,)), True),
            (Where(ALICE, tiers=(Tier.HOT,)), False),
            (Where(ALICE, kinds=(CardKind.GOTCHA,)), False),
            (Where(ALICE, origins=(Origin.AGENT,)), True),
            (Where(ALICE, since=day(1)), False),
            (Where(ALICE, min_confidence=0.6), False),
        ):
            assert bool(index.match("网关", ItemKind.CARD, where=where, limit=9)) is hit, where
        for where, hit in (
            (Where(ALICE, tiers=(Tier.HOT,)), False),
            (Where(ALICE, tags=("x",)), False),
            (Where(ALICE, origins=(Origin.AGENT,)), True),
            (Where(ALICE, origins=(Origin.TOOL,)), False),
            (Where(ALICE, since=day(1)), False),
            (Where(ALICE, believed_at=day(0)), False),
        ):
            assert bool(index.match("网关", ItemKind.TURN, where=where, limit=9)) is hit, where

    def test_turns(self, told: Told) -> None:
        """Turns on the active branch, by their words and speaker, without what alaya injected."""
        text = "before <memory>ghost</memory> after"
        told.says(
            session(),
            turn("1", text, injected=((7, 29),)),
            turn("2", "side branch", name="Zoë"),
            turn("3#x", "tool noise", role=Role.TOOL),
        )

        def found(text: str) -> list[str]:
            return [
                s.id for s in told.index.match(text, ItemKind.TURN, where=Where(ALICE), limit=9)
            ]

        assert found("ghost") == []
        assert found("after before") == ["s#1"]
        assert found("zoë") == ["s#2"]
        assert found("noise") == ["s#3#x"]
        told.tell(ch.TurnsMarked(ALICE, "s", ("2",), TurnMark.SIDE))
        assert found("branch") == []
        told.tell(ch.TurnsMarked(ALICE, "s", ("2",), TurnMark.ACTIVE))
        assert found("branch") == ["s#2"]

    def test_frequencies(self, library: Told) -> None:
        """In how many items a term stands; absent where in none."""
        total, found = library.index.frequencies(
            ["languages", "c++", "配置", "zebra", "", '"', "languages"], ItemKind.CARD
        )
        assert total == len(_TEXTS)
        assert found == {"languages": 3, "c++": 1, "配置": 1}
        assert library.index.frequencies([], ItemKind.TURN)[0] == len(_TEXTS)

    def test_unsupported(self, told: Told) -> None:
        """What has no words is refused, never silently empty."""
        for kind in (ItemKind.RELATION, ItemKind.ENTITY):
            with pytest.raises(Unsupported):
                told.index.match("x", kind, where=Where(ALICE), limit=9)
            with pytest.raises(Unsupported):
                told.index.frequencies(["x"], kind)

    def test_reset_l1(self, library: Told) -> None:
        """Words that were indexed anew are the same words."""
        before = sorted(library.index.fingerprint())
        library.index.reset_l1()
        assert sorted(library.index.fingerprint()) == before
        found = library.index.match("端口", ItemKind.CARD, where=Where(ALICE), limit=9)
        assert [s.id for s in found] == ["card-zh"]
