"""What the commands say that mind the memory: introspect, cron, watch, pin, restore, relations."""

from __future__ import annotations

WORDS = {
    # Each step of an introspection: its heading, then the lines it tells (`Told.key`).
    "introspect.start": "🧘 Starting introspection...",
    "introspect.distill": "Distill",
    "introspect.consolidate": "Consolidate",
    "introspect.cool": "Cool-down",
    "introspect.forget": "Forget",
}
