"""A simulated year: what a memory that minds itself keeps at hand, and what it lets go.

    python benchmarks/year.py [--sessions 10000] [--days 365] [--home DIR] [--hot-limit 5000]

Day by day, by a simulated clock, on the default store with the hashing embedder: the cards of the
day's sessions are written and embedded, the day's questions are asked, and the memory introspects
at night. 10,000 sessions leave 2.5 cards each and ask 2.3 questions each (as in the Alaya
design, 7.5), of which the three best cards are taken.

Which card a question needs is drawn without looking at the memory, by

    need = popularity x season x age

- popularity follows Zipf's law (exponent 1.2): most cards are never needed, a few very often. One
  card in seven is an important fact (importance 0.8 and more) and ten times as popular;
- season: topics follow Zipf's law, too, and most have a season of 60 days in which they are spoken
  of, and needed, eight times as often;
- age: what was just said is needed most, by a power of its age in days (exponent 0.5, after
  Anderson and Schooler, 1991); an important fact is needed however old it is.

What is printed:

- tiers: how many cards are HOT, WARM, COLD after the night;
- HOT hit rate: of the questions whose card was found, how many had it in HOT ("查询命中 HOT tier 的
  比例"); beside it, the same of all cards that were returned. The first 30 days do not count;
- temperature accuracy, as the Alaya design (7.2) has it: of all cards that were recalled more than
  10 times, how many are in HOT; also after one more introspection with `hot_limit` 500;
- forgotten: how many of all cards; regret: of the forgotten ones, how many were asked for later;
- found: of the questions, how many had their card among the results;
- bytes of the database with its sidecar, of the archive, resident memory, seconds an introspection.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import numpy as np

from alaya import Memory
from alaya.model.change import CardAdded
from alaya.model.graph import Card, CardKind, Tier
from alaya.model.life import Life
from alaya.model.passage import Where
from alaya.model.raw import Origin
from alaya.model.scope import Scope
from alaya.projection import commit

SCOPE = Scope("default")
START = datetime(2026, 1, 1, 22, tzinfo=UTC)
CARDS, QUESTIONS = 2.5, 2.3  # of a session
ZIPF = 1.2
TOPICS, WARM_UP = 200, 30
IMPORTANT, USED = 0.8, 10
SETTINGS = {
    "embedding.provider": "hashing",
    "embedding.background": False,
    "recall.max_results": 3,
    "logging.level": "off",
}
_ORIGINS = (Origin.AGENT,) * 12 + (Origin.OWNER,) * 5 + (Origin.TOOL,) * 2 + (Origin.UNTRUSTED,)


@dataclass(frozen=True)
class Year:
    """How long, and how much is said."""

    sessions: int = 10_000
    days: int = 365
    seed: int = 7

    def today(self, rng: random.Random, each: float) -> int:
        """How many of something that every session has `each` of belong to a day."""
        wanted = self.sessions * each / self.days
        return int(wanted) + (rng.random() < wanted % 1)


@dataclass
class Told:
    """What was said and asked so far, as the one who asks knows it; a column for each card."""

    cards: list[tuple[str, str]] = field(default_factory=list)  # id, and the words to ask for it
    said: list[int] = field(default_factory=list)  # days
    topics: list[int] = field(default_factory=list)
    popularity: list[float] = field(default_factory=list)
    lasting: list[bool] = field(default_factory=list)
    asked: list[tuple[int, str]] = field(default_factory=list)  # (day, card)


@dataclass(frozen=True)
class Night:
    """A day's end."""

    day: int
    tiers: Mapping[str, int]
    seconds: float
    database: int


@dataclass
class Figures:
    """What is printed; see above."""

    questions: int = 0
    found: int = 0
    hot: int = 0
    returned: int = 0
    returned_hot: int = 0
    nights: list[Night] = field(default_factory=list)
    cards: int = 0
    accuracy: float = math.nan
    accuracy_small: float = math.nan
    used: int = 0
    forgotten: int = 0
    regretted: int = 0
    archive: int = 0
    steps: tuple[str, ...] = ()

    @property
    def hot_rate(self) -> float:
        return self.hot / max(self.found, 1)

    @property
    def regret(self) -> float:
        return self.regretted / max(self.forgotten, 1)

    @property
    def forgotten_share(self) -> float:
        return self.forgotten / max(self.cards, 1)


