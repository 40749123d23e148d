"""What of a question is looked up by words: what it is about, not what holds it together."""

from __future__ import annotations

from alaya.model.grammar import is_grammar
from alaya.model.words import CLITIC, PARTS, Stemmer, Words, pieces, query_terms


def topical_terms(text: str, stem: Stemmer | None = None) -> Words:
    """As `words.query_terms`, without grammar: all of them where there is nothing else.

    Whether a word is grammar is asked before it is stemmed: `very` is, its stem is no word.
    """
    words: dict[str, None] = {}
    chars: dict[str, None] = {}
    for kind, piece in pieces(text):
        found = query_terms(piece, stem)
        if kind == "dense":
            words.update(dict.fromkeys(t for t in found.words if not is_grammar(t)))
            chars.update(dict.fromkeys(t for t in found.chars if not is_grammar(t)))
        elif kind == "emoji" or not _holds_together(piece):
            words.update(dict.fromkeys(found.words))
    if words or chars:
        return Words(tuple(words), tuple(chars))
    return query_terms(text, stem)


def _holds_together(word: str) -> bool:
    parts = PARTS.findall(CLITIC.sub("", word.casefold()))
    return all(is_grammar(part) for part in parts)
