"""A model that is asked for entities and facts beside cards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripted_talk import MORE, NOW, TALK, USER, card, cards, run, says, scripted

from alaya.distill.knowing import KnowingDistiller
from alaya.model.call import Problem
from alaya.model.passage import Where
from alaya.model.report import Outcome

CARD = says(card("The import failed with a KeyError", 1))
FACTS = {
    "entities": [
        {"name": "Ada", "kind": "person", "turns": [1]},
        {"name": "Leeds", "kind": "place", "turns": [1]},
    ],
    "facts": [
        {
            "subject": "Ada",
            "relation": "lives in",
            "object": "Leeds",
            "fact": "Ada lives in Leeds.",
            "turns": [1],
        }
    ],
}
HOME = (("u", "The import fails with a KeyError. Ada lives in Leeds."), *TALK[1:])


def knowing(home, *, cards=(CARD,), facts=(FACTS,), **more):
    """Rules of a model that answers both questions as written."""
    rules, llm = scripted(home, *cards, **more)
    llm._scripts["facts"] = list(facts)
    return replace(rules, distiller=KnowingDistiller(rules.distiller, home.index)), llm


def names(home) -> list[str]:
    return sorted(entity.name for entity in home.index.entities(Where(USER)))


def test_both(home, say, session) -> None:
    """Cards, entities and facts come of one session, in one commit, each with its evidence."""
    home.tell(session("s"), say(*HOME))
    before = home.archive.head().seq
    rules, llm = knowing(home)
    report = run(home, rules)
    assert [s.outcome for s in report.sessions] == [Outcome.DISTILLED]
    assert home.archive.head().seq == before + 1
    assert list(cards(home)) == ["The import failed with a KeyError"]
    assert {"Ada", "Leeds"} <= set(names(home))
    (ada,) = home.index.entities(Where(USER), ["Ada"])
    (fact,) = [one for one in home.index.links([ada.id], Where(USER)) if one.fact]
    assert fact.fact == "Ada lives in Leeds."
    assert fact.evidence
    assert ada.evidence
    assert len(llm.asked("distill")) == len(llm.asked("facts")) == 1


def test_known_are_shown(home, say, session) -> None:
    """Entities that the words name are shown by number, and met again instead of made anew."""
    home.tell(session("s"), say(*HOME))
    run(home, knowing(home)[0])
    home.tell(session("t"), say(("u", "Ada has a cat, Tom."), *MORE))
    told = {
        "entities": [
            {"name": "Ada", "kind": "person", "known": "E1", "turns": [1]},
            {"name": "Tom", "kind": "thing", "turns": [1]},
        ],
        "facts": [
            {
                "subject": "Ada",
                "relation": "has pet",
                "object": "Tom",
                "fact": "Ada has a cat.",
                "turns": [1],
            }
        ],
    }
    rules, llm = knowing(home, facts=(told,))
    run(home, rules)
    (call,) = llm.asked("facts")
    assert "E1 person: Ada" in call.user
    assert "Leeds" not in call.user
    assert names(home).count("Ada") == 1


def test_unusable_facts(home, say, session) -> None:
    """What is not answered is not taken for done: the reply is parked, the cards wait and are not
    asked for again, and the reason says how to go on without facts."""
    home.tell(session("s"), say(*HOME))
    rules, _ = knowing(home, facts=("no idea", "still none"))
    (done,) = run(home, rules).sessions
    assert done.outcome is Outcome.FAILED
    assert done.because.startswith("facts: ")
    assert "distill.facts" in done.because
    assert not cards(home)
    assert any(p.source.startswith("model ") for p in home.archive.parked())
    again, llm = knowing(home, cards=())
    assert [s.outcome for s in run(home, again).sessions] == [Outcome.DISTILLED]
    assert not llm.asked("distill")
    assert not list(home.archive.parked())


def test_stopped_between(home, say, session) -> None:
    """Where the budget ends between cards and facts, both wait, and the cards are asked once."""
    home.tell(session("s"), say(*HOME))
    rules, llm = knowing(home)
    call = next(iter(rules.distiller.cards._units(_works(home, rules))))
    spent = rules.distiller.cards._call(call).tokens + 2_500
    rules, llm = knowing(home, max_tokens=2_000, max_tokens_per_day=spent)
    report = run(home, rules)
    assert report.stopped_by == Problem.BUDGET
    assert [s.outcome for s in report.sessions] == [Outcome.WAITING]
    assert not cards(home)
    assert len(llm.asked("distill")) == 1
    again, other = knowing(home, cards=(), max_tokens=2_000)
    assert [s.outcome for s in run(home, again).sessions] == [Outcome.DISTILLED]
    assert not other.asked("distill")
    assert cards(home)
    assert "Ada" in names(home)


def test_outage_of_facts(home, say, session) -> None:
    """Where nobody answers about facts the run ends: no other session is asked about."""
    long = " ".join(["The import of the night table failed again."] * 30)
    home.tell(session("s"), say(("u", f"s {long}"), *HOME))
    home.tell(session("t"), say(("u", f"t {long}"), *MORE))
    rules, llm = knowing(home, cards=(CARD, CARD), facts=(), window_tokens=500, concurrency=1)
    report = run(home, rules)
    assert [s.outcome for s in report.sessions] == [Outcome.WAITING, Outcome.WAITING]
    assert len(llm.asked("distill")) == 1
    assert not cards(home)


def _works(home, rules):
    from alaya.distill.before import read_turns
    from alaya.distill.work import Work

    state = home.index.session(USER, "s")
    _, turns = read_turns(home.archive, home.index, state=state, whole=True)
    yield Work(state.session, (), tuple(turns))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_forecast(home, say, session, language: str) -> None:
    """A forecast counts the calls for facts, too, and asks nothing."""
    from alaya.distill.run import forecast

    told = (
        HOME if language == "en" else (("u", "导入报错 KeyError。小明住在苏州。"), ("a", "好的。"))
    )
    home.tell(session("s"), say(*told))
    rules, llm = knowing(home)
    found = forecast(home.archive, home.index, scope=USER, rules=rules, clock=lambda: NOW)
    assert found.estimate is not None
    assert found.estimate.calls == 2
    assert not llm.calls


def test_nobody_is_asked_about_alayas_own_words(home, say, session) -> None:
    """A session of nothing but what alaya had put there says nothing: no call is paid for it."""
    own = [
        replace(one, turn=replace(one.turn, injected=((0, len(one.turn.content)),)))
        for one in say(*HOME)
    ]
    home.tell(session("s"), own)
    rules, llm = knowing(home)
    run(home, rules)
    assert llm.asked("facts") == []
    assert names(home) == []
