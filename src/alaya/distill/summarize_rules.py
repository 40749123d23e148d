"""How summaries are made, and what is read for it."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from alaya.distill.calls import Asker
from alaya.distill.segments import Cut
from alaya.distill.summarize_changes import Known
from alaya.distill.summarize_prompts import Words, shipped_words
from alaya.distill.summarize_quotes import Rarity
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import SessionState
from alaya.model.scope import Scope
from alaya.model.words import Stemmer
from alaya.ports import Index

NAME = "summary-rules-1"


@dataclass(frozen=True)
class Summing:
    """How summaries are made. `asker` None: by rules. `model`: whose vectors are compared.

    `words`: what a model is asked. `close`: every session is over. `redistill`: sessions are
    summed up again from their first turn.
    """

    cut: Cut = Cut()
    theme_threshold: float = 0.45
    asker: Asker | None = None
    model: str | None = None
    stem: Stemmer | None = None
    close: bool = False
    redistill: bool = False
    words: Words = shipped_words

    @property
    def name(self) -> str:
        """Who makes them."""
        return NAME if self.asker is None else self.asker.llm.name


def known_of(index: Index, user: str, *, session: str | None = None) -> Known:
    """The summaries of a user, of one session where given, also forgotten ones."""
    every = index.summaries(Where(Scope(user), include_forgotten=True), session)
    seen = {s.id for s in index.summaries(Where(Scope(user)), session)}
    return Known(tuple(every), frozenset(s.id for s in every if s.id not in seen))


def is_over(state: SessionState, rules: Summing, *, now: datetime) -> bool:
    """Whether nothing more is expected in a session."""
    last = state.last_said_at or state.session.started_at
    return rules.close or now - last > rules.cut.silence


def rarity_of(index: Index) -> Rarity:
    """Weighs words by how seldom turns of the whole memory have them."""

    def weights(words: Collection[str]) -> dict[str, float]:
        total, held = index.frequencies([*words], ItemKind.TURN)
        return {word: math.log(1 + (total + 1) / (held.get(word, 0) + 1)) for word in words}

    return weights
