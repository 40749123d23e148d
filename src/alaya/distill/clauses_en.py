"""English sentences as claims: who, a verb and its tense, and what follows it.

    claims("My sister Anna lives in Oslo.")   has sister Anna; of Anna: lives in Oslo
    claims("I'm moving to Rome in May.")      plans to move to Rome

A subject is looked for first, then its verb in a table: so that a sentence is read once, whatever
the table's length. What is negated, wished or asked does not match: between subject and verb
stand only words that leave it true.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from alaya.distill import relations_en as words
from alaya.distill.claims import ME, Claim, Whose
from alaya.distill.parts_en import ADJECTIVE, END, KINS, NAME, PETS, WORD, filled
from alaya.model.grammar import is_grammar
from alaya.model.graph import EntityKind

_SUBJECT = re.compile(
    r"^(?P<bare>Just|Recently|Finally)(?= )"
    rf"|(?<![\w'’.-])(?:(?P<me>I|[Ww]e)(?![\w-])"
    rf"|(?:[Mm]y|[Oo]ur) {ADJECTIVE}(?P<kin>{KINS})(?:,? (?:named |called )?(?P<named>{NAME}),?)?"
    rf"(?![\w’'-])|(?P<name>{NAME})(?:, my (?:{KINS}),)?(?= |['’]s ))"
)
_AUX = re.compile(
    r"(?P<plan>['’]ll| will| plan to|(?:['’](?:m|re|s)| am| are| is)(?: also| now)? (?:going to"
    r"(?= [a-z])|gonna|planning to|planning on|about to|hoping to))"
    r"|(?P<been>(?:['’]ve| have| has|['’]s)(?: \w+ly| just| also)? been)"
    r"|(?P<be>['’]m|['’]re|['’]s| am| are| is)(?![\w'’])"
    r"|(?P<was> was| were)(?![\w'’])"
    r"|(?P<have>['’]ve| have| has)(?![\w'’])(?= \w*(?:ed|en|ght|ne|got|ld|ft|de|ad|un|ut|wn|on)\b"
    r"| (?:just|recently|finally|already|also|always)\b)"
    r"|(?P<used> used to)"
)
_ADVERB = re.compile(
    r"(?: (?:now|just|recently|finally|currently|actually|also|both|really|always|still|even"
    r"|already|originally|usually|often|mostly|definitely|absolutely|totally|truly|especially"
    r"|mainly|typically|literally|lately|once|only|generally|all|mainly|occasionally|sometimes"
    r"|ended up|happily|proudly|temporarily|officially|do)\b)*"
)
_VERB = re.compile(r" ([A-Za-z]+(?:['’]t)?)\b")
# Before a subject: what follows is not said to be so, or not of who speaks.
_UNREAL = re.compile(
    r"\b(?:if|unless|whether|wish|wishes|hope|hopes|imagine|suppose|pretend|dream(?:s|t|ed)?"
    r"|as though|would|could|might|what|where|how|why|until|before|says?|said|thinks?|thought"
    r"|asks?|asked|claims?|believes?|like|than|maybe|perhaps|when|whenever|once|who|whose|whom"
    r"|should|let|make sure|lets)\b|\b(?:things?|stuff|people|ones?|everything)\s*$",
    re.IGNORECASE,
)
_WISH = re.compile(r"\b(?:if|wish|imagine|pretend|suppose)\b", re.IGNORECASE)
_PAUSE = re.compile(r"[,;:.!?–—]| - ")
_OPENS = re.compile(
    r"(?:^|[,;:.!?–—-]|\b(?:and|but|so|because|that|since|while|btw|yeah))\s*$", re.I
)
_THIRD = re.compile(r"(?: (?:also|now|still|just|really))?(?: is\b| has\b|['’]s\b| [a-z]+s\b)")
_LASTING = re.compile(r"\b(?:for|since|all my life)\b")
_STATES = frozenset(
    ["live", "work", "study", "play", "own", "date", "reside", "use", "volunteer", "practice"]
)
_OF_SOMEBODY = re.compile(r"['’]s?$")
_MORE = re.compile(rf"(?:,? and |, )(?P<object>[a-z]{{3,}}|{NAME}){END}")
_SEVERAL = frozenset({"likes", "dislikes", "allergic to", "prefers", "visited", "uses", "speaks"})


class _Row(NamedTuple):
    shape: re.Pattern[str]
    kind: EntityKind
    forms: tuple[str, ...]
    told: tuple[str, ...]  # by tense: now, going on, past, to come; empty: nothing


class _Own(NamedTuple):
    shape: re.Pattern[str]
    relation: str
    kind: EntityKind


def _table() -> Mapping[str, list[_Row]]:
    found: defaultdict[str, list[_Row]] = defaultdict(list)
    for line in words.VERBS:
        forms, shape, kind, *told = (
            line.rsplit(" | ", 5)[0].split(" | ", 1) + line.rsplit(" | ", 5)[1:]
        )
        tenses: list[str] = []
        for one in told:
            tenses.append(tenses[-1] if one == "=" else "" if one == "-" else one)
        row = _Row(filled(shape), EntityKind(kind), tuple(forms.split()), tuple(tenses))
        for form in row.forms:
            found[form].append(row)
    return found


_VERBS = _table()
_NAMED = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) {ADJECTIVE}(?:(?P<kin>{KINS})|(?:[a-z]+ )?(?P<pet>{PETS}))"
    rf"(?:['’]s name is|,? named|,? called| is named| is called| is|,)? (?P<object>{NAME})"
    rf"(?![\w’'-])"
)
_CLOSE = "|".join(
    word for word in (*words.KIN, *words.SPELLED) if words.SPELLED.get(word, word) in words.CLOSE
)
_BARE = re.compile(
    rf"\b[Mm]y {ADJECTIVE}(?:(?P<kin>{_CLOSE})|(?P<pet>{PETS})(?=['’]s|{END[3:]})(?![\w-])"
    rf"(?!['’]s name|,? (?:named |called |is )?[A-Z])"
)
_IS_KIN = re.compile(
    rf"(?P<object>{NAME})(?:,| is|['’]s) (?:my|our) {ADJECTIVE}(?P<kin>{KINS})\b(?!['’])"
)
_OWNS = tuple(
    _Own(
        re.compile(rf"{what}(?: is| are| include|['’]s| was|:|,)? {filled(value).pattern[1:]}"),
        relation,
        EntityKind(kind),
    )
    for what, value, relation, kind in (line.split(" | ") for line in words.OWN)
)
_OWNER = re.compile(
    rf"(?<![\w-])(?:(?P<kin>[Mm]y {ADJECTIVE}(?:{KINS}))['’]s|(?P<name>{NAME})['’]s|(?P<me>[Mm]y)) "
)
_FAVOURITE = re.compile(
    rf"favou?rite (?P<what>[a-z]+(?: [a-z]+)?)(?: is|['’]s| are| has to be| would be) (?:the )?"
    rf"(?:\"(?P<title>[^\"\0]{{2,60}})\"|(?P<object>{WORD}(?: {WORD}){{0,3}}?){END})"
)
_THING = re.compile(
    rf"(?<![\w-])(?:(?:[Oo]ur|[Tt]he|[Mm]y) (?P<thing>(?:[A-Za-z-]+ ){{0,2}}"
    rf"(?:{'|'.join(words.WORKS)}))|`(?P<code>[\w./-]+)`|(?<!\w\w )(?P<name>[A-Z]\w+))"
    rf"(?P<be>(?: is| are)(?: now| currently)?)?"
    rf"(?= (?P<verb>[a-z]+))"
)
_ABOUT = tuple(
    (frozenset(forms.split()), filled(shape), relation)
    for forms, shape, relation in (line.split(" | ") for line in words.THINGS)
)


def claims(text: str) -> Iterator[Claim]:
    """What a sentence (see `claims.plain`) claims, in the order of its words, kin first."""
    yield from _kin(text)
    yield from _owned(text)
    yield from _of_things(text)
    for match in _SUBJECT.finditer(text):
        if (whose := _whose(match, text)) is not None:
            yield from _told(match, whose, text=text)


def _kin(text: str) -> Iterator[Claim]:
    for match in _BARE.finditer(text):
        if _unreal(text, match.start()):
            continue
        if match["kin"]:
            kin = _plain_kin(match["kin"])
            yield Claim(Whose(kin=kin, relation=words.KIN[kin]), "", "", EntityKind.PERSON, 0, 0)
        else:
            span = match.span("pet")
            yield Claim(ME, "has pet", match["pet"], EntityKind.THING, *span)
    for named in (_NAMED, _IS_KIN):
        for match in named.finditer(text):
            name = _trimmed(match["object"])
            if not name or _unreal(text, match.start()):
                continue
            kin = match["kin"]
            relation = words.KIN[_plain_kin(kin)] if kin else "has pet"
            kind = EntityKind.PERSON if kin else EntityKind.THING
            start = match.start("object")
            word = _plain_kin(kin) if kin else ""
            yield Claim(ME, relation, name, kind, start, start + len(name), kin=word)


def _plain_kin(kin: str) -> str:
    return words.SPELLED.get(kin, kin)


def _owned(text: str) -> Iterator[Claim]:
    for match in _OWNER.finditer(text):
        if _unreal(text, match.start()):
            continue
        whose = _owner(match)
        like = _FAVOURITE.match(text, match.end()) if match["me"] else None
        told = [_favourite(like, whose)] if like else []
        told += [
            _claim(found, whose, relation=own.relation, kind=own.kind)
            for own in _OWNS
            if (found := own.shape.match(text, match.end()))
        ]
        yield from (claim for claim in told if claim)


def _favourite(like: re.Match[str], whose: Whose) -> Claim | None:
    group = "title" if like["title"] else "object"
    relation = f"favorite {like['what']}"
    return _claim(like, whose, relation=relation, kind=EntityKind.THING, group=group)


def _owner(match: re.Match[str]) -> Whose:
    if match["kin"]:
        kin = _plain_kin(match["kin"].rsplit(" ", 1)[-1])
        return Whose(kin=kin, relation=words.KIN[kin])
    return Whose(match["name"]) if match["name"] else ME


def _of_things(text: str) -> Iterator[Claim]:
    for match in _THING.finditer(text):
        if _unreal(text, match.start()):
            continue
        start = match.end("be") if match["be"] else -1
        for forms, follows, relation in _ABOUT:
            begins = start if forms == {"is"} else match.end() + 1 + len(match["verb"])
            if begins < 0 or (forms != {"is"} and match["verb"] not in forms):
                continue
            if found := follows.match(text, begins):
                whose = Whose(match["thing"] or match["code"] or match["name"], thing=True)
                if claim := _claim(found, whose, relation=relation, kind=EntityKind.TOOL):
                    yield claim
                break


def _whose(match: re.Match[str], text: str) -> Whose | None:
    """Of whom the clause tells; None: nobody's, or not said to be so."""
    if match["bare"]:
        return ME
    if _unreal(text, match.start()):
        return None
    if match["me"]:
        return ME
    if match["kin"]:
        kin = _plain_kin(match["kin"])
        return Whose(_trimmed(match["named"] or ""), kin, words.KIN[kin])
    name = _trimmed(match["name"])
    if name != match["name"] or not _OPENS.search(text[: match.start()]):
        return None
    third = _THIRD.match(text, match.end())
    return Whose(name, doubtful=third is None or is_grammar(name.casefold()))


