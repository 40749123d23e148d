"""What the words around a name make of it."""

from __future__ import annotations

import re

from alaya.distill import relations_en
from alaya.model.graph import EntityKind

_KIN = "|".join((*relations_en.KIN, *relations_en.SPELLED))
_OWN = rf"\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er) (?:\w+ )?(?:{_KIN}),? $"
# What the words before a name make of it.
NAME_BEFORE: tuple[tuple[EntityKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(shape))
    for kind, shape in (
        (EntityKind.PERSON, _OWN),
        (EntityKind.PERSON, r"\b(?:[Hh]ey|[Hh]i|[Tt]hanks|[Bb]ye|[Ww]ow|met|told),? $"),
        (EntityKind.ORGANIZATION, r"\b(?:work(?:s|ed|ing)? (?:at|for)|studies at|employed by) $"),
        (
            EntityKind.PLACE,
            r"\b(?:(?:live[sd]?|living|moved|trip|travel\w*|went|visit\w*|flew|back) (?:in|to|from)"
            r"|in|visited|near|around) $",
        ),
    )
)
