"""What `--help` says of erase, backup and restore, in English."""

HELP = {
    "erase": "remove words for good",
    "erase.about": (
        "Removes words from every place where the home keeps them: archive, journal, drafts, "
        "logs, notes, exports, the database and its free pages, cached vectors, backups. What "
        "rests on them alone goes with them; what has other evidence only loses those words. "
        "Shows what goes and asks first; a receipt is kept, and every file is searched "
        "afterwards. It cannot be undone. The logs that were ingested are not touched, but what "
        "was erased does not come back from them."
    ),
    "erase.card": "a card, and the words that it cites",
    "erase.session": "a session, with all that was said in it",
    "erase.entity": "an entity by id or name: what was said of it, and its names everywhere",
    "erase.query": "every turn and card that holds all of these words",
    "erase.all": "everything of the user (see --user)",
    "erase.reason": "why, for the journal and the receipt",
    "erase.dry_run": "only show what would go",
    "erase.yes": "do not ask",
    "erase.check": "erase nothing: search every file of the home for these words",
    "erase.examples": (
        "alaya erase --card card-1f0c --dry-run\n"
        "alaya erase --query 'Ada Lovelace' --reason 'she asked for it'\n"
        "alaya erase --user ada --all --yes\n"
        "alaya erase --check Lovelace"
    ),
    "backup": "copy the home into one file",
    "backup.about": (
        "Writes the whole home, of all users, into one file with checksums, while other "
        "processes go on writing. The database is left out: it grows from the rest."
    ),
    "backup.output": "a folder, or a new file ending in .tar.gz (else backup/ in the home)",
    "backup.keep": "how many backups stay in the folder (7)",
    "backup.examples": "alaya backup\nalaya backup --output /mnt/safe --keep 30",
    "restore.backup": "the backup",
}
