"""alaya: a long-term memory for AI agents.

What was said is kept word for word; cards, links, words and vectors are projections of it that
can be thrown away and grown again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from alaya.errors import AlayaError
    from alaya.memory import Memory
    from alaya.model.action import Added, Retrieved
    from alaya.model.context import Context
    from alaya.model.passage import Answer, Hit, Query, Where
    from alaya.model.scope import Scope

__version__ = "0.1.0"

__all__ = [
    "Added",
    "AlayaError",
    "Answer",
    "Context",
    "Hit",
    "Memory",
    "Query",
    "Retrieved",
    "Scope",
    "Where",
    "__version__",
]

_HOMES = {
    "Added": "alaya.model.action",
    "AlayaError": "alaya.errors",
    "Answer": "alaya.model.passage",
    "Context": "alaya.model.context",
    "Hit": "alaya.model.passage",
    "Memory": "alaya.memory",
    "Query": "alaya.model.passage",
    "Retrieved": "alaya.model.action",
    "Scope": "alaya.model.scope",
    "Where": "alaya.model.passage",
}


def __getattr__(name: str) -> Any:
    """Public names are imported on first use: `alaya --help` needs none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'alaya' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
