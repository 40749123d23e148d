"""Distilling sessions of a home."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from alaya.distill.before import read_turns
from alaya.distill.rules import RuleDistiller
from alaya.distill.run import Rules, distill, distill_session
from alaya.distill.select import content_hash
from alaya.errors import NotFound
from alaya.model.ids import sha256
from alaya.model.passage import Where
from alaya.model.raw import SessionKind
from alaya.model.report import Outcome
from alaya.model.scope import Scope

USER = Scope("default")
TALK = (
    ("u", "I'm allergic to peanuts, please remember that."),
    ("a", "Noted: no peanuts."),
    ("u", "The import fails with a KeyError since Monday."),
    ("a", "Let me look at it."),
)
REST = (
    ("a", "The cause was a renamed column; I changed `id` to `item_id` in the import."),
    ("u", "that fixed it"),
)


def clock() -> datetime:
    """A clock that stands still."""
    return datetime(2026, 4, 1, 12, tzinfo=UTC)


def run(home, rules: Rules | None = None, session: str | None = None):
    """Distil a home with no lower limit of tokens."""
    rules = rules or Rules(RuleDistiller(), min_tokens=0)
    return distill(home.archive, home.index, scope=USER, session=session, rules=rules, clock=clock)


def cards(home, **where):
    """All cards of a home with their states."""
    return list(home.index.find_cards(Where(USER, **where)))


def test_evidence(home, say, session) -> None:
    """Distilled cards stand in the index, and their spans hash the archived words."""
    home.tell(session(), say(*TALK, *REST))
    report = run(home)
    assert report.distiller == "rules-4"
    assert report.model is None
    assert sorted(kind for _, _, kind in report.sessions[0].cards) == ["concept", "gotcha"]
    by_id = {t.turn.id: t.turn.content for t in say(*TALK, *REST)}
    for card, _ in cards(home):
        assert home.archive.draft("s1", card.draft) is not None
        for span in card.evidence:
            assert sha256(by_id[span.turn][span.start : span.end]) == span.sha256


def test_grown(home, say, session) -> None:
    """A session that grew is read on from where it was, with the turns before as context."""
    home.tell(session(), say(*TALK))
    assert run(home).cards == 1
    home.tell(session(), say(*REST, first=4))
    state = home.index.session(USER, "s1")
    context, turns = read_turns(home.archive, home.index, state=state, whole=False)
    assert [t.ordinal for t in context] == [0, 1, 2, 3]
    assert [t.ordinal for t in turns] == [4, 5]
    assert [t.turn.content for t in turns] == [words for _, words in REST]
    (one,) = run(home).sessions
    assert [kind for _, _, kind in one.cards] == ["gotcha"]
    assert run(home).sessions[0].outcome is Outcome.UNCHANGED
    assert len(cards(home)) == 2


def test_skipped(home, say, session) -> None:
    """Short sessions, runs of sub-agents and empty ones are left alone, each with its reason."""
    home.tell(session("short"), say(("u", "I'm allergic to peanuts.")))
    home.tell(replace(session("cron"), kind=SessionKind.CRON), say(*TALK))
    home.tell(session("chat"), say(("u", "hello"), ("a", "hi " * 300)))
    report = run(home, Rules(RuleDistiller(), min_tokens=100))
    assert {s.session: s.outcome for s in report.sessions} == {
        "short": Outcome.TOO_SHORT,
        "cron": Outcome.NOT_MAIN,
        "chat": Outcome.NOTHING,
    }
    report = run(home, Rules(RuleDistiller(), min_tokens=0, all_kinds=True))
    assert {s.session for s in report.sessions if s.outcome is Outcome.DISTILLED} == {
        "short",
        "cron",
    }


def test_same_content(home, say, session) -> None:
    """The same words in another session are not distilled a second time."""
    home.tell(session("s1"), say(*TALK))
    home.tell(session("s2"), say(*TALK))
    first, second = run(home).sessions
    assert first.outcome is Outcome.DISTILLED
    assert second.outcome is Outcome.SAME_CONTENT
    assert "s1" in second.because


def test_other_users(home, say, session) -> None:
    """Another user's sessions are neither seen nor taken for the same."""
    home.tell(session("s1", user="bob"), say(*TALK))
    home.tell(session("s1"), say(*TALK))
    report = run(home)
    assert [s.outcome for s in report.sessions] == [Outcome.DISTILLED]
    assert list(home.index.find_cards(Where(Scope("bob")))) == []


def test_redistil(home, say, session) -> None:
    """Redistilling keeps what is found again and forgets what is not."""
    home.tell(session(), say(*TALK, *REST))
    run(home)
    before = {c.id for c, _ in cards(home)}
    again = run(home, Rules(RuleDistiller(), min_tokens=0, redistill=True))
    assert again.cards == 0
    assert again.sessions[0].outcome is Outcome.UNCHANGED
    assert {c.id for c, _ in cards(home)} == before
    run(home, Rules(RuleDistiller(max_cards=1, name="rules-0"), min_tokens=0, redistill=True))
    left = {c.id for c, _ in cards(home)}
    assert len(left) == 1
    assert left < before


def test_overtaken(home, say, session) -> None:
    """When another process distilled the session meanwhile, its cards stand once."""
    home.tell(session(), say(*TALK, *REST))
    state = home.index.session(USER, "s1")

    class Late:
        """Distils, but another process is faster."""

        name = "rules-4"

        def __call__(self, one, turns, *, context):
            run(home)
            return RuleDistiller()(one, turns, context=context)

    rules = Rules(Late(), min_tokens=0)
    report = distill_session(home.archive, home.index, state=state, rules=rules, clock=clock)
    assert report.outcome is Outcome.UNCHANGED
    assert len(cards(home)) == 2


def test_one_session(home, say, session) -> None:
    """A session can be named; one that does not exist is an error that says so."""
    home.tell(session("s1"), say(*TALK))
    home.tell(session("s2"), say(*REST))
    assert [s.session for s in run(home, session="s2").sessions] == ["s2"]
    with pytest.raises(NotFound, match="nope"):
        run(home, session="nope")


def test_content_hash(say) -> None:
    """The hash is over role and words, and not over names of turns or times."""
    assert content_hash(say(*TALK)) == content_hash(say(*TALK, first=7))
    assert content_hash(say(("u", "ab"), ("u", "c"))) != content_hash(say(("u", "a"), ("u", "bc")))
    assert content_hash(say(("u", "a"))) != content_hash(say(("a", "a")))


def test_tools_make_a_short_session_worth_it(home, say, session) -> None:
    """Below the tokens it is read if tools answered often enough; 0 takes no tools into account."""
    said = (("u", "I'm allergic to peanuts."), ("t", "ok"), ("t", "ok"))
    home.tell(session("s1"), say(*said))
    for calls, outcome in ((0, "too_short"), (3, "too_short"), (2, "distilled")):
        rules = Rules(RuleDistiller(), min_tokens=100, min_tool_calls=calls)
        assert run(home, rules).sessions[0].outcome.value == outcome


def test_importance_gate_of_the_rules(home, say, session) -> None:
    """What is below the gate is dropped and counted, and its words stay."""
    home.tell(session(), say(*TALK, *REST))
    (done,) = run(home, Rules(RuleDistiller(min_importance=1.0), min_tokens=0)).sessions
    assert done.cards == ()
    assert done.dropped >= 2
    assert len(home.index.turns(USER, "s1")) == len(TALK) + len(REST)
