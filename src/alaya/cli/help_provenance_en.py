"""What `--help` says of the commands of provenance. help_provenance_zh.py has the same keys."""

HELP = {
    "recall.include_quarantined": "also what seems to instruct an agent, and was set aside for it",
    "remember": "put down what was seen, concluded, done or came out",
    "remember.about": (
        "Keeps a text as a card, with the event and the cards that it came from. The words go "
        "into the archive like all others, so that they can be traced and checked. A card is "
        "trusted as little as the least of what it came from; words of a tool that seem to "
        "instruct an agent go into quarantine. The same words again are said again, and make no "
        "second card."
    ),
    "remember.text": "what is to be remembered (else standard input)",
    "remember.kind": (
        "observation (the default), reasoning, action, result, or any other kind of card"
    ),
    "remember.event": (
        "the event or recall that it came from: event-…, event:SESSION#TURN, or the id in "
        "`alaya recall --json`"
    ),
    "remember.derived_from": "the cards that it was concluded from, by commas",
    "remember.importance": "0 to 1 (default 0.5)",
    "remember.origin": "whose words these are: owner, agent (the default), tool or untrusted",
    "remember.examples": (
        'alaya remember "The balance of account 3 is 100 yuan" --kind result\n'
        'alaya remember "Account 3 can pay" --kind reasoning --derived-from card-abc123'
    ),
    "event": "write an event down, so that what is remembered can cite it",
    "event.about": (
        "Keeps what went into an act of an agent and what came out of it, word for word, and "
        "prints its id. In a program: with memory.event(kind, input=…) as event."
    ),
    "event.kind": (
        "user_message, tool_call, reasoning, final_answer, retrieval, reflection, correction or "
        "import"
    ),
    "event.input": "what went in, such as the call of a tool",
    "event.output": "what came out, such as its result",
    "event.examples": 'alaya event tool_call --input "df -h" --output "/dev/sda1 93%"',
    "events": "list what happened in a session",
    "events.about": (
        "Lists the messages of the user, the calls of tools with their results, thoughts and last "
        "answers of a session, by the ids with which they can be cited, traced and corrected. "
        "They are read from its turns: nothing is stored twice."
    ),
    "events.session": "the id of a session",
    "events.examples": "alaya events session-20260331-062900",
    "trace": "go back from a card to the words, and on to what was derived",
    "trace.about": (
        "Shows the sessions a card came from, the words it cites with the number of their turn, "
        "and whether they still stand in the archive exactly as cited. With --chain, or for an "
        "event or a turn, draws two trees: down through events and cards to the words, and up to "
        "everything that was concluded."
    ),
    "trace.card": "a card, an event (event-…, event:…, recall-…) or a turn (SESSION#TURN)",
    "trace.chain": "draw the trees both ways",
    "trace.examples": "alaya trace card-abc123\nalaya trace card-abc123 --chain",
    "why": "say why a card says what it says",
    "why.about": (
        "Who said it, when, in which event and in which words; how often it was said or confirmed; "
        "from which cards it was concluded; what it replaced and what contradicts it; whether it "
        "is stale, and for which correction, in quarantine, or forgotten."
    ),
    "why.card": "the id of a card",
    "why.examples": "alaya why card-abc123",
    "correct": "say what is right instead",
    "correct.about": (
        "A correction is an event of its own. A card gets a new version; of an event or a turn a "
        "new card says what is right and replaces those that came from it. Everything derived "
        "from what was corrected is stale, along the whole chain: it is ranked lower and marked, "
        "until it is derived again or confirmed. Facts that only this source carries are no "
        "longer believed."
    ),
    "correct.what": "a card, an event (event-…, event:…) or a turn (SESSION#TURN)",
    "correct.text": "what is right (else standard input)",
    "correct.reason": "why",
    "correct.examples": (
        'alaya correct card-abc123 "The balance is 80 yuan" --reason "typing mistake"\n'
        'alaya correct "ops#14" "The port is 5434"'
    ),
    "confirm": "say that a card holds: it is stale no longer",
    "confirm.about": "Counts as said once more. A stale card is what it was before.",
    "confirm.card": "the id of a card",
    "confirm.reason": "why",
    "confirm.examples": "alaya confirm card-abc123",
    "quarantine": "list what seems to instruct an agent, and decide about it",
    "quarantine.about": (
        "Text of tools, pages and strangers that speaks to an agent instead of its reader (ignore "
        "your instructions, send the key, do not tell the user; hidden in comments, base64, "
        "invisible characters or file names) is kept and not recalled. release lets a card back "
        "into recall, hold sets one aside by hand."
    ),
    "quarantine.action": "list (the default), release or hold",
    "quarantine.cards": "the cards to be released or held",
    "quarantine.reason": "why",
    "quarantine.examples": "alaya quarantine\nalaya quarantine release card-abc123",
}
