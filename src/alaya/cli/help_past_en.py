"""What `--help` says of the memory's own past, in English. help_past_zh.py has the same keys."""

HELP = {
    "revise": "write a card anew; the version before is kept",
    "revise.about": (
        "Gives a card another text, title, tags or importance. The version before is kept, and "
        "what was written goes into the archive, as evidence of the new one. Without an option, "
        "the new text is read from standard input."
    ),
    "revise.content": "the new text (- reads standard input)",
    "revise.edit": "write the text in $VISUAL or $EDITOR",
    "revise.title": "the new title",
    "revise.tag": "a tag of the new version (can be repeated; the old ones go)",
    "revise.importance": "how important it is, from 0 to 1",
    "revise.reason": "why, for the history",
    "revise.examples": (
        'alaya revise card-abc123 --content "The gateway listens on 18790" --reason "moved"\n'
        "alaya revise card-abc123 --edit"
    ),
    "history": "all versions of a card, and what happened to it",
    "history.about": (
        "Shows all versions and everything that happened to a card, a fact, an entity, a summary, "
        "session:ID, note:PATH or relation:NAME: when, by which record of the journal, by whom, "
        "why, and whether it was undone."
    ),
    "history.id": "an id, or the name of an entity",
    "history.examples": "alaya history card-abc123\nalaya history Anna",
    "diff": "what changed between two times",
    "diff.about": (
        "Shows what the memory came to hold (+), gave up (-) or holds otherwise (~) between two "
        "times of the journal: cards, facts, entities, summaries, sessions, notes. A time is ISO "
        "8601, how long ago (7d, 12h), a day (yesterday) or a record (#120)."
    ),
    "diff.from": "from this time on, or behind this record (#120)",
    "diff.to": "until this time or record (else now)",
    "diff.examples": "alaya diff --from 7d\nalaya diff --from 2026-03-01 --to '#120'",
    "undo": "undo the last change, or an older one",
    "undo.about": (
        "Undoes what one command did, by a new record; each undo goes one further back. What is "
        "undone by record S is had again by undo --seq S. What was changed again since is refused, "
        "with the records named, unless --with-later. Words stay in the archive; what was erased "
        "is gone for good."
    ),
    "undo.count": "how many changes (else 1; with --list 20)",
    "undo.seq": "the number of the record to be undone",
    "undo.with_later": "also undo what changed the same things since",
    "undo.list": "show the last changes, and undo nothing",
    "undo.dry_run": "say what would be done, and do nothing",
    "undo.examples": "alaya undo --list\nalaya undo\nalaya undo --seq 120",
    "rollback": "make the memory hold what it held at a time",
    "rollback.about": (
        "Makes the memory hold what it held at a time of the journal, by one new record: nothing "
        "is rewritten, and it can be undone. What was erased since stays erased. Says what it will "
        "do and asks; without a terminal it needs --yes."
    ),
    "rollback.to": "a time (ISO 8601, 7d, yesterday), or a record (#120)",
    "rollback.yes": "do it without asking",
    "rollback.examples": (
        "alaya rollback --to '#120' --dry-run\nalaya rollback --to yesterday --yes"
    ),
}
