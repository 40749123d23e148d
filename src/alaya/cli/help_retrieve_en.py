"""What `alaya retrieve --help` says, in English. help_retrieve_zh.py has the same keys."""

HELP = {
    "retrieve": "turns, entities, facts and summaries of a question",
    "retrieve.about": (
        "What is remembered of a question, kind by kind: turns word for word with their "
        "topic, the entities that it names or the turns speak of, facts around these "
        "that hold, summaries, cards. With --json also all of them as one block for a "
        "prompt. See docs/action.md."
    ),
    "retrieve.text": "a question, or some words",
    "retrieve.no_episodes": "no turns",
    "retrieve.no_entities": "no entities",
    "retrieve.no_edges": "no facts",
    "retrieve.no_summaries": "no summaries",
    "retrieve.no_cards": "no cards",
    "retrieve.limit": "at most so many of each kind (else recall.max_results)",
    "retrieve.max_hops": "how many facts away from what is named or spoken of (else 2)",
    "retrieve.budget": "at most so many tokens in the block (else recall.context_tokens)",
    "retrieve.examples": "alaya retrieve what Ada ordered\nalaya retrieve Ada --max-hops 1 --json",
}
