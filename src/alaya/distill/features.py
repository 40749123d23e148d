"""What an utterance looks like to the fitted weights: names of features, nothing else.

Two blocks. `shape` is structure: who speaks, what the sentences do, what stood before and what
follows, which rules fired. `words` is wording: words, pairs, Chinese characters in runs of two and
three, how sentences begin. A linear model over both (as for dialogue acts, Stolcke et al. 2000,
"Dialogue Act Modeling for Automatic Tagging and Recognition of Conversational Speech") weighs them;
no vectors of meaning are used, so the result is the same on every machine.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alaya.distill.acts import HAN, Act
from alaya.distill.candidates import Candidate
from alaya.distill.reading import Reading, Said, Utterance, Voice
from alaya.distill.topics import STOP
from alaya.model.speech import visible
from alaya.model.words import segment

_READ = 420  # characters of an utterance whose words are looked at, from its start
_ENDING = 160  # and from its end
_NEAR = 160  # of the utterances around it
_WORD = re.compile(r"[a-z][a-z']*|[\u3400-\u9fff]+|\d[\d.,:%]*|[?？!！]+")
_STRONG = 3.0  # score of a rule
_STEM = 6  # characters of an English word: `decided` and `decides` are one
_LENGTHS = (12, 25, 50, 100, 200, 400, 800)
_DIGIT = re.compile(r"\d")
_BOLD = re.compile(r"\*\*[^*\n]+\*\*")
_ITEMS = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)、])\s*", re.MULTILINE)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_CLAUSES = re.compile(r"[，,、；;→]|->|=>")
_ORDER = re.compile(r"先|再|然后|接着|最后|\b(?:first|then|next|after that|finally|before)\b|→|->")
_EMOJI = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")
_ACTS = tuple(a for a in Act if a)
_LETTER = {Voice.PERSON: "u", Voice.AGENT: "a", Voice.TOOL: "t"}


@dataclass(frozen=True)
class Features:
    """The features of one utterance."""

    shape: frozenset[str]
    words: frozenset[str]


def features(reading: Reading, proposed: Sequence[Candidate]) -> list[Features]:
    """The features of every utterance, in order. `proposed`: what the rules would make cards."""
    rules = _fired(proposed)
    plain = [plain_text(u) for u in reading.utterances]
    known = [frozenset(segment(p[:800]).words) - STOP for p in plain]
    talk = [u.index for u in reading.utterances if u.voice is not Voice.TOOL and u.said]
    out = []
    for one in reading.utterances:
        around = _around(one, talk, reading=reading)
        shape = _shape(one, plain[one.index], total=len(reading.utterances))
        shape |= _context(one, around, reading=reading, plain=plain)
        shape |= _echoes(one.index, around, known=known)
        shape |= {f"{_LETTER[one.voice]}:{r}" for r in rules.get(one.index, ())}
        for name, at in around.items():
            shape |= {f"{name}:{r}" for r in rules.get(at, ())}
        words = _wording(one, plain[one.index])
        for name in ("p", "n"):
            if name in around:
                words |= _nearby(
                    name, one, other=reading.utterances[around[name]], text=plain[around[name]]
                )
        out.append(Features(frozenset(shape), frozenset(words)))
    return out


def _fired(proposed: Sequence[Candidate]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for one in proposed:
        for turn in one.turns:
            own = "main" if turn == one.main.turn else "cites"
            found.setdefault(turn, set()).add(f"rule:{one.kind.value}:{own}")
            if one.score >= _STRONG:
                found[turn].add(f"rule:{one.kind.value}:strong")
    return found


def plain_text(one: Utterance) -> str:
    """The words of an utterance in lower case, code and what alaya had put there left out."""
    return _FENCE.sub(" ", visible(one.turn.turn)).translate({0x2019: "'"}).lower()


def _around(one: Utterance, talk: Sequence[int], *, reading: Reading) -> dict[str, int]:
    """The neighbours that talk: the one before (p), before that (pp), after (n), after that."""
    at = bisect_left(talk, one.index)
    before = talk[max(0, at - 2) : at]
    at = bisect_right(talk, one.index)
    after = talk[at : at + 2]
    return dict(zip(("p", "pp"), reversed(before), strict=False)) | dict(
        zip(("n", "nn"), after, strict=False)
    )


def _shape(one: Utterance, text: str, *, total: int) -> set[str]:
    v = _LETTER[one.voice]
    found = {f"{v}", f"{v}:calls={bool(one.turn.turn.tool_calls)}"}
    found |= {f"{v}:len<{n}" for n in _LENGTHS if len(text) < n}
    found |= {f"{v}:act:{a.name}" for a in _ACTS if one.acts & a}
    if one.said:
        found |= {f"{v}:first:{a.name}" for a in _ACTS if one.said[0].acts & a}
        found |= {f"{v}:last:{a.name}" for a in _ACTS if one.said[-1].acts & a}
        asks = [s for s in one.said if asking(s)]
        found.add(
            f"{v}:asks:{'none' if not asks else 'all' if len(asks) == len(one.said) else 'some'}"
        )
        found.add(f"{v}:ends:{'?' if asking(one.said[-1]) else '.'}")
        found.add(f"{v}:sentences:{min(len(one.said), 6)}")
        for s in one.said[:12]:
            pair = [a.name for a in _ACTS if s.acts & a][:5]
            found |= {f"{v}:{a}&{b}" for i, a in enumerate(pair) for b in pair[i + 1 :]}
    items = len(_ITEMS.findall(text))
    found.add(f"{v}:items:{0 if items < 2 else 2 if items < 4 else 4}")
    for name, n in (("clauses", len(_CLAUSES.findall(text))), ("order", len(_ORDER.findall(text)))):
        found |= {f"{v}:{name}>{least}" for least in (0, 1, 2, 3, 5) if n > least}
    for name, pattern in (("digit", _DIGIT), ("bold", _BOLD), ("emoji", _EMOJI), ("han", HAN)):
        if pattern.search(text):
            found.add(f"{v}:{name}")
    if "`" in text:
        found.add(f"{v}:tick")
    if one.code:
        found.add(f"{v}:code")
    if any(s.numbered for s in one.said) or "1)" in text or "→" in text or "->" in text:
        found.add(f"{v}:steps")
    if one.invented:
        found.add("invented")
    found.add(f"{v}:at:{min(one.index, 2)}")
    if one.index >= total - 2:
        found.add(f"{v}:end")
    return found


def asking(said: Said) -> bool:
    """Whether a sentence is put as a question."""
    return said.does(Act.QUESTION) or said.text.rstrip(" \"'”）)😂").endswith(("?", "？"))


def _context(
    one: Utterance, around: Mapping[str, int], *, reading: Reading, plain: Sequence[str]
) -> set[str]:
    v = _LETTER[one.voice]
    found = set()
    for step, name in ((-1, "before"), (1, "after")):
        at = one.index + step
        if 0 <= at < len(reading.utterances):
            found.add(f"{v}:{name}={_LETTER[reading.utterances[at].voice]}")
    for name in ("p", "pp", "n", "nn"):
        if name not in around:
            found.add(f"{v}:{name}=none")
            continue
        other = reading.utterances[around[name]]
        w = f"{v}:{name}{_LETTER[other.voice]}"
        text = plain[other.index]
        found.add(w)
        found |= {f"{w}:act:{a.name}" for a in _ACTS if other.acts & a}
        found |= {f"{w}:first:{a.name}" for a in _ACTS if other.said[0].acts & a}
        found.add(f"{w}:ends:{'?' if asking(other.said[-1]) else '.'}")
        found.add(f"{w}:calls={bool(other.turn.turn.tool_calls)}")
        found |= {f"{w}:len<{n}" for n in (25, 100, 400) if len(text) < n}
        if len(_ITEMS.findall(text)) >= 2 or text.count("|") > 4:
            found.add(f"{w}:items")
        if name == "p":
            short = "short" if len(plain[one.index]) < 40 else "long"
            found.add(f"{v}:{short}:{w}:ends:{'?' if asking(other.said[-1]) else '.'}")
            if other.does(Act.PROPOSAL | Act.OPTIONS):
                found.add(f"{v}:{short}:{w}:offers")
    earlier = reading.utterances[max(0, one.index - 6) : one.index]
    found |= {
        f"{v}:earlier:{name}"
        for name, act in (
            ("problem", Act.PROBLEM),
            ("options", Act.OPTIONS | Act.UNDECIDED),
            ("proposal", Act.PROPOSAL),
            ("cause", Act.CAUSE),
        )
        if any(u.does(act) for u in earlier)
    }
    if any(u.voice is Voice.TOOL for u in earlier):
        found.add(f"{v}:earlier:tool")
    return found


def _echoes(at: int, around: Mapping[str, int], *, known: Sequence[frozenset[str]]) -> set[str]:
    """How much of it the neighbours say, too: an agent that takes something up repeats it."""
    found = set()
    for name in ("p", "n"):
        if name in around and known[at]:
            other = known[around[name]]
            share = len(known[at] & other) / len(known[at])
            back = len(known[at] & other) / max(1, len(other))
            found |= {f"{name}:echo>{n}" for n in (0, 10, 25, 50) if share * 100 > n}
            found |= {f"{name}:back>{n}" for n in (0, 10, 25, 50) if back * 100 > n}
    return found


def tokens(text: str) -> list[str]:
    """Words as the weights know them: cut to six letters, numbers as `#`, Chinese as it stands."""
    out = []
    for word in _WORD.findall(text):
        if word[0].isdigit():
            out.append("#")
        elif word[0] in "?？!！":
            out.append(word[0])
        else:
            out.append(word[:_STEM] if word[0] < "\u3400" else word)
    return out


def grams(text: str, most: int = 3) -> set[str]:
    """Words, pairs and triples of them, and runs of Chinese characters."""
    found: set[str] = set()
    line: list[str] = []
    for word in tokens(text):
        if word[0] >= "\u3400" and word[0] <= "\u9fff":
            for n in (1, 2, 3)[:most]:
                found.update(word[i : i + n] for i in range(len(word) - n + 1))
            line = []
            continue
        line.append(word)
        for n in (1, 2, 3)[:most]:
            if len(line) >= n:
                found.add(" ".join(line[-n:]))
    return found


def _wording(one: Utterance, text: str) -> set[str]:
    v = _LETTER[one.voice]
    if one.voice is Voice.TOOL:
        return set()
    shown = text if len(text) <= _READ + _ENDING else f"{text[:_READ]}\n{text[-_ENDING:]}"
    found = {f"{v}:{g}" for g in grams(shown)}
    for s in (*one.said[:3], *one.said[3:][-2:]):
        opening = tokens(s.text.lower()[:24])
        if opening and opening[0][0] >= "\u3400":
            found |= {f"{v}^{opening[0][:n]}" for n in (1, 2, 3)}
        else:
            found |= {f"{v}^{' '.join(opening[:n])}" for n in (1, 2)}
    return found


def _nearby(name: str, one: Utterance, *, other: Utterance, text: str) -> set[str]:
    v = f"{_LETTER[one.voice]}:{name}{_LETTER[other.voice]}"
    near = text[-_NEAR:] if name == "p" else text[:_NEAR]
    found = {f"{v}:{g}" for g in grams(near, 2)}
    if name == "n":
        opening = tokens(text[:24])
        if opening:
            first = opening[0][:2] if opening[0][0] >= "\u3400" else opening[0]
            found.add(f"{v}^{first}")
    return found
