"""`--help` of the commands that keep, let go and consolidate."""

HELP = {
    "forgetting.cards": "ids of cards, as recall shows them",
    "pin": "keep cards from being forgotten",
    "pin.about": (
        "A pinned card is never forgotten by introspection, whatever the policy, and cannot be "
        "forgotten by name until it is unpinned."
    ),
    "pin.off": "let the cards be forgotten again",
    "pin.examples": "alaya pin card-abc123\nalaya pin card-abc123 card-def456 --off",
    "forget": "hide cards from recall",
    "forget.about": (
        "Hides cards from recall: those that are named, or those that a query finds. They can be "
        "restored until they are erased. What depends on them is named. Pinned cards stay."
    ),
    "forget.query": "forget the cards that this finds; pinned ones are passed over",
    "forget.limit": "at most N of what --query finds (else recall.max_results)",
    "forget.reason": "why; alaya forgotten shows it",
    "forget.dry-run": "only show what would be forgotten",
    "forget.examples": (
        'alaya forget card-abc123 --reason "moved away"\n'
        'alaya forget --query "old staging database" --limit 3 --dry-run'
    ),
    "forgotten": "list what was forgotten",
    "forgotten.about": (
        "Lists the cards that were forgotten, by hand or by introspection, the last ones first, "
        "with the reason. alaya restore brings them back."
    ),
    "forgotten.examples": "alaya forgotten\nalaya forgotten --limit 10 --offset 10 --json",
    "restore": "bring forgotten cards back, or a whole home from a backup",
    "restore.about": (
        "Brings forgotten cards back into recall, with their links and history. Introspection "
        "does not forget them again for introspect.forget_days. "
        "With --backup, a backup takes "
        "the place of the home: it is unpacked beside it, its checksums are compared, it is opened "
        "and verified first, and what stood there is kept under another name."
    ),
    "restore.examples": (
        "alaya restore card-abc123\n"
        "alaya restore --backup ~/.alaya/backup/alaya-20260301T090000Z.tar.gz"
    ),
    "relations": "tidy the names of relations",
    "relations.about": (
        "Lists the relations in use with what could be done about them: names that mean the same "
        "(alias), frequent ones that deserve to be core relations (promote), vague ones that say "
        "little (split). Nothing is done unless it is asked for; what is done is one change that "
        "can be undone. An alias moves every link to the other name, now and at each introspection."
    ),
    "relations.action": "list (the default), promote NAME, alias NAME INTO, split NAME INTO",
    "relations.name": "the relation",
    "relations.into": "the other name",
    "relations.definition": "what a promoted relation means, in a sentence",
    "relations.reason": "split: only the links of which the reason holds this text",
    "relations.links": "split: this link, by its id (can be repeated)",
    "relations.examples": (
        "alaya relations\nalaya relations alias INFLUENCED_BY INSPIRED_BY\n"
        'alaya relations promote INSPIRED_BY --definition "the idea came from it"\n'
        'alaya relations split RELATES_TO DEPENDS_ON --reason "needs"'
    ),
}
