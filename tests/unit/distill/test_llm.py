"""Distilling with a model whose replies are written beforehand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from scripted_talk import (
    MORE,
    NOW,
    TALK,
    USER,
    card,
    cards,
    echo,
    link,
    numbered,
    run,
    says,
    scripted,
)

from alaya.distill.proposals import Gate
from alaya.distill.run import Rules, distill, forecast
from alaya.errors import ProviderError
from alaya.model.call import Call, Price, Problem, Reply
from alaya.model.ids import sha256
from alaya.model.passage import Where
from alaya.model.report import Outcome
from alaya.testing.scripted_llm import ScriptedLLM


@pytest.fixture
def model(home) -> Callable[..., tuple[Rules, ScriptedLLM]]:
    """Rules of distilling by a scripted model."""
    return partial(scripted, home)


def test_cards_cite_the_words(home, say, session, model) -> None:
    """Evidence are the sentences of the cited turns that carry the card; hashes match."""
    home.tell(session(), say(*TALK))
    said = "The renamed column was the cause of the KeyError; the import uses `item_id` now."
    rules, llm = model(says(card("KeyError in the import", 1, 2, content=said, importance=0.8)))
    report = run(home, rules)
    assert (report.model, report.cards) == ("scripted/1", 1)
    made = cards(home)["KeyError in the import"]
    assert made.importance == 0.8
    assert [(s.turn, s.start) for s in made.evidence] == [("t0", 0), ("t1", 0)]
    words = {f"t{i}": text for i, (_, text) in enumerate(TALK)}
    assert all(sha256(words[s.turn][s.start : s.end]) == s.sha256 for s in made.evidence)
    draft = home.archive.draft("s1", made.draft)
    assert draft.prompt_hash == llm.calls[0].version
    assert draft.tokens_in > 0
    assert "KeyError in the import" in draft.raw
    assert run(home, rules).sessions[0].outcome is Outcome.UNCHANGED
    assert len(llm.calls) == 1


def test_what_cites_nothing_is_dropped(home, say, session, model) -> None:
    """A card needs a turn that was sent, new and said by somebody; others are counted."""
    home.tell(session(), say(*TALK, ("t", "Traceback: KeyError 'id'")))
    rules, _ = model(
        says(card("None"), card("Beyond", 9), card("Of a tool", 4), card("Both", 4, 2))
    )
    report = run(home, rules)
    assert list(cards(home)) == ["Both"]
    assert report.sessions[0].dropped == 3


def test_importance_gate(home, say, session, model) -> None:
    """What is below the gate, and what is beyond the most, is dropped and counted."""
    home.tell(session(), say(*TALK))
    rules, _ = model(
        says(
            card("Small", 1, importance=0.2),
            card("Of ten", 1, importance=9),
            card("Said nothing", 1),
            card("Middling", 1, importance=0.45),
        ),
        gate=Gate(0.42, 2),
    )
    assert run(home, rules).sessions[0].dropped == 2
    assert {t: c.importance for t, c in cards(home).items()} == {"Of ten": 0.9, "Said nothing": 0.5}


def test_links(home, say, session, model) -> None:
    """Ends are titles or numbers; relations are normalised, and free names stay custom ones."""
    home.tell(session(), say(*TALK))
    links = (
        link("1", "caused by", "card 2"),
        link("b", "受启发于", "C"),
        link("A", "DEPENDS_ON", "Nobody"),
        link("A", "SIMILAR_TO", "A"),
        link("7", "SIMILAR_TO", "A"),
    )
    rules, _ = model(says(card("A", 1), card("B", 2), card("C", 3), links=links))
    report = run(home, rules)
    assert report.sessions[0].links == (("A", "CAUSED_BY", "B"), ("B", "受启发于", "C"))
    relation = {r.name: r for r in home.index.relations(USER)}["受启发于"]
    assert not relation.is_core
    assert relation.text in [p.text for p in home.index.pending("m", 100)]


def test_title_collisions(home, say, session, model) -> None:
    """Two cards of one title are told apart, and links mean the first; what is twice is once."""
    home.tell(session(), say(*TALK))
    rules, _ = model(
        says(
            card("Import", 1, content="It fails."),
            card("import!", 2, content="It was mended."),
            card("Import", 3, content="It was mended"),
            card("Import", 2, content="It fails"),
            links=(link("Import", "CAUSES", "2"),),
        )
    )
    (done,) = run(home, rules).sessions
    assert sorted(cards(home)) == ["Import", "import! (2)"]
    assert done.links == (("Import", "CAUSES", "import! (2)"),)


def test_several_sessions_in_a_call(home, say, session, model) -> None:
    """Short sessions share a call; each card goes to the session whose turns it cites."""
    home.tell(session("s1"), say(*TALK))
    home.tell(session("s2"), say(*MORE))
    rules, llm = model(
        says(
            card("Night", 4, 5),
            card("KeyError", 1, 2, 4),
            card("Lock", 4),
            links=(link("Night", "CAUSED_BY", "3"), link("1", "SIMILAR_TO", "2")),
        )
    )
    report = run(home, rules)
    assert len(llm.calls) == 1
    assert llm.calls[0].about == ("s1", "s2")
    assert {t: c.scope.session for t, c in cards(home).items()} == {
        "KeyError": "s1", "Night": "s2", "Lock": "s2",
    }  # fmt: skip
    assert [s.turn for s in cards(home)["KeyError"].evidence] == ["t0", "t1"]
    assert report.sessions[1].links == (("Night", "CAUSED_BY", "Lock"),)
    assert report.links == 1


def test_languages_are_not_mixed(home, say, session, model) -> None:
    """A Chinese session is asked about in Chinese, in a call of its own."""
    home.tell(session("s1"), say(*TALK))
    home.tell(session("s2"), say(("u", "我对花生过敏，请记住。"), ("a", "好的，记住了。")))
    rules, llm = model(echo)
    run(home, rules)
    assert sorted((c.language, c.about) for c in llm.calls) == [("en", ("s1",)), ("zh", ("s2",))]
    chinese = next(c for c in llm.calls if c.language == "zh")
    assert "知识提炼专家" in chinese.system
    assert "[1] 用户" in chinese.user
    assert "我对花生过敏，请记住。" in cards(home)


def test_windows_carry_over(home, say, session, model) -> None:
    """A long session is read window by window; each is told what was found, and may link to it."""
    said = [("u" if i % 2 == 0 else "a", f"Point {i}: " + "word " * 60) for i in range(12)]
    home.tell(session(), say(*said))

    def script(call: Call) -> dict[str, Any]:
        seen = numbered(call)
        known = re.findall(r"K(\d+): (.*)", call.user)
        fresh = card(f"Point of window {len(llm.calls)}", seen[-1][0], importance=0.9)
        links = (link("1", "TEMPORAL_NEXT", f"K{known[-1][0]}"),) if known else ()
        return says(fresh, links=links)

    rules, llm = model(script, window_tokens=400)
    report = run(home, rules)
    assert len(llm.calls) > 2
    points = [int(n) for call in llm.calls for n in re.findall(r"Point (\d+):", call.user)]
    assert set(points) == set(range(12))
    assert report.cards == len(llm.calls)
    assert report.links == len(llm.calls) - 1
    assert "background" in llm.calls[1].user
    assert "K1: Point of window 1" in llm.calls[1].user
    assert report.sessions[0].outcome is Outcome.DISTILLED


def test_only_what_is_new(home, say, session, model) -> None:
    """A grown session sends its new turns, a few before them, and the titles of its cards."""
    home.tell(session(), say(*TALK))
    rules, llm = model(
        says(card("KeyError", 1, 2)),
        says(card("Old", 1), card("Night", 4), links=(link("2", "CAUSED_BY", "K1"),)),
    )
    run(home, rules)
    home.tell(session(), say(*MORE, first=3))
    (done,) = run(home, rules).sessions
    assert [n for n, _ in numbered(llm.calls[1])] == [1, 2, 3, 4, 5]
    assert llm.calls[1].user.count("background") == 3
    assert "K1: KeyError" in llm.calls[1].user
    assert done.dropped == 1  # what only cites the background
    assert sorted(cards(home)) == ["KeyError", "Night"]
    found = home.index.links([cards(home)["Night"].id], Where(USER))
    assert {x.relation for x in found} == {"CAUSES", "EXTRACTED_FROM"}


def test_an_answer_that_fails(home, say, session, model) -> None:
    """It is parked with the reason, the session stays to be done, and is asked about again."""
    home.tell(session(), say(*TALK))
    rules, llm = model("I will not.", "No JSON here.", says(card("KeyError", 1)))
    report = run(home, rules)
    assert report.failed
    (failed,) = report.sessions
    assert failed.outcome is Outcome.FAILED
    assert "no JSON" in failed.because
    assert home.index.session(USER, "s1").distilled == 0
    assert len(list(home.archive.parked())) == 1
    later = replace(rules.distiller.asker, clock=lambda: NOW.replace(hour=13))
    again = replace(rules, distiller=replace(rules.distiller, asker=later))
    found = distill(home.archive, home.index, scope=USER, rules=again, clock=later.clock)
    assert (found.failed, found.cards, len(llm.calls)) == (False, 1, 3)
    assert list(home.archive.parked()) == []


def test_a_shared_call_that_fails_is_asked_apart(home, say, session, model) -> None:
    """One session that a model cannot answer about does not take the others with it."""
    home.tell(session("s1"), say(*TALK))
    home.tell(session("s2"), say(*MORE))

    def script(call: Call) -> Any:
        return "no" if "KeyError" in call.user else says(card("Night", 1))

    rules, _ = model(script)
    report = run(home, rules)
    assert [s.outcome for s in report.sessions] == [Outcome.FAILED, Outcome.DISTILLED]
    assert list(cards(home)) == ["Night"]


def test_windows_before_a_failure_are_kept(home, say, session, model) -> None:
    """What was answered of a long session stands; the rest stays to be done and is done later."""
    said = [("u", f"Point {i}: " + "word " * 60) for i in range(6)]
    home.tell(session(), say(*said))
    good = iter(range(100))

    def script(call: Call) -> Any:
        return "no" if "Point 4:" in call.user and broken else says(card(f"P{next(good)}", 1, 2))

    broken = True
    rules, llm = model(script, window_tokens=260)
    (failed,) = run(home, rules).sessions
    assert failed.outcome is Outcome.FAILED
    assert len(failed.cards) == len(cards(home)) > 0
    assert 0 < home.index.session(USER, "s1").distilled < 6
    asked = len(llm.calls)
    broken = False
    (done,) = run(home, rules).sessions
    assert done.outcome is Outcome.DISTILLED
    assert len(llm.calls) < 2 * asked
    assert home.index.session(USER, "s1").distilled == 6


def test_outage_and_budget_stop(home, say, session, model) -> None:
    """After no answer nothing more is asked; what waits is said, and is done the next time."""
    for i in range(4):
        home.tell(session(f"s{i}"), say(("u", f"Point {i}: " + "word " * 200)))
    rules, llm = model(
        says(card("First", 1)), ProviderError("down"), concurrency=1, window_tokens=300
    )
    report = run(home, rules)
    assert [s.outcome.value for s in report.sessions] == [
        "distilled", "waiting", "waiting", "waiting",
    ]  # fmt: skip
    assert (report.stopped, report.stopped_by) == ("down", "no_answer")
    assert len(llm.calls) == 2
    poor, _ = model(echo, max_tokens_per_day=10)
    report = run(home, poor)
    assert report.stopped_by == "budget"
    assert "max_tokens_per_day" in report.stopped
    assert report.count(Outcome.WAITING) == 3
    rich, llm = model(echo, window_tokens=300)
    assert run(home, rich).cards == 3
    assert len(llm.calls) == 3


def test_interrupted_between_two_commits(home, say, session, model, monkeypatch) -> None:
    """Of a shared answer nothing is asked twice, though other sessions came in between."""
    home.tell(session("s1"), say(*TALK))
    home.tell(session("s2"), say(*MORE))
    rules, llm = model(echo)
    from alaya.distill import run as running

    settled, count = running._settled, iter(range(9))

    def dies(*arguments: Any, **options: Any) -> Any:
        if next(count):
            raise KeyboardInterrupt
        return settled(*arguments, **options)

    monkeypatch.setattr(running, "_settled", dies)
    with pytest.raises(KeyboardInterrupt):
        run(home, rules)
    monkeypatch.undo()
    home.tell(session("s0"), say(("u", "A third talk about the printer that is out of toner.")))
    report = run(home, rules)
    assert [c.about for c in llm.calls] == [("s1", "s2"), ("s0",)]
    assert {s.session: s.outcome.value for s in report.sessions} == {
        "s0": "distilled", "s1": "unchanged", "s2": "distilled",
    }  # fmt: skip


def test_dry_run(home, say, session, model) -> None:
    """It says how many calls, tokens and what cost, asks nothing and writes nothing."""
    home.tell(session("s1"), say(*TALK))
    home.tell(session("s2"), say(*[("u", f"Point {i}: " + "word " * 60) for i in range(6)]))
    rules, llm = model(echo, window_tokens=300, price=Price(1, 2), max_tokens=100)
    before = home.archive.head()
    found = forecast(home.archive, home.index, scope=USER, rules=rules, clock=lambda: NOW)
    assert (found.dry_run, llm.calls, home.archive.head()) == (True, [], before)
    assert found.estimate is not None
    assert found.count(Outcome.WAITING) == 2
    assert run(home, rules).cards
    assert found.estimate.calls == len(llm.calls)
    asked = sum(c.tokens for c in llm.calls)
    assert 0.7 * asked < found.estimate.tokens_in <= asked
    assert found.estimate.cost == pytest.approx(
        (found.estimate.tokens_in + 2 * 100 * found.estimate.calls) / 1_000_000
    )
    again = forecast(home.archive, home.index, scope=USER, rules=rules, clock=lambda: NOW)
    assert again.estimate is not None
    assert again.estimate.calls == 0


def test_a_prompt_that_is_too_long(home, say, session, model) -> None:
    """The reason names the setting that makes windows smaller."""
    home.tell(session(), say(*TALK))
    rules, _ = model(Reply("", problem=Problem.TOO_LONG, detail="context is 2048 tokens"))
    (failed,) = run(home, rules).sessions
    assert failed.outcome is Outcome.FAILED
    assert failed.because == "context is 2048 tokens; lower distill.window_tokens"


def test_a_reply_cut_off(home, say, session, model) -> None:
    """What could be read of a reply is used, and what was lost stays parked."""
    home.tell(session(), say(*TALK))
    whole = json.dumps(says(card("KeyError", 1), card("Half", 1)))
    whole = whole[: whole.index("Half")]
    rules, _ = model(Reply(whole, finish="length"), Reply(whole, finish="length"))
    report = run(home, rules)
    assert list(cards(home)) == ["KeyError"]
    assert report.sessions[0].outcome is Outcome.DISTILLED
    assert [p.reason for p in home.archive.parked()] != []
