"""The segmenter, for any text."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from alaya.model.forms import forms, terms
from alaya.model.topical import topical_terms
from alaya.model.words import holder, query_terms, script, segment, tokens
from alaya.testing.strategies import WILD

_MANY = WILD | st.text(
    st.sampled_from("aB9.'+#-_/ 网配ァｶﾞ한\u1100\u1161\u200d\ufe0f👍🏽❤\u0301İßﬃ²①")
)


def stem(word: str) -> str:
    return word.removesuffix("s")


@given(_MANY)
@example("\u1100\u200d\u1161")  # jamo that a joiner kept apart
def test_a_text_finds_itself(text) -> None:
    """Every term that a text is looked up by is a term that it is indexed by."""
    indexed, asked = segment(text, stem), query_terms(text, stem)
    assert set(asked.words) <= set(indexed.words)
    assert set(asked.chars) <= set(indexed.chars)
    assert bool(asked.words or asked.chars) == bool(indexed.words or indexed.chars)


@given(_MANY)
def test_one_form(text) -> None:
    """Compatible forms, case of ASCII and variation selectors make no difference."""
    found = segment(text)
    assert segment(unicodedata.normalize("NFKC", text)) == found
    assert segment(text.replace("\ufe0f", "")) == found


@given(_MANY)
def test_terms(text) -> None:
    """A term has no space in it, can be stored, and is folded."""
    found = segment(text, stem)
    for term in (*found.words, *found.chars):
        assert term
        assert not any(c.isspace() or c == "\x00" for c in term)
        assert term.encode()
        assert len(term) <= 200
    assert all(len(char) >= 1 for char in found.chars)


@given(_MANY, _MANY)
def test_parts_of_a_text(one, other) -> None:
    """What a line finds alone is found in a longer text that holds the line."""
    whole = segment(f"{one}\n{other}", stem)
    for part in (one, other):
        asked = query_terms(part, stem)
        assert set(asked.words) <= set(whole.words)
        assert set(asked.chars) <= set(whole.chars)


@given(_MANY, _MANY, st.booleans())
def test_held(text, question, stemmed) -> None:
    """The terms of a question that a text holds are those that it would be indexed by."""
    used = stem if stemmed else None
    asked = query_terms(question, used)
    indexed = segment(text, used)
    expected = {*asked.words, *asked.chars} & {*indexed.words, *indexed.chars}
    assert holder([*asked.words, *asked.chars], used)(text) == expected


@given(_MANY)
def test_estimates(text) -> None:
    """The estimate of tokens and the script are defined for any text."""
    assert 0 <= tokens(text) <= len(text)
    assert (tokens(text) > 0) == bool(text)
    assert script(text) in ("han", "latin")


@given(_MANY | st.sampled_from(["《网 关》", "he met Ada\x85Lovelace", "a\u3000b\n《》《\n》"]))
def test_forms_can_be_stored(text) -> None:
    """No term holds a space and no name is empty: joined and split again they are the same."""
    found = forms(text, stem)
    assert tuple(" ".join(found.terms).split()) == found.terms
    names = "\n".join(found.names)
    assert (tuple(names.split("\n")) if names else ()) == found.names
    for one in (*found.names, found.heading, " ".join(terms(text, stem, grammar=True))):
        assert " ".join(one.split()) == one
        assert one.encode().decode() == one
    assert forms(text, stem) == found


@given(_MANY)
def test_topical(text) -> None:
    """What is looked up is some of the text's terms, and something wherever there is any."""
    every, asked = query_terms(text, stem), topical_terms(text, stem)
    assert set(asked.words) <= set(every.words)
    assert set(asked.chars) <= set(every.chars)
    assert bool(asked.words or asked.chars) == bool(every.words or every.chars)
