"""What the commands of the past say, in English. words_past_zh.py has the same keys."""

WORDS = {
    "bad.edit": "--edit needs a terminal; give --content TEXT, or the text on standard input",
    "bad.revise_nothing": (
        "revise needs what is to be another: --content, --title, --tag, --importance, --edit, or "
        "the text on standard input"
    ),
    "bad.undo_both": "give either N or --seq",
    "bad.rollback_yes": (
        "rollback changes much at once: look with --dry-run, then say --yes (nobody can be asked)"
    ),
    "past.no_seq": "not a record of the journal: {value}; its number, such as 120 or #120",
    "past.by": "{verb} by {actor}",
    "past.undone": "(undone by #{seq})",
    "past.undoes": "(undid {seqs})",
    "past.refused": "(cannot be undone: {why})",
    # revise
    "revise.done": "Revised {id} to version {version}: {title}",
    "revise.same": "{id} is so already; nothing changed",
    "revise.next": "The version before is kept: alaya history {id}",
    "revise.no_editor": "the editor cannot be started: {editor}; set EDITOR to another",
    "revise.left": "the editor {editor} ended with status {status}; nothing changed",
    # history
    "history.not_held": "not held any more",
    "history.now": "now",
    "history.version": "v{version}",
    # diff
    "diff.heading": "From #{first} ({start}) to #{last} ({end})",
    "diff.none": "Nothing changed",
    "thing.card": "cards",
    "thing.link": "facts and links",
    "thing.entity": "entities",
    "thing.summary": "summaries",
    "thing.session": "sessions",
    "thing.event": "events",
    "thing.note": "notes",
    "thing.relation": "relations",
    # undo and rollback
    "undo.none": "Nothing was written yet",
    "undo.heading": "The last changes",
    "undo.next": "Undo one with: alaya undo --seq NUMBER",
    "undo.done": "Undone: {what}",
    "undo.would": "Would undo: {what}",
    "undo.again": "To have it again: alaya undo --seq {seq}",
    "rollback.done": (
        "Holds again what it held at #{seq} ({at}), {records:,} {records:record|records} back"
    ),
    "rollback.would": (
        "To hold again what was held at #{seq} ({at}), {records:,} {records:record|records} back:"
    ),
    "rollback.nothing": "The memory holds what it held at #{seq} ({at}); nothing changed",
    "rollback.ask": "Roll back? [y/N]",
    "rollback.left": "Nothing changed",
    # kinds of changes
    "change.SessionGrew": "{count:turn|turns} archived",
    "change.TurnsMarked": "{count:turn|turns} marked",
    "change.SessionDistilled": "{count:session|sessions} distilled",
    "change.SessionUndistilled": "{count:session|sessions} taken as not distilled",
    "change.EventAdded": "{count:event|events} recorded",
    "change.CardAdded": "{count:card|cards} added",
    "change.CardRevised": "{count:card|cards} revised",
    "change.CardMerged": "{count:card|cards} merged",
    "change.Cooled": "{count:card|cards} moved to another tier",
    "change.Forgotten": "forgotten",
    "change.Restored": "restored",
    "change.Pinned": "pinned or unpinned",
    "change.Quarantined": "quarantined or released",
    "change.MarkedStale": "marked stale or fresh",
    "change.Promoted": "moved to another horizon",
    "change.Withdrawn": "withdrawn",
    "change.LinkAdded": "{count:link|links} told",
    "change.LinkRetired": "{count:link|links} retired",
    "change.FactRetired": "{count:fact|facts} retired",
    "change.EntityAdded": "{count:entity|entities} added",
    "change.EntityRevised": "{count:entity|entities} revised",
    "change.EntityMerged": "{count:entity|entities} merged",
    "change.EntityHeld": "{count:entity|entities} put back",
    "change.RelationAdded": "{count:relation|relations} added",
    "change.RelationRevised": "{count:relation|relations} revised",
    "change.SummaryAdded": "{count:summary|summaries} written",
    "change.NoteChanged": "{count:note|notes} changed",
    "change.NoteRemoved": "{count:note|notes} removed",
    "change.Calibrated": "similarity calibrated",
    "change.Undone": "{count:record|records} undone",
    "change.Erased": "erased",
}
