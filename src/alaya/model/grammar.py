"""Words that only hold a sentence together, in English and Chinese."""

from __future__ import annotations

# Words that carry grammar, not a topic. Not a stop list: alone, they are still looked up.
_GRAMMAR = frozenset(
    """a about after again all also am an and any are as at be been before being but by can could
    did do does doing done for from get got had has have having he her here him his how i if in
    into is it its just know let like may me might mine my no not now of on or our out over please
    say said shall she should so some tell than that the their them then there these they this
    those to today told tomorrow too under up us very was we were what when where which while who
    whom whose why will with would yesterday you your""".split()  # noqa: SIM905
)
_GRAMMAR_HAN = frozenset(
    "的了是在我你他她它们这那哪个么什怎吗呢吧啊呀和与及或把被给让对从到就都也还很会能可以要有没不请问"
    "谁何为如之其些样上次下里时候说过告诉知道关于今昨明天现"
)


def is_grammar(term: str) -> bool:
    """Whether a term only holds a sentence together."""
    return term in _GRAMMAR or all(char in _GRAMMAR_HAN for char in term)
