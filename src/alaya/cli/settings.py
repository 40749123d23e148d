"""`alaya config`: read and write settings. No memory is opened for it."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from alaya import config as configuration
from alaya.cli import show_reads as show
from alaya.cli.opening import config_of, settings_of
from alaya.cli.page import Page
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result, document


def config(args: Namespace, page: Page) -> Result:
    """get KEY, set KEY VALUE, path, list."""
    expected = {"get": 1, "set": 2}.get(args.action, 0)
    typed = sum(word is not None for word in (args.key, args.value))
    if typed != expected:
        raise BadUsage(page.say(f"bad.config_{args.action}"), "")
    return {"get": _get, "set": _set, "path": _path, "list": _list}[args.action](args)


def _get(args: Namespace) -> Result:
    value = document(configuration.get(config_of(args), args.key))
    return Result({"key": args.key, "value": value}, lambda page: [show.value_text(value)])


def _set(args: Namespace) -> Result:
    path = configuration.find_home(args.home) / "config.json"
    value = configuration.parse_value(args.key, args.value)
    configuration.write(path, args.key, value=value)
    in_force = configuration.get(config_of(args), args.key)

    def lines(page: Page) -> list[str]:
        text = page.say("config.set", key=args.key, value=show.value_text(value))
        found = [page.done(text)]
        if in_force != value:
            found.append(page.warn(page.say("config.overridden", value=show.value_text(in_force))))
        return found

    written = {"key": args.key, "value": value, "in_force": document(in_force), "path": str(path)}
    return Result(written, lines, confirms=True)


def _path(args: Namespace) -> Result:
    path = str(configuration.find_home(args.home) / "config.json")
    return Result({"path": path}, lambda page: [path])


def _list(args: Namespace) -> Result:
    rows = listing(args)
    return Result(
        {"settings": {key: {"value": document(v), "from": source} for key, v, source in rows}},
        lambda page: show.config_lines(rows, page),
    )


def listing(args: Namespace) -> list[tuple[str, Any, str]]:
    """Every key with its value in force and where that is from: default, file, environment or
    argument."""
    now, typed = config_of(args), settings_of(args)
    filed = configuration.load(args.home, environ={})
    plain = configuration.Config(home=now.home)
    rows, names = [], configuration.keys()
    for key in names:
        value, file = configuration.get(now, key), configuration.get(filed, key)
        if key in typed:
            source = "argument"
        elif value != file:
            source = "environment"
        else:
            source = "default" if file == configuration.get(plain, key) else "file"
        rows.append((key, value, source))
    return rows
