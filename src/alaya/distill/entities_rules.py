"""Who and what a talk speaks of, without a language model: speakers, names, places, simple facts.

It finds what is written as a name (capitals within a sentence, 《》, `code`), what people say of
themselves in so many words (`I live in …`, 我住在…), and when, where the sentence tells. It knows
no list of names: what is a name by its meaning alone it does not find, and says so by its name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from alaya.distill import facts_rules, names_zh
from alaya.distill.facts_rules import Claimed
from alaya.distill.kinds import is_code, is_shouted, kind_of
from alaya.distill.reading import Reading, Said, Utterance, Voice
from alaya.distill.when import named_in
from alaya.model.calendar import MONTHS
from alaya.model.forms import proper_names
from alaya.model.grammar import is_grammar
from alaya.model.graph import EntityKind
from alaya.model.naming import name_key
from alaya.model.raw import Session
from alaya.model.record import DraftEntity, DraftFact
from alaya.model.speech import speaker

_MOST = 30  # entities of one draft: those that are named most
_PLACES = 12  # where one is named, of one draft
_CONFIDENCE = 0.4
_NAMED = (EntityKind.PERSON, EntityKind.PLACE, EntityKind.ORGANIZATION)
_LONGEST = 300  # characters of a fact
_SHOWN = re.compile(r"\[[^\]]*\]")
_SINCE = re.compile(r"\bsince\b|以来|[年月日]起|开始")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
_WORDS = re.compile(r"[^\s,.!?]+(?:\.(?=\w)[^\s,.!?]+)*\.?")
_CLITIC = re.compile(r"['’]\w*$")
_OWNER = re.compile(r"['’]s?$")
_CODE = re.compile(r"`([^`\n]{2,40})`")
_NOBODY = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat
    sun english french spanish german chinese japanese italian christian american wow yay yeah yep
    hey hi hello thanks thank congrats omg lol btw haha god christmas halloween thanksgiving easter
    internet ok okay good great nice sounds here last next tv ai id url api json http https readme
    european irish african asian british scottish swedish russian korean indian mexican canadian
    australian latin midwestern northern southern eastern western
    dad mom mum grandma grandpa mama papa honey babe bro dude
    everybody everyone somebody someone anybody anyone nobody people todo bye totally absolutely
    definitely also same sorry cool awesome glad woohoo
    """.split()  # noqa: SIM905
) | {month.lower() for month in MONTHS}


# Names only with another word beside them: `Summer Sounds`.
_COMMON = frozenset(["summer", "winter", "spring", "autumn", "dance", "pride", "zen"])


@dataclass
class Noticed:
    """Entities and facts as a draft holds them."""

    entities: list[DraftEntity] = field(default_factory=list)
    facts: list[DraftFact] = field(default_factory=list)


@dataclass
class _Thing:
    """Somebody or something so far: how it is written, what it seems to be, where it is named."""

    written: Counter[str] = field(default_factory=Counter)
    kinds: Counter[EntityKind] = field(default_factory=Counter)
    places: dict[tuple[str, int, int], None] = field(default_factory=dict)
    needed: bool = False  # it speaks, or a fact is told of it
    others: dict[str, None] = field(default_factory=dict)  # other names of it


@dataclass(frozen=True)
class _Written:
    """A name as it stands. Not `sure`: its capitals may be the sentence's, or `loud`: a shout."""

    name: str
    kind: EntityKind | None
    place: tuple[str, int, int]
    sure: bool
    loud: bool = False


@dataclass(frozen=True)
class _Told:
    """A fact by the keys of its ends."""

    subject: str
    relation: str
    object: str
    claimed: Claimed


