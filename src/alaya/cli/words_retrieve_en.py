"""What `alaya retrieve` says, in English. words_retrieve_zh.py has the same keys."""

WORDS = {
    "retrieve.nothing": "Nothing relevant is remembered",
    "retrieve.episodes": "What was said",
    "retrieve.entities": "Who and what it speaks of",
    "retrieve.edges": "What is known to hold",
    "retrieve.summaries": "Summaries",
    "retrieve.cards": "Cards",
    "retrieve.topic": "on {topic}",
}
