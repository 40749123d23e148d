"""Summaries over summaries: of a session from its topics, and of a theme across sessions.

Both are made anew when their members change, under the same id, and put away when too few are left.
A new topic joins the theme of the topic of another session that it is most alike, if it is alike
enough; else the two found one. Words decide, and vectors where both have them; nothing is awaited.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from alaya.distill import summarize_changes as changing
from alaya.distill import summarize_prompts as prompts
from alaya.distill.dates import day_of
from alaya.distill.summarize_changes import (
    MEMBERS,
    SESSION,
    THEME,
    TOPIC,
    WORDS,
    Known,
    changes,
    fingerprint,
    level_of,
    rolled,
)
from alaya.distill.summarize_rules import NAME, Summing, is_over, known_of
from alaya.distill.summarize_vectors import Usual
from alaya.distill.topics import STOP
from alaya.errors import Busy
from alaya.model.call import Unanswered
from alaya.model.change import Change, SummaryAdded
from alaya.model.grammar import is_grammar
from alaya.model.graph import Summary
from alaya.model.ids import summary_id
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import SessionState
from alaya.model.scope import Scope
from alaya.model.words import Stemmer, script, segment
from alaya.ports import Archive, Index
from alaya.projection import Clock, catch_up, commit

_LINES = 12  # of a summary by rules, one for each member, from all over it
_LINE = 160  # characters of one
_SHOWN = 24  # members that a model sees
_LABELS = 3  # of members, in the topic of a session
_WORDS = 0.3  # cosine of words from which on two topics are one theme (benchmarks/LOG.md)
_CANDIDATES = 24  # topics that a new one is compared with
_LARGEST = 40  # members of a theme
_TRIES = 5


@dataclass
class _Plan:
    """What is to be made and put away."""

    todo: list[tuple[str, tuple[str, ...], list[Summary]]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)


def roll_up(
    archive: Archive,
    index: Index,
    *,
    user: str,
    states: Sequence[SessionState],
    how: tuple[Summing, Usual],
    clock: Clock,
    fresh: Collection[str],
) -> tuple[list[Summary], list[str]]:
    """The summaries of sessions and themes that were made, and why others were not.

    `states`: the sessions to look at; `fresh`: topics that were summed up just now.
    """
    with archive.claim(user, "", "themes") as mine:  # else another process is at it
        if not mine:
            return [], []
        catch_up(archive, index)
        return _rolled_up(
            archive, index, user=user, states=states, how=how, clock=clock, fresh=fresh
        )


def _rolled_up(
    archive: Archive,
    index: Index,
    *,
    user: str,
    states: Sequence[SessionState],
    how: tuple[Summing, Usual],
    clock: Clock,
    fresh: Collection[str],
) -> tuple[list[Summary], list[str]]:
    rules, usual = how
    for _ in range(_TRIES):
        known = _held(index, user, states=states)
        plan = _sessions(index, known, states=states, rules=rules, clock=clock)
        _themes(plan, known, fresh=fresh, alike=_Alike(index, user, rules, usual))
        made, left = _made(plan, rules)
        if not made and not plan.gone:
            return [], left
        wanted = changes(made, known, scope=Scope(user), gone=plan.gone)
        asked = (user, known, states)
        if _written(archive, index, asked=asked, wanted=wanted, actor=rules.name, clock=clock):
            done = {c.summary.id for c in wanted if isinstance(c, SummaryAdded)}
            return [s for s in made if s.id in done], left
    raise Busy("summarize: other processes kept changing the same summaries; try again")


def _written(
    archive: Archive,
    index: Index,
    *,
    asked: tuple[str, Known, Sequence[SessionState]],
    wanted: Sequence[Change],
    actor: str,
    clock: Clock,
) -> bool:
    """Commit what was decided on these summaries; False if they are others by now."""
    user, known, states = asked
    moved: list[bool] = []

    def decide() -> Sequence[Change]:
        moved[:] = [_held(index, user, states=states) != known]
        return [] if moved[0] else wanted

    commit(archive, index, decide=decide, actor=actor, verb="summarize", clock=clock)
    return not moved[0]


def _held(index: Index, user: str, *, states: Sequence[SessionState]) -> Known:
    """The summaries of these sessions and all themes, which stand in no session."""
    parts = [known_of(index, user, session=name) for name in ("", *(s.session.id for s in states))]
    return Known(
        tuple(one for part in parts for one in part.summaries),
        frozenset(name for part in parts for name in part.forgotten),
    )


def _sessions(
    index: Index, known: Known, *, states: Sequence[SessionState], rules: Summing, clock: Clock
) -> _Plan:
    plan = _Plan()
    topics: dict[str, list[Summary]] = {}
    for topic in known.active(TOPIC):
        topics.setdefault(topic.session, []).append(topic)
    standing = {s.session: s for s in known.active(SESSION)}
    for state in states:
        name, user = state.session.id, state.session.scope.user
        members, before = topics.get(name, []), standing.get(name)
        if len(members) < 2:
            plan.gone |= {before.id} if before else set()
            continue
        id_ = summary_id(user, SESSION, name=(name,))
        if known.dismissed(id_) or not (before or is_over(state, rules, now=clock())):
            continue
        places = index.turns(Scope(user), name, ids=[m.first_turn for m in members])
        at = {p.id: p.ordinal for p in places}
        members = sorted(members, key=lambda m: (at.get(m.first_turn, 0), m.id))
        if before is None or before.metadata.get(WORDS) != fingerprint(members):
            plan.todo.append((SESSION, (name,), members))
    return plan


def _themes(plan: _Plan, known: Known, *, fresh: Collection[str], alike: _Alike) -> None:
    """Add to the plan the themes whose members changed."""
    names: dict[str, tuple[str, ...]] = {}  # of a theme: the topic that founded it
    members: dict[str, list[str]] = {}
    themes = {t.id: [str(one) for one in t.metadata[MEMBERS]] for t in known.active(THEME)}
    loose = {*fresh, *(topic.id for topic in known.active(TOPIC))}  # some of a run that was killed
    topics = alike.read([*loose, *(one for ids in themes.values() for one in ids)])
    for theme in known.active(THEME):
        ids = themes[theme.id]
        names[theme.id] = tuple(map(str, theme.metadata.get(changing.NAME, ())))
        members[theme.id] = [one for one in ids if one in topics]
    of = {one: theme for theme, ids in members.items() for one in ids}
    new = sorted((topics[i] for i in loose if i in topics and i not in of), key=_order)
    for topic in new:
        other = alike.most(topic)
        if other is None or topic.id in of:
            continue
        topics[other.id] = other
        its = of.get(other.id, "")
        if not its or len(members[its]) >= _LARGEST:
            founder = min((topic, other), key=_order)
            its = summary_id(topic.scope.user, THEME, name=(founder.id,))
            names[its], members[its] = (founder.id,), [other.id]
            of[other.id] = its
        members[its].append(topic.id)
        of[topic.id] = its
    before = known.by_id()
    for its, ids in members.items():
        inside = sorted((topics[i] for i in ids), key=_order)
        if len({m.session for m in inside}) < 2:
            plan.gone |= {its} & set(before)
        elif known.dismissed(its):
            continue
        elif its not in before or before[its].metadata.get(WORDS) != fingerprint(inside):
            plan.todo.append((THEME, names[its], inside))


def _order(summary: Summary) -> tuple[object, ...]:
    return summary.said_at, summary.session, summary.id


@dataclass(frozen=True)
class _Alike:
    """How alike two topics are, and to which one a new topic is most alike."""

    index: Index
    user: str
    rules: Summing
    usual: Usual

    def read(self, ids: Sequence[str]) -> dict[str, Summary]:
        """Those of these that are topics and not forgotten."""
        found = self.index.summaries(Where(Scope(self.user)), ids=ids) if ids else []
        return {one.id: one for one in found if level_of(one) == TOPIC}

    def most(self, topic: Summary) -> Summary | None:
        """The topic of another session of the same agent that is most alike, if it is enough."""
        where = Where(Scope(self.user))
        found = self.index.match(topic.text, ItemKind.SUMMARY, where=where, limit=_CANDIDATES)
        others = [
            other
            for other in self.read([one.id for one in found]).values()
            if other.session != topic.session and other.scope.agent == topic.scope.agent
        ]
        rated = [(self._excess(topic, other), other) for other in others]
        best, other = max(rated, key=lambda r: (r[0], r[1].id), default=(-1.0, topic))
        return other if best >= 0 else None

    def _excess(self, one: Summary, other: Summary) -> float:
        """By how much two topics are more alike than a theme needs: by vectors, else by words."""
        sides = [self.usual.of_topic(one), self.usual.of_topic(other)]
        if sides[0] is not None and sides[1] is not None:
            product = sum(a * b for a, b in zip(sides[0], sides[1], strict=True))
            return float(product) - self.rules.theme_threshold
        terms = [_terms(one, self.rules.stem), _terms(other, self.rules.stem)]
        words = sorted({*terms[0], *terms[1]})
        total, held = self.index.frequencies(words, ItemKind.SUMMARY)
        rarity = {w: math.log(1 + total / (held.get(w, 0) + 1)) for w in words}
        return _cosine(terms[0], terms[1], rarity=rarity) - _WORDS


def _terms(summary: Summary, stem: Stemmer | None) -> Counter[str]:
    """Its words, those of the topic counted twice."""
    words = [*segment(summary.topic).words, *segment(summary.text).words]
    kept = [w for w in words if w not in STOP and not is_grammar(w)]
    return Counter(stem(w) if stem else w for w in kept)


def _cosine(one: Counter[str], other: Counter[str], *, rarity: Mapping[str, float]) -> float:
    def weight(terms: Counter[str], word: str) -> float:
        return (1 + math.log(terms[word])) * rarity.get(word, 1.0) if terms[word] else 0.0

    dot = sum(weight(one, w) * weight(other, w) for w in one if w in other)
    norms = math.prod(sum(weight(t, w) ** 2 for w in t) for t in (one, other))
    return dot / math.sqrt(norms) if norms else 0.0


def _made(plan: _Plan, rules: Summing) -> tuple[list[Summary], list[str]]:
    """The summaries of a plan: by the model, where there is one and it answers, else by rules."""
    shown = [_spread(members, _SHOWN) for _, _, members in plan.todo]
    answers: Sequence[object] = [None] * len(shown)
    if rules.asker is not None:
        calls = [
            prompts.of_members(
                level,
                lines,
                about=list(dict.fromkeys(m.session for m in lines)),
                language="zh" if _is_chinese(lines) else "en",
                words=rules.words,
            )
            for (level, _, _), lines in zip(plan.todo, shown, strict=True)
        ]
        answers = rules.asker.ask_all(calls)
    made: list[Summary] = []
    left: list[str] = []
    for (level, name, members), lines, answer in zip(plan.todo, shown, answers, strict=True):
        if isinstance(answer, Unanswered) and answer.stop:
            left.append(answer.reason)
            continue
        told = prompts.checked(getattr(answer, "value", {}), len(lines))
        if told is None:
            said = (_label(level, members), _lines(level, members), range(len(members)))
            made.append(rolled(level, members, told=said, name=name, by=NAME))
        else:
            at = {m.id: i for i, m in enumerate(members)}
            cited = [at[lines[n - 1].id] for n in told.sources]
            said = (told.topic, told.content, cited)  # type: ignore[assignment]
            made.append(rolled(level, members, told=said, name=name, by=rules.name))
    return made, left


def _spread(members: Sequence[Summary], most: int) -> list[Summary]:
    """At most so many of them, the first and the last among them."""
    if len(members) <= most:
        return [*members]
    return [members[i * (len(members) - 1) // (most - 1)] for i in range(most)]


def _label(level: str, members: Sequence[Summary]) -> str:
    """What most members have in their topics; of a session, what each of the first is about."""
    parts = [[p.strip() for p in _split(m.topic)] for m in members]
    counts = Counter(p for own in parts for p in dict.fromkeys(own) if p)
    first = [own[0] for own in parts if own and own[0]]
    ranked = [p for p, n in counts.most_common() if n > 1] if level == THEME else []
    names = list(dict.fromkeys([*ranked, *first]))[:_LABELS]
    return ("、" if _is_chinese(members) else ", ").join(names)


def _split(topic: str) -> list[str]:
    return topic.replace("、", ", ").split(", ")


def _lines(level: str, members: Sequence[Summary]) -> str:
    """A line for each member: of a theme the day, its topic, and what it says on what all say."""
    chinese = _is_chinese(members)
    shared = Counter(w for m in members for w in set(_terms(m, None)))
    lines = []
    for one in _spread(members, _LINES):
        day = f"{day_of(one.said_at, chinese=chinese)} " if level == THEME else ""
        said = _telling(one, shared)
        lines.append(f"- {day}{one.topic}{'：' if chinese else ': '}{said}")
    return "\n".join(lines)


def _telling(member: Summary, shared: Mapping[str, int]) -> str:
    """The line of a summary that has most of its topic and of what other members say, too."""
    topic = set(segment(member.topic).words)

    def rate(line: str) -> int:
        words = set(segment(line).words)
        return 2 * len(words & topic) + sum(shared.get(w, 0) > 1 for w in words)

    best = " ".join(max(member.content.split("\n"), key=rate).split())
    return best if len(best) <= _LINE else f"{best[:_LINE]}…"


def _is_chinese(members: Sequence[Summary]) -> bool:
    return script(" ".join(m.content for m in members)) == "han"