def noticed(reading: Reading, session: Session) -> Noticed:
    """What the fresh utterances of a reading speak of. At most 30 entities."""
    things: defaultdict[str, _Thing] = defaultdict(_Thing)
    fresh = [one for one in reading.utterances if one.fresh and not one.invented and one.said]
    spoken = [one for one in fresh if one.voice is not Voice.TOOL]
    small = _small_words(spoken)
    written: list[_Written] = []
    for one in spoken:
        name = speaker(one.turn.turn)
        if name and one.voice is Voice.PERSON:
            _note(things, name, kind=EntityKind.PERSON, place=(one.turn.turn.id, 0, 0), needed=True)
        for said in one.said:
            written += _names(one, said, small=small)
            _codes(one, said, things=things)
    lines = [(one.turn.turn.id, said) for one in spoken for said in one.said]
    for number, at, name in names_zh.found([said.text for _, said in lines]):
        turn, said = lines[number]
        place = (turn, said.start + at, said.start + at + len(name))
        _note(things, name, kind=EntityKind.PERSON, place=place)
    sure = {name_key(one.name) for one in written if one.sure} | set(things)
    told = list(_facts(facts_rules.claimed(spoken), sure, things=things))
    for found in written:
        _settle(found, sure, things=things)
    return _kept(things, told, session=session, spoken=spoken)


def _small_words(spoken: Iterable[Utterance]) -> set[str]:
    """Words that also stand in small letters: no names, whatever capital they have elsewhere."""
    return {
        word for one in spoken for s in one.said for word in _WORD.findall(s.text) if word.islower()
    }


def _names(one: Utterance, said: Said, *, small: set[str]) -> Iterator[_Written]:
    """The names in a sentence, without the small words that have a capital there."""
    for start, end, sure in proper_names(said.text):
        opens = not said.text[:start].rstrip(" \t") or not sure
        words = list(_WORDS.finditer(said.text, start, end))
        while words and _says_little(words[0][0]):
            words, opens = words[1:], False
        while words and _says_little(words[-1][0]):
            words = words[:-1]
        if opens and len(words) > 2 and words[0][0].lower() in small:
            words, opens = words[1:], False
        if not words or (len(words) == 1 and _is_common(words[0][0], small)):
            continue
        first, last = words[0].start(), words[-1].end()
        name = _OWNER.sub("", said.text[first:last])
        if not _is_name(name):
            continue
        kind = kind_of(name, said.text, at=first)
        loud = is_shouted(name, said.text[last:])
        place = (one.turn.turn.id, said.start + first, said.start + first + len(name))
        yield _Written(name, kind, place, sure=not opens and not loud, loud=loud)


def _is_common(word: str, small: set[str]) -> bool:
    return word.lower() in small or word.lower() in _COMMON


def _codes(one: Utterance, said: Said, *, things: defaultdict[str, _Thing]) -> None:
    for match in filter(lambda m: is_code(m[1]), _CODE.finditer(said.text)):
        place = (one.turn.turn.id, said.start + match.start(1), said.start + match.end(1))
        _note(things, match[1], kind=EntityKind.TOOL, place=place)


def _settle(one: _Written, sure: set[str], *, things: defaultdict[str, _Thing]) -> None:
    """Where a sentence opens, `Woohoo Melanie` is Melanie, and a single word one that is known.

    `Nike and Gatorade` are two where one of them is known.
    """
    turn, start, end = one.place
    both = one.name.split(" and ")
    if len(both) == 2 and any(name_key(part) in sure for part in both):
        for part, at in zip(both, (start, end - len(both[1])), strict=True):
            _note(things, part, kind=one.kind, place=(turn, at, at + len(part)))
        return
    if one.sure or name_key(one.name) in sure:
        _note(things, one.name, kind=one.kind, place=one.place)
        return
    _, _, rest = one.name.partition(" ")
    if rest and name_key(rest) in sure:
        _note(things, rest, kind=one.kind, place=(turn, end - len(rest), end))
    elif rest and not one.loud:
        _note(things, one.name, kind=one.kind, place=one.place)


def _says_little(word: str) -> bool:
    low = word.lower()
    return low in _NOBODY or is_grammar(_CLITIC.sub("", low)) or word.isdigit()


