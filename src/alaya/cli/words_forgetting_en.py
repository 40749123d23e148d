"""What the commands say that keep, let go and consolidate: pin, forget, restore, relations."""

WORDS = {
    "forgetting.pin": "Pinned: {title} ({id})",
    "forgetting.pin_before": "Pinned before: {title} ({id})",
    "forgetting.unpin": "No longer pinned: {title} ({id})",
    "forgetting.unpin_before": "Was not pinned: {title} ({id})",
    "forgetting.forget": "Forgotten: {title} ({id})",
    "forgetting.forget_before": "Forgotten before: {title} ({id})",
    "forgetting.would_forget": "Would be forgotten: {title} ({id})",
    "forgetting.would_forget_before": "Forgotten before: {title} ({id})",
    "forget.needed": "{by} depends on {id}",
    "forget.nothing": "Nothing to forget: no card was found",
    "forget.next": "alaya restore CARD brings one back, alaya forgotten lists them",
    "forgetting.more": "… and {count:,} more",
    "forgetting.restore": "Restored: {title} ({id})",
    "forgetting.restore_before": "Was not forgotten: {title} ({id})",
    "forgotten.none": "Nothing is forgotten",
    "forgotten.heading": "Forgotten, until restored or erased",
    "bad.forget": "name cards to forget, or give --query TEXT: one of both",
    "bad.restore": (
        "name cards to restore (alaya forgotten lists them), or give --backup FILE: one of the two"
    ),
    # steps of an introspection
    "introspect.forget.off": "Nothing is forgotten: introspect.forget_policy is none",
    "introspect.forget.done": "Forgot {count:,} {count:card|cards} (policy {policy})",
    "introspect.forget.faded": "  {count:,} faded: cold, long untouched, hardly ever recalled",
    "introspect.forget.idle": "  {count:,} idle: not recalled for a long time",
    "introspect.forget.aged": "  {count:,} aged",
    "introspect.forget.doubtful": "  {count:,} doubtful: of little confidence",
    "introspect.forget.too_many": "  {count:,} too many: the newest stay",
    "introspect.forget.card": "  {title} ({id})",
    "introspect.consolidate.merged": (
        "Found {pairs:,} duplicate {pairs:pair|pairs}, merged into {cards:,} {cards:card|cards}"
    ),
    "introspect.consolidate.merge_identical": "  {gone} → {kept} (the same words)",
    "introspect.consolidate.merge_contained": "  {gone} → {kept} (which says it, too)",
    "introspect.consolidate.merge_model": "  {gone} → {kept} (by the model)",
    "introspect.consolidate.linked": "Created {count:,} new SIMILAR_TO {count:link|links}",
    "introspect.consolidate.apart": (
        "{count:,} {count:pair|pairs} of alike cards contradict each other and stay apart"
    ),
    "introspect.consolidate.summaries": (
        "Summed up {count:,} {count:topic, session or theme|topics, sessions and themes}"
    ),
    "introspect.consolidate.aliased": (
        "Moved {count:,} {count:link|links} to the relations that their names are aliases of"
    ),
    "introspect.consolidate.relations": (
        "Relations: {count:,} {count:proposal|proposals}, see alaya relations"
    ),
    # alaya relations
    "relations.heading": "Relations",
    "relations.none": "Nothing to tidy: no relation is vague, frequent or like another",
    "relations.aliases": "The same by their names and reasons:",
    "relations.close": "Near, worth a look:",
    "relations.alike": "  {name} ({uses:,} {uses:use|uses}) ≈ {into}  {similarity:.2f}",
    "relations.promote": "Frequent, could be core relations:",
    "relations.frequent": "  {name}: {uses:,} {uses:use|uses}",
    "relations.vague": "Vague, could be split:",
    "relations.clusters": "Stand together:",
    "relations.why": "    such as: {reason}",
    "relations.no_vectors": "Names were not compared: {why}",
    "relations.promoted": "{name} is a core relation now",
    "relations.defined": "  it means: {definition}",
    "relations.aliased": "{name} means {into} now: {links:,} {links:link|links} moved",
    "relations.split": "{links:,} {links:link|links} of {name} moved to {into}",
    "bad.relations_list": "alaya relations list takes nothing more",
    "bad.relations_promote": "alaya relations promote takes one NAME (and --definition TEXT)",
    "bad.relations_alias": "alaya relations alias takes two names: NAME INTO",
    "bad.relations_split": (
        "alaya relations split takes two names, and which links: NAME INTO --reason TEXT, "
        "or --link ID"
    ),
}