class Clock:
    """The simulated time."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


def opened(home: Path, clock: Callable[[], datetime], **settings: object) -> Memory:
    """The memory of a home that believes this clock."""
    memory = Memory.open(home, settings={**SETTINGS, **settings})
    return Memory(replace(memory.parts, clock=clock), memory.scope)


# --- what is said and asked -----------------------------------------------------------------------


def words_of(rng: random.Random, number: int, *, chinese: bool) -> list[str]:
    """Invented words: some letters, or two Han characters."""
    if chinese:
        return ["".join(chr(rng.randint(0x4E00, 0x9FA0)) for _ in range(2)) for _ in range(number)]
    parts = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo")
    return ["".join(rng.choices(parts, k=4)) for _ in range(number)]


class World:
    """Topics with their words and seasons."""

    def __init__(self, rng: random.Random) -> None:
        self.words = [words_of(rng, 8, chinese=n % 3 == 0) for n in range(TOPICS)]
        self.peaks = [rng.randrange(365) if rng.random() < 0.6 else None for _ in range(TOPICS)]

    def topic(self, rng: random.Random, day: int) -> int:
        """By Zipf's law, those in season far more often."""
        weights = [self.season(number, day) / (number + 1) for number in range(TOPICS)]
        return rng.choices(range(TOPICS), weights)[0]

    def season(self, topic: int, day: int) -> float:
        """How much more a topic is spoken of on this day than out of season."""
        peak = self.peaks[topic]
        away = 0 if peak is None else min(abs(day - peak), 365 - abs(day - peak))
        return 8 if peak is not None and away <= 30 else 1


def card(rng: random.Random, world: World, day: int, *, said_at: datetime, name: str) -> Card:
    """A card about something of a topic in season, with words of its own."""
    topic = world.topic(rng, day)
    chinese = topic % 3 == 0
    own = words_of(rng, 5, chinese=chinese)
    joint = "" if chinese else " "
    return Card(
        id=f"card-{name}",
        scope=SCOPE,
        title=joint.join([rng.choice(world.words[topic]), *own[:2]]),
        content=joint.join([*rng.choices(world.words[topic], k=8), *own[2:]]),
        kind=rng.choice((CardKind.CONCEPT, CardKind.GOTCHA, CardKind.DECISION, CardKind.PATTERN)),
        created_at=said_at,
        said_at=said_at,
        updated_at=said_at,
        importance=round(rng.triangular(0.42, 0.97, 0.62), 3),
        confidence=round(rng.uniform(0.5, 0.9), 2),
        origin=rng.choice(_ORIGINS),
        metadata={"topic": topic},
    )


def needed(
    rng: np.random.Generator, told: Told, world: World, *, day: int, count: int
) -> list[int]:
    """The cards that the questions of a day are about."""
    if not told.cards:
        return []
    said, topics = np.array(told.said), np.array(told.topics)
    lasting = np.array(told.lasting)
    age = np.where(lasting, 1.0, (day - said + 1.0) ** -0.5)
    season = np.array([world.season(topic, day) for topic in range(TOPICS)])[topics]
    need = np.array(told.popularity) * np.where(lasting, 10.0, 1.0) * age * season
    return rng.choice(len(need), count, p=need / need.sum()).tolist()


# --- the year -------------------------------------------------------------------------------------


def live(
    home: Path, year: Year, *, tell: Callable[[str], object] = print, **settings: object
) -> Figures:
    """A year in this (empty) home; the memory is left as it is at its end."""
    rng, clock, told, figures = random.Random(year.seed), Clock(), Told(), Figures()
    world = World(rng)
    with opened(home, clock, **settings) as memory:
        for day in range(year.days):
            clock.now = START + timedelta(days=day)
            _say(memory, rng, world=world, told=told, day=day, count=year.today(rng, CARDS))
            _ask(
                memory,
                rng,
                world=world,
                told=told,
                figures=figures,
                day=day,
                count=year.today(rng, QUESTIONS),
            )
            clock.now += timedelta(hours=4)
            figures.nights.append(_sleep(memory, day))
            if day % 30 == 29 or day == year.days - 1:
                tell(_night(memory, figures))
        report = memory.introspect(dry_run=True)
        figures.steps = tuple(step.step.value for step in report.steps)
    _judge(home, clock, told=told, figures=figures, settings=settings)
    return figures


def _say(
    memory: Memory, rng: random.Random, *, world: World, told: Told, day: int, count: int
) -> None:
    at = memory.parts.clock()
    cards = [
        card(rng, world, day, said_at=at + timedelta(seconds=n), name=f"{day}-{n}")
        for n in range(count)
    ]
    changes = [CardAdded(one) for one in cards]
    commit(
        memory.parts.archive,
        memory.parts.index,
        decide=lambda: changes,
        actor="year",
        verb="distill",
        clock=memory.parts.clock,
    )
    memory.embed()
    for one in cards:
        own = one.title.split()[1:] if " " in one.title else [one.title[2:]]
        told.cards.append((one.id, " ".join([*own, one.content.split()[-1][-6:]])))
        told.said.append(day)
        told.topics.append(one.metadata["topic"])
        told.popularity.append((1 - rng.random()) ** -ZIPF)
        told.lasting.append(one.importance >= IMPORTANT)


