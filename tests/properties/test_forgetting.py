"""Random memories: forgetting never touches what it must not, and twice is once."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from alaya.introspect.forget import PRESETS, ForgetPolicy, doomed
from alaya.model.graph import Card, CardState, Horizon
from alaya.testing.invented import card, day, link

NAMES = [f"n{number:02}" for number in range(14)]
NOW = day(400)
SAFE = ("SIMILAR_TO", "TEMPORAL_NEXT", "CONTRADICTS", "受启发于")
RELATIONS = ("DEPENDS_ON", "CAUSED_BY", "CAUSES", "DERIVED_FROM", *SAFE)
days = st.integers(0, 400)


@st.composite
def memories(draw):
    """Cards with their states, and links between them."""
    found: list[tuple[Card, CardState]] = []
    for name in NAMES[: draw(st.integers(1, len(NAMES)))]:
        said = draw(days)
        sources = draw(st.lists(st.sampled_from(NAMES), max_size=1))
        one = card(
            name,
            said_at=day(said),
            importance=draw(st.sampled_from([0.1, 0.8, 0.9])),
            confidence=draw(st.sampled_from([0.1, 0.3, 0.9])),
            horizon=draw(st.sampled_from(Horizon)),
            derived_from=tuple(f"card-{s}" for s in sources if s != name),
        )
        accesses = draw(st.sampled_from([0, 0, 1, 3, 20]))
        state = CardState(
            recorded_at=day(draw(st.integers(said, 400))),
            pinned=draw(st.booleans()) and draw(st.booleans()),
            quarantined=draw(st.booleans()) and draw(st.booleans()),
            forgotten_at=NOW if draw(st.integers(0, 5)) == 0 else None,
            access_count=accesses,
            last_access=day(draw(days)) if accesses else None,
            relevance=0.5 if accesses else None,
        )
        found.append((one, state))
    ends = st.sampled_from([*NAMES, "entity-x"])
    edges = st.builds(
        lambda a, r, b: link(a, r, target=b),
        st.sampled_from(NAMES),
        st.sampled_from(RELATIONS),
        ends,
    )
    return found, draw(st.lists(edges, max_size=20))


policies = st.sampled_from(
    [
        *PRESETS.values(),
        ForgetPolicy("few", max_short=2, max_long=1),
        ForgetPolicy("all", keep_importance=0.8, idle_days=30, confidence=0.5, max_short=3),
    ]
)
restorations = st.dictionaries(st.sampled_from([f"card-{n}" for n in NAMES]), days.map(day))


def needs(links, cards) -> list[tuple[str, str]]:
    """(who needs, whom), told plainly."""
    found = [(c.id, source) for c, _ in cards for source in c.derived_from]
    for one in links:
        if one.relation in ("DEPENDS_ON", "CAUSED_BY", "DERIVED_FROM"):
            found.append((one.source, one.target))
        elif one.relation == "CAUSES":
            found.append((one.target, one.source))
    return found


@given(memories(), policies, restorations)
def test_what_is_safe_stays(memory, policy, restored) -> None:
    """No pinned, quarantined, hidden, important or lately restored card, and none that anything
    that stays depends on."""
    cards, links = memory
    found = {c.id for c, _ in doomed(cards, links, policy=policy, now=NOW, restored=restored)}
    states = {c.id: (c, s) for c, s in cards}
    for name in found:
        one, state = states[name]
        assert not state.pinned
        assert not state.quarantined
        assert state.forgotten_at is None
        assert policy.keep_importance is None or one.importance <= policy.keep_importance
        back = restored.get(name)
        assert back is None or NOW - back > timedelta(days=policy.grace_days)
    living = {c.id for c, s in cards if s.forgotten_at is None} | {"entity-x"}
    for who, whom in needs(links, cards):
        assert not (who in living - found and whom in found and who != whom), (who, whom)


@given(memories(), policies, restorations)
def test_twice_is_once(memory, policy, restored) -> None:
    """What is left after forgetting is left after forgetting again."""
    cards, links = memory
    found = {c.id for c, _ in doomed(cards, links, policy=policy, now=NOW, restored=restored)}
    left = [
        (c, s if c.id not in found else CardState(s.recorded_at, forgotten_at=NOW))
        for c, s in cards
    ]
    assert not doomed(left, links, policy=policy, now=NOW, restored=restored)


@given(memories(), policies)
def test_links_that_need_nobody_change_nothing(memory, policy) -> None:
    """With SIMILAR_TO and the like left out, the same cards go."""
    cards, links = memory
    needed = [one for one in links if one.relation not in SAFE]
    assert doomed(cards, links, policy=policy, now=NOW) == doomed(
        cards, needed, policy=policy, now=NOW
    )
