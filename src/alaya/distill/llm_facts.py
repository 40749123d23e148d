"""What a model is asked about people, things and facts, and how its answer is read.

The words stand in `prompts/facts.txt` and `facts.zh.txt`, which go with the schema below. The model
sees numbered turns with the time of each, and the entities that are known by numbers, `E1`. What
cites a turn that is not there is rejected, and so is what cites none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from alaya.distill.calls import Asker
from alaya.distill.prompts.texts import LANGUAGES, shipped
from alaya.distill.sentences import sentences
from alaya.distill.when import moment
from alaya.model.call import Answered, Call, Unanswered
from alaya.model.graph import Entity, EntityKind
from alaya.model.naming import name_key
from alaya.model.raw import ArchivedTurn, Session
from alaya.model.record import Draft, DraftEntity, DraftFact
from alaya.model.speech import speaker, visible
from alaya.model.tokens import estimate

STAGE = "facts"
_WORDS: Mapping[str, Any] = {"type": "string"}
_TURNS: Mapping[str, Any] = {"type": "array", "items": {"type": "integer"}}
_LINES: Mapping[str, Any] = {"type": "array", "items": _WORDS}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "entities": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": _WORDS,
                    "kind": {"type": "string", "enum": [kind.value for kind in EntityKind]},
                    "aliases": _LINES,
                    "known": _WORDS,
                    "other": {"type": "boolean"},
                    "turns": _TURNS,
                },
                "required": ["name", "kind", "turns"],
            },
        },
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "subject": _WORDS,
                    "relation": _WORDS,
                    "object": _WORDS,
                    "fact": _WORDS,
                    "from": _WORDS,
                    "to": _WORDS,
                    "over": {"type": "boolean"},
                    "corrects": {"type": "boolean"},
                    "instead_of": _WORDS,
                    "turns": _TURNS,
                },
                "required": ["subject", "relation", "object", "fact", "turns"],
            },
        },
    },
    "required": ["entities", "facts"],
}
_KNOWN = {"en": "Known entities:", "zh": "已知实体："}
_ALSO = {"en": "also", "zh": "又名"}
_USER = {"en": "user", "zh": "用户"}
_MOST_KNOWN = 60
_APART = re.compile(r"(?P<name>.+?)\s*[（(](?P<what>[^()（）]+)[)）]")
_WINDOW = 6_000  # tokens of turns in one call
_CONFIDENCE = 0.7  # that a model read rightly what the words say


@dataclass(frozen=True)
class Asked:
    """What a call shows: turns by their number from 1, known entities likewise.

    `prompt`: the words in force for the language; empty: those of the package.
    """

    session: Session
    turns: tuple[ArchivedTurn, ...]
    known: tuple[Entity, ...] = ()
    language: str = "en"
    prompt: str = ""


@dataclass
class Read:
    """Entities and facts as a draft holds them; `rejected`: each with the reason.

    `places`: which entity a name means. It is filled by one answer after another.
    """

    entities: list[DraftEntity] = field(default_factory=list)
    facts: list[DraftFact] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)


def facts_call(asked: Asked, *, max_tokens: int = 0, window: int = _WINDOW) -> Call:
    """The question about some turns. Of a turn that is longer than a window, its beginning."""
    tongue = asked.language if asked.language in LANGUAGES else "en"
    lines = []
    for number, entity in enumerate(asked.known[:_MOST_KNOWN], 1):
        also = f" ({_ALSO[tongue]} {', '.join(entity.aliases)})" if entity.aliases else ""
        lines.append(f"E{number} {entity.kind.value}: {entity.name}{also}")
    if lines:
        lines = [_KNOWN[tongue], *lines, ""]
    for number, archived in enumerate(asked.turns, 1):
        at = _said(archived, asked.session)
        who = speaker(archived.turn) or (
            _USER[tongue] if archived.turn.role.value == "user" else archived.turn.role.value
        )
        lines.append(f"[{number}] {at:%Y-%m-%d %H:%M %a} {who}: {_shown(archived, window)}")
    return Call(
        stage=STAGE,
        system=asked.prompt or shipped(STAGE, tongue),
        user="\n".join(lines),
        schema=SCHEMA,
        about=(asked.session.id,),
        language=tongue,
        max_tokens=max_tokens,
    )


def ask_facts(
    asker: Asker, asked: Asked, *, window: int = _WINDOW
) -> tuple[Read, list[Answered | Unanswered]]:
    """All that the turns tell, asked in windows of at most `window` tokens, and what was answered.

    Turns in a window without an answer are not read: see each `Unanswered`.
    """
    parts = list(_windows(asked, window))
    answers = asker.ask_all([facts_call(part, window=window) for part in parts])
    found = Read()
    for part, answer in zip(parts, answers, strict=True):
        if isinstance(answer, Answered):
            read_facts(answer.value, part, found=found)
    return found, answers


def facts_calls(asked: Asked, *, window: int = _WINDOW) -> list[Call]:
    """The questions that `ask_facts` asks."""
    return [facts_call(part, window=window) for part in _windows(asked, window)]


def _shown(archived: ArchivedTurn, window: int) -> str:
    text = visible(archived.turn)
    while (tokens := estimate(text)) > window:
        text = text[: len(text) * window // tokens - 1]
    return text


def with_facts(
    draft: Draft, asked: Asked, *, asker: Asker, window: int = _WINDOW
) -> tuple[Draft, tuple[Unanswered, ...]]:
    """The draft with what a model says that its turns tell, and what it could not be asked.

    `asked.turns` are those that the draft is of; `asked.known`: see `learning.spoken_of`.
    """
    found, answers = ask_facts(asker, asked, window=window)
    used = [usage for answer in answers for usage in answer.usage]
    told = replace(
        draft,
        entities=tuple(found.entities),
        facts=tuple(found.facts),
        dropped=draft.dropped + len(found.rejected),
        tokens_in=draft.tokens_in + sum(one.tokens_in for one in used),
        tokens_out=draft.tokens_out + sum(one.tokens_out for one in used),
    )
    return told, tuple(answer for answer in answers if isinstance(answer, Unanswered))


def _windows(asked: Asked, most: int) -> Iterator[Asked]:
    first, size = 0, 0
    for number, archived in enumerate(asked.turns):
        tokens = estimate(visible(archived.turn))
        if number > first and size + tokens > most:
            yield replace(asked, turns=asked.turns[first:number])
            first, size = number, 0
        size += tokens
    if asked.turns:
        yield replace(asked, turns=asked.turns[first:])


def read_facts(value: Mapping[str, Any], asked: Asked, *, found: Read | None = None) -> Read:
    """The entities and facts in an answer that matches SCHEMA, added to those `found` before."""
    found = found or Read()
    for item in value["entities"]:
        _entity(item, asked, found=found)
    for item in value["facts"]:
        _fact(item, asked, found=found)
    return found


def _entity(item: Mapping[str, Any], asked: Asked, *, found: Read) -> None:
    written = str(item["name"]).strip()
    cited = _cited(item["turns"], asked)
    if not written or not cited:
        found.rejected.append(f"entity {written[:80]!r} cites {item['turns']!r}: no such turn")
        return
    if name_key(written) in found.places:
        return
    other = bool(item.get("other"))
    apart = _APART.fullmatch(written) if other else None
    name = apart["name"] if apart else written
    names = [name, *(str(alias).strip() for alias in item.get("aliases") or ())]
    key = name_key(name)
    entity = DraftEntity(
        name=name,
        kind=EntityKind(item["kind"]),
        evidence=_places_of(
            names, cited, skip=sum(name_key(e.name) == key for e in found.entities)
        ),
        aliases=tuple(dict.fromkeys(n for n in names[1:] if n and name_key(n) != key)),
        summary=apart["what"] if apart else "",
        known=_known(str(item.get("known") or ""), asked),
        other=other,
    )
    for one in (written, *entity.aliases):
        found.places.setdefault(name_key(one), len(found.entities))
    found.entities.append(entity)


def _fact(item: Mapping[str, Any], asked: Asked, *, found: Read) -> None:
    cited = _cited(item["turns"], asked)
    subject, relation, target = (str(item[k]).strip() for k in ("subject", "relation", "object"))
    words = f"{subject} {relation} {target}"
    if not cited or not (subject and relation and target):
        found.rejected.append(f"fact {words[:120]!r} cites {item['turns']!r}: no such turn")
        return
    said_at = max(_said(archived, asked.session) for archived in cited)
    begins, ends = (_moment(item.get(end), said_at) for end in ("from", "to"))
    if ends is None and item.get("over"):
        ends = said_at
    wrong = str(item.get("instead_of") or "").strip()
    found.facts.append(
        DraftFact(
            subject=_place(subject, cited, asked=asked, found=found),
            relation=relation,
            object=_place(target, cited, asked=asked, found=found),
            fact=str(item["fact"]).strip() or words,
            evidence=_sentence_of((subject, target), cited),
            valid_at=begins,
            invalid_at=ends,
            confidence=_CONFIDENCE,
            corrects=bool(item.get("corrects")),
            instead_of=_place(wrong, cited, asked=asked, found=found) if wrong else None,
        )
    )


def _place(name: str, cited: Sequence[ArchivedTurn], *, asked: Asked, found: Read) -> int:
    """The entity of this name; noted now where the model did not: a date, a number, a speaker."""
    known = next((e for n, e in enumerate(asked.known, 1) if name.casefold() == f"e{n}"), None)
    key = name_key(known.name if known else name)
    if key in found.places:
        return found.places[key]
    if known is None:
        known = next((e for e in asked.known if key in map(name_key, (e.name, *e.aliases))), None)
    speakers = {name_key(speaker(archived.turn)) for archived in asked.turns} | {"user"}
    guess = EntityKind.PERSON if key in speakers else EntityKind.THING
    found.places[key] = len(found.entities)
    found.entities.append(
        DraftEntity(
            name=known.name if known else name,
            kind=known.kind if known else guess,
            evidence=_places_of([name], cited),
            known=known.id if known else "",
        )
    )
    return found.places[key]


def _cited(numbers: object, asked: Asked) -> list[ArchivedTurn]:
    """The turns of these numbers that are there, each once."""
    given = numbers if isinstance(numbers, list) else []
    wanted = dict.fromkeys(n for n in given if isinstance(n, int) and 1 <= n <= len(asked.turns))
    return [asked.turns[n - 1] for n in wanted if asked.turns[n - 1].turn.content.strip()]


def _known(number: str, asked: Asked) -> str:
    wanted = number.strip().upper().lstrip("E")
    if not wanted.isdecimal() or not 1 <= int(wanted) <= len(asked.known):
        return ""
    return asked.known[int(wanted) - 1].id


def _places_of(
    names: Sequence[str], cited: Sequence[ArchivedTurn], *, skip: int = 0
) -> tuple[tuple[str, int, int], ...]:
    """Where the name stands in each turn, past `skip` times; else the whole turn, as of `I`."""
    found = []
    for archived in cited:
        text = archived.turn.content
        folded = text.casefold() if len(text.casefold()) == len(text) else text
        for name in names:
            at = -1
            for _ in range(skip + 1):
                at = folded.find(name.casefold(), at + 1)
            if at >= 0:
                found.append((archived.turn.id, at, at + len(name)))
                break
        else:
            found.append((archived.turn.id, 0, len(text)))
    return tuple(found)


def _sentence_of(
    names: Sequence[str], cited: Sequence[ArchivedTurn]
) -> tuple[tuple[str, int, int], ...]:
    """Of each turn the sentence that names most of the fact; the whole turn where none does."""
    found = []
    for archived in cited:
        said, _ = sentences(archived.turn)
        rated = [(sum(n.casefold() in s.text.casefold() for n in names), s) for s in said]
        best = max(rated, key=lambda one: one[0], default=(0, None))
        if best[1] is not None and best[0]:
            found.append((archived.turn.id, best[1].start, best[1].end))
        else:
            found.append((archived.turn.id, 0, len(archived.turn.content)))
    return tuple(found)


def _said(archived: ArchivedTurn, session: Session) -> datetime:
    return archived.turn.said_at or session.started_at


def _moment(words: object, said_at: datetime) -> datetime | None:
    return moment(str(words), said_at) if words else None
