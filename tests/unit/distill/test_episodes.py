"""Every turn has a topic: of its summary, or by rules while its run is open."""

from __future__ import annotations

import pytest
from summing_up import PORT, TRIP, USER, Told

from alaya.distill.episodes import Episode, episodes
from alaya.distill.summarize_rules import Summing
from alaya.model.ids import sha256
from alaya.model.speech import embeddable


def of(told: Told, session: str, **rules: object) -> list[Episode]:
    state = told.home.index.session(USER, session)
    return episodes(told.home.archive, told.home.index, state=state, rules=Summing(**rules))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_labels(told: Told, language: str) -> None:
    """Turns of a closed run have its summary's topic, those of the open run one by rules."""
    told.says("s1", *PORT[language])
    told.sums(close=True)
    told.says("s1", *TRIP[language])
    (port,) = told.kept()
    seq = told.home.archive.head().seq
    found = of(told, "s1")
    assert [e.turn for e in found] == [f"t{i}" for i in range(8)]
    assert {(e.topic, e.summary) for e in found[:4]} == {(port.topic, port.id)}
    assert {e.summary for e in found[4:]} == {None}
    (topic,) = {e.topic for e in found[4:]}
    assert topic not in ("", port.topic)
    assert all(e.vector is None for e in found)
    assert told.home.archive.head().seq == seq


def test_nothing_told(told: Told) -> None:
    """Small talk has no topic, and a session of it no summary."""
    told.says("s1", ("u", "Hello!"), ("a", "Hi!"))
    assert [(e.topic, e.summary) for e in of(told, "s1")] == [("", None)] * 2


def test_vectors(told: Told) -> None:
    """A turn's topic vector mixes it with its neighbours, at length 1, once L1 has them."""
    index, archive = told.home.index, told.home.archive
    told.says("old", *[("ua"[i % 2], f"the old mill number {i}") for i in range(170)])
    told.says("s1", *PORT["en"], *TRIP["en"])
    for session, vector in (("old", [1.0, 0.0, 0.0]), ("s1", [1.0, 1.0, 0.0])):
        state = index.session(USER, session)
        for p in index.turns(USER, session):
            turn = archive.turn(state.session, p.generation, offset=p.offset, length=p.length)
            one = [vector[0], vector[1], 0.3 * (p.ordinal % 2)] if session == "s1" else vector
            index.put("model-a", {sha256(embeddable(turn)): [one]})
    found = of(told, "s1", model="model-a")
    lengths = [sum(x * x for x in e.vector) for e in found]
    assert lengths == pytest.approx([1.0] * 8, abs=1e-5)
    assert found[2].vector != pytest.approx(found[0].vector)
    assert min(float(e.vector[1]) for e in found) > 0.8
