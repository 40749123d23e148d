"""`--help` of the commands that mind the memory."""

from __future__ import annotations

HELP: dict[str, str] = {
    "introspect": "let the memory mind itself: distil, consolidate, cool down, forget",
    "introspect.about": (
        "Distils what is new, merges what is the same, moves cards between HOT, WARM and COLD by "
        "their temperature, and forgets what nobody needs. Each step is whole in itself: "
        "interrupted anywhere, the next introspection goes on, and a second one changes nothing. "
        "One introspection at a time for each home. Exit status 3 when something was left to do."
    ),
    "introspect.only": "only these steps: distill, consolidate, cool, forget",
    "introspect.dry-run": "change nothing; say what each step would do with the memory as it is",
    "introspect.examples": (
        "alaya introspect\nalaya introspect --dry-run\nalaya introspect --only cool,forget"
    ),
    "cron": "entries for cron, systemd and OpenClaw",
    "cron.about": (
        "Prints what makes a machine introspect and back up this home at the times of "
        "introspect.schedule and introspect.backup_schedule: a crontab, systemd units, and "
        "OpenClaw's cron.json. Nothing is installed."
    ),
    "cron.format": "only one of them, ready to be piped into a file",
    "cron.examples": (
        "alaya cron\n(crontab -l; alaya cron --format crontab) | crontab -\n"
        "alaya cron --format openclaw > ~/.openclaw/config/cron.json"
    ),
    "watch": "introspect and back up at set times, in the foreground",
    "watch.about": (
        "Does what `alaya cron` prints, without cron: stays in the foreground, starts each task as "
        "a process of its own when it is due, and stops cleanly at Ctrl-C or SIGTERM."
    ),
    "watch.ingest": "before each introspection, ingest what agents on this machine have logged",
    "watch.now": "do everything once at the start, too",
    "watch.examples": "alaya watch\nalaya watch --ingest --now",
}
