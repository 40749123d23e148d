"""A model for tests: it says what a script says, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from alaya.errors import AlayaError, ProviderError
from alaya.model.call import Call, Reply
from alaya.model.tokens import estimate

Line = str | Reply | AlayaError | Mapping[str, Any]
Script = Callable[[Call], Line] | Sequence[Line]


class ScriptedLLM:
    """An LLM whose replies are written beforehand, by stage.

    A stage's script is a function of the call, or replies in the order in which they are given out
    (when they run out, there is no answer). A reply is text, a mapping that becomes JSON, a Reply
    as it is, or an error that is raised. `calls` holds what was asked.
    """

    def __init__(self, name: str = "scripted/1", **scripts: Script) -> None:
        self.name = name
        self.calls: list[Call] = []
        self._scripts: dict[str, Script] = dict(scripts)
        self._given: dict[str, int] = {}
        self._lock = threading.Lock()

    def complete(self, call: Call) -> Reply:
        """The next line of the script for the stage. Raises ProviderError where there is none."""
        with self._lock:
            self.calls.append(call)
            line = self._line(call)
        if isinstance(line, AlayaError):
            raise line
        if isinstance(line, Reply):
            return line
        text = line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
        return Reply(text, tokens_in=call.tokens, tokens_out=estimate(text), finish="stop")

    def asked(self, stage: str) -> list[Call]:
        """The calls of one stage."""
        return [call for call in self.calls if call.stage == stage]

    def _line(self, call: Call) -> Line:
        script = self._scripts.get(call.stage)
        if script is None:
            return ProviderError(f"{self.name} has no script for {call.stage}")
        if callable(script):
            return script(call)
        number = self._given.get(call.stage, 0)
        if number >= len(script):
            return ProviderError(f"{self.name} has no more replies for {call.stage}")
        self._given[call.stage] = number + 1
        return script[number]
