"""The distiller that asks a model: sessions to calls, replies to drafts.

Short sessions share a call; a long one is read window by window, each told what was found before.
What came of a session in a shared call is kept as if it had been asked alone, so that an
interruption between two of them costs no second call, whatever is to be distilled next time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from alaya.distill.calls import Asker
from alaya.distill.prompts.cards import SCHEMA, Asked, question
from alaya.distill.prompts.texts import Prompt
from alaya.distill.proposals import Found, Gate
from alaya.distill.select import content_hash
from alaya.distill.shared import shares
from alaya.distill.windows import Window, language, windows
from alaya.distill.work import Drafted, Work
from alaya.model.call import Answered, Call, Estimate, Unanswered
from alaya.model.record import Draft
from alaya.model.words import Stemmer

STAGE = "distill"
_TOGETHER = 8  # sessions in one call: with more, a small model confuses them


@dataclass(eq=False)
class _Part:
    """A session on its way: its windows, and what was found in those that were read."""

    work: Work
    windows: Sequence[Window]
    language: str
    found: Found
    at: int = 0
    upto: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    prompt_hash: str = ""
    raw: list[str] = field(default_factory=list)
    failed: Unanswered | None = None

    @property
    def asked(self) -> Asked:
        return Asked(self.work.session, self.windows[self.at], self.found.shown)

    @property
    def done(self) -> bool:
        return self.failed is not None or self.at >= len(self.windows)


@dataclass(frozen=True)
class ModelDistiller:
    """Drafts by a model. `prompt` gives the words for a language.

    `window_tokens`: of conversation in one call.
    """

    asker: Asker
    prompt: Callable[[str], Prompt]
    stem: Stemmer | None = None
    gate: Gate = Gate(0.0, 10)
    window_tokens: int = 6000

    @property
    def name(self) -> str:
        return self.asker.llm.name

    @property
    def model(self) -> str:
        return self.asker.llm.name

    def drafts(self, works: Iterable[Work]) -> Iterator[Drafted]:
        """See `Drafter`: `concurrency` calls side by side; read ahead are the sessions of these.

        Raises ConfigError for a prompt, key, URL or model that cannot be used.
        """
        waiting = self._units(works)
        split: list[list[_Part]] = []
        active: list[list[_Part]] = []
        while True:
            while len(active) < max(1, self.asker.concurrency):
                unit = split.pop(0) if split else next(waiting, None)
                if unit is None:
                    break
                active.append(unit)
            if not active:
                return
            asked = [unit for unit in active if not unit[0].done]
            answers = self.asker.ask_all([self._call(unit) for unit in asked])
            for unit, answer in zip(asked, answers, strict=True):
                split += self._taken(unit, answer)
            futile = next((a for a in answers if isinstance(a, Unanswered) and a.stop), None)
            apart = [part for unit in split for part in unit]
            active = [[p for p in unit if p not in apart] for unit in active]
            for part in [part for unit in active for part in unit]:
                if futile is not None and not part.done:
                    part.failed = futile
                if part.done:
                    yield self._drafted(part)
            if futile is not None:
                return
            active = [unit for unit in active if unit and not unit[0].done]

    def estimate(self, works: Iterable[Work]) -> Iterator[tuple[Sequence[Work], Estimate]]:
        """For sessions that share a call what it would take; nothing is asked.

        Of a long session every window counts, without what will be known by then.
        """
        for unit in self._units(works):
            calls = []
            while not unit[0].done:
                calls.append(self._call(unit))
                for part in unit:
                    part.at += 1
            yield [part.work for part in unit], self.asker.estimate(calls)

    def _units(self, works: Iterable[Work]) -> Iterator[list[_Part]]:
        """Sessions that share a call: short ones of one language, as long as they fit."""
        packs: dict[str, list[_Part]] = {}
        for work in works:
            part = self._part(work)
            if len(part.windows) != 1 or self.asker.kept(self._call([part])) is not None:
                yield [part]
                continue
            pack = packs.setdefault(part.language, [])
            size = sum(one.windows[0].tokens for one in pack) + part.windows[0].tokens
            if pack and (size > self.window_tokens or len(pack) >= _TOGETHER):
                yield pack
                pack = packs[part.language] = []
            pack.append(part)
        yield from (pack for pack in packs.values() if pack)

    def _part(self, work: Work) -> _Part:
        found = windows(work, self.window_tokens)
        tongue = language([line for window in found for line in window.lines])
        upto = work.turns[-1].ordinal + 1 if work.turns else 0
        return _Part(work, found, tongue, Found(work.known), upto=0 if found else upto)

    def _call(self, unit: Sequence[_Part]) -> Call:
        tongue = unit[0].language
        return Call(
            stage=STAGE,
            system=self.prompt(tongue).text,
            user=question([part.asked for part in unit], tongue),
            schema=SCHEMA,
            about=tuple(part.work.session.id for part in unit),
            language=tongue,
        )

    def _taken(self, unit: list[_Part], answer: Answered | Unanswered) -> list[list[_Part]]:
        """Give each session its share; returns those that are to be asked alone after all."""
        if isinstance(answer, Unanswered):
            if len(unit) > 1 and not answer.stop:
                return [[part] for part in unit]
            for part in unit:
                part.failed = answer
            return []
        parts = [part.asked for part in unit]
        total = sum(part.windows[part.at].tokens for part in unit)
        for part, share in zip(unit, shares(answer.value, parts), strict=True):
            if len(unit) > 1:
                text = json.dumps(share, ensure_ascii=False)
                self.asker.keep(self._call([part]), text)
            part.raw.append(answer.raw if len(unit) == 1 else text)
            window = part.windows[part.at]
            part.tokens_in += answer.tokens_in * window.tokens // total
            part.tokens_out += answer.tokens_out * window.tokens // total
            part.prompt_hash = answer.prompt_hash
            part.found.take(share, window.lines, gate=self.gate, stem=self.stem)
            part.at, part.upto = part.at + 1, window.upto
        return []

    def _drafted(self, part: _Part) -> Drafted:
        if part.failed is not None and part.at == 0:
            return Drafted(part.work, None, part.failed)
        cards, links, dropped = part.found.chosen(self.gate)
        read = [turn for turn in part.work.turns if turn.ordinal < part.upto]
        draft = Draft(
            session=part.work.session.id,
            distiller=self.name,
            content_hash=content_hash(read),
            first=read[0].ordinal if read else 0,
            last=part.upto,
            cards=cards,
            links=links,
            known=tuple(card for card, _ in part.work.known),
            dropped=dropped,
            unsupported=part.found.unsupported,
            prompt_hash=part.prompt_hash or None,
            tokens_in=part.tokens_in,
            tokens_out=part.tokens_out,
            raw="\n\n".join(part.raw) or None,
        )
        return Drafted(part.work, draft, part.failed)