def _unreal(text: str, at: int) -> bool:
    before = _PAUSE.split(text[max(0, at - 80) : at])
    return bool(_UNREAL.search(before[-1]) or _WISH.search(text, 0, at))


def _told(match: re.Match[str], whose: Whose, *, text: str) -> Iterator[Claim]:
    aux = _AUX.match(text, match.end())
    how = (aux.lastgroup or "") if aux else ""
    at = _ADVERB.match(text, aux.end() if aux else match.end()).end()  # type: ignore[union-attr]
    if how in ("be", "was", "been"):
        yield from _first(_being(how, text[at:]), whose, text=text, at=at)
    verb = _VERB.match(text, at)
    if verb is None:
        return
    word = verb[1].replace("’", "'")
    rows_at = [
        (row, tense)
        for row in _VERBS.get(word, ())
        if (tense := _tense(row, word, how=how, third=not match["me"], rest=text[at:])) is not None
        and row.forms[0] != "be"
    ]
    yield from _first(rows_at, whose, text=text, at=verb.end())


def _being(how: str, rest: str) -> list[tuple[_Row, int]]:
    """The rows of `to be` with the column that each of its forms tells.

    `I've been a nurse` is so still where it says for how long; `been to` is over.
    """
    found = []
    for row in _VERBS["be"]:
        gone = "been" in row.forms
        if how == "been" and (gone or _LASTING.search(rest)):
            found.append((row, 2 if gone else 0))
        elif how != "been" and not gone:
            found.append((row, 2 if how == "was" else 0))
    return found


