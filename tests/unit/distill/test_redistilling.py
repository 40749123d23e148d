"""Distilling again with another prompt or model: new versions, nothing twice, nothing lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scripted_talk import MORE, NOW, TALK, USER, card, cards, link, run, says, scripted

from alaya.distill.rules import RuleDistiller
from alaya.distill.run import Rules
from alaya.model.change import CardRevised, Pinned
from alaya.model.passage import Where
from alaya.model.report import Outcome
from alaya.projection import commit

CAUSE = "The KeyError came from the renamed column; the import now uses `item_id`."
OTHER = "A column was renamed to `item_id`, which broke the import with a KeyError."


@pytest.fixture
def told(home, say, session) -> Any:
    """A home with one session that a model has distilled into three linked cards."""
    home.tell(session(), say(*TALK, *MORE))
    rules, _ = scripted(
        home,
        says(
            card("KeyError in the import", 1, 2, content=CAUSE),
            card("Import at night", 4, content="The import runs at night; by day it is locked."),
            card("Thanks", 3, content="The user was glad that it works."),
            links=(link("1", "受启发于", "2"), link("2", "CAUSED_BY", "3")),
        ),
    )
    run(home, rules)
    return home


def told_again(home, *script: Any, prompt: str = "\nBe brief.", **more: Any) -> Any:
    rules, _ = scripted(home, *script, prompt=prompt, redistill=True, **more)
    return run(home, rules)


def write(home, *changes: Any) -> None:
    commit(
        home.archive,
        home.index,
        decide=lambda: changes,
        actor="ana",
        verb="test",
        clock=lambda: NOW,
    )


def test_new_versions_not_duplicates(told) -> None:
    """A card of the same title, or of the same words, gets a version; others come and go."""
    before = cards(told)
    report = told_again(
        told,
        says(
            card("KeyError in the import", 2, content="Use `item_id`, the renamed column."),
            card("Run the import by night", 4, content="At night, as it is locked by day."),
            card("Who said thanks", 5, content="It was noted that the import runs at night."),
            links=(link("1", "受启发于", "2"),),
        ),
    )
    (one,) = report.sessions
    assert [(title, version) for _, title, version in one.revised] == [
        ("KeyError in the import", 2),
        ("Run the import by night", 2),
    ]
    after = cards(told)
    assert after["KeyError in the import"].id == before["KeyError in the import"].id
    assert after["Run the import by night"].id == before["Import at night"].id
    assert after["KeyError in the import"].supersedes == f"{before['KeyError in the import'].id}@1"
    assert sorted(after) == ["KeyError in the import", "Run the import by night", "Who said thanks"]
    edges = {(x.relation, x.source) for x in told.index.all_links(Where(USER))}
    assert ("受启发于", before["KeyError in the import"].id) in edges
    assert not any(relation == "CAUSES" for relation, _ in edges)


def test_nothing_changed(told) -> None:
    """The same prompt asks nothing; the same words under another prompt change nothing."""
    first = {t: (c.id, c.version) for t, c in cards(told).items()}
    rules, llm = scripted(told, redistill=True)
    (same,) = run(told, rules).sessions
    assert (llm.calls, same.outcome) == ([], Outcome.UNCHANGED)
    cited = {"KeyError in the import": (1, 2), "Import at night": (4,), "Thanks": (3,)}
    again = [card(t, *cited[t], content=c.content) for t, c in cards(told).items()]
    (other,) = told_again(told, says(*again)).sessions
    assert (other.cards, other.revised) == ((), ())
    assert {t: (c.id, c.version) for t, c in cards(told).items()} == first


def test_pinned_and_revised_stay(told) -> None:
    """What a person pinned or wrote is neither replaced nor forgotten, and not doubled in words."""
    mine = cards(told)["Import at night"]
    written = replace(mine, content="At 3 o'clock.", version=2)
    write(
        told,
        Pinned(USER, (cards(told)["Thanks"].id,), True),
        CardRevised(written, "I know better"),
    )
    told_again(told, says(card("KeyError in the import", 2, content=OTHER)))
    left = {t: (c.content, c.version) for t, c in cards(told).items()}
    assert left["Import at night"] == ("At 3 o'clock.", 2)
    assert "Thanks" in left
    assert left["KeyError in the import"] == (OTHER, 2)


def test_there_and_back(told) -> None:
    """By rules and back with the model: the model's cards return, what a person forgot does not."""
    first = {c.id: c.content for c in cards(told).values()}
    by_rules = Rules(RuleDistiller(), min_tokens=0, redistill=True)
    assert run(told, by_rules).model is None
    assert {c.id: c.content for c in cards(told).values()} != first
    rules, llm = scripted(told, redistill=True)
    run(told, rules)
    assert llm.calls == []
    assert {c.id: c.content for c in cards(told).values()} == first
    links = [x.relation for x in told.index.all_links(Where(USER)) if x.source in first]
    assert "受启发于" in links


def test_half_an_answer_replaces_nothing(home, say, session) -> None:
    """Where a part of the session is not answered the old cards stand as they are."""
    said = [("u", f"Point {i}: " + "word " * 60) for i in range(6)]
    home.tell(session(), say(*said))
    rules, _ = scripted(home, lambda call: says(card("P", 1, 2, content=call.user[-300:-200])))
    run(home, rules)
    before = cards(home)
    rules, _ = scripted(
        home,
        lambda call: "no" if "Point 4:" in call.user else says(card("Q", 1, 2)),
        window_tokens=260,
        redistill=True,
    )
    report = run(home, rules)
    assert report.sessions[0].outcome is Outcome.FAILED
    assert cards(home) == before


def test_rebuilt_without_a_call(told) -> None:
    """The journal alone gives the same L2, versions and all."""
    told_again(told, says(card("KeyError in the import", 2, content=OTHER)))
    before = list(told.index.fingerprint())
    from alaya.projection import catch_up

    with told.index.reset():
        catch_up(told.archive, told.index)
    assert list(told.index.fingerprint()) == before
