"""The three designs' rules of forgetting, and what no rule touches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.config_sections import IntrospectConfig
from alaya.introspect.forget import (
    AGED,
    DOUBTFUL,
    FADED,
    IDLE,
    PRESETS,
    TOO_MANY,
    doomed,
    policy_of,
)
from alaya.model.graph import CardState, Horizon
from alaya.testing.invented import START, card, day, link

NOW = day(400)


def one(name: str, *, said=0, recorded=None, **fields):
    """A card said on a day and learnt then, unless it was learnt later."""
    state = {k: fields.pop(k) for k in list(fields) if k in CardState.__dataclass_fields__}
    learnt = day(said if recorded is None else recorded)
    return card(name, said_at=day(said), **fields), CardState(recorded_at=learnt, **state)


def verdicts(policy, *cards, links=(), restored=None, now=NOW) -> dict[str, str]:
    found = doomed(cards, links, policy=PRESETS[policy], now=now, restored=restored or {})
    return {c.id.removeprefix("card-"): why for c, why in found}


def test_alaya_asks_for_everything_together() -> None:
    """Below .1, untouched for more than 90 days and recalled fewer than 3 times, all at once."""
    found = verdicts(
        "alaya",
        one("faded"),
        one("warm", said=340),  # e^-2 = .135
        one("touched", last_access=day(311), access_count=1, relevance=0.5),
        one("edge", last_access=day(310), access_count=1, relevance=0.5),  # 90 days: not more
        one("gone", last_access=day(309), access_count=2, relevance=0.5),
        one("used", access_count=3, last_access=day(1), relevance=0.1),
    )
    assert found == {"faded": FADED, "gone": FADED}


def test_what_was_said_long_ago_and_learnt_today_had_no_chance_to_be_recalled() -> None:
    """An old log that is ingested today is not forgotten tonight, by any policy."""
    for policy in PRESETS:
        old = one("old", said=0, recorded=399)
        assert verdicts(policy, old) == {}
        assert verdicts(policy, old, now=day(600)) != {}


def test_alice_keeps_what_is_important_whatever_else() -> None:
    """More important than .8: never; else 90 days without recall, or confidence below .3."""
    found = verdicts(
        "alice",
        one("important", importance=0.81, confidence=0.1),
        one("nearly", importance=0.8),
        one("recent", said=399),
        one("doubtful", said=399, confidence=0.29),
        one("sure", said=399, confidence=0.3),
        one("recalled", last_access=day(399), access_count=1),
    )
    assert found == {"nearly": IDLE, "doubtful": DOUBTFUL}


def test_qiming_limits_age_confidence_and_number() -> None:
    """Older than 90 days, confidence below .3, or behind the newest 50 short and 1,000 long."""
    many = [one(f"s{n:02}", said=330 + n) for n in range(53)]
    long = [one(f"l{n:02}", said=330 + n, horizon=Horizon.LONG) for n in range(53)]
    other = [one("old", said=300), one("doubtful", said=399, confidence=0.2)]
    found = verdicts("qiming", *many, *long, *other)
    assert found == {
        "old": AGED,
        "doubtful": DOUBTFUL,
        "s00": TOO_MANY,
        "s01": TOO_MANY,
        "s02": TOO_MANY,
    }


@pytest.mark.parametrize("policy", sorted(PRESETS))
def test_pinned_quarantined_and_restored_cards_are_safe(policy) -> None:
    """No policy takes what was pinned, waits for a decision, or was brought back lately."""
    cards = [
        one("pinned", pinned=True, confidence=0.1),
        one("waiting", quarantined=True, confidence=0.1),
        one("back", confidence=0.1),
        one("back_long_ago", confidence=0.1),
    ]
    restored = {"card-back": day(310), "card-back_long_ago": day(309)}
    assert set(verdicts(policy, *cards, restored=restored)) == {"back_long_ago"}


@pytest.mark.parametrize(
    ("relation", "keeps"),
    [
        ("DEPENDS_ON", True),
        ("CAUSED_BY", True),
        ("DERIVED_FROM", True),
        ("SIMILAR_TO", False),
        ("TEMPORAL_NEXT", False),
        ("EXTRACTED_FROM", False),
        ("CONTRADICTS", False),
        ("受启发于", False),
    ],
)
def test_which_links_protect(relation, keeps) -> None:
    """An incoming DEPENDS_ON, CAUSED_BY or DERIVED_FROM of something that lives; no other link."""
    young = one("young", said=399)
    found = verdicts("alaya", one("old"), young, links=[link("young", relation, target="old")])
    assert ("old" not in found) is keeps
    outgoing = verdicts("alaya", one("old"), young, links=[link("old", relation, target="young")])
    assert outgoing == {"old": FADED}


def test_a_cause_is_read_as_it_is_stored() -> None:
    """CAUSED_BY is stored as CAUSES the other way round: the cause is what is needed."""
    young, old = one("young", said=399), one("old")
    assert verdicts("alaya", old, young, links=[link("old", "CAUSES", target="young")]) == {}
    assert verdicts("alaya", old, young, links=[link("young", "CAUSES", target="old")]) != {}


def test_only_the_living_protect() -> None:
    """What is forgotten with its dependants, or in a circle of such, goes at once."""
    a, b, c = one("a"), one("b"), one("c")
    chain = [link("a", "DEPENDS_ON", target="b"), link("b", "DEPENDS_ON", target="c")]
    assert set(verdicts("alaya", a, b, c, links=chain)) == {"a", "b", "c"}
    circle = [*chain, link("c", "DEPENDS_ON", target="a")]
    assert set(verdicts("alaya", a, b, c, links=circle)) == {"a", "b", "c"}
    pinned = one("a", pinned=True)
    assert verdicts("alaya", pinned, b, c, links=chain) == {}
    hidden = one("a", pinned=True, forgotten_at=day(300))
    assert set(verdicts("alaya", hidden, b, c, links=chain)) == {"b", "c"}
    merged = one("a", pinned=True, retired_at=day(300))
    assert set(verdicts("alaya", merged, b, c, links=chain)) == {"b", "c"}


def test_an_entity_lives_and_derived_cards_protect_their_sources() -> None:
    """What is no card counts as living; `derived_from` counts without a link."""
    links = [link("entity-ada", "DEPENDS_ON", target="a")]
    assert verdicts("alaya", one("a"), links=links) == {}
    young = one("young", said=399, derived_from=("card-a",))
    assert verdicts("alaya", one("a"), young) == {}


def test_numbers_come_from_the_configuration() -> None:
    """Each number counts where the policy has such a rule; none: nothing is forgotten."""
    assert policy_of(IntrospectConfig()) == PRESETS["alaya"]
    assert policy_of(IntrospectConfig(forget_policy="none")) is None
    alice = policy_of(IntrospectConfig(forget_policy="alice", forget_days=7, forget_max_long=3))
    assert alice == replace(
        PRESETS["alice"], idle_days=7, untouched_days=7, grace_days=7, keep_importance=0.8
    )
    qiming = policy_of(IntrospectConfig(forget_policy="qiming", forget_max_long=3))
    assert qiming is not None
    assert (qiming.max_long, qiming.max_short) == (3, 50)
    assert START < NOW
