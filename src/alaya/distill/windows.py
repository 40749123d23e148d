"""A session as a model reads it: numbered lines, in windows that fit a budget of tokens. Pure.

What alaya or a host put into the conversation is left out, so that memory is not learnt from
memory; of what tools printed both ends are read, as what people and agents say about it counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from alaya.distill.sentences import visible_ranges
from alaya.distill.work import Work
from alaya.model.raw import ArchivedTurn, Origin, Role, ToolCall, Turn, TurnMark
from alaya.model.speech import is_speech, visible
from alaya.model.tokens import estimate
from alaya.model.words import han_share

_OF_TOOLS = 600  # characters of what a tool printed that are read, from each end
_CALLS, _ARGUMENTS = 3, 160  # tool calls of a turn that are named, and characters of each
_HEADING = 16  # tokens for who speaks and when
_CHINESE = 0.3  # share of Han characters among the letters of a Chinese conversation
_BACKGROUND = 8  # a window begins with at most one in so many tokens of what was before
_ALAYA = "alaya"


@dataclass(frozen=True)
class Line:
    """A turn, or a piece of a long one: characters `start` to `end`, read as `text`.

    `fresh`: it is to be distilled; else it is background.
    """

    archived: ArchivedTurn
    start: int
    end: int
    text: str
    fresh: bool = True

    @property
    def turn(self) -> Turn:
        return self.archived.turn

    @property
    def tokens(self) -> int:
        return estimate(self.text) + _HEADING

    @property
    def carries(self) -> bool:
        """Whether it can carry a card: words that somebody says, and not before."""
        return self.fresh and self.start < self.end and is_speech(self.turn)


@dataclass(frozen=True)
class Window:
    """Lines for one call; turns with ordinals below `upto` are then dealt with."""

    lines: tuple[Line, ...]
    upto: int

    @property
    def tokens(self) -> int:
        return sum(line.tokens for line in self.lines)


def language(lines: Sequence[Line]) -> str:
    """What most is said in: `zh` or `en`."""
    return language_of(" ".join(line.text for line in lines if is_speech(line.turn)))


def language_of(said: str) -> str:
    """What words are mostly in: `zh` or `en`."""
    return "zh" if han_share(said) >= _CHINESE else "en"


def spoken(turns: Sequence[ArchivedTurn]) -> str:
    """What turns are mostly said in: `zh` or `en`."""
    return language_of(" ".join(visible(one.turn) for one in turns if is_speech(one.turn)))


def windows(work: Work, budget: int) -> list[Window]:
    """The windows of a work, in order, each of at most `budget` tokens; none where nobody speaks.

    Each begins with the background that fits. A turn that is longer than the budget is cut.
    """
    background = _fitting(_lines(work.context, budget, fresh=False), budget // _BACKGROUND)
    room = budget - sum(line.tokens for line in background)
    found: list[Window] = []
    current: list[Line] = []
    for line in _lines(work.turns, budget * 3 // 4, fresh=True):
        if current and sum(one.tokens for one in current) + line.tokens > room:
            found.append(Window((*background, *current), line.archived.ordinal))
            background = _fitting([_as_background(one) for one in current], budget // _BACKGROUND)
            room = budget - sum(one.tokens for one in background)
            current = []
        current.append(line)
    upto = work.turns[-1].ordinal + 1 if work.turns else 0
    if current:
        found.append(Window((*background, *current), upto))
    spoken = [w for w in found if any(line.carries for line in w.lines)]
    if spoken:  # what follows the last words is dealt with as well
        spoken[-1] = Window(spoken[-1].lines, upto)
    return spoken


def _as_background(line: Line) -> Line:
    return replace(line, fresh=False)


def _fitting(lines: Sequence[Line], budget: int) -> tuple[Line, ...]:
    """The last lines that fit; of one that is too long by itself, its end."""
    kept: list[Line] = []
    for line in reversed(lines):
        if line.tokens > budget:
            shown = line.text[-max(0, budget - _HEADING) :]  # a character has a token at most
            if not kept and budget > 2 * _HEADING:
                kept = [replace(line, text=f"…{shown}")]
            break
        budget -= line.tokens
        kept.insert(0, line)
    return tuple(kept)


def _lines(turns: Sequence[ArchivedTurn], longest: int, *, fresh: bool) -> list[Line]:
    found: list[Line] = []
    for archived in turns:
        turn = archived.turn
        silent = turn.origin is Origin.SYSTEM or turn.role is Role.SYSTEM
        if silent or archived.mark is not TurnMark.ACTIVE:
            continue
        ranges = visible_ranges(turn)
        if turn.role is Role.TOOL:
            found.extend(_printed(archived, ranges, fresh=fresh))
            continue
        pieces = [
            Line(archived, *piece, fresh=fresh) for piece in _pieces(turn, ranges, longest=longest)
        ]
        calls = _calls(turn.tool_calls)
        if calls:
            last = pieces.pop() if pieces else Line(archived, 0, 0, "", fresh=fresh)
            text = f"{last.text}\n{calls}".strip()
            pieces.append(Line(archived, last.start, last.end, text, fresh=fresh))
        found.extend(pieces)
    return found


def _printed(
    archived: ArchivedTurn, ranges: Sequence[tuple[int, int]], *, fresh: bool
) -> Iterator[Line]:
    text = "".join(archived.turn.content[start:end] for start, end in ranges).strip()
    if len(text) > 2 * _OF_TOOLS:
        text = f"{text[:_OF_TOOLS]}\n…\n{text[-_OF_TOOLS:]}"
    if text:
        yield Line(archived, ranges[0][0], ranges[-1][1], text, fresh)


def _pieces(
    turn: Turn, ranges: Sequence[tuple[int, int]], *, longest: int
) -> Iterator[tuple[int, int, str]]:
    """(start, end, text) of the visible words; more than one where they are too long."""
    text = "".join(turn.content[start:end] for start, end in ranges).strip()
    if not text:
        return
    if estimate(text) <= longest:
        yield ranges[0][0], ranges[-1][1], text
        return
    for first, last in ranges:
        start = first
        for end in _cuts(turn.content, first, last=last, longest=longest):
            words = turn.content[start:end].strip()
            if words:
                yield start, end, words
            start = end


def _cuts(text: str, first: int, *, last: int, longest: int) -> Iterator[int]:
    """Places at which to cut, if possible between lines; what is between has `longest` tokens."""
    at = first
    while at < last:
        end = min(last, at + 4 * longest)
        while estimate(text[at:end]) > longest and end - at > 1:
            end = at + (end - at) * 3 // 4
        if end < last:
            line = text.rfind("\n", at + (end - at) // 2, end)
            end = line + 1 if line > at else end
        yield end
        at = end


def _calls(calls: Sequence[ToolCall]) -> str:
    """What tools were called, in short; what alaya was asked is nobody's words."""
    shown = [
        f"→ {call.name} {' '.join(call.arguments.split())[:_ARGUMENTS]}".rstrip()
        for call in calls
        if _ALAYA not in call.name.casefold() and _ALAYA not in call.arguments.casefold()
    ]
    more = [f"→ … (+{len(shown) - _CALLS})"] if len(shown) > _CALLS else []
    return "\n".join([*shown[:_CALLS], *more])
