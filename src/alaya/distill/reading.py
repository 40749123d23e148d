"""Turns as utterances: who speaks, what each sentence does, and what is not to be believed.

Invented and translated text, role play, scaffolding and alaya's own injections are marked here,
once, so that no rule has to think of them again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from alaya.distill import cues_en, cues_en_facts, cues_zh, cues_zh_facts
from alaya.distill.acts import HAN, LATIN, Act, acts, fold
from alaya.distill.sentences import Code, Sentence, sentences
from alaya.model.raw import ArchivedTurn, Origin, Role, TurnMark

_ENGLISH = cues_en.CUES + cues_en_facts.CUES
_CHINESE = cues_zh.CUES + cues_zh_facts.CUES
# What tool output can carry; everything else in it is data.
_OF_TOOLS = Act.PROBLEM | Act.SUCCESS | Act.STILL
_ASKED = 60  # characters in which a request names what it wants
# A long answer says what matters where it opens and where it closes; between them is a treatise.
_OPENING, _CLOSING = 10, 8
_GIST = 4  # sentences at each end by which an utterance as a whole is judged
_SHORT = 90  # characters: a follow-up such as "make it shorter" is brief
_BOTS = re.compile(
    r"assistant|agent|bot\b|gpt|claude|gemini|llm|model|user|human|助手|助理", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"[，；;]|,\s|\.\s|——|\s[–—-]\s|\s(?=(?:but|so|because|and (?:i|we|can|could|what|how|is|"
    r"do))\b)",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"[:：“\"「『]")  # what follows is the text to be worked on
_DATA_LINE = re.compile(
    r"^\s*(?:[{}\[\]<|$>+@#]|[-drwx]{10}\s|total \d+$|at \S+\(|File \"|\d+[:|]|/\S+$)"
)


class Voice(Enum):
    """Whose words they are: a person's, the agent's, or a tool's."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True)
class Said:
    """A sentence in the `turn`-th utterance, with what it does."""

    turn: int
    start: int
    end: int
    text: str
    acts: Act
    item: bool = False
    numbered: bool = False

    def does(self, act: Act) -> bool:
        """Whether the sentence does any of these acts."""
        return bool(self.acts & act)


@dataclass(frozen=True)
class Utterance:
    """One turn as it is read. `fresh`: it is to be distilled, not only context."""

    index: int
    turn: ArchivedTurn
    fresh: bool
    voice: Voice
    name: str | None
    said: tuple[Said, ...]
    code: tuple[Code, ...]
    acts: Act
    invented: bool = False

    def does(self, act: Act) -> bool:
        """Whether any sentence does any of these acts."""
        return bool(self.acts & act)

    def first(self, act: Act) -> Said | None:
        """The first sentence that does one of these acts."""
        return next((s for s in self.said if s.acts & act), None)

    @property
    def words(self) -> str:
        """All sentences in one line."""
        return " ".join(s.text for s in self.said)


@dataclass(frozen=True)
class Reading:
    """A session as it is read. `people`: people talk to each other, there is no agent in it."""

    utterances: tuple[Utterance, ...]
    people: bool


def read(turns: Sequence[ArchivedTurn], context: Sequence[ArchivedTurn] = ()) -> Reading:
    """The utterances of context and turns, in order; what is nobody's words has no sentences."""
    people = is_between_people([*context, *turns])
    found: list[Utterance] = []
    for fresh, group in ((False, context), (True, turns)):
        for archived in group:
            found.append(_utterance(len(found), archived, fresh=fresh, people=people))
    return Reading(tuple(found if people else _without_inventions(found)), people)


def is_between_people(turns: Sequence[ArchivedTurn]) -> bool:
    """Whether people talk to each other: two or more names, nobody a bot, and no tool is used.

    An answering side without a name is an agent.
    """
    names: set[str] = set()
    for archived in turns:
        turn = archived.turn
        if turn.role is Role.TOOL or turn.tool_calls:
            return False
        if turn.name and turn.role in (Role.USER, Role.ASSISTANT):
            names.add(turn.name)
        elif turn.role is Role.ASSISTANT:
            return False
    return len(names) >= 2 and not any(_BOTS.search(n) for n in names)


