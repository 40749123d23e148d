"""What erase, backup and restore say when they run, in English."""

WORDS = {
    "erase.one": "say what to erase: one of --card, --session, --entity, --query, or --all",
    "erase.check_alone": "--check only looks for words: it cannot stand with what is to be erased",
    "erase.plan": "This goes for good (user {user}):",
    "erase.sessions": "{count:,} {count:session|sessions} with all that was said",
    "erase.cards": "{count:,} {count:card|cards}",
    "erase.entities": "{count:,} {count:entity|entities}",
    "erase.turns": "words in {count:,} {count:turn|turns}",
    "erase.links": "{count:,} {count:link|links}",
    "erase.summaries": "{count:,} {count:summary|summaries}",
    "erase.notes": "{count:,} {count:note|notes}",
    "erase.cut": "{count:,} {count:card has|cards have} other evidence: the erased words go, the "
    "rest stays and is marked stale",
    "erase.ask": "Erase it? It cannot be undone. [y/N]",
    "erase.left": "Nothing was erased",
    "erase.dry": "Nothing was erased: this only shows what would go",
    "erase.needs_yes": "Nothing was erased: say --yes to erase it without being asked",
    "erase.done": "Erased ({id})",
    "erase.finished": "An erasure that had been interrupted was ended ({id})",
    "erase.where": "Removed or blanked in: {where}",
    "erase.shared": "{count:,} {count:word stays|words stay}, because what is not erased says "
    "{count:it|them} too",
    "erase.proved": "No byte remains: {files:,} files were searched for {words:,} "
    "{words:word|words}",
    "erase.remaining": "Some of the words still stand in {count:,} {count:place|places}:",
    "erase.receipt": "Receipt: {path}",
    "erase.elsewhere": "Logs that were ingested, and copies outside the home, were not touched",
    "erase.none": "None of the words stands in any of {files:,} files",
    "erase.found": "The words stand in {count:,} of {files:,} files:",
    "backup.done": "Backed up {records:,} records in {files:,} files to {path} ({size})",
    "backup.removed": "{count:,} older {count:backup|backups} removed",
    "restore.done": "{home} holds what was backed up at {at}: {turns:,} {turns:turn|turns}, "
    "{cards:,} {cards:card|cards}",
    "restore.before": "What stood there before is in {path}; remove it when it is not needed",
    "restore.erased": "{count:,} {count:erasure|erasures} happened after that backup: what "
    "{count:it|they} took is back, erase it again",
}
