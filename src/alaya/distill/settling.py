"""Who is meant where names alone do not tell: by the meaning of what is told, else by a model.

Asked before anything is decided, so that no lock is held and no transaction waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from alaya.distill.calls import Asker
from alaya.distill.entities import Familiar, Unclear
from alaya.distill.learning import familiar, learned
from alaya.distill.reconcile import TurnOf
from alaya.model.call import Answered, Call
from alaya.model.graph import Entity
from alaya.model.raw import Session
from alaya.model.record import Draft
from alaya.model.similarity import mixed_similarity
from alaya.model.words import han_share
from alaya.ports import Embedder, GraphReader

STAGE = "same"
Similar = Callable[[str, str], float]  # calibrated, 0..1
_ALIKE, _AHEAD = 0.6, 0.15  # as similar as this, and so much more than the next one
_TOLD = 6  # facts that are shown of one
PROMPTS = {
    "en": """A conversation speaks of somebody or something. Which of the known ones, E1 …, is it?
`same` is its number; empty if it is none of them, or if nothing tells.""",
    "zh": """对话里提到了一个人或事物。它是已知的 E1 …… 中的哪一个？
same 写它的编号；都不是，或者看不出来，就留空。""",
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"same": {"type": "string"}},
    "required": ["same"],
}


def settle(
    index: GraphReader,
    session: Session,
    *,
    draft: Draft,
    turn: TurnOf,
    similar: Similar | None = None,
    asker: Asker | None = None,
    language: str = "en",
) -> dict[int, str]:
    """For each position of a draft that names alone leave unclear, the id that it is.

    Empty where a model says that it is none of the known; absent where nobody could tell.
    """
    known = familiar(index, session, draft=draft, turn=turn)
    found: dict[int, str] = {}
    rest: list[Unclear] = []
    for one in learned(draft, session, familiar=known, turn=turn).unclear:
        nearest = _nearest(one, draft, known=known, similar=similar)
        if nearest is None:
            rest.append(one)
        else:
            found[one.position] = nearest
    if asker is None or not rest:
        return found
    calls = [_call(one, draft, known=known, about=session.id, language=language) for one in rest]
    for one, answer in zip(rest, asker.ask_all(calls), strict=True):
        if isinstance(answer, Answered):
            number = str(answer.value["same"]).strip().upper().removeprefix("E")
            known_number = number.isdecimal() and 1 <= int(number) <= len(one.candidates)
            found[one.position] = one.candidates[int(number) - 1].id if known_number else ""
    return found


def similarity_by(embedder: Embedder, index: GraphReader) -> Similar:
    """How near two texts are by an embedder, on the scale of this store."""
    medians = index.calibration(embedder.name)

    def similar(one: str, other: str) -> float:
        windows = embedder.passages([one, other])
        if not all(windows):
            return 0.0
        cosine = sum(a * b for a, b in zip(windows[0][0], windows[1][0], strict=True))
        return mixed_similarity(
            float(cosine),
            han_share(one),
            passage_han=han_share(other),
            medians=medians,
            baseline=embedder.baseline,
        )

    return similar


def _nearest(one: Unclear, draft: Draft, *, known: Familiar, similar: Similar | None) -> str | None:
    if similar is None:
        return None
    text = _told(one.position, draft)
    rated = sorted(
        ((similar(text, _known_of(entity, known)), entity.id) for entity in one.candidates),
        reverse=True,
    )
    ahead = rated[0][0] - (rated[1][0] if len(rated) > 1 else 0.0)
    return rated[0][1] if rated[0][0] >= _ALIKE and ahead >= _AHEAD else None


def _call(one: Unclear, draft: Draft, *, known: Familiar, about: str, language: str) -> Call:
    tongue = language if language in PROMPTS else "en"
    lines = [f"E{n} {_known_of(e, known)}" for n, e in enumerate(one.candidates, 1)]
    return Call(
        stage=STAGE,
        system=PROMPTS[tongue],
        user="\n".join([*lines, "", _told(one.position, draft)]),
        schema=SCHEMA,
        about=(about,),
    )


def _told(position: int, draft: Draft) -> str:
    entity = draft.entities[position]
    facts = [f.fact for f in draft.facts if position in (f.subject, f.object)]
    return _text(entity.name, entity.aliases, told=[entity.summary, *facts[:_TOLD]])


def _known_of(entity: Entity, known: Familiar) -> str:
    facts = [k.fact for k in known.links if k.fact and entity.id in (k.source, k.target)]
    return _text(entity.name, entity.aliases, told=[entity.summary, *facts[:_TOLD]])


def _text(name: str, aliases: Sequence[str], *, told: Sequence[str]) -> str:
    also = f" ({', '.join(aliases)})" if aliases else ""
    return f"{name}{also}: {' '.join(filter(None, told))}"
