"""Small random memories in which every sentence has a word of its own, and what erasing takes.

A sentence is a word of its own and words that many share. Cards repeat the sentences that they
cite. What an erasure should take is worked out here once more, in the plainest way.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind, Summary
from alaya.model.ids import sha256
from alaya.model.raw import Event, EventKind, Role, Session, Span, ToolCall, Turn
from alaya.model.record import Draft, Parked, RecallLog
from alaya.model.scope import Scope
from alaya.projection import Grow, commit
from alaya.testing.invented import ALICE, BOB, START, card, day, link, session

SHARED = "the gateway 网关配置 was slow"
OWN_SESSIONS = ("s", "t")


def own(number: int, kind: str = "w") -> str:
    """A word that stands nowhere else: Latin, Chinese, emoji, short, or with marks around it."""
    if kind != "w":
        return f"{kind}x{number}canary"
    styles = (
        f"Zq{number}Canary",
        f"{chr(0x6100 + 3 * number)}{chr(0x6101 + 3 * number)}",
        f"{chr(0x1F900 + number)}",
        f"k{number}",
        f'"q{number}quoted"\n',
        f"mail{number}@canary-host.example",
    )
    return styles[number % len(styles)]


@dataclass
class Written:
    """What was put into a home. Sentences by number: (session, turn, start, end)."""

    sentences: list[tuple[str, str, int, int]] = field(default_factory=list)
    cites: dict[str, tuple[int, ...]] = field(default_factory=dict)  # a card its sentences
    sources: dict[str, tuple[str, ...]] = field(default_factory=dict)  # and cards
    entities: dict[str, tuple[int, ...]] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)

    def span(self, number: int) -> Span:
        name, turn, start, end = self.sentences[number]
        return Span(name, turn, start, end, sha256(f"{own(number)} {SHARED}"))


talks = st.lists(
    st.tuples(st.sampled_from(OWN_SESSIONS), st.integers(1, 3)), min_size=1, max_size=6
)
some = st.lists(st.integers(0, 30), max_size=3)
told = st.lists(st.tuples(some, some, st.booleans()), min_size=1, max_size=5)
joined = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=4)
called = st.lists(some, max_size=3)


def write(archive, index, *, said, cards, links, named) -> Written:
    """Put a memory of Alice into a home, and one of Bob beside it."""
    made, number = Written(), 0
    for place, (name, count) in enumerate(said):
        content = ""
        for _ in range(count):
            sentence = f"{own(number)} {SHARED}"
            made.sentences.append((name, str(place), len(content), len(content) + len(sentence)))
            content += sentence + ". "
            number += 1
        call = ToolCall("c", "run", json.dumps({"text": own(number - 1)}))
        turn = Turn(str(place), Role.USER, content, day(place), "Ada", tool_calls=(call,))
        _said(archive, index, session(name, ALICE), turn)
        words = Span(name, str(place), 0, len(content), sha256(content))
        event = Event(f"event-{place}", ALICE, EventKind.USER_MESSAGE, START, (words,), (), name)
        _tell(archive, index, ch.EventAdded(replace(event, turn=str(place))))
    _said(archive, index, session("s", BOB), Turn("0", Role.USER, f"bobcanary {SHARED}", START))
    known = range(number)
    for place, (cited, sources, again) in enumerate(cards):
        _card(archive, index, made, place, _of(cited, known), sources, again)
    for a, b in links:
        ends = [f"card-{n % len(cards)}" for n in (a, b)]
        if ends[0] != ends[1]:
            made.links.append((ends[0], ends[1]))
            wanted = link(ends[0][5:], "SIMILAR_TO", target=ends[1][5:], reason=own(a, "why"))
            _tell(archive, index, ch.LinkAdded(wanted))
    for place, cited in enumerate(named):
        numbers = _of(cited, known)
        spans = tuple(made.span(n) for n in numbers)
        made.entities[f"entity-{place}"] = numbers
        one = Entity(f"entity-{place}", ALICE, own(place, "name"), EntityKind.TOOL, evidence=spans)
        _tell(archive, index, ch.EntityAdded(one))
    first = made.sentences[0]
    summed = Summary(
        "summary-1", ALICE, first[0], own(0, "topic"), own(0), first[1], first[1], START,
        (made.span(0),),
    )  # fmt: skip
    _tell(archive, index, ch.SummaryAdded(summed))
    _elsewhere(archive, made)
    return made


def _card(archive, index, made: Written, place: int, cited, sources, again) -> None:
    name = f"card-{place}"
    made.cites[name] = cited
    made.sources[name] = tuple(f"card-{n % place}" for n in dict.fromkeys(sources)) if place else ()
    text = "\n".join([own(place, "card"), *(f"{own(n)} {SHARED}" for n in cited)])
    one = card(
        str(place),
        own(place, "title"),
        content=text,
        evidence=tuple(made.span(n) for n in cited),
        derived_from=made.sources[name],
        tags=(own(place, "tag"),),
    )
    _tell(archive, index, ch.CardAdded(one))
    if again:
        text = f"{text}\n{own(place, 'again')}"
        _tell(archive, index, ch.CardRevised(replace(one, version=2, content=text), "said again"))


def _elsewhere(archive, made: Written) -> None:
    """The words again, in everything that repeats them."""
    for number, (name, *_) in enumerate(made.sentences):
        words = own(number)
        query = {"text": f"about {words}", "where": {"scope": {"user": "alice"}}}
        archive.log_recalls([RecallLog(day(number), "alice", query, (), {}, 1.0, (), False, False)])
        archive.put_draft(Draft(name, "rules", f"hash-{number}", 0, 1, raw=f"it said {words}"))
        archive.park(Parked(f"log-{number}", "not JSON", START, number, excerpt=f'{{"{words}'))
        archive.set_state(f"cursors/c{number}", {"carry": {"text": f"\n{words}"}})
    notes = archive.home / "notes" / "soul"
    notes.mkdir(parents=True, exist_ok=True)
    text = "\n".join(own(n) for n in range(len(made.sentences)))
    (notes / "me.md").write_text(f"# me\n\n{text}\nkeepcanary\n", encoding="utf-8")
    (archive.home / "logs" / "x.log").write_text(text, encoding="utf-8")
    (archive.home / "export").mkdir(exist_ok=True)
    (archive.home / "export" / "index.md").write_text(text, encoding="utf-8")


def expected(made: Written, target: str) -> tuple[set[int], set[str], set[str]]:
    """(sentences, cards, entities) that erasing a card, a session or everything takes."""
    gone = {
        n
        for n, (name, *_) in enumerate(made.sentences)
        if target in ("everything", name) or n in made.cites.get(target, ())
    }
    cards = {target} & made.cites.keys()
    entities: set[str] = set()
    if target == "everything":
        return gone, set(made.cites), set(made.entities)
    cited = {number: made.sentences[number] for number in gone}
    # One sentence may be cited twice; what overlaps is the same sentence here.
    assert len(cited) == len(gone)
    while True:
        size = len(cards)
        for name, numbers in made.cites.items():
            sources = made.sources[name]
            if (numbers or sources) and gone >= set(numbers) and cards >= set(sources):
                cards.add(name)
        if len(cards) == size:
            break
    for name, numbers in made.entities.items():
        if numbers and gone >= set(numbers):
            entities.add(name)
    return gone, cards, entities


def _of(numbers, known: range) -> tuple[int, ...]:
    return tuple(dict.fromkeys(n % len(known) for n in numbers))


def _said(archive, index, one: Session, turn: Turn) -> None:
    state = index.session(Scope(one.scope.user), one.id)
    at, first = (state.end, state.turns) if state else (0, 0)
    _tell(archive, index, Grow(one, 0, at, first, (turn,)))


def _tell(archive, index, change) -> None:
    commit(archive, index, decide=lambda: [change], actor="a", verb="v", clock=lambda: START)
