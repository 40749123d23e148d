"""The distiller that needs no language model: it finds passages by what their sentences do.

Rules propose, weights fitted on labelled sessions decide which utterance carries a card and of
which kind (`weights`, `judge`), and rules again choose the sentences and word the card. People who
talk are read by rules alone (`told`): there are no labels for them, and no agent who asks and acts.

It is honest about what it is. It quotes, it does not conclude; what it cannot place it leaves in
L3, where recall still finds the turn, and counts it in `Draft.dropped`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alaya.distill.building import built
from alaya.distill.candidates import Candidate, Part, Piece
from alaya.distill.decisions import decisions
from alaya.distill.entities_rules import noticed
from alaya.distill.facts import facts
from alaya.distill.features import features
from alaya.distill.gotchas import gotchas
from alaya.distill.judge import best_of, lifted
from alaya.distill.linking import links
from alaya.distill.patterns import patterns
from alaya.distill.reading import Reading, Voice, read
from alaya.distill.select import content_hash
from alaya.distill.tags import tags
from alaya.distill.told import told
from alaya.distill.topics import Topic, opens, topics
from alaya.distill.weights import Weights, shipped
from alaya.distill.wording import another_title, content, key, texts, title
from alaya.model.graph import CardKind
from alaya.model.raw import ArchivedTurn, Session
from alaya.model.record import Draft, DraftCard
from alaya.model.words import Stemmer

NAME = "rules-4"
_GATE = 0.42  # importance below which a passage stays in L3 only
_GAP = 2  # characters between two spans that are then cited as one
_CODE = 600  # characters of a code block that is quoted with its fix


@dataclass(frozen=True)
class RuleDistiller:
    """The `Distiller` port by rules. At most `max_cards` cards, the most important ones.

    `stem` reduces English words to their stems where cohesion is measured; without it forms count
    as different words.
    """

    max_cards: int = 10
    stem: Stemmer | None = None
    min_importance: float = _GATE
    weights: Weights | None = None  # in place of those of the package
    name: str = NAME

    def __call__(
        self, session: Session, turns: Sequence[ArchivedTurn], *, context: Sequence[ArchivedTurn]
    ) -> Draft:
        """A draft of `turns`. Each card cites at least one of them; `context` may complete it."""
        reading = read(turns, context)
        runs = topics(turns, self.stem)
        borders = frozenset(t.first + len(context) for t in runs[1:])
        chosen, dropped = self._choose(reading, breaks_of(turns, len(context)), borders=borders)
        world = noticed(reading, session)
        cards = _named_apart([_card(c, reading) for c in chosen], chosen, reading=reading)
        return Draft(
            session=session.id,
            distiller=self.name,
            content_hash=content_hash(turns),
            first=turns[0].ordinal if turns else 0,
            last=turns[-1].ordinal + 1 if turns else 0,
            cards=cards,
            links=links(cards, chosen, reading=reading),
            topics=tuple(_topic(t, turns) for t in runs),
            entities=tuple(world.entities),
            facts=tuple(world.facts),
            dropped=dropped,
        )

    def _choose(
        self, reading: Reading, breaks: frozenset[int], *, borders: frozenset[int]
    ) -> tuple[list[Candidate], int]:
        """The candidates that become cards, by place, and how many passages do not."""
        if reading.people:
            talk = told(reading, breaks=breaks, borders=borders, most=self.max_cards)
            found, dropped = list(talk.candidates), talk.dropped
        else:
            proposals, dropped = proposed(reading, breaks)
            found = _confirmed(reading, proposals, weights=self.weights or shipped())
            dropped += max(0, len(proposals) - len(found))
        passed = [c for c in found if c.importance >= self.min_importance]
        ranked = sorted(passed, key=lambda c: (-c.importance, -c.score, c.turns, c.main.start))
        kept = ranked[: self.max_cards]
        dropped += len(found) - len(kept)
        return sorted(kept, key=lambda c: (c.turns, c.main.turn, c.main.start, c.kind)), dropped


def breaks_of(turns: Sequence[ArchivedTurn], shift: int) -> frozenset[int]:
    return frozenset(i + shift for i in range(1, len(turns)) if opens(turns, i))


def proposed(reading: Reading, breaks: frozenset[int]) -> tuple[list[Candidate], int]:
    """What the rules find, a sentence claimed once: failures first, then choices, then rules."""
    groups = (
        gotchas(reading.utterances, breaks),
        decisions(reading),
        patterns(reading),
        facts(reading),
    )
    claimed: set[tuple[int, int]] = set()
    mains: set[tuple[int, int]] = set()
    known: set[str] = set()
    kept: list[Candidate] = []
    for group in groups:
        for candidate in group.candidates:
            places = {(p.turn, p.start) for p in candidate.pieces if p.cited}
            main = (candidate.main.turn, candidate.main.start)
            words = key(candidate.main)
            fresh = any(reading.utterances[t].fresh for t in candidate.turns)
            if main in mains or words in known or not fresh:
                continue
            if candidate.kind is CardKind.CONCEPT and places & claimed:
                continue
            known.add(words)
            claimed |= places
            mains.add(main)
            kept.append(candidate)
    return kept, sum(g.dropped for g in groups)


def _confirmed(
    reading: Reading, found: Sequence[Candidate], *, weights: Weights
) -> list[Candidate]:
    """One candidate for each verdict on a fresh utterance, the same words once."""
    probabilities = weights.probabilities(reading, features(reading, found))
    tools = {u.index for u in reading.utterances if u.voice is Voice.TOOL}
    probabilities = lifted(probabilities, found, needed=weights.needed, tools=tools)
    known: set[tuple[CardKind, str]] = set()
    kept = []
    for verdict in best_of(probabilities, weights.needed):
        if not reading.utterances[verdict.turn].fresh:
            continue
        candidate = built(verdict, reading, found=found, weights=weights)
        words = (candidate.kind, key(candidate.main))
        if words not in known:
            known.add(words)
            kept.append(candidate)
    return kept


def _named_apart(
    cards: Sequence[DraftCard], chosen: Sequence[Candidate], *, reading: Reading
) -> tuple[DraftCard, ...]:
    """The cards, a title used once where another can be found: two failures may share a problem."""
    taken: set[str] = set()
    apart = []
    for card, candidate in zip(cards, chosen, strict=True):
        if card.title in taken:
            card = replace(card, title=another_title(candidate, reading) or card.title)
        taken.add(card.title)
        apart.append(card)
    return tuple(apart)


def _card(candidate: Candidate, reading: Reading) -> DraftCard:
    full = _with_code(candidate, reading)
    name = title(full, reading)
    return DraftCard(
        title=name,
        content=content(full, reading),
        kind=full.kind,
        evidence=_evidence(full.pieces, reading),
        tags=tags(texts(full, reading), [name]),
        importance=full.importance,
        confidence=full.confidence,
    )


def _with_code(candidate: Candidate, reading: Reading) -> Candidate:
    """The candidate with the block of code that its fix or rule announces, if it is short."""
    for one in candidate.pieces:
        if one.part not in (Part.FIX, Part.RULE, Part.CAUSE, Part.STEP):
            continue
        for block in reading.utterances[one.turn].code:
            if one.end <= block.start <= one.end + 80 and block.end - block.start <= _CODE:
                shown = Piece(Part.CODE, one.turn, block.start, block.end)
                return Candidate(
                    candidate.kind,
                    candidate.main,
                    (*candidate.pieces, shown),
                    candidate.score,
                    candidate.importance,
                    candidate.confidence,
                )
    return candidate


def _evidence(pieces: Sequence[Piece], reading: Reading) -> tuple[tuple[str, int, int], ...]:
    """Spans by turn and place; neighbours in one turn are joined."""
    spans: list[list[int]] = []
    for one in sorted((p for p in pieces if p.cited), key=lambda p: (p.turn, p.start)):
        if spans and spans[-1][0] == one.turn and one.start - spans[-1][2] <= _GAP:
            spans[-1][2] = max(spans[-1][2], one.end)
        else:
            spans.append([one.turn, one.start, one.end])
    return tuple((reading.utterances[t].turn.turn.id, start, end) for t, start, end in spans)


def _topic(topic: Topic, turns: Sequence[ArchivedTurn]) -> tuple[str, str, str]:
    return " ".join(topic.words), turns[topic.first].turn.id, turns[topic.last].turn.id
