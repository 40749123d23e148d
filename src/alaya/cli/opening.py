"""From parsed arguments to an open Memory."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from alaya import config as configuration
from alaya.config import Config
from alaya.model.scope import Scope

if TYPE_CHECKING:
    from alaya.memory import Memory


def settings_of(args: Namespace) -> dict[str, Any]:
    """What the arguments set, as dotted keys: `--set` in order, then `--user` and `--lang`."""
    settings: dict[str, Any] = {}
    for item in (*(args.set_first or ()), *(getattr(args, "set_after", None) or ())):
        key, _, text = item.partition("=")
        settings[key.strip()] = configuration.parse_value(key.strip(), text)
    if args.user is not None:  # an empty name is a mistake, not the default
        settings["user"] = args.user
    if args.lang:
        settings["language"] = args.lang
    return settings


def config_of(args: Namespace) -> Config:
    """The configuration in force for these arguments. Raises ConfigError."""
    return configuration.load(args.home, settings=settings_of(args))


def scope_of(args: Namespace) -> Scope:
    """Whose memory, and of which agent."""
    return Scope(user=config_of(args).user, agent=args.agent)


def open_memory(args: Namespace) -> Memory:
    """The memory that these arguments speak of; close it, or use it in a `with`."""
    from alaya.memory import Memory

    config = config_of(args)
    return Memory.open(config.home, scope_of(args), settings=settings_of(args))
