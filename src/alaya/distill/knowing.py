"""A distiller that asks the model for entities and facts beside the cards.

Where a budget or an outage stops the run before the facts of a session were answered, its cards
wait, too: what was answered is kept (`calls.py`), so that going on costs no second call. Where the
model has no usable answer about facts, the cards stand alone; the reply is parked, and the report
says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from alaya.distill.calls import Asker
from alaya.distill.llm import ModelDistiller
from alaya.distill.llm_facts import Asked, ask_facts, facts_calls
from alaya.distill.windows import spoken
from alaya.distill.work import Drafted, Work
from alaya.model.call import Answered, Estimate, Unanswered
from alaya.model.graph import Entity
from alaya.model.passage import Where
from alaya.model.raw import ArchivedTurn
from alaya.model.scope import Scope
from alaya.model.speech import is_speech, visible
from alaya.ports import GraphReader

_SHORTEST = 2  # characters of a name that is looked for inside a text


@dataclass(frozen=True)
class KnowingDistiller:
    """Drafts with cards, entities and facts; see `Drafter`."""

    cards: ModelDistiller
    index: GraphReader

    @property
    def name(self) -> str:
        return self.cards.name

    @property
    def model(self) -> str:
        return self.cards.model

    @property
    def asker(self) -> Asker:
        return self.cards.asker

    def drafts(self, works: Iterable[Work]) -> Iterator[Drafted]:
        """See `ModelDistiller.drafts`."""
        for drafted in self.cards.drafts(works):
            if drafted.draft is None:
                yield drafted
                continue
            known = self._known(drafted)
            found, answers = ask_facts(self.asker, known, window=self.cards.window_tokens)
            failed = [answer for answer in answers if isinstance(answer, Unanswered)]
            if stopped := next((one for one in failed if one.stop), None):
                yield replace(drafted, draft=None, failed=stopped)
                continue
            answered = [answer for answer in answers if isinstance(answer, Answered)]
            draft = replace(
                drafted.draft,
                entities=tuple(found.entities),
                facts=tuple(found.facts),
                dropped=drafted.draft.dropped + len(found.rejected),
                tokens_in=drafted.draft.tokens_in + sum(a.tokens_in for a in answered),
                tokens_out=drafted.draft.tokens_out + sum(a.tokens_out for a in answered),
                raw="\n\n".join(filter(None, [drafted.draft.raw, *(a.raw for a in answered)])),
            )
            lacking = f"facts: {failed[0].reason}" if failed else ""
            yield replace(drafted, draft=draft, lacking=lacking)

    def estimate(self, works: Iterable[Work]) -> Iterator[tuple[Sequence[Work], Estimate]]:
        """See `ModelDistiller.estimate`; facts are counted by themselves."""
        for some, estimate in self.cards.estimate(works):
            yield some, estimate
            for work in some:
                asked = _asked(work, work.turns)
                calls = facts_calls(asked, window=self.cards.window_tokens)
                yield (), self.asker.estimate(calls)

    def _known(self, drafted: Drafted) -> Asked:
        """The turns that the draft covers, and those known entities that they name."""
        work, upto = drafted.work, drafted.draft.last if drafted.draft else 0
        asked = _asked(work, [turn for turn in work.turns if turn.ordinal < upto])
        text = "\n".join(visible(archived.turn) for archived in asked.turns).casefold()
        user = Where(Scope(work.session.scope.user))
        return replace(asked, known=tuple(e for e in self.index.entities(user) if _named(e, text)))


def _asked(work: Work, turns: Sequence[ArchivedTurn]) -> Asked:
    said = tuple(turn for turn in turns if is_speech(turn.turn))
    return Asked(work.session, said, language=spoken(said))


def _named(entity: Entity, text: str) -> bool:
    names = (entity.name, *entity.aliases)
    return any(len(name) >= _SHORTEST and name.casefold() in text for name in names)