def _is_name(name: str) -> bool:
    return len(name) > 2 or not name.isascii()


def _facts(
    found: Sequence[Claimed], sure: set[str], *, things: defaultdict[str, _Thing]
) -> Iterator[_Told]:
    """The claims whose ends are somebody or something, which are noted with them."""
    kin = facts_rules.kin(found)
    for one in found:
        claim, whose, said = one.claim, one.claim.whose, one.said
        subject, whole = kin.named(one), (one.turn, said.start, said.end)
        if whose.name and not whose.thing and _says_little(whose.name.split()[0]):
            continue
        if whose.doubtful and name_key(whose.name) not in sure:
            continue
        kind = EntityKind.TOOL if whose.thing else EntityKind.PERSON
        if whose.kin:
            _note(things, one.me, kind=EntityKind.PERSON, place=whole, needed=True)
            _note(things, subject, kind=kind, place=whole, needed=True)
            yield _Told(name_key(one.me), whose.relation, name_key(subject), one)
        if not claim.relation or (claim.kind in _NAMED and name_key(claim.object) in _NOBODY):
            continue
        place = (one.turn, said.start + claim.start, said.start + claim.end)
        _note(things, subject, kind=kind, place=whole, needed=True)
        _note(things, claim.object, kind=claim.kind, place=place, needed=True)
        if other := facts_rules.other_name(one):
            things[name_key(claim.object)].others[other] = None
        yield _Told(name_key(subject), claim.relation, name_key(claim.object), one)


def _note(
    things: defaultdict[str, _Thing],
    name: str,
    *,
    kind: EntityKind | None,
    place: tuple[str, int, int],
    needed: bool = False,
) -> None:
    thing = things[name_key(name)]
    thing.written[name] += 1
    thing.needed |= needed
    if kind is not None:
        thing.kinds[kind] += 1 + 2 * needed
    if len(thing.places) < _PLACES:
        thing.places[place] = None


def _kept(
    things: defaultdict[str, _Thing],
    told: list[_Told],
    *,
    session: Session,
    spoken: list[Utterance],
) -> Noticed:
    """Those that are named most, people who speak first, and the facts between them."""
    contents = {one.turn.turn.id: one.turn.turn for one in spoken}
    ranked = sorted(things.items(), key=lambda kv: (not kv[1].needed, -sum(kv[1].written.values())))
    found, places = Noticed(), dict[str, int]()
    for key, thing in ranked[:_MOST]:
        # A speaker is named by the whole turn, but only where nothing better is at hand.
        whole = [(turn, 0, len(contents[turn].content)) for turn, _, end in thing.places if not end]
        spans = [place for place in thing.places if place[2]] or whole[:1]
        if not spans:
            continue
        places[key] = len(found.entities)
        kind = thing.kinds.most_common(1)[0][0] if thing.kinds else EntityKind.THING
        name, others = thing.written.most_common(1)[0][0], tuple(thing.others)
        found.entities.append(DraftEntity(name, kind, tuple(spans), aliases=others))
    once: set[tuple[str, str, str]] = set()
    for one in told:
        what = (one.subject, one.relation, one.object)
        if what in once or one.subject == one.object or not {what[0], what[2]} <= set(places):
            continue
        once.add(what)
        said = one.claimed.said
        turn = contents[one.claimed.turn]
        dated = one.claimed.claim.dated or _SINCE.search(said.text)
        found.facts.append(
            DraftFact(
                subject=places[one.subject],
                relation=one.relation,
                object=places[one.object],
                fact=_sentence(said.text),
                evidence=((one.claimed.turn, said.start, said.end),),
                valid_at=named_in(said.text, turn.said_at or session.started_at) if dated else None,
                confidence=_CONFIDENCE,
            )
        )
    return found


def _sentence(text: str) -> str:
    """The words of a fact, without what was shown beside them."""
    words = " ".join(_SHOWN.sub("", text).split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
