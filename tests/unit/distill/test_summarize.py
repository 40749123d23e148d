"""Summaries of topics, sessions and themes: by rules, in stores that grow, forget and race."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from summing_up import PORT, TRIP, USER, Told

from alaya.distill.segments import Cut
from alaya.distill.summarize_rules import NAME
from alaya.model import change as ch
from alaya.model.ids import sha256
from alaya.model.passage import Where
from alaya.model.raw import Origin, TurnMark
from alaya.model.report import SummariesReport
from alaya.model.scope import Scope


@pytest.mark.parametrize("language", ["en", "zh"])
def test_quotes(told: Told, language: str) -> None:
    """By rules a summary quotes who said what, with the words as evidence, under a topic."""
    told.says("s1", *PORT[language], *TRIP[language])
    report = told.sums(close=True)
    port, trip = told.kept()
    assert [level for _, level, _ in report.made] == ["topic", "topic", "session"]
    assert (port.first_turn, port.last_turn) == ("t0", "t3")
    assert (trip.first_turn, trip.last_turn) == ("t4", "t7")
    wanted = {"en": ("port 8443", "gateway", "Vienna"), "zh": ("端口 8443", "网关", "维也纳")}
    assert wanted[language][0] in port.content
    assert wanted[language][1] in f"{port.topic} {port.content}"
    assert wanted[language][2] in f"{trip.topic} {trip.content}"
    assert {"en": 'User: "', "zh": "用户：“"}[language] in port.content
    said = {f"t{i}": words for i, (_, words) in enumerate([*PORT[language], *TRIP[language]])}
    for summary in (port, trip):
        assert summary.metadata["by"] == NAME
        assert summary.topic.strip()
        for span in summary.evidence:
            words = said[span.turn][span.start : span.end]
            assert sha256(words) == span.sha256
            assert words in summary.content
    (whole,) = told.kept("session")
    assert (whole.first_turn, whole.last_turn) == ("t0", "t7")
    assert whole.metadata["members"] == [port.id, trip.id]
    assert set(whole.evidence) == {*port.evidence, *trip.evidence}


def test_open_until_over(told: Told) -> None:
    """The last topic stays open until hours have passed or `close` says so; then never again."""
    told.says("s1", *PORT["en"])
    assert told.sums() == SummariesReport()
    told.now += timedelta(hours=3)
    assert [level for _, level, _ in told.sums().made] == ["topic"]
    seq = told.home.archive.head().seq
    assert told.sums(close=True) == SummariesReport()
    assert told.home.archive.head().seq == seq


def test_growth(told: Told) -> None:
    """A session that grows gets a second topic, and its summary anew; the first one stays."""
    told.says("s1", *PORT["en"])
    told.sums(close=True)
    (port,) = told.kept()
    assert told.kept("session") == []  # it would say the same
    told.says("s1", *TRIP["en"])
    told.sums(close=True)
    assert told.kept()[0] == port
    (whole,) = told.kept("session")
    told.says("s1", *PORT["zh"])
    told.sums(close=True)
    (longer,) = told.kept("session")
    assert longer.id == whole.id
    assert len(longer.metadata["members"]) == 3
    assert [s.first_turn for s in told.kept()] == ["t0", "t4", "t8"]


def test_small_talk_has_no_summary(told: Told) -> None:
    """What tells nothing is not summed up; behind a topic it belongs to that."""
    told.says("s2", ("u", "Good morning!"), ("a", "Good morning!"), ("u", "Thanks, see you"))
    assert told.sums(close=True) == SummariesReport()
    told.says("s1", *PORT["en"])
    told.sums(close=True)
    told.says("s1", ("u", "Thanks!"), ("a", "You are welcome."))
    told.sums(close=True)
    (port,) = told.kept()
    assert (port.first_turn, port.last_turn) == ("t0", "t5")
    seq = told.home.archive.head().seq
    told.sums(close=True)
    assert told.home.archive.head().seq == seq


@pytest.mark.parametrize("language", ["en", "zh"])
def test_theme(told: Told, language: str) -> None:
    """One topic in several sessions becomes a theme, which grows with them; others do not."""
    told.says("s1", *PORT[language], *TRIP[language])
    told.sums(close=True)
    assert told.kept("theme") == []
    told.says("s2", *PORT[language][:3])
    told.sums("s2", close=True)
    (theme,) = told.kept("theme")
    assert theme.session == ""
    assert theme.scope == Scope("default", "main")
    assert {span.session for span in theme.evidence} == {"s1", "s2"}
    assert theme.first_turn == "s1#t0"
    assert len(theme.metadata["members"]) == 2
    told.says("s3", *PORT[language][1:])
    told.sums(close=True)
    (grown,) = told.kept("theme")
    assert grown.id == theme.id
    assert len(grown.metadata["members"]) == 3
    told.tell(ch.Forgotten(USER, tuple(grown.metadata["members"][1:]), "wrong"))
    told.sums(close=True)
    assert told.kept("theme") == []  # one session is no theme


def test_forgotten(told: Told) -> None:
    """What somebody forgot is not made again: not by growth, nor by distilling anew."""
    told.says("s1", *PORT["en"], *TRIP["en"])
    told.sums(close=True)
    port = told.kept()[0]
    (whole,) = told.kept("session")
    told.tell(ch.Forgotten(USER, (port.id, whole.id), "private"))
    for rules in ({}, {"redistill": True}, {}):
        told.sums(close=True, **rules)
        assert [s.first_turn for s in told.kept()] == ["t4"]
        assert told.kept("session") == []
    assert all("8443" not in s.content for s in told.home.index.summaries(Where(USER)))


def test_redistilled(told: Told) -> None:
    """Cut otherwise, the old runs go and come back when they are cut so again; none is double."""
    told.says("s1", *PORT["en"])
    told.sums(close=True)
    told.says("s1", *PORT["en"][2:])
    told.sums(close=True)
    assert [s.first_turn for s in told.kept()] == ["t0", "t4"]
    before = told.kept()
    told.sums(close=True, redistill=True)
    assert [(s.first_turn, s.last_turn) for s in told.kept()] == [("t0", "t5")]
    told.sums(close=True, redistill=True, cut=Cut(silence=timedelta(seconds=1)))
    assert len(told.kept()) > len(before)
    assert {s.id for s in before} <= {s.id for s in told.kept()}


def test_trust(told: Told) -> None:
    """A summary is trusted as little as the least of the turns that it covers, quoted or not."""
    told.says("s1", *PORT["en"][:2])
    told.says("s1", ("t", "GET /status 200"), ("u", PORT["en"][2][1]))
    told.sums(close=True)
    (port,) = told.kept()
    assert port.origin is Origin.TOOL


def test_alayas_own_words(told: Told) -> None:
    """What alaya had put into a prompt is in no summary, and no summary is made of it alone."""
    words = "<alaya-memory>We decided to sell the house in Lisbon.</alaya-memory>"
    told.says("s1", ("u", words), ("u", words), injected=((0, len(words)),))
    assert told.sums(close=True) == SummariesReport()
    told.says("s1", *PORT["en"])
    told.sums(close=True)
    assert told.kept()
    assert all("Lisbon" not in s.text for s in told.home.index.summaries(Where(USER)))


def test_rewritten(told: Told) -> None:
    """A run whose turns are no longer part of the session has no summary any more."""
    told.says("s1", *PORT["en"], *TRIP["en"])
    told.sums(close=True)
    gone = tuple(f"t{i}" for i in range(4))
    told.tell(ch.TurnsMarked(Scope("default", "main"), "s1", gone, TurnMark.SUPERSEDED))
    told.says("s1", *PORT["zh"])
    told.sums(close=True)
    assert [s.first_turn for s in told.kept()] == ["t4", "t8"]


def test_two_processes(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes to a session that another process sums up leaves it: nothing is there twice."""
    told.says("s1", *PORT["en"], *TRIP["en"])
    put: Callable[..., str] = told.home.archive.put_draft
    others: list[SummariesReport] = []

    def put_draft(draft: object) -> str:
        if not others:
            others.append(told.sums(close=True))
        return put(draft)

    monkeypatch.setattr(told.home.archive, "put_draft", put_draft)
    report = told.sums(close=True)
    assert [other.made for other in others] == [()]
    assert [s.first_turn for s in told.kept()] == ["t0", "t4"]
    assert len(told.kept("session")) == 1
    assert len(report.made) == 3
