"""What `--help` and complaints about usage say, in English. help_zh.py has the same keys."""

HELP = {
    "alaya": (
        "A long-term memory for AI agents. What was said is kept word for word; cards, links "
        "and vectors grow from it and can be grown again. Works offline, without an API key."
    ),
    "epilog": (
        "Help for a command: alaya COMMAND --help. Results go to standard output, errors to "
        "standard error (with --json as one JSON object). Exit status: 0 done, 1 a mistake in "
        "what was asked, 2 bad usage, 3 a failure of alaya, 130 interrupted."
    ),
    "title.usage": "usage:",
    "title.arguments": "Arguments:",
    "title.options": "Options:",
    "title.global": "Options of every command, before or after it:",
    "title.everywhere": "Options of every command (see alaya --help):",
    "title.commands": "Commands:",
    "title.examples": "Examples:",
    "help": "show this help",
    "version": "show the version",
    "home": "the data directory (else ALAYA_HOME, else ~/.alaya)",
    "user": "whose memory: a wall between users (else ALAYA_USER, else default)",
    "agent": "only what belongs to this agent",
    "json": "print one JSON document; it changes the output only",
    "quiet": "no headings, hints or confirmations",
    "set": "override a setting for this run, such as recall.alpha=0.7 (can be repeated)",
    "lang": "en or zh (else ALAYA_LANG, else the setting language)",
    # commands
    "init": "make the data directory",
    "init.about": (
        "Makes the data directory with its configuration and database. Doing it twice is "
        "harmless; other commands do it when they need it."
    ),
    "init.examples": "alaya init\nalaya init --home ~/memories",
    "ingest": "take session logs into the archive",
    "ingest.about": (
        "Takes session logs into the archive, word for word. A source is read from where it was "
        "left: doing it twice changes nothing, an appended file continues. Secrets are replaced "
        "by placeholders. What cannot be read is parked with the reason, and the rest goes on; "
        "when nothing could be read the exit status is 1. When distill.auto_distill is on, "
        "distils afterwards."
    ),
    "ingest.paths": "a file, a folder, a glob in quotes, or - for standard input",
    "ingest.format": "the format of the sources (else it is recognised)",
    "ingest.discover": (
        "find the logs of the tools on this machine; lists them, and takes them with --yes"
    ),
    "ingest.yes": "take what --discover found without asking",
    "ingest.no_distill": "do not distil afterwards, even if distill.auto_distill is on",
    "ingest.examples": "alaya ingest session.json\nalaya ingest --discover --yes",
    "add": "keep a text, or messages of a talk",
    "add.about": (
        "Appends a text, or messages, to a session, in one commit: all of them or, if one is no "
        "message, none. What the session holds already is left out, so a whole talk can be given "
        "again. A message is known by its id; without one by its words, speaker and time. "
        "Secrets are replaced by placeholders. Without TEXT, standard input is read. When "
        "distill.auto_distill is on, distils the session afterwards."
    ),
    "add.text": "what was said (else standard input)",
    "add.session": "the session that grows by it (else that of the day and the agent)",
    "add.role": "who says the text: user (the default), assistant, tool or system",
    "add.name": "the speaker's name",
    "add.at": "when it was said (else now): ISO 8601, or how long ago: 7d, 12h",
    "add.messages": (
        "the input is JSON: a list of {role, content}, an object with such messages, or one a line"
    ),
    "add.distill": "distil the session afterwards, however short it is",
    "add.no_distill": "do not distil afterwards, even if distill.auto_distill is on",
    "add.examples": (
        'alaya add "The staging database moved to port 5433" --session ops --distill\n'
        'echo \'[{"role": "user", "content": "hi"}]\' | alaya add --messages --session s1'
    ),
    "distill": "turn what was said into cards",
    "distill.about": (
        "Turns sessions that were not distilled yet into cards and links, each with the words "
        "it came from: with the model that is configured, else by rules, in Chinese and "
        "English; it says which. Then it sums up topics that are over, sessions and themes. What "
        "a model does not answer is not taken for done: the exit status is 3 (1 at the end of "
        "distill.max_tokens_per_day), and the next time goes on there. The words that a model gets "
        "stand in prompts/ of the home and may be edited."
    ),
    "distill.session": "only this session",
    "distill.all": "also sub-agents, scheduled jobs, hooks and documents",
    "distill.redistill": (
        "distil again what was distilled before; cards that say the same become new versions"
    ),
    "distill.close": "the last topic of each session is over, too: sum it up now",
    "distill.rules": "by rules, even if a model is configured",
    "distill.dry-run": "write nothing; say how many calls, tokens and what cost it would take",
    "distill.examples": (
        "alaya distill\nalaya distill --dry-run\nalaya distill --session session-20260331-062900"
    ),
    "recall": "find what is remembered, and the paths that lead on",
    "recall.about": (
        "Finds what is remembered, by meaning, words and links; calls no model. A query is a "
        "text, concepts or cards to start from. Where none is given by arguments, a JSON query "
        "is read from standard input, with the keys text (or query), concepts, relations, "
        "from_nodes, depth, limit (or max_results), min_similarity, graph_expand, "
        "include_cards, include_sessions, include_summaries, include_notes, recipe, already_shown, "
        "show_again, include_stale, include_forgotten, include_quarantined, include_ended, agent, "
        "session, kinds, tags, since, until, tiers, origins, min_confidence, as_of, believed_at, "
        "asked_at, or from and to for a path; what arguments say comes first. Times are ISO 8601, "
        "epoch milliseconds, or how long ago: 7d, 12h. When nothing relevant is remembered the "
        "answer is empty and says so."
    ),
    "recall.text": "what to look for, in any words",
    "recall.concepts": "concepts to look for, separated by commas",
    "recall.relations": "follow only this relation (commas, or repeat it); default: all",
    "recall.depth": "how many links to follow (default recall.graph_expand_depth)",
    "recall.from_nodes": "go on from these cards, turns, sessions or entities, by commas",
    "recall.interactive": (
        "walk on from what was found, by number: a node, a relation, back, a new search, trace; "
        "from a pipe, each line is one step and its end is the end"
    ),
    "recall.source": "find the best chain of links from this card, turn or question …",
    "recall.target": "… to this one, of at most --depth links (default 6); filters hold on the way",
    "recall.limit": "at most this many results (default recall.max_results)",
    "recall.min_similarity": "0 to 1, on the calibrated scale (default recall.min_similarity)",
    "recall.include_sessions": "also what was said, beside the cards",
    "recall.no_sessions": "nothing that was said, only cards: a context quotes it unless told so",
    "recall.include_summaries": "also summaries of what was said",
    "recall.no_summaries": "no summaries: a context has them unless told so",
    "recall.include_cards": "cards, where recall.include_cards is false",
    "recall.no_cards": "no cards: with --include-sessions, only what was said",
    "recall.include_notes": "notes as well, where recall.include_notes is false",
    "recall.no_notes": "no cards of the kinds success, failure, insight, principle and skill",
    "recall.recipe": (
        "how what was found is ranked: by h-distance (default, alaya), also by time, importance "
        "and use (alice), or by connections, importance and freshness (eywa); default recall.recipe"
    ),
    "recall.again": "return what --already-shown names all the same",
    "recall.session": "only what was said in this session, and what came of it",
    "recall.kinds": "only these kinds of card: concept, pattern, gotcha, decision, …",
    "recall.tags": "only cards with this tag (all of them, when repeated)",
    "recall.since": "only what was said at or after this time",
    "recall.until": "only what was said before this time",
    "recall.tiers": "only HOT, WARM or COLD cards",
    "recall.origins": "only from owner, agent, tool, untrusted or system",
    "recall.min_confidence": "only cards at least this certain, 0 to 1",
    "recall.already_shown": "leave out these ids: the caller has seen them (commas, or repeat it)",
    "recall.as_of": "only what had been said, or was valid, by this time",
    "recall.believed_at": "what the memory held at this time",
    "recall.no_graph": "do not follow links",
    "recall.explain": "also say how the ranking came about",
    "recall.examples": (
        'alaya recall "gateway configuration"\n'
        'alaya recall --concepts "gateway restart" --rel CAUSED_BY --depth 2\n'
        'alaya recall -i "gateway restart"\n'
        'alaya recall --from "gateway restart" --to card-def456\n'
        'echo \'{"concepts": ["gateway restart"], "depth": 2}\' | alaya recall --json'
    ),
    "context": "what belongs into a prompt, cut to a budget, with citations",
    "context.about": (
        "Recalls cards and what was said for a question, and prints one block of text to be put "
        "into a prompt: facts, cards, summaries and quotes, each with a citation such as "
        "[card-…] or [session …#turn]. What was contradicted, retired or is stale is marked; "
        "what came from tools or pages is fenced and labelled as data. The block is never longer "
        "than the budget, and is recognised and not learnt again when a log with it is ingested. "
        "Tokens are counted by recall.tokenizer (the extra `tokens`), else by a cautious "
        "estimate; the block says which. Where no question is given, a JSON query is read from "
        "standard input, as by recall. When nothing relevant is remembered the block says so; "
        "when not even that fits, nothing is printed."
    ),
    "context.text": "the question, or the prompt that the context is for",
    "context.budget": "at most so many tokens (default recall.context_tokens)",
    "context.format": "how the block is written: Markdown, plain text or JSON (default md)",
    "context.limit": "recall at most so many cards and turns (default: by the budget)",
    "context.examples": (
        'alaya context "Why do no messages arrive after the gateway restarts?"\n'
        'alaya context "which port was in use?" --budget 800 --format text\n'
        'echo \'{"text": "which port?", "kinds": ["gotcha"]}\' | alaya context --format json'
    ),
    "facts": "what is known to hold, with since when",
    "facts.about": (
        "Lists facts that hold now, the newest first: the sentence, the entities it joins, since "
        "when it holds, and the turns that tell it. With the name, an alias or the id of an "
        "entity, its facts; with any other text, those of the entities that it names, or else "
        "of those that were spoken of where it was said."
    ),
    "facts.text": "an entity, or what the facts are to be about (else all)",
    "facts.as_of": "what held at this time: ISO 8601, or how long ago: 7d, 12h",
    "facts.all": "also what holds no longer, or not yet",
    "facts.examples": "alaya facts Melanie\nalaya facts Melanie --as-of 2026-03-01 --json",
    "list.session": "only what rests on words of this session",
    "list.limit": "at most this many (default 50)",
    "list.offset": "leave out this many at the beginning",
    "entities": "who and what is known",
    "entities.about": (
        "Lists people, places, things, organizations, tools, events, activities and emotions that "
        "were spoken of, with other names and the number of their facts, the most spoken of "
        "first. With a NAME (or an alias, or an id), all that is known of it, also what holds no "
        "longer."
    ),
    "entities.name": "the name, an alias or the id of one",
    "entities.examples": "alaya entities\nalaya entities Melanie",
    "summaries": "what was talked about, topic by topic",
    "summaries.about": (
        "Lists summaries of what was said, each of a run of turns on one topic: the newest first, "
        "those of one session in its order."
    ),
    "summaries.examples": "alaya summaries --since 7d\nalaya summaries --session s1 --json",
    "link": "join two cards by hand",
    "link.about": (
        "Makes a link from card A to card B. SIMILAR_TO and CONTRADICTS hold both ways; CAUSES "
        "and CAUSED_BY are one link read in two directions; any other name is a relation of "
        "your own."
    ),
    "link.source": "the card it goes from",
    "link.target": "the card it goes to",
    "link.rel": "the relation (default RELATES_TO)",
    "link.reason": "why",
    "link.weight": "how strong, 0 to 1 (default 1)",
    "link.examples": (
        'alaya link card-abc123 card-def456 --rel DEPENDS_ON --reason "needs its socket"'
    ),
    "schema": "relations and node types, and how often they are used",
    "schema.about": "Lists the relations, the node types, or both, with how often each is used.",
    "schema.relations": "only the relations",
    "schema.node_types": "only the node types",
    "schema.examples": "alaya schema --relations\nalaya schema --node-types --json",
    "status": "the three layers in numbers",
    "status.about": (
        "Shows what is in the archive, the graph and the index, which embedder is in use and "
        "why, how far embedding has come, what waits for distilling, and what was parked."
    ),
    "status.examples": "alaya status\nalaya status --json",
    "usage": "what calls to a model took",
    "usage.about": (
        "Shows the calls to the model by day (UTC), stage and model: how many, tokens in and out, "
        "time, and cost where distill.prices has the model. Calls whose reply could not be used "
        "and was asked for again, was parked, or that failed are counted by name. The last line "
        "is the day so far, of all users, against distill.max_tokens_per_day."
    ),
    "usage.since": "only calls at or after this time: ISO 8601, or how long ago: 7d, 12h",
    "usage.examples": "alaya usage\nalaya usage --since 7d --json",
    "export": "write cards, graph and index as files",
    "export.about": (
        "Writes the cards as Markdown by kind, the graph as GraphML (Gephi and NetworkX open "
        "it) and index.md. What an earlier export wrote into the folder and is no longer there is "
        "deleted; other files are left alone."
    ),
    "export.output": (
        "the folder to write to (default export/ in the data directory, export/NAME for --user)"
    ),
    "export.sessions": "also the sessions, as JSON",
    "export.examples": "alaya export\nalaya export --output ./memory --sessions",
    "verify": "check that the three layers agree",
    "verify.about": (
        "Checks the archive against its hash chain, and the graph and the index against the "
        "archive, and names each difference. Exit status 3 when something is wrong that was not "
        "mended."
    ),
    "verify.repair": "mend the graph and the index from the archive",
    "verify.examples": "alaya verify\nalaya verify --repair",
    "rebuild": "grow graph and index again from the archive",
    "rebuild.about": (
        "Grows the graph and the index again by replaying the journal; calls no model. Vectors "
        "come from the cache."
    ),
    "rebuild.examples": "alaya rebuild",
    "rebuild-l1": "grow the index again from the graph",
    "rebuild-l1.about": "Grows the index of words and vectors again from the graph.",
    "rebuild-l1.examples": "alaya rebuild-l1",
    "embed": "work off what waits for embedding",
    "embed.about": (
        "Embeds what has no vector yet, newest first. It can be interrupted: what is done is "
        "kept. Nothing else waits for it."
    ),
    "embed.limit": "at most this many texts",
    "embed.worker": "run as the background worker that ingest starts; one per data directory",
    "embed.examples": "alaya embed\nalaya embed --limit 500",
    "config": "read and write settings",
    "config.about": (
        "get KEY prints a setting or a section as it is in force; set KEY VALUE writes it to "
        "config.json; path prints where that is; list prints every setting and where its value "
        "is from."
    ),
    "config.action": "what to do",
    "config.key": "a setting, such as recall.max_results",
    "config.value": "its new value; null takes it back to none",
    "config.examples": (
        "alaya config get embedding.provider\nalaya config set recall.max_results 5"
    ),
    # complaints
    "bad.unknown": "not understood: {what}",
    "bad.required": "missing: {what}",
    "bad.value_missing": "{name} needs a value",
    "bad.no_value": "{name} takes no value: {what}",
    "bad.together": "{name} cannot stand together with {what}",
    "bad.choice": "no such command: {what}",
    "bad.similar": "no such command: {what}; did you mean {near}?",
    "bad.argument": "{name}: {what}",
    "bad.setting": "needs KEY=VALUE, not {value}",
    "bad.among": "must be one of {allowed}, not {value}",
    "bad.whole": "must be a whole number of at least {low}, not {value}",
    "bad.share": "must be a number between 0 and 1, not {value}",
    # docs/cli.md
    "reference.title": "The command line",
    "reference.intro": (
        "`alaya` keeps what was said and finds it again. This page is made from the help text "
        "by `python -m alaya.cli.reference`; a test keeps it true."
    ),
    "reference.examples": "In English, then in Chinese:",
    "reference.output": (
        "## Output\n\n"
        "On a terminal there are headings with emoji, colour (not with `NO_COLOR`), hints and a "
        "progress bar; in a pipe there are plain lines with the results. `--quiet` leaves out "
        "headings, hints and confirmations on a terminal, too. `--json` prints one JSON "
        "document: on one line in a pipe, indented on a terminal. Output is UTF-8, whatever the "
        "locale; a terminal in another encoding gets `?` for what it cannot show.\n\n"
        "Errors go to standard error as `alaya: message`, with `--json` as "
        '`{"error": {"type": …, "message": …}}`; standard output then stays empty.\n\n'
        "## Exit status\n\n"
        "| status | meaning |\n|---|---|\n"
        "| 0 | done; also when nothing relevant is remembered |\n"
        "| 1 | a mistake in what was asked: no such card, a setting that is not allowed, "
        "nothing that could be read |\n"
        "| 2 | bad usage: an unknown option, a missing argument |\n"
        "| 3 | a failure of alaya or its surroundings; `verify` found a difference |\n"
        "| 130 | interrupted; nothing acknowledged is lost |\n\n"
        "What went wrong unexpectedly is written to `logging.file` (`logs/alaya.log` in the "
        "data directory), without any contents of the memory."
    ),
}
