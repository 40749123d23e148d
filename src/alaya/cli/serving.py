"""The commands that serve agents: `alaya mcp`."""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import partial

from alaya.cli.log import record_crash
from alaya.cli.opening import config_of, open_memory
from alaya.cli.page import Page
from alaya.cli.result import Result


def mcp(args: Namespace, page: Page) -> Result:
    """Serve MCP over standard input and output, or over HTTP, until nobody needs it."""
    from alaya.server import mcp as serving

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
    if address is None:
        serving.serve_stdio(home)
        return Result({}, lambda page: [])
    urls: list[str] = []

    def ready(url: str) -> None:
        urls.append(url)
        if not args.quiet:
            print(page.say("mcp.ready", url=url), file=sys.stderr, flush=True)

    serving.serve_http(home, host=address[0], port=address[1], ready=ready)
    return Result({"url": urls[0]}, lambda page: [])
