"""The verb by which a memory minds itself: distil, consolidate, cool down, forget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Protocol

from alaya.errors import Busy, ConfigError, InvalidInput
from alaya.introspect import cooling, forgetting
from alaya.introspect.embed_worker import only_worker, worker_pid
from alaya.model.introspection import IntrospectReport, Step, StepReport, Told
from alaya.model.report import DistillReport, Outcome
from alaya.model.scope import Scope
from alaya.parts import How, Opened, Parts
from alaya.ports import Progress
from alaya.projection import PATIENCE
from alaya.verbs import consolidating, keeping

LOCK = "state/introspect.lock"


class StepFunction(Protocol):
    """Does its part on the open memory and commits it; a `dry_run` only says what it would do.

    It may be stopped anywhere (KeyboardInterrupt, kill -9) and done again: what it has committed
    stays, and a step that finds nothing to do commits nothing.
    """

    def __call__(
        self, memory: Opened, *, dry_run: bool, progress: Progress | None
    ) -> StepReport: ...


def distill(memory: Opened, *, dry_run: bool, progress: Progress | None) -> StepReport:
    """The first step: every session that has something new."""
    try:
        report = keeping.distill(
            memory.parts,
            Scope(memory.scope.user),
            session=None,
            how=How(),
            dry_run=dry_run,
            progress=progress,
        )
    except ConfigError as error:  # of the model: the other steps need none
        return StepReport(Step.DISTILL, left=(str(error),))
    return _distilled(report)


STEPS: Mapping[Step, StepFunction] = {
    Step.DISTILL: distill,
    Step.CONSOLIDATE: consolidating.consolidate,
    Step.COOL: cooling.cool,
    Step.FORGET: forgetting.forget,
}


def introspect(
    memory: Opened,
    *,
    only: str | Iterable[str] = (),
    dry_run: bool = False,
    progress: Progress | None = None,
) -> IntrospectReport:
    """Distil what is new, consolidate, cool down, forget: in this order, or `only` some of it.

    Each step is whole in itself: interrupted anywhere, the next introspection goes on from there,
    and one after which nothing has happened changes nothing. A `dry_run` writes nothing and says
    what each step would do with the memory as it stands. Raises InvalidInput for an unknown step,
    and Busy while another process introspects this home.
    """
    parts = memory.parts
    wanted, start = _chosen(only), parts.timer()
    memory.flush()
    with nullcontext(True) if dry_run else only_worker(parts.config.home, LOCK) as alone:
        if not alone:
            pid = worker_pid(parts.config.home, LOCK)
            raise Busy(
                f"another process ({pid or '?'}) introspects this memory; try again when it is done"
            )
        reports = []
        for step in wanted:
            parts.follow()
            reports.append(STEPS[step](memory, dry_run=dry_run, progress=progress))
    return IntrospectReport(tuple(reports), round(parts.timer() - start, 3), dry_run)


def bring_back(parts: Parts, cold: Iterable[tuple[str, str]]) -> None:
    """Cards (user, id) that were recalled COLD get their vectors back.

    While another process writes for long, they wait for the next introspection.
    """
    by_user: dict[str, list[str]] = defaultdict(list)
    for user, card in cold:
        by_user[user].append(card)
    if not parts.index.writable(PATIENCE):
        return
    back = sum(
        cooling.bring_back(
            parts.archive, parts.index, scope=Scope(user), cards=cards, clock=parts.clock
        )
        for user, cards in by_user.items()
    )
    if back:
        parts.embed_later()


def _chosen(only: str | Iterable[str]) -> Sequence[Step]:
    names = only.split(",") if isinstance(only, str) else [str(name) for name in only]
    asked = {name.strip() for name in names if name.strip()}
    unknown = sorted(asked - set(STEPS))
    if unknown:
        raise InvalidInput(f"no step {unknown[0]}: known are {', '.join(STEPS)}")
    return [step for step in STEPS if not asked or step in asked]


def _distilled(report: DistillReport) -> StepReport:
    done = report.count(Outcome.DISTILLED) + report.count(Outcome.NOTHING)
    counts = {
        "sessions": report.count(Outcome.WAITING) if report.dry_run else done,
        "cards": report.cards,
        "links": report.links,
        "revised": report.revised,
        "summaries": len(report.summaries.made) if report.summaries else 0,
    }
    told = [Told("waiting" if report.dry_run else "sessions", counts)]
    if not report.dry_run:
        told += [Told("made", counts)]
    failed = [s.because for s in report.sessions if s.outcome is Outcome.FAILED and s.because]
    left = [report.stopped] if report.stopped else list(dict.fromkeys(failed))
    return StepReport(Step.DISTILL, counts, tuple(told), tuple(left))
