"""What an introspection tells: one report for each of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Step(StrEnum):
    """The Alaya design's four steps, in their order."""

    DISTILL = "distill"
    CONSOLIDATE = "consolidate"
    COOL = "cool"
    FORGET = "forget"


@dataclass(frozen=True)
class Told:
    """A line for people: the message `introspect.<step>.<key>` of the catalogues, filled in."""

    key: str
    values: Mapping[str, str | int | float] = field(default_factory=dict)


@dataclass(frozen=True)
class StepReport:
    """What a step did, or in a dry run would do.

    `counts`: by name, for programs, such as {"merged": 3}. `told`: the same and more, for people,
    a line each. `left`: why something was not done that is to be done the next time.
    """

    step: Step
    counts: Mapping[str, int] = field(default_factory=dict)
    told: tuple[Told, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class IntrospectReport:
    """The steps that ran, in order. `seconds` is what it took."""

    steps: tuple[StepReport, ...] = ()
    seconds: float = 0.0
    dry_run: bool = False

    def step(self, name: Step) -> StepReport | None:
        """The report of one step, if it ran."""
        return next((report for report in self.steps if report.step is name), None)

    @property
    def failed(self) -> bool:
        """Whether something that was to be done was left."""
        return any(report.left for report in self.steps)
