"""What a model is asked for a summary, in both languages, and how its answer is checked.

The words stand in `prompts/summary.txt` and `summary.zh.txt`, which go with the schema below. Turns
and summaries are numbered; an answer must say which numbers it rests on, and numbers that were not
given do not count. What carries the answer is then looked for in the words of those turns, so that
evidence is always words that were said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from alaya.distill.dates import day_of
from alaya.distill.prompts import texts
from alaya.distill.sentences import sentences
from alaya.distill.topics import STOP
from alaya.model.call import Call
from alaya.model.graph import Summary
from alaya.model.ids import digest
from alaya.model.raw import ArchivedTurn, Origin, Role, Turn
from alaya.model.speech import speaker, visible
from alaya.model.words import segment

STAGE = "summary"
Words = Callable[[str, str], str]  # the words for a level in a language
_TURN, _TOOL_TURN = 1_200, 300  # characters of a turn that are sent
_MEMBER = 900  # of a summary that is summed up again
_CITED = 12  # turns that are kept of those an answer names
_SPANS = 2  # sentences of each
_WHOLE = 200  # characters of a turn that is cited as a whole where no sentence stands out
_TOPIC, _CONTENT = 80, 2_000  # characters of an answer

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "topic": {"type": "string"},
        "summary": {"type": "string"},
        "sources": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["topic", "summary", "sources"],
}
WHAT = {  # what is summed up, as `{{what}}` in the prompt
    "topic": {"en": "the numbered turns of a conversation", "zh": "下面这段编号的对话"},
    "session": {
        "en": "one conversation, of which the numbered summaries tell part by part",
        "zh": "一次对话，下面编号的摘要依次说明其各部分",
    },
    "theme": {
        "en": "what several conversations say on one subject, of which these are the summaries; "
        "where they differ, the later one holds",
        "zh": "多次对话就同一主题所说的内容，下面是各次的摘要；若有出入，以较晚的为准",
    },
}
_ROLES = {
    "en": {Role.USER: "User", Role.ASSISTANT: "Agent", Role.TOOL: "Tool output"},
    "zh": {Role.USER: "用户", Role.ASSISTANT: "助手", Role.TOOL: "工具输出"},
}


@dataclass(frozen=True)
class Told:
    """What a model said, checked. `sources`: numbers that were given, from 1; never empty."""

    topic: str
    content: str
    sources: tuple[int, ...]


def shipped_words(level: str, language: str) -> str:
    """The words of the package for a level, `topic`, `session` or `theme`."""
    return texts.shipped(STAGE, language).replace("{{what}}", WHAT[level][language])


def of_turns(
    turns: Sequence[ArchivedTurn], *, session: str, language: str, words: Words = shipped_words
) -> Call:
    """The question for a run of turns; their numbers are those of `readable`."""
    shown = [
        f"[{number}] {_named(one.turn, language)}: {_text(one.turn)}"
        for number, one in enumerate(readable(turns), 1)
    ]
    return _call("topic", shown, about=(session,), language=language, words=words)


def of_members(
    level: str,
    members: Sequence[Summary],
    *,
    about: Sequence[str],
    language: str,
    words: Words = shipped_words,
) -> Call:
    """The question for a session or a theme, from the summaries of its parts."""
    shown = [
        f"[{number}] {_day(one.said_at, language)} {one.topic}: {' '.join(one.content.split())}"[
            :_MEMBER
        ]
        for number, one in enumerate(members, 1)
    ]
    return _call(level, shown, about=tuple(about), language=language, words=words)


def readable(turns: Sequence[ArchivedTurn]) -> list[ArchivedTurn]:
    """The turns that are somebody's words: no system prompt, nothing that alaya had put there."""
    return [
        one
        for one in turns
        if one.turn.role is not Role.SYSTEM
        and one.turn.origin is not Origin.SYSTEM
        and visible(one.turn).strip()
    ]


def checked(value: Mapping[str, Any], count: int) -> Told | None:
    """An answer that says something and rests on what was given, `count` items; else None."""
    topic = " ".join(str(value.get("topic", "")).split()).strip("。.\"“”'")[:_TOPIC]
    content = str(value.get("summary", "")).strip()[:_CONTENT]
    named = dict.fromkeys(n for n in value.get("sources", ()) if 1 <= n <= count)
    if not topic or not content or not named:
        return None
    return Told(topic, content, tuple(sorted(named)))


def evidence(told: Told, shown: Sequence[ArchivedTurn]) -> tuple[tuple[str, int, int], ...]:
    """(turn, start, end) of the sentences in the cited turns that share most words with it."""
    about = set(segment(f"{told.topic} {told.content}").words) - STOP
    found: list[tuple[str, int, int]] = []
    for number in _spread(told.sources):
        turn = shown[number - 1].turn
        cut, _ = sentences(turn)
        rated = [(len(about & set(segment(s.text).words)), -s.start, s) for s in cut]
        best = sorted(rated, key=lambda r: (-r[0], -r[1]))[:_SPANS]
        spans = [(s.start, s.end) for shared, _, s in best if shared]
        if not spans and cut:
            spans = [(cut[0].start, min(cut[0].end, cut[0].start + _WHOLE))]
        found += [(turn.id, start, end) for start, end in sorted(spans)]
    return tuple(found)


def _spread(sources: Sequence[int]) -> Sequence[int]:
    """At most so many, from all over the run rather than its beginning."""
    if len(sources) <= _CITED:
        return sources
    return [sources[i * len(sources) // _CITED] for i in range(_CITED)]


def _call(
    level: str, shown: Sequence[str], *, about: tuple[str, ...], language: str, words: Words
) -> Call:
    system = words(level, language)
    return Call(
        stage=STAGE,
        system=system,
        user="\n".join(shown),
        schema=SCHEMA,
        about=about,
        language=language,
        prompt_hash=digest("summary", system, SCHEMA),
    )


def _named(turn: Turn, language: str) -> str:
    name = speaker(turn) or _ROLES[language].get(turn.role, turn.role.value)
    return f"{name} ({_day(turn.said_at, language)})" if turn.said_at else name


def _day(when: datetime, language: str) -> str:
    return day_of(when, chinese=language == "zh")


def _text(turn: Turn) -> str:
    most = _TOOL_TURN if turn.role is Role.TOOL else _TURN
    text = " ".join(visible(turn).split())
    return text if len(text) <= most else f"{text[:most]}…"
