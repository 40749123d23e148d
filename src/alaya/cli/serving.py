"""The commands that serve agents: `alaya mcp`, `alaya install`."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path

from alaya.cli.log import record_crash
from alaya.cli.opening import config_of, open_memory, scope_of
from alaya.cli.page import Page
from alaya.cli.result import Result, document


def mcp(args: Namespace, page: Page) -> Result:
    """Serve MCP over standard input and output, or over HTTP, until nobody needs it."""
    from alaya.server import mcp as serving
    from alaya.server import warm

    config = config_of(args)
    address = None if args.http is None else serving.address(args.http)
    home = serving.Home(
        open=partial(open_memory, args),
        language=config.language,
        budget=config.mcp.result_tokens,
        read_only=args.read_only or config.mcp.read_only,
        local=page.local,
        crashed=partial(record_crash, config),
    )
    answering = warm.listening(
        config.home,
        scope_of(args),
        answer=lambda event: warm.context_for(home.memory(), event),
        crashed=home.crashed,
    )
    if address is None:
        with answering:
            serving.serve_stdio(home)
        return Result({}, lambda page: [])
    urls: list[str] = []

    def ready(url: str) -> None:
        urls.append(url)
        if not args.quiet:
            print(page.say("mcp.ready", url=url), file=sys.stderr, flush=True)

    with answering:
        serving.serve_http(home, host=address[0], port=address[1], ready=ready)
    return Result({"url": urls[0]}, lambda page: [])


def install(args: Namespace, page: Page) -> Result:
    """Put alaya into an agent's configuration, or take it out."""
    from alaya.integrations import agents
    from alaya.integrations import install as installing

    config = config_of(args)
    options = [("--home", args.home and str(config.home)), ("--user", args.user)]
    more = [word for name, value in (*options, ("--agent", args.agent)) if value
            for word in (name, value)]  # fmt: skip
    edits = agents.edits(
        args.name,
        command=_program(),
        options=more,
        language=config.language,
        user_home=Path.home(),
        environ=os.environ,
        hooks=args.uninstall or not args.no_hooks,
    )
    record = config.home / "state" / "installed" / f"{args.name}.json"
    act = installing.uninstall if args.uninstall else installing.install
    found = act(edits, record=record, dry_run=args.dry_run)
    left = [one for one in found if one.what == "left"]

    def lines(page: Page) -> list[str]:
        shown = [page.say(f"install.{one.what}", path=one.path) for one in found]
        for one in left:
            shown += [page.say("install.by_hand", why=one.why), one.entry]
        done = page.say("install.dry" if args.dry_run else "install.done", agent=args.name)
        return [*shown, *page.hints(done)] if found else [page.say("install.nothing")]

    listed = {"files": document(found), "dry_run": args.dry_run}
    return Result(listed, lines, status=1 if left else 0, confirms=not left)


def _program() -> list[str]:
    """How alaya is started by a program that knows no PATH of ours."""
    found = shutil.which("alaya")
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", "alaya"]
