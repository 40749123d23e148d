"""What people claim in a talk, with whom it is about: the way from sentences to facts.

A person is believed of themselves and theirs. Questions, wishes, jests and what others are quoted
with claim nothing. `She` is the one person whom the same turn spoke of before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from alaya.distill import clauses_en, clauses_zh
from alaya.distill.acts import HAN, Act
from alaya.distill.claims import ME, Claim, Whose, plain
from alaya.distill.reading import Said, Utterance, Voice
from alaya.model.graph import EntityKind
from alaya.model.naming import name_key
from alaya.model.speech import speaker

_DOUBT = Act.QUESTION | Act.IMAGINED
_SHE = frozenset(["he", "she", "他", "她", "其"])
_USER = "user"
_ONLY = frozenset(["mother", "father", "husband", "wife", "spouse", "妈妈", "爸爸", "老婆", "老公"])


@dataclass(frozen=True)
class Claimed:
    """A claim where it was said. `me`: the name of who speaks, or `user`."""

    claim: Claim
    one: Utterance
    said: Said
    me: str

    @property
    def turn(self) -> str:
        return self.one.turn.turn.id


@dataclass(frozen=True)
class Kin:
    """What kin of people are called, by (key of whose, the word for what they are)."""

    names: dict[tuple[str, str], str]

    def named(self, claimed: Claimed) -> str:
        """The name of whom a claim is about; `Anna's sister`, 阿信的妈妈 where there is none."""
        whose, me = claimed.claim.whose, claimed.me
        if whose.name or not whose.kin:
            return whose.name or me
        return self.names.get((name_key(me), whose.kin)) or _untold(me, whose.kin)


def other_name(claimed: Claimed) -> str:
    """What the named kin of a claim is called where nobody says a name; empty: it may be several.

    There is one mother, father and spouse: whom `my wife` meant before is told by name now.
    """
    kin = claimed.claim.kin
    return _untold(claimed.me, kin) if kin in _ONLY else ""


def _untold(me: str, kin: str) -> str:
    if not HAN.search(kin):
        return f"{me}'s {kin}"
    return f"{'用户' if me == _USER else me}的{kin}"


def claimed(spoken: Iterable[Utterance]) -> list[Claimed]:
    """All that people claim in these utterances, in order."""
    spoken = list(spoken)
    people = {speaker(one.turn.turn).split(" ")[0] for one in spoken}
    found: list[Claimed] = []
    for one in spoken:
        if one.voice is Voice.PERSON:
            found += (replace(c, claim=_unaddressed(c.claim, people)) for c in _of_turn(one))
    return found


def _unaddressed(claim: Claim, people: AbstractSet[str]) -> Claim:
    """Without the name behind it of whom one speaks to: `I study law Kevin!`."""
    what, _, last = claim.object.rpartition(" ")
    if not what or last not in people or not what[0].islower():
        return claim
    return replace(claim, object=what, end=claim.end - len(last) - 1)


def kin(found: Iterable[Claimed]) -> Kin:
    """Those of whom one name is told. Of two sisters with names, `my sister` may be either."""
    told: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for one in found:
        claim = one.claim
        if claim.kin:
            told[name_key(one.me), claim.kin][claim.object] = None
    return Kin({key: next(iter(names)) for key, names in told.items() if len(names) == 1})


def _of_turn(one: Utterance) -> Iterator[Claimed]:
    me = speaker(one.turn.turn) or _USER
    near: dict[str, Whose] = {}  # people of whom this sentence and the one before spoke
    for said in one.said:
        met: dict[str, Whose] = {}
        if said.does(_DOUBT) or not (text := plain(said.text)):
            near = {}
            continue
        read = clauses_zh.claims if HAN.search(text) else clauses_en.claims
        for claim in read(text):
            whose = claim.whose
            if whose.name.casefold() in _SHE:
                if len({**near, **met}) != 1:
                    continue
                (whose,) = {**near, **met}.values()
                claim = replace(claim, whose=whose)
            elif claim.kind is EntityKind.PERSON and whose == ME and claim.relation:
                whose = Whose(claim.object)
            if whose != ME and not whose.thing:
                met[whose.name or whose.kin] = whose
            yield Claimed(claim, one, said, me)
        near = met
