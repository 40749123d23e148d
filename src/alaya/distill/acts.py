"""What a sentence does: a set of acts, found by cues of its language.

A cue is a regular expression over the folded sentence (lower case, straight quotes) that may be
called off by another one. Acts come in strengths where the words do: `it turns out` announces a
cause, `because` may.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Flag, auto


class Act(Flag):
    """What a sentence can do. A pair X / MAYBE_X is the strong and the weak form."""

    NONE = 0
    QUESTION = auto()
    TENTATIVE = auto()  # might be, could try, if we were to
    REQUEST = auto()  # asks the other to do something
    PROBLEM = auto()
    MAYBE_PROBLEM = auto()
    CAUSE = auto()
    MAYBE_CAUSE = auto()
    FIX = auto()
    MAYBE_FIX = auto()
    SUCCESS = auto()
    STILL = auto()  # still fails, did not help
    UNRESOLVED = auto()  # given up, put off
    DECISION = auto()
    MAYBE_DECISION = auto()
    ORDER = auto()  # how it shall be: keep X, no Y, put it behind a flag
    TERSE = auto()  # decides where it is all that is said: "june then", "no orm", "b"
    UNDECIDED = auto()
    PROPOSAL = auto()
    ACCEPT = auto()
    REASON = auto()
    OPTIONS = auto()
    LESSON = auto()  # a rule of experience, said to be one
    RULE = auto()  # always, never, make sure
    PITFALL = auto()  # watch out
    WHEN = auto()  # before, whenever, each time
    STEPS = auto()  # first … then …
    HOW = auto()  # asks how something is done
    DEFINITION = auto()
    WHAT = auto()  # asks what something is
    PERSONAL = auto()  # a durable fact about who speaks
    EVENT = auto()  # something the speaker did, does or will do
    TASTE = auto()
    PROJECT = auto()  # how we or our things are
    MAYBE_PROJECT = auto()
    STANDING = auto()  # from now on; a lasting instruction
    REMEMBER = auto()  # for you to know
    REACTION = auto()  # about the other's words, not about the world
    CREATIVE = auto()  # asks for invented or translated text
    REWRITE = auto()  # asks for another version of it
    IMAGINED = auto()
    SWITCH = auto()  # by the way
    TIME = auto()  # yesterday, on Friday, in 2019
    NOTED = auto()  # the agent says that it will keep something in mind
    TRANSIENT = auto()  # tired, hungry, the weather: true for an hour
    VITAL = auto()  # allergies, names, birthdays …: wrong to forget


@dataclass(frozen=True)
class Cue:
    """`found` marks `act` unless `unless` is found too."""

    act: Act
    found: re.Pattern[str]
    unless: re.Pattern[str] | None = None


_FOLD = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": " "})
HAN = re.compile(r"[\u3400-\u9fff]")
# How people type in chats: without apostrophes, and in short forms.
_CONTRACTIONS = """
    let's don't doesn't didn't won't can't isn't aren't wasn't couldn't shouldn't wouldn't hasn't
    haven't hadn't i'm i've that's there's what's here's you're they're we've you've he's she's
    who's
"""
_SHORT_FORMS = """
    w/=with w/o=without bc=because b/c=because cuz=because cos=because coz=because thx=thanks
    ty=thanks tmrw=tomorrow pls=please plz=please u=you ur=your abt=about k=ok kk=ok okey=ok
    yea=yeah ya=yes ye=yes prob=probably def=definitely gonna=going_to wanna=want_to
    gotta=have_to dunno=don't_know idk=i_don't_know nvm=never_mind rn=right_now
"""
_SPELLED = {w.replace("'", ""): w for w in _CONTRACTIONS.split()} | {
    short: long.replace("_", " ")
    for short, long in (pair.split("=") for pair in _SHORT_FORMS.split())
}
_CASUAL = re.compile(
    r"(?<![\w./-])(?:"
    + "|".join(sorted(map(re.escape, _SPELLED), key=len, reverse=True))
    + r")(?![\w'./-])"
)
_BORDER = re.compile(r"(?<=[\u3400-\u9fff]) (?=[a-z0-9])|(?<=[a-z0-9]) (?=[\u3400-\u9fff])")
LATIN = re.compile(r"[A-Za-z]{2}")


def cue(act: Act, found: str, *, unless: str = "") -> Cue:
    """A cue from expressions over lower-case text.

    A final `\\b` asks for the end of a word only behind a word: `fix:` and `note,` end as well.
    """
    if found.endswith(r"\b"):
        found = found[:-2] + r"(?:(?<=\W)|\b)"
    return Cue(
        act,
        re.compile(found),
        re.compile(unless) if unless else None,
    )


def fold(text: str) -> str:
    """Lower case with straight quotes and without backticks, of about the same length."""
    folded = text.translate(_FOLD).lower()
    # "6 月 3 号" and "用 Go 写": spaces at script borders are typography, not words
    if HAN.search(folded):
        return _BORDER.sub("", folded)
    return _CASUAL.sub(lambda m: _SPELLED[m[0]], folded)


def acts(folded: str, cues: Iterable[Cue]) -> Act:
    """All acts that these cues find in a folded sentence."""
    bits = 0  # plain integers: the operators of Flag cost more than the search
    for one in cues:
        if one.found.search(folded) and not (one.unless and one.unless.search(folded)):
            bits |= one.act.value
    return Act(bits)
