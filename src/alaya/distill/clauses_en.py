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
from alaya.model.calendar import MONTHS
from alaya.model.graph import EntityKind
from alaya.model.grammar import is_grammar

_NAME = r"[A-Z][\w’'&-]*\w(?: (?:of the |of |the |de |van )?[A-Z][\w’'&-]*\w){0,3}"
_STOPS = """with in at on and or but to from for because since when where while that which who if as
    so than then too also lately recently yesterday today tonight tomorrow last next this every each
    now again ago once together here there about around near by after before during until over is
    was are were has have had it i we you he she they my your our his her their me him them not just
    really very lol though although into through like most more both can will would could should
    called named due back up down out off of soon earlier later these those what how why still
    right especially actually theyre dont using another one two three four five six seven eight nine ten several instead without since alone anyway ever am i'm i've it's that's we're she's he's they're i'd
    we've""".split()  # noqa: SIM905
_STOP = rf"(?:{'|'.join(_STOPS)})\b"
_END = rf"(?=\s*(?:[.,!?;:](?=[\s\"”)]|$)|[)\]\"”–—\0]|-\s|$)|\s+(?:-|{_STOP}|[(\[\"“]|\d{{1,2}}[ /:]))"
_WORD = rf"(?!{_STOP})[A-Za-z][\w'’&+-]*"
_VAGUE = frozenset(
    """it things thing stuff lots lot one ones something everything anything nothing way ways time
    times place places part parts piece bit few couple bunch ton moment moments idea look chance
    break feeling sense kind kinds sort type types people everyone someone anyone everybody world
    life day days week weekend year years everyday point spot guy guys others all some none goal
    goals passion passions dream dreams support photo photos pic pics picture pictures video
    start shot hand role hard well good great better best fun much many little such being having
    seeing hearing getting finding knowing making doing going helping trying taking giving using
    meeting sharing looking feeling thinking coming becoming building working living bringing
    showing creating wearing putting keeping letting turning watching exploring learning discovering
    teaching experimenting holding caring telling escaping taking connecting dealing sinking
    talking losing leaving curling breaking calling buying managing bringing improving these those them vibe vibes feel result results sound sounds looks message mix
    fact number shout sec while stop hit try step difference rush journey hold peek home
    there mess
    hope ideas outcome atmosphere quote color colors view challenge""".split()  # noqa: SIM905
)
_ALONE = frozenset(
    """work school store shop bed town beach gym church park doctor hospital walk drive project games game event
    trip group class fair movie movies book books part dinner lunch court cinema mall bar party show
    workout jog swim run nap""".split()
)  # so near to everybody that it tells nothing to have been there
_PRAISE = frozenset(
    "good great better bad terrible big huge real natural total fan lousy decent born".split()
)
_SIZE = r"(?:an?|one|two|three|four|five|six|seven|\d{1,2})"
_MONTH = "|".join((*MONTHS, *(m[:3] for m in MONTHS)))
_DAY = rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?"
_TRADE = f"(?:{'|'.join(words.TRADES)})"
_PETS = f"(?:{'|'.join(words.PETS)})"
_PARTS = {
    "P": rf"(?:the )?(?P<object>{_NAME}){_END}",
    "P0": _NAME,
    "N": rf"(?P<object>{_WORD}(?: {_WORD}){{0,4}}?(?: of (?:the )?[A-Za-z]\w+)?){_END}",
    "A": rf"(?:an?|another|this|that|(?:my|our) (?:first|new|own)) (?P<object>{_WORD}(?: {_WORD}){{0,4}}?(?: of [a-z-]+s)?)"
    rf"{_END}",
    "F": rf"(?P<object>{_WORD}(?: {_WORD}){{0,2}}?){_END}",
    "L": rf"(?!the\b|a\b|an\b|[a-z]+ing\b)(?P<object>{_NAME}(?: [a-z]{{3,}}s)?|[a-z-]+ and [a-z-]+ [a-z]{{3,}}s|{_WORD}(?: {_WORD}){{0,3}}?){_END}(?! (?:that|which|who)\b)",
    "G": rf"(?P<object>[a-z]{{3,}}ing(?: {_WORD}){{0,3}}?){_END}(?! (?:up|into|about|them|it|on|out"
    r"|off|down|away|at|for|from|like|my|our|his|her|their|your|the|an?|this|that|these|those|through|over"
    r"|back|us|me|you|as|by|down|right|more|so|to(?! [A-Z])|with(?! (?:my|our|friends|family|kids)))\b)",
    "T": rf"(?:the )?(?:\"(?P<object>[^\"\0]{{2,60}})\"|“(?P<title>[^”\0]{{2,60}})”)",
    "J": rf"(?P<object>(?:[A-Za-z-]+ ){{0,3}}{_TRADE}){_END}",
    "V": rf"(?:the )?`?(?P<object>(?:[A-Za-z]*[A-Z][\w.+#/-]*(?: [A-Z][\w.+#-]*){{0,2}}"
    rf"|{'|'.join(words.TOOLS)}|[a-z]+[._\d-][\w.-]*)(?: v?\d[\w.]*)?)`?(?<!\.){_END}",
    "#": rf"(?P<object>v?\d[\w.]*\w|\d){_END}",
    "D": rf"(?:on )?(?:the )?(?P<object>(?:{_DAY})(?:,? \d{{4}})?|\d{{4}}-\d\d?-\d\d?"
    r"|\d{1,2}/\d{1,2}(?:/\d{2,4})?)",
    "PET": rf"(?:(?:an?|another|this|the|{_SIZE}|my|our)(?: [a-z]+){{0,3}}? )"
    rf"(?P<object>{_PETS})\b",
    "MANY": rf"(?:an? )?(?P<object>(?:{_SIZE} )?(?:[a-z]+ )?(?:kids?|child|children|daughters?|sons?|sisters?"
    r"|brothers?|siblings?|twins|grandchildren|grandkids))\b",
    "B": rf"(?P<object>(?:{_WORD} ){{0,3}}?(?:{'|'.join(words.VENTURES)})){_END}",
    "HAD": rf"(?:an?|my|our|another) (?P<object>(?:[a-z-]+ ){{0,3}}?(?:{'|'.join(words.HAD)}))"
    rf"{_END}",
    "HOBBY": rf"(?P<object>{_WORD}(?: {_WORD}){{0,2}}?){_END}",
    ".": _END,
}
_KINS = "|".join(sorted((*words.KIN, *words.SPELLED), key=len, reverse=True))
_ADJECTIVE = r"(?:(?:older|younger|little|big|elder|twin|best|close|good|dear|new|old) )?"
_SUBJECT = re.compile(
    r"^(?P<bare>Just|Recently|Finally)(?= )"
    rf"|(?<![\w'’.-])(?:(?P<me>I|[Ww]e)(?![\w-])"
    rf"|(?:[Mm]y|[Oo]ur) {_ADJECTIVE}(?P<kin>{_KINS})(?:,? (?:named |called )?(?P<named>{_NAME}),?)?"
    rf"(?![\w’'-])|(?P<name>{_NAME})(?:, my (?:{_KINS}),)?(?= |['’]s ))"
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
_OPENS = re.compile(r"(?:^|[,;:.!?–—-]|\b(?:and|but|so|because|that|since|while|btw|yeah))\s*$", re.I)
_THIRD = re.compile(r"(?: (?:also|now|still|just|really))?(?: is\b| has\b|['’]s\b| [a-z]+s\b)")
_LASTING = re.compile(r"\b(?:for|since|all my life)\b")
_STATES = frozenset("live work study play own date reside use volunteer practice".split())
_MORE = re.compile(rf"(?:,? and |, )(?P<object>[a-z]{{3,}}|{_NAME}){_END}")
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


def _shape(text: str) -> re.Pattern[str]:
    return re.compile(" " + re.sub(r"\{(\w+|[.#])\}", lambda m: _PARTS.get(m[1], m[0]), text))


def _table() -> Mapping[str, list[_Row]]:
    found: defaultdict[str, list[_Row]] = defaultdict(list)
    for line in words.TABLE.strip().splitlines():
        forms, shape, kind, *told = line.rsplit(" | ", 5)[0].split(" | ", 1) + line.rsplit(" | ", 5)[1:]
        tenses: list[str] = []
        for one in told:
            tenses.append(tenses[-1] if one == "=" else "" if one == "-" else one)
        row = _Row(_shape(shape), EntityKind(kind), tuple(forms.split()), tuple(tenses))
        for form in row.forms:
            found[form].append(row)
    return found


_VERBS = _table()
_NAMED = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) {_ADJECTIVE}(?:(?P<kin>{_KINS})|(?:[a-z]+ )?(?P<pet>{_PETS}))"
    rf"(?:['’]s name is|,? named|,? called| is named| is called| is|,)? (?P<object>{_NAME})"
    rf"(?![\w’'-])"
)
_CLOSE = "|".join(word for word in (*words.KIN, *words.SPELLED) if words.SPELLED.get(word, word) in words.CLOSE)
_BARE = re.compile(
    rf"\b[Mm]y {_ADJECTIVE}(?:(?P<kin>{_CLOSE})|(?P<pet>{_PETS})(?=['’]s|{_END[3:]})(?![\w-])"
    rf"(?!['’]s name|,? (?:named |called |is )?[A-Z])"
)
_IS_KIN = re.compile(
    rf"(?P<object>{_NAME})(?:,| is|['’]s) (?:my|our) {_ADJECTIVE}(?P<kin>{_KINS})\b(?!['’])"
)
_OWNS = tuple(
    _Own(re.compile(rf"{what}(?: is| are| include|['’]s| was|:|,)? {_shape(value).pattern[1:]}"), relation, EntityKind(kind))
    for what, value, relation, kind in (line.split(" | ") for line in words.OWN.strip().splitlines())
)
_OWNER = re.compile(
    rf"(?<![\w-])(?:(?P<kin>[Mm]y {_ADJECTIVE}(?:{_KINS}))['’]s|(?P<name>{_NAME})['’]s|(?P<me>[Mm]y)) "
)
_FAVOURITE = re.compile(
    rf"favou?rite (?P<what>[a-z]+(?: [a-z]+)?)(?: is|['’]s| are| has to be| would be) (?:the )?"
    rf"(?:\"(?P<title>[^\"\0]{{2,60}})\"|(?P<object>{_WORD}(?: {_WORD}){{0,3}}?){_END})"
)
_THING = re.compile(
    rf"(?<![\w-])(?:(?:[Oo]ur|[Tt]he|[Mm]y) (?P<thing>(?:[A-Za-z-]+ ){{0,2}}(?:{'|'.join(words.WORKS)}))"
    rf"|`(?P<code>[\w./-]+)`|(?<![A-Z]\w )(?<!\w\w )(?P<name>[A-Z]\w+))(?P<be>(?: is| are)(?: now| currently)?)?"
    rf"(?= (?P<verb>[a-z]+))"
)
_ABOUT = tuple(
    (frozenset(forms.split()), _shape(shape), relation)
    for forms, shape, relation in (line.split(" | ") for line in words.THINGS.strip().splitlines())
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
            yield Claim(Whose(kin=kin, relation=words.KIN[kin]), "", "", EntityKind.PERSON, 0, 0, 0)
        else:
            span = match.span("pet")
            yield Claim(ME, "has pet", match["pet"], EntityKind.THING, *span, match.start())
    for shape in (_NAMED, _IS_KIN):
        for match in shape.finditer(text):
            name = _trimmed(match["object"])
            if not name or _unreal(text, match.start()):
                continue
            kin = match["kin"]
            relation = words.KIN[_plain_kin(kin)] if kin else "has pet"
            kind = EntityKind.PERSON if kin else EntityKind.THING
            start = match.start("object")
            yield Claim(ME, relation, name, kind, start, start + len(name), match.start())


def _plain_kin(kin: str) -> str:
    return words.SPELLED.get(kin, kin)


def _owned(text: str) -> Iterator[Claim]:
    for match in _OWNER.finditer(text):
        if _unreal(text, match.start()):
            continue
        whose = _owner(match)
        if (like := _FAVOURITE.match(text, match.end())) and match["me"]:
            group = "title" if like["title"] else "object"
            if claim := _claim(like, group, whose, EntityKind.THING, f"favorite {like['what']}"):
                yield claim
        for own in _OWNS:
            if found := own.shape.match(text, match.end()):
                if claim := _claim(found, "object", whose, own.kind, own.relation):
                    yield claim
                break


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
        for forms, shape, relation in _ABOUT:
            begins = start if forms == {"is"} else match.end() + 1 + len(match["verb"])
            if begins < 0 or (forms != {"is"} and match["verb"] not in forms):
                continue
            if found := shape.match(text, begins):
                whose = Whose(match["thing"] or match["code"] or match["name"], thing=True)
                if claim := _claim(found, "object", whose, EntityKind.TOOL, relation):
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
        tense = 0 if how != "was" else 2
        if how == "been":
            rows = [row for row in _VERBS["be"] if "been" in row.forms or _LASTING.search(text, at)]
        else:
            rows = _VERBS["be"]
        yield from _first(
            [(row, 2 if "been" in row.forms else tense) for row in rows if how != "be" or len(row.forms) == 1],
            whose, text=text, at=at, begins=match.start(),
        )
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
    yield from _first(rows_at, whose, text=text, at=verb.end(), begins=match.start())


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


def _first(
    rows: list[tuple[_Row, int]], whose: Whose, *, text: str, at: int, begins: int
) -> Iterator[Claim]:
    """The claim of the first row that fits; of work, where it is and as what."""
    done: set[EntityKind] = set()
    for row, tense in rows:
        relation = row.told[tense]
        if not relation or (done and (row.kind in done or row.forms[0] != "work")):
            continue
        found = row.shape.match(text, at)
        if found is None:
            continue
        groups = found.groupdict()
        group = next((one for one in ("name", "title") if groups.get(one)), "object")
        dated, name = relation.endswith("+"), relation.rstrip("+")
        claim = _claim(found, group, whose, row.kind, name, dated=dated, at=begins)
        if claim is None:
            continue
        done.add(row.kind)
        yield claim
        if name in _SEVERAL:
            yield from _more(claim, text)


def _more(claim: Claim, text: str) -> Iterator[Claim]:
    """What stands beside the object: `peanuts, milk and eggs`."""
    at = claim.end
    while (found := _MORE.match(text, at)) is not None:
        again = _claim(found, "object", claim.whose, claim.kind, claim.relation, dated=claim.dated, at=claim.at)
        alike = again and again.object[0].isupper() == claim.object[0].isupper()
        gerunds = again and again.object.endswith("ing") or not claim.object.split()[0].endswith("ing")
        if again is None or not alike or not gerunds:
            return
        yield again
        at = found.end()


def _claim(
    found: re.Match[str], group: str, whose: Whose, kind: EntityKind, relation: str,
    *, dated: bool = False, at: int | None = None,
) -> Claim | None:
    """It, unless the object says nothing or belongs to somebody."""
    what = found[group].strip()
    parts = what.split()
    low = [part.casefold() for part in parts]
    proper = what[0].isupper()
    if not proper and (low[-1] in _VAGUE or low[0] in _VAGUE or is_grammar(low[0])):
        return None
    if len(parts) == 1 and (what in _ALONE or (what.endswith("ly") and not proper)):
        return None
    if relation == "works as" and set(low) & _PRAISE:
        return None
    if re.search(r"['’]s?$", what):
        return None
    start = found.start(group)
    return Claim(whose, relation, what, kind, start, start + len(what), found.start() if at is None else at, dated)


def _trimmed(name: str) -> str:
    """A name without what belongs to the next sentence or is no name."""
    return re.sub(r"['’]s?$", "", name)
