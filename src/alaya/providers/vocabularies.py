"""Counting tokens with the vocabularies of `splintr`, which brings them along: no network."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from alaya.model.tokens import ESTIMATE, TokenCounter

USUAL = "o200k_base"  # of the models of OpenAI since GPT-4o


def counter(name: str) -> TokenCounter:
    """What counts as the vocabulary `name` does (`auto`: o200k_base), else the estimate, and why.

    Control tokens in a text count as the text they are. Texts hold no lone surrogates.
    """
    from splintr import Tokenizer

    wanted = USUAL if name == "auto" else name
    try:
        vocabulary: Any = Tokenizer.from_pretrained(wanted)
    except ValueError:
        return replace(ESTIMATE, why=f"tokens are estimated: splintr has no vocabulary {wanted}")
    return TokenCounter(wanted, lambda text: len(vocabulary.encode_ordinary(text)))
