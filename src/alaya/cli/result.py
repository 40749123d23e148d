"""What a command comes back with: one JSON document, and the same as lines of text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

from alaya.cli.page import Page
from alaya.model.time import format_time


@dataclass(frozen=True)
class Result:
    """`document` is printed with --json, else `text`. `confirms`: nothing to see with --quiet."""

    document: Any
    text: Callable[[Page], list[str]]
    status: int = 0
    confirms: bool = False


def document(value: Any) -> Any:
    """A report value as JSON, every field written out, also those at their default."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: document(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [document(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): document(item) for key, item in value.items()}
    return str(value) if isinstance(value, Path) else value
