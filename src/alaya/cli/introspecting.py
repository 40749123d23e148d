"""The command `introspect`."""

from __future__ import annotations

from argparse import Namespace

from alaya.cli.opening import open_memory
from alaya.cli.page import Page, duration, one_line
from alaya.cli.progress import Bar
from alaya.cli.result import Result, document
from alaya.errors import Failure
from alaya.model.introspection import IntrospectReport, StepReport, Told


def introspect(args: Namespace, page: Page) -> Result:
    """The memory minds itself: all steps, or some."""
    only = [step for steps in args.only or () for step in steps]
    with open_memory(args) as memory, Bar(page, "introspect") as progress:
        report = memory.introspect(only=only, dry_run=args.dry_run, progress=progress)
    return Result(
        document(report),
        lambda page: introspect_lines(report, page),
        status=Failure.exit_status if report.failed else 0,
        confirms=not report.failed and not args.dry_run,
    )


def introspect_lines(report: IntrospectReport, page: Page) -> list[str]:
    """`[3/4] Cool-down` and what each step tells, as the Alaya design prints it."""
    say = page.say
    lines = [page.heading("🧘", say("introspect.trying" if report.dry_run else "introspect.start"))]
    for number, step in enumerate(report.steps, 1):
        lines.append(f"[{number}/{len(report.steps)}] {say(f'introspect.{step.step}')}")
        lines += [f"  {line}" for line in _step_lines(step, page)]
    took = duration(report.seconds)
    if report.failed:
        return [*lines, page.warn(say("introspect.left", took=took))]
    done = "introspect.tried" if report.dry_run else "introspect.done"
    return [*lines, page.done(say(done, took=took))]


def _step_lines(step: StepReport, page: Page) -> list[str]:
    lines = [_told_line(step, told, page=page) for told in step.told]
    return [*lines, *(page.warn(one_line(page.local(why), 300)) for why in step.left)]


def _told_line(step: StepReport, told: Told, *, page: Page) -> str:
    return page.say(f"introspect.{step.step}.{told.key}", **told.values)
