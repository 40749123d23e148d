"""How a server wants to be asked: what it refuses is left out, and not tried again.

Values; not an adapter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from alaya.model.call import Call, Problem

SCHEMA, OBJECT, FREE = 0, 1, 2  # how JSON is asked for; in words it is asked for in any case
_SHORTEST = 256  # tokens of a reply; a server that has no room for these has none
_TOO_MANY = re.compile(
    r"context.{0,20}(length|window|size)|too (large|long|many tokens|big)|max_model_len|maximum"
    r"|at most|exceed|reduce the length|less than or equal|上下文|超出|超过|过长",
    re.IGNORECASE,
)
_FORMAT = re.compile(r"response_format|json_schema|json_object|json mode|grammar|schema", re.I)
_LIMIT = re.compile(r"max_(completion_)?tokens", re.I)


@dataclass(frozen=True)
class Manners:
    """`form`: SCHEMA, OBJECT or FREE. `most`: tokens of a reply, 0: as the call says."""

    form: int = SCHEMA
    new_names: bool = False
    renamed: bool = False
    temperature: bool = True
    most: int = 0

    def for_call(self, call: Call) -> Manners:
        """How this call is asked: a server that wrote no JSON seems to ignore how it was asked."""
        ignored = call.rejected is not None and call.rejected.problem is Problem.NOT_JSON
        return replace(self, form=min(FREE, self.form + 1)) if ignored else self

    def fields(self, call: Call) -> dict[str, Any]:
        """What is sent beside model and messages."""
        limit = "max_completion_tokens" if self.new_names else "max_tokens"
        found: dict[str, Any] = {limit: self._room(call)}
        if self.temperature:
            found["temperature"] = 0
        if self.form == SCHEMA:
            form = {"name": _name(call.stage), "schema": _plain(call.schema)}
            found["response_format"] = {"type": "json_schema", "json_schema": form}
        elif self.form == OBJECT:
            found["response_format"] = {"type": "json_object"}
        return found

    def yielding(self, call: Call, complaint: str) -> Manners | None:
        """How to ask after a refusal; None where nothing is left to leave out."""
        if self.temperature and "temperature" in complaint.lower():
            return replace(self, temperature=False)
        if self.form < FREE and _FORMAT.search(complaint):
            return replace(self, form=self.form + 1)
        if too_many(complaint):
            room = self._room(call)
            return replace(self, most=room // 2) if room // 2 >= _SHORTEST else None
        if _LIMIT.search(complaint) and not self.renamed:
            return replace(self, new_names=not self.new_names, renamed=True)
        return replace(self, form=self.form + 1) if self.form < FREE else None

    def lasting(self) -> Manners:
        """What is remembered for other calls: not the room that one long prompt left."""
        return replace(self, most=0)

    def _room(self, call: Call) -> int:
        return min(call.max_tokens, self.most) if self.most else call.max_tokens


def too_many(complaint: str) -> bool:
    """Whether a refusal is about length."""
    return _TOO_MANY.search(complaint) is not None


def _name(stage: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "_", stage)[:64] or "reply"


def _plain(schema: Any) -> Any:
    """The schema as JSON has it: mappings and sequences of any kind become dicts and lists."""
    if isinstance(schema, Mapping):
        return {name: _plain(part) for name, part in schema.items()}
    return [_plain(part) for part in schema] if isinstance(schema, list | tuple) else schema