@lru_cache(maxsize=4096)  # clauses of one sentence are asked for again and again
def acts_of(text: str) -> Act:
    """What one sentence does, by the cues of the languages it is written in."""
    folded = fold(text)
    found = Act.NONE
    han = HAN.search(folded) is not None
    if han:
        found = acts(folded, _CHINESE)
    if not han or len(LATIN.findall(folded)) > len(HAN.findall(folded)):
        found |= acts(folded, _ENGLISH)
    return found


def clearly(said: Said, act: Act, *, doubt: Act = Act.NONE) -> bool:
    """Whether a clause does one of these acts without asking or doubting in the same breath.

    "We use MySQL 5.7, how do we upgrade it?" tells as well as asks.
    """
    doubt = doubt or Act.QUESTION | Act.TENTATIVE | Act.IMAGINED
    if not said.acts & act:
        return False
    if not said.acts & doubt:
        return True
    parts = [acts_of(part) for part in _CLAUSE.split(said.text) if part.strip()]
    return len(parts) > 1 and any(a & act and not a & doubt for a in parts)


def _utterance(index: int, archived: ArchivedTurn, *, fresh: bool, people: bool) -> Utterance:
    turn = archived.turn
    voice = _voice(archived, people)
    silent = (
        turn.origin is Origin.SYSTEM
        or turn.role is Role.SYSTEM
        or archived.mark is not TurnMark.ACTIVE
        or not turn.content
    )
    cut: list[Sentence] = []
    code: list[Code] = []
    if not silent:
        cut, code = sentences(turn)
    middle = range(_OPENING, len(cut) - _CLOSING) if voice is Voice.AGENT else range(0)
    said = tuple(
        Said(
            index,
            s.start,
            s.end,
            s.text,
            Act.NONE if i in middle else _acts(s, voice),
            s.item,
            s.numbered,
        )
        for i, s in enumerate(cut)
    )
    total = Act.NONE
    for one in (*said[:_GIST], *said[-_GIST:]):
        total |= one.acts
    return Utterance(index, archived, fresh, voice, turn.name, said, tuple(code), total)


def _acts(sentence: Sentence, voice: Voice) -> Act:
    if voice is Voice.TOOL:
        return acts_of(sentence.text[:300]) & _OF_TOOLS
    if _DATA_LINE.match(sentence.text) and not HAN.search(sentence.text):
        return acts_of(sentence.text) & (Act.PROBLEM | Act.MAYBE_PROBLEM)
    return acts_of(sentence.text)


def _voice(archived: ArchivedTurn, people: bool) -> Voice:
    turn = archived.turn
    if people and turn.name and turn.role in (Role.USER, Role.ASSISTANT):
        return (
            Voice.PERSON
        )  # also who is not the owner; the card keeps the lowest trust of its words
    if turn.role is Role.TOOL or turn.origin in (Origin.TOOL, Origin.UNTRUSTED):
        return Voice.TOOL
    if turn.role is Role.USER:
        return Voice.PERSON
    return Voice.AGENT


def _without_inventions(utterances: list[Utterance]) -> list[Utterance]:
    """Mark requests for invented or translated text and the answers to them.

    The spell holds over brief follow-ups (`shorter, please`) and ends with any other user turn.
    """
    out = []
    spell = False
    for one in utterances:
        if one.voice is Voice.PERSON:
            asks = one.does(Act.CREATIVE) and _asks_for_text(one)
            spell = asks or (spell and len(one.words) < _SHORT and one.does(Act.REWRITE))
            imagined = one.does(Act.IMAGINED) and one.does(Act.QUESTION)
            spell = spell or imagined
        out.append(replace(one, invented=spell) if spell else one)
    return out


def _asks_for_text(one: Utterance) -> bool:
    asked = one.first(Act.CREATIVE)
    if asked is None:
        return False
    # Asked for where the sentence begins; "I decided to write a blog post" tells, it does not ask.
    opening = acts_of(_GIVEN.split(asked.text[:_ASKED], maxsplit=1)[0])
    return bool(opening & Act.CREATIVE) and not opening & (Act.DECISION | Act.PERSONAL | Act.EVENT)