def _tense(row: _Row, word: str, *, how: str, third: bool, rest: str) -> int | None:
    """Which column of the row tells what this form says: see `relations_en`."""
    forms = row.forms
    if len(forms) < 4:  # can't, don't
        return 0 if not how else None
    base, other, past, going = forms[:4]
    if how == "have":
        if word == "got" and "got" in forms:
            return 0 if base == "have" else None
        if word not in (past, *forms[4:]):
            return None
        return 2 if base not in _STATES else 1 if _LASTING.search(rest) else None
    if how == "plan":
        return 3 if word in (base, going) else None
    if how == "used":
        return 2 if word == base and row.told[2] and not row.told[2].endswith("+") else None
    if how in ("be", "been"):
        return 1 if word == going else None
    if how == "was":
        return 2 if word == going and base in _STATES else None
    if word == past:
        return 2
    return 0 if word == (other if third else base) else None


def _first(rows: list[tuple[_Row, int]], whose: Whose, *, text: str, at: int) -> Iterator[Claim]:
    """The claim of the first row that fits; of work, where it is and as what."""
    done: set[EntityKind] = set()
    for row, tense in rows:
        told = row.told[tense]
        if not told or (done and (row.kind in done or row.forms[0] != "work")):
            continue
        found = row.shape.match(text, at)
        if found is None:
            continue
        groups, relation = found.groupdict(), told.rstrip("+")
        claim = _claim(
            found,
            whose,
            relation=relation,
            kind=row.kind,
            group=next((one for one in ("name", "title") if groups.get(one)), "object"),
            dated=told != relation,
        )
        if claim is None:
            continue
        done.add(row.kind)
        yield claim
        if relation in _SEVERAL:
            yield from _more(claim, text)