def _ask(
    memory: Memory,
    rng: random.Random,
    *,
    world: World,
    told: Told,
    figures: Figures,
    day: int,
    count: int,
) -> None:
    chance = np.random.default_rng([day, 7])
    for wanted in needed(chance, told, world, day=day, count=count):
        name, words = told.cards[wanted]
        hits = memory.recall(words).hits
        told.asked.append((day, name))
        if day < WARM_UP:
            continue
        found = next((hit for hit in hits if hit.id == name), None)
        figures.questions += 1
        figures.found += found is not None
        figures.hot += found is not None and found.tier is Tier.HOT
        figures.returned += len(hits)
        figures.returned_hot += sum(hit.tier is Tier.HOT for hit in hits)


def _sleep(memory: Memory, day: int) -> Night:
    start = time.perf_counter()
    memory.introspect()
    took = time.perf_counter() - start
    memory.embed()
    counts = memory.parts.index.counts(memory.scope)
    tiers = {tier.value: counts.get(f"tiers.{tier}", 0) for tier in Tier}
    return Night(day, tiers, took, _database(memory))


def _database(memory: Memory) -> int:
    home = memory.parts.config.home
    return sum(path.stat().st_size for path in [*home.glob("alaya.db*"), *home.glob("vectors-*")])


def _judge(
    home: Path, clock: Clock, *, told: Told, figures: Figures, settings: Mapping[str, object]
) -> None:
    with opened(home, clock, **settings) as memory:
        lives = _lives(memory)
        figures.cards, figures.archive = len(told.cards), memory.status().archive_bytes
        figures.accuracy, figures.used = _accuracy(lives)
        gone = {
            one.id: (one.state.forgotten_at - START).days
            for one in lives
            if one.state.forgotten_at is not None
        }
        later = {name for day, name in told.asked if name in gone and day > gone[name]}
        figures.forgotten, figures.regretted = len(gone), len(later)
    with opened(home, clock, **{**settings, "temperature.hot_limit": 500}) as memory:
        memory.introspect(only="cool")
        figures.accuracy_small, _ = _accuracy(_lives(memory))


def _lives(memory: Memory) -> list[Life]:
    return memory.parts.index.lives(Where(memory.scope, include_forgotten=True))


def _accuracy(lives: Sequence[Life]) -> tuple[float, int]:
    """Of the cards that were recalled more than 10 times and are there, the share in HOT."""
    states = [one.state for one in lives if one.state.forgotten_at is None]
    used = [state for state in states if state.access_count > USED]
    return sum(state.tier is Tier.HOT for state in used) / max(len(used), 1), len(used)


def _night(memory: Memory, figures: Figures) -> str:
    last, lives = figures.nights[-1], _lives(memory)
    tiers = ", ".join(f"{tier} {count:,}" for tier, count in last.tiers.items())
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    share, used = _accuracy(lives)
    gone = sum(one.state.forgotten_at is not None for one in lives)
    return (
        f"day {last.day + 1}: {tiers}, forgotten {gone:,}; HOT hit rate so far "
        f"{figures.hot_rate:.3f}, accuracy {share:.3f} of {used:,}; database "
        f"{last.database / 1e6:.1f} MB, at most {resident} MB resident; "
        f"introspection {last.seconds:.2f} s"
    )


def lines(figures: Figures) -> Iterator[str]:
    """The figures, with their targets."""
    seconds = [night.seconds for night in figures.nights]
    asked = max(figures.questions, 1)
    yield f"steps: {', '.join(figures.steps)}; {figures.cards:,} cards"
    yield (
        f"HOT hit rate {figures.hot_rate:.3f} (> 0.85); of all that was returned "
        f"{figures.returned_hot / max(figures.returned, 1):.3f}; found {figures.found / asked:.3f}"
    )
    yield (
        f"temperature accuracy {figures.accuracy:.3f}, with hot_limit 500 "
        f"{figures.accuracy_small:.3f} (> 0.9), of {figures.used:,} recalled over {USED} times"
    )
    yield (
        f"forgotten {figures.forgotten_share:.1%} (>= 15 %), regret {figures.regret:.3f} (< 0.1)"
    )
    yield (
        f"introspection: median {median(seconds):.2f} s, at most {max(seconds):.2f} s; "
        f"archive {figures.archive / 1e6:.1f} MB"
    )


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=Year.sessions)
    parser.add_argument("--days", type=int, default=Year.days)
    parser.add_argument("--seed", type=int, default=Year.seed)
    parser.add_argument("--hot-limit", type=int, default=5000)
    parser.add_argument("--home", type=Path)
    args = parser.parse_args(argv)
    year = Year(args.sessions, args.days, args.seed)
    with tempfile.TemporaryDirectory(prefix="alaya-year-") as folder:
        home = args.home or Path(folder) / "home"
        figures = live(home, year, **{"temperature.hot_limit": args.hot_limit})
    print("\n".join(lines(figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
