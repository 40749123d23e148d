"""What every index must do with summaries: words, forms and vectors of what is seen, no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.model import change as ch
from alaya.model.forms import Forms
from alaya.model.graph import CardKind, Summary
from alaya.model.ids import sha256
from alaya.model.passage import Item, ItemKind, Mention, Where
from alaya.model.raw import Origin
from alaya.model.scope import Scope
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, BOB, START, Told, day, session, span, turn

KIND = ItemKind.SUMMARY
MODEL, AXIS = "model-a", [1.0, 0.0]


def summary(name: str, topic: str, *, content: str, **fields: object) -> Summary:
    """`summary-<name>` of session `s`, of Alice and of day 0 unless fields say otherwise."""
    given: dict[str, object] = {"scope": ALICE, "session": "s", "said_at": START, **fields}
    ends = {"first_turn": "1", "last_turn": "2"}
    return Summary(f"summary-{name}", topic=topic, content=content, **ends, **given)  # type: ignore[arg-type]


def found(told: Told, text: str, *, where: Where | None = None) -> list[str]:
    """Short names of the summaries that hold a text."""
    scored = told.index.match(text, KIND, where=where or Where(ALICE), limit=9)
    return [one.id.removeprefix("summary-") for one in scored]


def near(told: Told, where: Where | None = None) -> set[str]:
    """Short names of the summaries that have a vector, each of them near."""
    scored = told.index.nearest(MODEL, AXIS, kind=KIND, where=where or Where(ALICE), limit=9)
    return {one.id.removeprefix("summary-") for one in scored}


def embed(told: Told) -> set[str]:
    """Give every summary that waits for one a vector; returns their texts."""
    texts = {p.text for p in told.index.pending(MODEL, 100) if p.kind is KIND}
    told.index.put(MODEL, {sha256(text): [AXIS] for text in texts})
    return texts


class SummariesContract(IndexContract):
    """Needs a fixture `make_index`."""

    @pytest.fixture
    def summed(self, told: Told) -> Told:
        """Two summaries of one talk and one of another user's."""
        told.says(session(), turn("1", "hello"), turn("2", "there"))
        told.tell(
            ch.SummaryAdded(summary("port", "Gateway", content="Ada Lovelace changed the ports")),
            ch.SummaryAdded(
                summary("zh", "网关配置", content="端口冲突，后来改了《部署手册》", said_at=day(1))
            ),
            ch.SummaryAdded(summary("bob", "Gateway", content="the port of Bob", scope=BOB)),
        )
        return told

    def test_words(self, summed: Told) -> None:
        """A summary is found by words of its topic and content, in every script, and no turn is."""
        assert found(summed, "gateway") == ["port"]
        assert found(summed, "which ports?") == ["port"]
        assert found(summed, "端口") == ["zh"]
        assert found(summed, "网") == ["zh"]
        assert found(summed, "hello") == []
        assert [
            s.id for s in summed.index.match("hello", ItemKind.TURN, where=Where(ALICE), limit=9)
        ]
        assert summed.index.match("gateway", ItemKind.CARD, where=Where(ALICE), limit=9) == []
        total, known = summed.index.frequencies(["gateway", "端口", "hello"], KIND)
        assert (total, dict(known)) == (3, {"gateway": 2, "端口": 1})

    def test_forms(self, summed: Told) -> None:
        """It has the forms of its words, its topic as heading, no place and no speaker."""
        (item,) = summed.index.items(["summary-port", "card-port", "s#1"], KIND, where=Where(ALICE))
        forms = Forms("gateway ada lovelace changed ports", ("ada lovelace",), "gateway")
        assert item._replace(forms=replace(item.forms, line=forms.line)) == Item(
            "summary-port", KIND, START, forms
        )
        held = summed.index.mentioning(
            ["ada lovelace", "gateway"], KIND, where=Where(ALICE), most=9
        )
        assert {name: set(items) for name, items in held.items()} == {
            "ada lovelace": {Mention("summary-port")},
            "gateway": {Mention("summary-port", leads=True)},
        }

    def test_vectors(self, summed: Told) -> None:
        """It waits for a vector, behind cards and before turns; then it is near to what it says."""
        kinds = [p.kind for p in summed.index.pending(MODEL, 100)]
        assert kinds[-5:] == [KIND, KIND, KIND, ItemKind.TURN, ItemKind.TURN]
        assert embed(summed) == {
            "Gateway\nAda Lovelace changed the ports",
            "网关配置\n端口冲突，后来改了《部署手册》",
            "Gateway\nthe port of Bob",
        }
        assert embed(summed) == set()
        assert near(summed) == {"port", "zh"}
        ids = ["summary-port", "summary-bob", "s#1"]
        alike = summed.index.similarities(MODEL, AXIS, kind=KIND, ids=ids, where=Where(ALICE))
        assert alike == pytest.approx({"summary-port": 1.0})
        assert list(summed.index.check()) == []

    def test_filtered(self, summed: Told) -> None:
        """Every field of a filter holds, for words, forms and vectors alike."""
        embed(summed)
        tool = summary(
            "tool", "Gateway 端口", content="said by a tool", origin=Origin.TOOL, said_at=day(2)
        )
        agent = summary(
            "agent", "Gateway 端口", content="x", scope=Scope("alice", "coder"), session="t"
        )
        late = summed.tell(ch.SummaryAdded(tool), ch.SummaryAdded(agent))
        embed(summed)
        ids = [f"summary-{name}" for name in ("port", "zh", "tool", "agent", "bob")]
        for fields, expected in (
            ({}, {"port", "zh", "tool", "agent"}),
            ({"since": day(1)}, {"zh", "tool"}),
            ({"until": day(1)}, {"port", "agent"}),
            ({"origins": (Origin.TOOL,)}, {"tool"}),
            ({"believed_at": day(2)}, {"port", "zh"}),
            ({"believed_at": late}, {"port", "zh", "tool", "agent"}),
            ({"scope": Scope("alice", "coder")}, {"agent"}),
            ({"scope": Scope("alice", session="t")}, {"agent"}),
            ({"scope": BOB}, {"bob"}),
            ({"kinds": (CardKind.CONCEPT,)}, set()),
            ({"min_confidence": 0.1}, set()),
        ):
            where = replace(Where(ALICE), **fields)
            assert set(found(summed, "gateway 端口", where=where)) == expected, fields
            assert near(summed, where) == expected, fields
            items = summed.index.items(ids, KIND, where=where)
            assert {i.id.removeprefix("summary-") for i in items} == expected, fields
            told = summed.index.summaries(where, ids=ids)
            assert {s.id.removeprefix("summary-") for s in told} == expected, fields

    def test_by_id(self, summed: Told) -> None:
        """Those of these ids come, as they were said; of no ids none."""
        read = summed.index.summaries
        where = Where(ALICE)
        assert [s.id for s in read(where, ids=["summary-zh", "summary-port", "x"])] == [
            "summary-port",
            "summary-zh",
        ]
        assert read(where, ids=[]) == []
        assert read(where, "t", ids=["summary-port"]) == []

    def test_said_anew(self, summed: Told) -> None:
        """One of the same id takes its place: of the old one no word, name or vector is left."""
        embed(summed)
        summed.tell(
            ch.SummaryAdded(summary("port", "Proxy", content="Grace Hopper asked", said_at=day(3)))
        )
        assert (found(summed, "gateway"), found(summed, "proxy")) == ([], ["port"])
        names = ["ada lovelace", "grace hopper", "gateway"]
        held = summed.index.mentioning(names, KIND, where=Where(ALICE), most=9)
        assert set(held) == {"grace hopper"}
        assert near(summed) == {"zh"}
        assert embed(summed) == {"Proxy\nGrace Hopper asked"}
        assert near(summed) == {"zh", "port"}
        assert list(summed.index.check()) == []

    def test_forgotten(self, summed: Told) -> None:
        """What was forgotten leaves every index until it is restored, also when it is said anew."""
        embed(summed)
        when = summed.tell(ch.Forgotten(ALICE, ("summary-port", "summary-bob"), ""))
        assert (found(summed, "gateway"), near(summed)) == ([], {"zh"})
        assert found(summed, "gateway", where=Where(BOB)) == ["bob"]
        assert summed.index.items(["summary-port"], KIND, where=Where(ALICE)) == []
        assert [s.id for s in summed.index.summaries(Where(ALICE))] == ["summary-zh"]
        assert summed.index.counts(ALICE)["summaries"] == 1
        for where in (
            Where(ALICE, include_forgotten=True),
            Where(ALICE, believed_at=when - (day(1) - START) / 2),
        ):
            assert found(summed, "gateway", where=where) == ["port"]
        summed.tell(ch.SummaryAdded(summary("port", "Gateway", content="once more")))
        assert found(summed, "gateway") == []
        assert embed(summed) == set()
        summed.tell(ch.Restored(ALICE, ("summary-port",)))
        assert found(summed, "gateway") == ["port"]
        assert embed(summed) == {"Gateway\nonce more"}

    def test_erased(self, summed: Told) -> None:
        """Nothing is left of what was erased, nor of another one's wall."""
        embed(summed)
        summed.tell(ch.Erased(BOB, ("summary-port",), ()))
        assert found(summed, "gateway") == ["port"]
        summed.tell(ch.Erased(ALICE, ("summary-port",), (1,)))
        gone = Where(ALICE, include_forgotten=True)
        assert (found(summed, "gateway", where=gone), near(summed, gone)) == ([], {"zh"})
        assert summed.index.mentioning(["gateway"], KIND, where=gone, most=9) == {}
        assert summed.index.models() == {MODEL: 2}
        assert list(summed.index.check()) == []

    def test_anew(self, summed: Told) -> None:
        """Words and forms that were made anew, or in a store that was emptied, are the same."""

        def seen() -> object:
            ids = ["summary-port", "summary-zh"]
            items = summed.index.items(ids, KIND, where=Where(ALICE))
            words = [found(summed, text) for text in ("gateway", "端口", "lovelace")]
            items.sort(key=lambda item: item.id)
            return items, words, sorted(summed.index.fingerprint())

        before = seen()
        summed.index.reset_l1()
        assert seen() == before
        with summed.index.reset():
            summed.replay(summed.index)
        assert seen() == before
        assert list(summed.index.check()) == []

    def test_evidence(self, told: Told) -> None:
        """The spans that a summary rests on come back as they were."""
        spans = (span("s", "1"), span("s", "2", words="端口"))
        told.tell(ch.SummaryAdded(summary("a", "t", content="c", evidence=spans)))
        (one,) = told.index.summaries(Where(ALICE), ids=["summary-a"])
        assert one.evidence == spans
