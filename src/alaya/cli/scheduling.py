"""The commands `cron` and `watch`: minding the memory at set times, by others or by ourselves."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Any

from alaya.cli import commands
from alaya.cli.opening import config_of
from alaya.cli.output import out
from alaya.cli.page import Page
from alaya.cli.result import Result
from alaya.config import Config
from alaya.introspect.schedule import Schedule, next_after, on_calendar, read
from alaya.model.time import utc_now

_TIMEOUT = 600_000  # milliseconds that OpenClaw gives a job
_LONGEST = 3600.0  # seconds between two looks at the clock: it may be set, or have slept
_GRACE = 60.0  # seconds that a task has to end


@dataclass(frozen=True)
class Job:
    """A command of alaya, and when it is due."""

    name: str
    argv: tuple[str, ...]
    schedule: Schedule


def jobs(config: Config, args: Namespace) -> list[Job]:
    """Introspection and backup (where this alaya has it), of this home and user."""
    minding = config.introspect
    wanted = [("introspect", minding.schedule), ("backup", minding.backup_schedule)]
    where = ["--home", str(config.home), *(["--user", args.user] if args.user is not None else [])]
    return [
        Job(f"alaya-{name}", (*_alaya(), name, *where, "--quiet"), read(schedule))
        for name, schedule in wanted
        if name in commands.COMMANDS
    ]


def _alaya() -> tuple[str, ...]:
    """How this alaya is started, wherever one stands."""
    script = Path(sys.argv[0])
    if script.name == "alaya" and script.is_file():
        return (str(script.absolute()),)
    return (sys.executable, "-m", "alaya")


# --- cron ---------------------------------------------------------------------------------------


def cron(args: Namespace, page: Page) -> Result:
    """Entries for cron, systemd and OpenClaw."""
    config = config_of(args)
    found = jobs(config, args)
    log = config.home / "logs" / "cron.log"
    texts = {
        "crontab": "\n".join(crontab_line(job, log) for job in found),
        "systemd": "\n".join(unit for job in found for unit in systemd_units(job)).rstrip(),
        "openclaw": json.dumps(openclaw(found), ensure_ascii=False, indent=2),
    }
    chosen = {name: text for name, text in texts.items() if args.format in (None, name)}

    def lines(page: Page) -> list[str]:
        if args.format:
            return [chosen[args.format]]
        found = []
        for name, text in chosen.items():
            where = page.say(f"cron.{name}")
            found += [f"# {where}", text, ""]
        return found[:-1]

    return Result(chosen, lines)


def crontab_line(job: Job, log: Path) -> str:
    """A line of a crontab. Cron reads a bare % as the end of the command."""
    command = f"{shlex.join(job.argv)} >> {shlex.quote(str(log))} 2>&1"
    return f"{job.schedule.text} {command.replace('%', chr(92) + '%')}"


def systemd_units(job: Job) -> list[str]:
    """The service and the timer, for ~/.config/systemd/user/."""
    command = " ".join(_systemd_word(word) for word in job.argv)
    times = [f"OnCalendar={line}" for line in on_calendar(job.schedule)]
    service = ["[Unit]", f"Description={job.name}", "", "[Service]", "Type=oneshot", "Nice=10"]
    timer = ["[Unit]", f"Description={job.name}", "", "[Timer]", *times, "Persistent=true", ""]
    return [
        f"# {job.name}.service",
        *service,
        f"ExecStart={command}",
        "",
        f"# {job.name}.timer",
        *timer,
        "[Install]",
        "WantedBy=timers.target",
        "",
    ]


def _systemd_word(word: str) -> str:
    """Quoted as systemd reads it: % and $ stand for something unless they are doubled."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if escaped != word or not word or set(word) & set(" \t';") else word


def openclaw(found: Sequence[Job]) -> Mapping[str, Any]:
    """~/.openclaw/config/cron.json, as the Alaya design has it (5.2)."""
    return {
        "jobs": [
            {
                "name": job.name,
                "schedule": job.schedule.text,
                "command": shlex.join(job.argv),
                "timeout": _TIMEOUT,
            }
            for job in found
        ]
    }


# --- watch --------------------------------------------------------------------------------------


def watch(args: Namespace, page: Page) -> Result:
    """Do both in the foreground until told to stop. Each task is a process of its own."""

    def tell(key: str, **values: object) -> None:
        if not args.json:
            out(page.say(key, **values))

    watcher, found = Watcher(tell), jobs(config_of(args), args)
    before = {number: signal.signal(number, watcher.stop) for number in _SIGNALS}
    try:
        for job in found:
            tell("watch.next", name=job.name, at=_shown(next_after(job.schedule, _now())))
        if args.now:
            for job in found:
                watcher.run(job, ingest=args.ingest)
        while not watcher.stopped.is_set():
            now = _now()
            due = [(at, job) for job in found if (at := next_after(job.schedule, now))]
            if not due:
                break
            first = min(at for at, _ in due)
            if not watcher.wait(first):
                continue
            for at, job in due:
                if at == first:
                    watcher.run(job, ingest=args.ingest)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return Result({"ran": watcher.ran}, lambda page: [page.say("watch.stopped")], confirms=True)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Watcher:
    """Runs tasks one after the other; a signal ends the one that runs, and all of it."""

    def __init__(self, tell: Callable[..., None]) -> None:
        self.stopped = threading.Event()
        self.ran: list[str] = []
        self._tell = tell
        self._child: subprocess.Popen[bytes] | None = None

    def stop(self, number: int, frame: FrameType | None) -> None:
        """What a signal does."""
        self.stopped.set()
        if self._child is not None and self._child.poll() is None:
            self._child.send_signal(
                signal.SIGINT
            )  # it lets go of what it does, and nothing is lost

    def wait(self, until: datetime) -> bool:
        """Sleep until then: false where there is something to look at before."""
        left = (until - _now()).total_seconds()
        if left > 0:
            self.stopped.wait(min(left, _LONGEST))
        return not self.stopped.is_set() and _now() >= until

    def run(self, job: Job, *, ingest: bool) -> None:
        """The task, with what agents have said since before it where that is wanted."""
        if ingest and job.name == "alaya-introspect":
            cut = job.argv.index("introspect")
            rest = job.argv[cut + 1 :]
            self._run("alaya-ingest", (*job.argv[:cut], "ingest", "--discover", "--yes", *rest))
        self._run(job.name, job.argv)

    def _run(self, name: str, argv: Sequence[str]) -> None:
        if self.stopped.is_set():
            return
        # In a session of its own: Ctrl-C at the terminal reaches it once, through us.
        self._child = subprocess.Popen(argv, start_new_session=True)
        if self.stopped.is_set():  # by a signal that came when there was no child yet
            self._child.send_signal(signal.SIGINT)
        status = self._ended(self._child)
        self.ran.append(name)
        key = "watch.failed" if status else "watch.ran"
        self._tell(key, name=name, at=_shown(_now()), status=status)

    def _ended(self, child: subprocess.Popen[bytes]) -> int:
        left = _GRACE
        while True:
            try:
                return child.wait(timeout=1)
            except subprocess.TimeoutExpired:
                left -= self.stopped.is_set()
                if left <= 0:
                    child.kill()


def _shown(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%d %H:%M") if at else "-"


def _now() -> datetime:
    return utc_now().astimezone()
