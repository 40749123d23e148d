"""A memory from its first session to its export, on the default stores with the real embedder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from others import Contents, Done

from alaya import Memory
from alaya.errors import NotFound
from alaya.model.ids import sha256
from alaya.model.passage import Query, Where
from alaya.model.scope import Scope

SESSIONS = Path(__file__).parents[2] / "examples" / "sessions"


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the shipped sessions were ingested, distilled and embedded."""
    home = tmp_path_factory.mktemp("life") / "home"
    with Memory.open(home, settings={"embedding.background": False}) as memory:
        report = memory.ingest(SESSIONS)
        assert (len(report.sessions), report.parked) == (6, ())
        done = memory.distill()
        assert {one.session for one in done.sessions} == {s.session.id for s in report.sessions}
        assert done.cards >= 10
        assert memory.embed() > 100
        assert memory.embed() == 0
        assert memory.status().embedding.pending == 0
    return home


@pytest.fixture
def memory(lived: Path) -> Iterator[Memory]:
    """That memory."""
    with Memory.open(lived, settings={"embedding.background": False}) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "about", "voted"),
    [
        ("网关重启之后为什么收不到通知?", "plugins.allow", {"dense", "words"}),
        ("which port was already in use when the deploy failed?", "port", {"dense", "words"}),
        ("which database did we choose?", "Postgres", {"dense"}),  # no card has these words
    ],
)
def test_recall_finds_what_was_meant(
    memory: Memory, question: str, about: str, voted: set[str]
) -> None:
    """A question in other words than were said leads to the card among the first three."""
    answer = memory.recall(question)
    assert not answer.abstained
    assert voted <= set(answer.arms)
    first = [f"{hit.title}\n{hit.content}".casefold() for hit in answer.hits[:3]]
    assert [text for text in first if about.casefold() in text], first
    assert all(hit.evidence for hit in answer.hits)


def test_what_was_never_said(memory: Memory) -> None:
    """No answer is better than one that is not about it."""
    answer = memory.recall("how do I bake sourdough bread?")
    assert (answer.abstained, answer.hits, answer.h_distance_avg) == (True, (), None)


def test_one_step_along_the_graph(memory: Memory) -> None:
    """From a card to its neighbours: each reached over a link that touches the card."""
    linked = [link for link in memory.parts.index.all_links(Where()) if "card-" in link.target]
    start = next(link.target for link in linked if link.source.startswith("card-"))
    answer = memory.recall(query=Query(from_nodes=(start,), depth=1))
    assert answer.hits
    for hit in answer.hits:
        assert hit.id != start
        assert (hit.depth, hit.matched_rel is not None) == (1, True)
        assert hit.via is not None
        assert {hit.via.source, hit.via.target} == {start, hit.id}


def test_every_card_traces_to_its_words(memory: Memory) -> None:
    """Each quote stands in the archive word for word, and its hash says so."""
    cards = [card for card, _ in memory.parts.index.find_cards(Where())]
    assert cards
    for card in cards:
        quotes = memory.trace(card.id).quotes
        assert quotes
        for quote in quotes:
            assert quote.verified
            assert sha256(quote.words) == quote.span.sha256


def test_link_twice_is_one_link(memory: Memory) -> None:
    """A link that is said again is the same, in whichever direction a symmetric one is said."""
    one, other = [card.id for card, _ in memory.parts.index.find_cards(Where(), 2)]
    first = memory.link(one, other, relation="similar to", reason="the same host")
    again = memory.link(other, one, relation="SIMILAR_TO")
    assert first.id == again.id or {first.source, first.target} == {again.source, again.target}
    found = memory.parts.index.links([one], Where(), relations=["SIMILAR_TO"])
    assert len([link for link in found if {link.source, link.target} == {one, other}]) == 1


def test_export_verify_rebuild(
    memory: Memory, contents: Callable[[Memory], Contents], tmp_path: Path
) -> None:
    """Cards and graph leave as files; the three layers agree; a rebuild changes no answer."""
    report = memory.export(tmp_path / "out", sessions=True)
    before = contents(memory)
    assert (report.cards, report.sessions) == (len(before.cards), 6)
    assert len(list((tmp_path / "out" / "cards").rglob("*.md"))) == report.cards
    assert "graphml" in (tmp_path / "out" / "graph.graphml").read_text(encoding="utf-8")[:200]
    assert memory.verify().differences == ()
    asked = ["网关 通知", "port already in use"]
    said = [[(h.id, h.score) for h in memory.recall(q).hits] for q in asked]
    assert memory.rebuild().vectors > 100
    assert contents(memory) == before
    assert [[(h.id, h.score) for h in memory.recall(q).hits] for q in asked] == said
    assert memory.verify().differences == ()