def _more(claim: Claim, text: str) -> Iterator[Claim]:
    """What stands beside the object and is like it: `peanuts, milk and eggs`."""
    at, doing = claim.end, claim.object.split()[0].endswith("ing")
    while (found := _MORE.match(text, at)) is not None:
        again = _claim(
            found, claim.whose, relation=claim.relation, kind=claim.kind, dated=claim.dated
        )
        if again is None or again.object[0].isupper() != claim.object[0].isupper():
            return
        if doing and not again.object.endswith("ing"):
            return
        yield again
        at = found.end()


def _claim(
    found: re.Match[str],
    whose: Whose,
    *,
    relation: str,
    kind: EntityKind,
    group: str = "object",
    dated: bool = False,
) -> Claim | None:
    """It, unless the object says nothing or belongs to somebody."""
    what = found[group].strip()
    low = what.casefold().split()
    if low[0] in words.STOPS or (what[0].islower() and _tells_nothing(low)):
        return None
    if (len(low) == 1 and what in words.ALONE) or _OF_SOMEBODY.search(what):
        return None
    if relation == "works as" and words.PRAISE & set(low):
        return None
    start = found.start(group)
    return Claim(whose, relation, what, kind, start, start + len(what), dated)


def _tells_nothing(low: list[str]) -> bool:
    """Whether a phrase begins or ends with a word that holds nothing, or is an adverb."""
    if len(low) == 1 and low[0].endswith("ly"):
        return True
    return any(word in words.VAGUE or is_grammar(word) for word in (low[0], low[-1]))


def _trimmed(name: str) -> str:
    """A name without the sign of the genitive."""
    return _OF_SOMEBODY.sub("", name)
