"""How a card is worded: a title that stands alone, and Markdown that quotes the words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from alaya.distill.acts import HAN, Act
from alaya.distill.candidates import Candidate, Part, Piece
from alaya.distill.dates import day_of, named
from alaya.distill.reading import Reading, Said, Utterance, Voice, acts_of
from alaya.model.graph import CardKind

_LATIN_TITLE = 60  # characters
_HAN_TITLE = 30
_QUOTE = 420  # characters of one quoted piece
_CODE = 600
_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|so|well|yes|yeah|yep|right|great|good|sure|alright|and|but|also|then|hey|"
    r"hi|oh|now|anyway|actually|"
    r"basically|honestly|perfect|agreed|by the way|btw|fyi|heads[- ]up|note|quick (?:note|"
    r"thing)(?: before we start)?|"
    r"(?:also )?good to know|remember(?: that)?|please|noted|done|thanks|one more thing|"
    r"for context|just so you know|i think|i guess|"
    r"that's it|found it|reproduced|nice|the (?:root )?cause(?: is| was)?|root cause|"
    r"(?:it )?turns out(?: that)?|(?:it )?turned out(?: that)?|"
    r"the (?:problem|issue|reason|fix|culprit) (?:is|was)(?: that)?|decision)\b[\s,.:;!–—-]+"
    r"|(?:好的?|行|嗯+|对了?|那么?|所以|另外|其实|原来(?:是)?|可以|没问题|顺便说一下|顺便|先说下?|"
    r"帮我(?:记一下|记住)?|记一下|记住|还有(?:一条|一个|个)?(?:经验)?|"
    r"补充(?:一下|一点|一个)?|问题出在|(?:根本)?原因(?:找到了|是|在于)?|查到了|找到了|"
    r"跟你说(?:一下)?|太好了|试了|明白)[，,。：:！!、\s]+"
    r"|原来是?|(?:根本)?原因是|那就|所以说)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|`|^#+\s*|\[([^\]]+)\]\([^)]+\)")
_PYTEST = re.compile(r"^(?:E|>)\s+")  # the margin of an assertion in a test's output
_CLAUSE = re.compile(
    r"[，；。！？：]|(?<=\w)[,;:!?](?=\s)|\s[–—-]\s|——|\s\((?=\w)|（|\s(?=(?:because|so that|"
    r"which|since|but|while|whereas|instead|"
    r"and (?:then|so|the|we|i|it|only|that))\b)",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"\s(?:since|every|with|when|while|because|on|in|at|for|about|after|before|from|to|of|by|and|or|"
    r"that|which|once|as|until|through|via|than|the|a|an|my|our|your)(?=\s)",
    re.IGNORECASE,
)
# A clause that only says when: without what follows it is no title.
_CONDITION = re.compile(
    r"(?:if|when|before|after|once|whenever|from now on)\b[^,，]*$|"
    r"[^,，]*(?:的时候|之后|之前|的话|以后|时)$|(?:如果|要是|每次|以后)[^,，]{0,12}$",
    re.IGNORECASE,
)
_LABEL, _LABEL_LONG, _TOLD = 6, 32, 14  # words and characters before, characters after a colon
_EDGE = " \t\n,.;:!?，。；：！？、…-–—\"'“”（("
_LABELS = {
    Part.QUESTION: ("Question", "问题"),
    Part.PROBLEM: ("Problem", "现象"),
    Part.CAUSE: ("Cause", "原因"),
    Part.FIX: ("Fix", "解决"),
    Part.SUCCESS: ("Confirmed", "验证"),
    Part.DECISION: ("Decision", "决定"),
    Part.REASON: ("Why", "理由"),
    Part.PROPOSAL: ("Offered", "备选"),
    Part.TAKEN: ("Taken up", "确认"),
    Part.RULE: ("Rule", "做法"),
    Part.STEP: ("Steps", "步骤"),
}
# "那就 X 吧", "X it is", "let's go with X" choose X.
_PARTICLES = re.compile(
    r"^(?:那就|那|就|还是|行|好|嗯|选|用|ok|okay|let's (?:go with|use|do|take)|go with|"
    r"i'll (?:take|go with)|we'll (?:take|go with))\s*(?=\S{2})|(?:吧|了|啦|好了|就行)$|"
    r" (?:then|it is|please)$",
    re.IGNORECASE,
)
# Timestamps, key=value pairs, paths with line numbers, JSON and exit lines: printed, not said.
_OUTPUT = re.compile(
    r"^\s*[\[{<#$|]|\d{4}-\d\d-\d\dT\d\d:|^\w+=\S+(?:\s+\w+=)|^(?:FAILED|E  |at |File )|"
    r"\w+\.\w+:\d+:"
)
_ORDER = sorted(
    Part, key=lambda p: (p is not Part.QUESTION, p is not Part.PROPOSAL, list(Part).index(p))
)


# Words that promise more: a title that was cut does not end on one.
_DANGLING = re.compile(
    r"(?:\s+(?:or|and|but|nor|so|the|an?|to|of|in|on|at|for|with|from|by|as|that|which|if|when|is|are|"
    r"was|were|be|not|no|it|its|this|our|your|my|we|i))+$",
    re.IGNORECASE,
)


def another_title(candidate: Candidate, reading: Reading) -> str:
    """A second name for a failure whose first one is taken: what caused or mended it."""
    for part in (Part.CAUSE, Part.FIX):
        phrase = shortened(_phrase(_prose(candidate, reading, part=part)))
        if phrase:
            return phrase
    return shortened(_phrase(candidate.main.text))


def title(candidate: Candidate, reading: Reading) -> str:
    """A phrase of at most 60 characters, or 30 where it is Chinese, in the words' own language."""
    main = candidate.main
    speaker = reading.utterances[main.turn]
    if candidate.kind is CardKind.GOTCHA:
        return _of_gotcha(candidate, reading)
    phrase = _phrase(main.text)
    if reading.people and speaker.name:
        colon = "：" if HAN.search(main.text) else ": "
        room = max(_limit(phrase) - len(speaker.name) - len(colon), _limit(phrase) // 2)
        return f"{speaker.name}{colon}{shortened(phrase, room)}"[:_LATIN_TITLE]
    if candidate.kind is CardKind.DECISION:
        return _of_decision(candidate, reading)
    return shortened(phrase)


def content(candidate: Candidate, reading: Reading) -> str:
    """Markdown that says what it is about and quotes the words that carry it."""
    chinese = HAN.search(candidate.main.text) is not None
    if reading.people:
        return _of_talk(candidate, reading, chinese=chinese)
    if candidate.kind is CardKind.CONCEPT:
        return _of_fact(candidate, reading, chinese=chinese)
    lines: list[str] = []
    for part in _ORDER:
        group = [p for p in candidate.pieces if p.part is part]
        if not group:
            continue
        if part is Part.CODE:
            lines.extend(_words(p, reading, most=_CODE) for p in group)
        elif part is Part.STEP:
            lines.append(f"**{_LABELS[part][chinese]}**")
            lines.extend(f"{n}. {_quote(p, reading)}" for n, p in enumerate(group, 1))
        else:
            quoted = " ".join(_quote(p, reading) for p in group)
            lines.append(f"**{_LABELS[part][chinese]}**: {quoted}")
    return "\n".join(lines)


def shortened(phrase: str, limit: int | None = None) -> str:
    """The phrase, or as many of its first clauses as fit; cut at a word only where none does.

    `limit`: characters, by default 60, or 30 of Chinese.
    """
    limit = limit or _limit(phrase)
    phrase = phrase.strip(_EDGE)
    if len(phrase) <= limit:
        return phrase
    best = ""
    for mark in _CLAUSE.finditer(phrase):
        if mark.start() > limit:
            break
        best = phrase[: mark.start()].strip(_EDGE)
    if len(best) * 4 >= limit and _CONDITION.match(best) is None:
        return best
    return _cut(phrase, limit).strip(_EDGE)


def _cut(phrase: str, limit: int) -> str:
    """The first words that fit, ending before a preposition rather than behind it."""
    cut = phrase[:limit]
    if phrase[limit : limit + 1].strip() and " " in cut[limit // 2 :]:
        cut = cut[: cut.rindex(" ")]
    joints = [m.start() for m in _JOINT.finditer(cut) if m.start() * 2 >= limit]
    return _DANGLING.sub("", cut[: joints[-1]] if joints else cut)


def _from_clause(phrase: str, act: Act) -> str:
    """The phrase from the clause on that does `act`, where an earlier one does not."""
    if len(phrase) <= _limit(phrase):
        return phrase
    starts = [0, *(m.end() for m in _CLAUSE.finditer(phrase))]
    ends = [*starts[1:], len(phrase)]
    for start, end in zip(starts, ends, strict=True):
        if acts_of(phrase[start:end]) & act:
            return phrase[start:].strip(_EDGE)
    return phrase


def _limit(phrase: str) -> int:
    return _HAN_TITLE if len(HAN.findall(phrase)) * 3 >= len(phrase) else _LATIN_TITLE


def _phrase(text: str) -> str:
    """A sentence without markup and without the words it starts up with."""
    phrase = " ".join(_PYTEST.sub("", _MARKUP.sub(lambda m: m[1] or "", text)).split())
    label, colon, rest = phrase.partition("：" if "：" in phrase else ": ")
    short = len(label.split()) <= _LABEL and len(label) <= _LABEL_LONG and len(rest) >= _TOLD
    if colon and short and not any(c.isdigit() or c in "/._" for c in label):
        phrase = rest  # "Rule of thumb: if …" is about what follows
    while (lead := _LEAD.match(phrase)) is not None and len(phrase) - lead.end() >= 4:
        phrase = phrase[lead.end() :]
    first = phrase.split(" ", 1)[0]
    # `utcnow` and test_x.py keep their case; a plain word starts with a capital
    return phrase[:1].upper() + phrase[1:] if first.isascii() and first.isalpha() else phrase


def _of_decision(candidate: Candidate, reading: Reading) -> str:
    """The choice; where that is too brief to be understood alone, with what it was about."""
    phrase = _phrase(candidate.main.text)
    phrase = _phrase(_from_clause(phrase, Act.DECISION)).strip(_EDGE)
    if len(phrase) > _limit(phrase) * 0.6:
        return shortened(phrase)
    chosen = _PARTICLES.sub("", phrase).strip(_EDGE) or phrase
    for part in (Part.QUESTION, Part.PROPOSAL, Part.TAKEN):
        about = _clauses(_phrase(_first_text(candidate, reading, part=part)), chosen)
        whole = f"{about} → {chosen}" if part is Part.QUESTION else f"{chosen}: {about}"
        if HAN.search(whole):
            whole = whole.replace(": ", "：", 1)
        if about and len(whole) <= _limit(whole):
            return whole
    return shortened(phrase)


def _clauses(text: str, chosen: str) -> str:
    """As much of a sentence as fits beside the choice: its first clauses, or none."""
    room = max(_limit(text) - len(chosen) - 3, 8)
    text = text.strip(_EDGE)
    if len(text) <= room:
        return text
    starts = [0, *(m.end() for m in _CLAUSE.finditer(text))]
    ends = [*(m.start() for m in _CLAUSE.finditer(text)), len(text)]
    spans = [text[a:b].strip(_EDGE) for a, b in zip(starts, ends, strict=True)]
    return next((s for s in spans if 4 <= len(s) <= room), "")


def _of_gotcha(candidate: Candidate, reading: Reading) -> str:
    """`failure: cause` where both fit, else one of them; in prose, not in printed output."""
    problem = _prose(candidate, reading, part=Part.PROBLEM)
    cause = _prose(candidate, reading, part=Part.CAUSE) or _prose(candidate, reading, part=Part.FIX)
    left, right = shortened(_phrase(problem)), shortened(_phrase(cause))
    if not left or not right:
        return left or right or shortened(_phrase(candidate.main.text))
    han = HAN.search(left + right) is not None
    both = f"{left}：{right}" if han else f"{left}: {right}"
    if len(both) <= _limit(both):
        return both
    # "why is it down again?" says less than what it was
    vague = len(left) * 2 < _limit(left) or problem.rstrip()[-1:] in "?？"
    return right if vague else left


def _prose(candidate: Candidate, reading: Reading, *, part: Part) -> str:
    """The first piece of a part that somebody said, rather than a program printed."""
    for one in candidate.pieces:
        if one.part is part and reading.utterances[one.turn].voice is not Voice.TOOL:
            words = _quote(one, reading)
            if _OUTPUT.search(words) is None:
                return words
    return ""


def _first_text(candidate: Candidate, reading: Reading, *, part: Part) -> str:
    return next((_quote(p, reading) for p in candidate.pieces if p.part is part), "")


def _of_talk(candidate: Candidate, reading: Reading, *, chinese: bool) -> str:
    """Who said what, and when; days that are told by counting from then are named."""
    lines = _said(candidate, reading, chinese=chinese)
    said_at = reading.utterances[candidate.main.turn].turn.turn.said_at
    if said_at is not None:
        words = " ".join(_quote(p, reading) for p in candidate.pieces)
        days = [f"{told} = {meant}" for told, meant in named(words, said_at)]
        when = "; ".join([day_of(said_at, chinese=chinese), *days])
        lines.append(f"（{when.replace('; ', '；')}）" if chinese else f"({when})")
    return "\n".join(lines)


def _said(candidate: Candidate, reading: Reading, *, chinese: bool) -> list[str]:
    """A line for each speaker in turn, with what was said one after the other."""
    lines: list[str] = []
    turn = -1
    for one in candidate.pieces:
        who = f"{called(reading.utterances[one.turn], chinese)}{'：' if chinese else ': '}"
        if lines and lines[-1].startswith(who):
            lines[-1] += _between(lines[-1], one.turn != turn) + _quote(one, reading)
        else:
            lines.append(who + _quote(one, reading))
        turn = one.turn
    return lines


def _between(line: str, another: bool) -> str:
    """What stands between two sentences; `another`: the second is of another message."""
    if another and line[-1].isalnum():
        return " / "  # no full stop tells them apart
    return "" if line[-1] in "。！？；…”’」』）" else " "


def _of_fact(candidate: Candidate, reading: Reading, *, chinese: bool) -> str:
    lines = _said(candidate, reading, chinese=chinese)
    said_at = reading.utterances[candidate.main.turn].turn.turn.said_at
    if said_at is not None and candidate.main.does(Act.TIME):
        # "yesterday" means nothing without the day on which it was said
        lines[-1] += f"（{said_at:%Y-%m-%d}）" if chinese else f" ({said_at:%Y-%m-%d})"
    return "\n".join(lines)


def called(speaker: Utterance, chinese: bool) -> str:
    """The name of who speaks, else the part they play."""
    if speaker.name:
        return speaker.name
    if speaker.voice is Voice.PERSON:
        return "用户" if chinese else "User"
    return "助手" if chinese else "Agent"


def _quote(one: Piece, reading: Reading) -> str:
    return " ".join(_words(one, reading, most=_QUOTE).split())


def _words(one: Piece, reading: Reading, *, most: int) -> str:
    return reading.utterances[one.turn].turn.turn.content[one.start : one.end].strip("\n")[:most]


def texts(candidate: Candidate, reading: Reading) -> Sequence[str]:
    """The words of all pieces, for naming things."""
    return [_words(p, reading, most=_CODE) for p in candidate.pieces]


def key(said: Said) -> str:
    """A sentence reduced to letters and digits: the same words give the same key."""
    return re.sub(r"[\W_]+", "", said.text).casefold()