def test_twice_changes_nothing(memory: Memory, contents: Callable[[Memory], Contents]) -> None:
    """The same files again: not a turn, a card, a link or a journal record more."""
    before, records = contents(memory), memory.verify().records
    report = memory.ingest(SESSIONS)
    assert (report.turns, report.sessions, report.unchanged) == (0, (), 6)
    assert memory.distill().cards == 0
    assert contents(memory) == before
    assert memory.verify().records == records


@pytest.mark.parametrize("name", ["openclaw-gateway-notify.jsonl", "claude-code-docker-port.jsonl"])
def test_a_log_that_goes_on(
    name: str,
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Taken in three pieces as it grows, a log gives the words that it gives at once, in order.

    An answer that was cut between two of its rows is two turns; nothing else differs.
    """
    whole = (SESSIONS / name).read_bytes()
    growing, pieces = tmp_path / name, whole.splitlines(keepends=True)
    with opened(tmp_path / "piecewise") as memory:
        taken = 0
        for share in (len(pieces) // 3, 2 * len(pieces) // 3, len(pieces)):
            growing.write_bytes(b"".join(pieces[:share]))
            taken += memory.ingest(growing).turns
            memory.distill()
        piecewise = _words(contents(memory))
        assert memory.verify().differences == ()
    with opened(tmp_path / "at-once") as memory:
        at_once = memory.ingest(growing).turns
        assert at_once <= taken <= at_once + 2
        assert _words(contents(memory)) == piecewise


def _words(found: Contents) -> dict[str, list[str]]:
    return {name: [text for text in turns if text] for name, turns in found.turns.items()}


def test_two_users_in_one_home(
    opened: Callable[[Path], Memory],
    alaya: Callable[..., Done],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Neither recalls, traces by id, links, counts or exports what is the other's."""
    home, mine, hers = tmp_path / "home", Scope("me"), Scope("她")
    settings = {"embedding.provider": "none", "distill.min_session_tokens": 0}
    with Memory.open(home, mine, settings=settings) as memory:
        memory.ingest(SESSIONS / "openclaw-gateway-notify.jsonl")
        memory.distill()
        card = next(iter(contents(memory).cards))
    with Memory.open(home, hers, settings=settings) as memory:
        assert memory.recall("plugins.allow", include_sessions=True).hits == ()
        assert memory.status().counts["cards"] == memory.status().counts["sessions"] == 0
        memory.ingest(SESSIONS / "openclaw-gateway-notify.jsonl")
        memory.ingest(SESSIONS / "claude-code-docker-port.jsonl")
        memory.distill()
        her = contents(memory)
        found = memory.recall("plugins.allow", include_sessions=True)
        assert {hit.card.scope.user for hit in found.hits if hit.card} == {"她"}
        assert memory.export(tmp_path / "hers").cards == len(her.cards)
        assert memory.verify().differences == ()
    for argv in (["trace", card], ["link", card, next(iter(her.cards))]):
        strange = alaya(home, *argv, "--user", "nobody")
        assert (strange.status, strange.out) == (1, "")
    with Memory.open(home, mine, settings=settings) as memory:
        own = contents(memory)
        assert set(own.turns) < set(her.turns)
        assert memory.export(tmp_path / "mine").cards == len(own.cards)
        assert memory.recall("docker port", include_sessions=True).hits == ()
        only_hers = set(her.cards) - set(own.cards)
        assert only_hers
        for name in only_hers:
            with pytest.raises(NotFound, match=name):
                memory.trace(name)
            with pytest.raises(NotFound, match=name):
                memory.link(next(iter(own.cards)), name)
    text = "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "mine").rglob("*.md"))
    assert not [name for name in only_hers if name in text]


def test_a_copied_home_is_the_same_memory(
    lived: Path, contents: Callable[[Memory], Contents], tmp_path: Path
) -> None:
    """raw/ and state/ alone, copied elsewhere, grow the same cards and links."""
    for part in ("raw", "state"):
        shutil.copytree(lived / part, tmp_path / "copy" / part)
    quiet = {"embedding.background": False}
    with (
        Memory.open(lived, settings=quiet) as one,
        Memory.open(tmp_path / "copy", settings=quiet) as other,
    ):
        assert contents(one) == contents(other)
        assert other.verify().differences == ()
