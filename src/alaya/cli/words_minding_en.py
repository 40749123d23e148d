"""What the commands say that mind the memory: introspect, cron, watch, pin, restore, relations."""

from __future__ import annotations

WORDS = {
    # introspect: its steps, each with the lines that it tells (`Told.key`)
    "introspect.start": "Starting introspection...",
    "introspect.trying": "What an introspection would do now",
    "introspect.done": "Introspection complete (took {took})",
    "introspect.tried": "Nothing was changed (took {took})",
    "introspect.left": "Introspection ended with something left to do (took {took})",
    "introspect.distill": "Distill",
    "introspect.distill.sessions": "Processed {sessions:,} new {sessions:session|sessions}",
    "introspect.distill.waiting": "{sessions:,} {sessions:session|sessions} to process",
    "introspect.distill.made": (
        "Created {cards:,} {cards:card|cards}, {links:,} {links:link|links}"
    ),
    "introspect.consolidate": "Consolidate",
    "introspect.cool": "Cool-down",
    "introspect.cool.hot": (
        "HOT: {hot:,} {hot:card|cards} ({upgraded:,} upgraded, {downgraded:,} downgraded)"
    ),
    "introspect.cool.warm": "WARM: {warm:,} {warm:card|cards}",
    "introspect.cool.cold": (
        "COLD: {cold:,} {cold:card|cards} ({archived:,} newly archived, {returned:,} brought back)"
    ),
    "introspect.cool.promoted": "{promoted:,} {promoted:card|cards} became long-term",
    "introspect.cool.faded": "{faded:,} short-term {faded:card|cards} faded",
    "introspect.forget": "Forget",
    "progress.introspect": "introspecting",
    # cron and watch
    "cron.crontab": "crontab -e",
    "cron.systemd": "~/.config/systemd/user/, then: systemctl --user enable --now NAME.timer",
    "cron.openclaw": "~/.openclaw/config/cron.json",
    "watch.next": "{name}: next at {at}",
    "watch.ran": "{at} {name}: done",
    "watch.failed": "{at} {name}: ended with status {status}",
    "watch.stopped": "stopped",
    # status
    "status.tier_hot": "HOT: {count:,} (memory: {memory}, disk: {disk})",
    "status.tier_warm": "WARM: {count:,} (disk: {disk})",
    "status.tier_cold": "COLD: {count:,} (archived, no vectors)",
    "status.flags": (
        "Pinned: {pinned:,}, stale: {stale:,}, quarantined: {quarantined:,}, "
        "forgotten: {forgotten:,}, long-term: {long:,}"
    ),
}
