"""A distiller that asks the model for entities and facts beside the cards.

Where the facts of a session were not answered, its cards wait, too, since what is not answered is
not taken for done; what was answered is kept (`calls.py`), so that going on costs no second call.
A model that never has a usable answer about facts need not be asked: `distill.facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from alaya.distill.calls import Asker
from alaya.distill.learning import spoken_of
from alaya.distill.llm import ModelDistiller
from alaya.distill.llm_facts import Asked, facts_calls, with_facts
from alaya.distill.prompts.texts import Prompt
from alaya.distill.windows import spoken
from alaya.distill.work import Drafted, Work
from alaya.model.call import Estimate
from alaya.model.raw import ArchivedTurn
from alaya.model.record import Draft
from alaya.model.speech import is_speech, visible
from alaya.ports import GraphReader

_SWITCH = "(distill.facts false: cards alone)"


@dataclass(frozen=True)
class KnowingDistiller:
    """Drafts with cards, entities and facts; see `Drafter`.

    `prompt` gives the words about facts for a language; None: those of the package.
    """

    cards: ModelDistiller
    index: GraphReader
    prompt: Callable[[str], Prompt] | None = None

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
            draft, failed = with_facts(
                drafted.draft,
                self._asked(drafted.work, drafted.draft),
                asker=self.asker,
                window=self.cards.window_tokens,
            )
            if failed:
                first = next((one for one in failed if one.stop), failed[0])
                why = first.reason if first.stop else f"facts: {first.reason} {_SWITCH}"
                yield replace(drafted, draft=None, failed=replace(first, reason=why))
                if first.stop:
                    return
                continue
            yield replace(drafted, draft=draft)

    def estimate(self, works: Iterable[Work]) -> Iterator[tuple[Sequence[Work], Estimate]]:
        """See `ModelDistiller.estimate`; facts are counted by themselves."""
        for some, estimate in self.cards.estimate(works):
            yield some, estimate
            for work in some:
                asked = self._shown(work, work.turns)
                calls = facts_calls(asked, window=self.cards.window_tokens)
                yield (), self.asker.estimate(calls)

    def _asked(self, work: Work, draft: Draft) -> Asked:
        """The turns that a draft covers, and those known entities that they name."""
        asked = self._shown(work, [turn for turn in work.turns if turn.ordinal < draft.last])
        return replace(asked, known=tuple(spoken_of(self.index, work.session, turns=asked.turns)))

    def _shown(self, work: Work, turns: Sequence[ArchivedTurn]) -> Asked:
        # What is nothing but alaya's own words says nothing: nobody is asked about it.
        said = tuple(t for t in turns if is_speech(t.turn) and visible(t.turn).strip())
        language = spoken(said)
        words = "" if self.prompt is None else self.prompt(language).text
        return Asked(work.session, said, language=language, prompt=words)
