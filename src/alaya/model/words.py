"""One pure segmenter for everything that is indexed or looked up by words, in any script.

Text is normalised (NFKC, casefold) and split at script borders. Scripts written without spaces
(Han, kana, Hangul, Thai …) become overlapping bigrams, and single characters in a list of their
own; other words stand as they are, with their parts (`plugins.allow`, `plugins`, `allow`) and,
where a stemmer is given, their stem beside them. Emoji are words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

Stemmer = Callable[[str], str]

DENSE = (  # scripts without spaces, as the inside of a character class
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3100-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
EMOJI = "\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\U0001f000-\U0001faff"
_PIECE = re.compile(
    rf"(?P<dense>[{DENSE}]+)"
    rf"|(?P<emoji>[{EMOJI}])"
    rf"|(?P<word>\.?[^\W_{DENSE}](?:[^\W{DENSE}]|[+#.\-/@:'’&](?=[^\W{DENSE}+#]))*(?:\+\+|\+|#)?)"
)
_RUN = re.compile(f"[{DENSE}]+")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
PARTS = re.compile(r"[^\W_]+")
CLITIC = re.compile(r"['’](?:s|t|re|ve|ll|d|m)$", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_DROPPED = dict.fromkeys([0x200D, 0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)])
_JOINER = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
_LONGEST = 64  # what is longer is no word: base64, hashes of blobs, minified code


@dataclass(frozen=True)
class Words:
    """`words`: bigrams and words in order, with repeats. `chars`: single dense characters."""

    words: tuple[str, ...]
    chars: tuple[str, ...]


def normal(text: str) -> str:
    """The text as it is compared: joiners and variants dropped first, since NFKC then composes."""
    kept = text.translate(_DROPPED) if _JOINER.search(text) else text
    return unicodedata.normalize("NFKC", kept)


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """The pieces of a text in order, each with its kind: dense, emoji or word."""
    for piece in _PIECE.finditer(normal(text)):
        yield piece.lastgroup or "word", piece[0]


def segment(text: str, stem: Stemmer | None = None) -> Words:
    """The terms of a text, in order."""
    words: list[str] = []
    chars: list[str] = []
    for piece in _PIECE.finditer(normal(text)):
        if piece.lastgroup == "dense":
            run = piece[0].casefold()
            words.extend(run[i : i + 2] for i in range(len(run) - 1))
            chars.extend(run)
        elif piece.lastgroup == "emoji":
            words.append(piece[0])
        else:
            words.extend(_word(piece[0], stem))
    return Words(tuple(words), tuple(chars))


def holder(terms: Collection[str], stem: Stemmer | None = None) -> Callable[[str], frozenset[str]]:
    """A function that tells which of `terms` `segment` finds in a text, without segmenting it."""
    dense = [term for term in terms if len(term) <= 2 and _RUN.fullmatch(term)]
    others = frozenset(terms).difference(dense)

    def held(text: str) -> frozenset[str]:
        plain = normal(text)
        found = {term for term in dense if term in plain}
        if others:
            for piece in _PIECE.finditer(plain):
                if piece.lastgroup == "word":
                    found.update(others.intersection(_word(piece[0], stem)))
                elif piece.lastgroup == "emoji" and piece[0] in others:
                    found.add(piece[0])
        return frozenset(found)

    return held


def query_terms(text: str, stem: Stemmer | None = None) -> Words:
    """The terms to look a text up by, each once.

    Single characters are looked up only where nothing longer covers them: a run of one character.
    """
    words: dict[str, None] = {}
    chars: dict[str, None] = {}
    for piece in _PIECE.finditer(normal(text)):
        if piece.lastgroup == "dense" and len(piece[0]) == 1:
            chars[piece[0].casefold()] = None
        else:
            words.update(dict.fromkeys(segment(piece[0], stem).words))
    return Words(tuple(words), tuple(chars))


def script(text: str) -> str:
    """`han` where Chinese characters are at least a quarter of the letters, else `latin`.

    Cosines of multilingual models differ more between scripts than between topics, so similarity
    is calibrated for each pair of them.
    """
    sample = text[:2000]
    han = _length(_HAN, sample)
    return "han" if han and han * 4 >= _length(_LETTERS, sample) else "latin"


def han_share(text: str) -> float:
    """How much of a text is in Chinese characters, 0..1, by tokens: four other letters are one.

    Developers write both in one sentence, and where such a text's cosines stand depends on the mix.
    """
    sample = text[:2000]
    han = _length(_HAN, sample)
    others = (_length(_LETTERS, sample) - han) / 4
    return han / (han + others) if han else 0.0


def tokens(text: str) -> int:
    """An estimate of model tokens: one for a dense character, one for four of the others."""
    dense = _length(_RUN, text)
    return dense + (len(text) - dense + 3) // 4


def _length(runs: re.Pattern[str], text: str) -> int:
    return sum(map(len, runs.findall(text)))


def _word(raw: str, stem: Stemmer | None) -> tuple[str, ...]:
    return _short_word(raw, stem) if len(raw) <= _LONGEST else _cut_up(raw, stem)


@lru_cache(maxsize=16_384)  # the words of a text repeat, and so do those of texts
def _short_word(raw: str, stem: Stemmer | None) -> tuple[str, ...]:
    return _cut_up(raw, stem)


def _cut_up(raw: str, stem: Stemmer | None) -> tuple[str, ...]:
    whole = raw.casefold()
    out = [whole] if len(whole) <= _LONGEST else []
    if whole[-1] not in "+#":  # C++ and C# are not C
        # of `it's` only `it` is a part, of `a.b` both are
        pieces = PARTS.findall(CLITIC.sub("", raw))
        parts = [part.casefold() for piece in pieces for part in CAMEL.split(piece)]
        if parts != [whole]:
            out.extend(part for part in parts if len(part) <= _LONGEST)
    if stem is not None:
        for word in tuple(out):
            if word.isascii() and word.isalpha() and (root := stem(word)) not in ("", word):
                out.append(root)
    return tuple(out)
