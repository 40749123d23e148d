"""`--help` of the commands that mind the memory."""

from __future__ import annotations

HELP: dict[str, str] = {}
