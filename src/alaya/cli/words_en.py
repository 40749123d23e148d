"""What commands say when they run, in English. words_zh.py has the same keys."""

WORDS = {
    "more": "… and {count:,} more",
    "interrupted": "interrupted; nothing acknowledged is lost",
    "failure": "{what}\nThis is a fault of alaya. Where it happened is written in {path}",
    "failure.unlogged": "{what}\nThis is a fault of alaya. It happened here:\n{places}",
    # bad usage
    "bad.no_command": "a command is needed",
    "output.failed": "cannot write to standard output: {error}",
    "bad.see": "see: {command}",
    "bad.no_paths": "ingest needs a PATH (a file, a folder, a glob or -), or --discover",
    "bad.discover_paths": "--discover finds the logs itself; give either it or PATH",
    "bad.no_query": (
        "recall needs a query: a text, --concepts, --from-nodes, or a JSON query on standard input"
    ),
    "bad.no_question": "context needs a QUESTION, --concepts, or a JSON query on standard input",
    "bad.walk_json": "-i prints what is to be looked at: it cannot stand together with --json",
    "bad.walk_path": "-i walks step by step, --from and --to find the whole way: give one of them",
    "bad.path_end": "a path has two ends: {what} is missing",
    "bad.path_with": "{what} says nothing to a path: --from and --to cannot stand with it",
    "bad.config_get": "config get needs one KEY, such as: alaya config get recall.max_results",
    "bad.config_set": (
        "config set needs a KEY and a VALUE, such as: alaya config set recall.max_results 5"
    ),
    "bad.config_path": "config path takes nothing more",
    "bad.config_list": "config list takes nothing more",
    # init
    "init.created": "Created {path}",
    "init.folders": "Created directory structure at {home}",
    "init.ready": "Alaya is ready!",
    "init.already": "Alaya is ready at {home}; nothing had to be created",
    "init.next": "Next: alaya ingest PATH, or: alaya ingest --discover",
    # ingest
    "ingest.session": "Ingesting session: {id}",
    "ingest.duration": "Duration: {time}",
    "ingest.tokens": "Tokens: {count:,}",
    "ingest.channel": "Channel: {name}",
    "ingest.kind": "{kind}, not distilled by default",
    "ingest.turns": "{new:,} new {new:turn|turns}, {total:,} in all",
    "ingest.saved": "Saved to {path}",
    "ingest.total": (
        "Ingested {turns:,} {turns:turn|turns} of {sessions:,} {sessions:session|sessions} "
        "({new:,} new)"
    ),
    "ingest.unchanged": "Unchanged: {count:,} {count:source|sources}",
    "ingest.skipped": "Skipped: {what}",
    "ingest.redacted": "Replaced {count:,} {count:secret|secrets}: {what}",
    "ingest.parked": "Parked {count:,} {count:item|items} that could not be processed:",
    "ingest.embedding": "Embedding goes on in the background; alaya status shows how far it is",
    "ingest.next": "Next: alaya distill",
    "session.subagent": "a sub-agent's session",
    "session.cron": "a scheduled job's session",
    "session.hook": "a hook's session",
    "session.documents": "a collection of documents",
    "ingest.no_stdin": "standard input is closed: there is nothing to ingest from -",
    # discover
    "discover.nothing": "No logs of known tools were found on this machine",
    "discover.found": "Found {count:,} {count:log|logs}, {new:,} with something new",
    "discover.known": "known",
    "discover.new": "new",
    "discover.total": "To take: {count:,} {count:file|files}, {size}",
    "discover.next": "Take them with: alaya ingest --discover --yes",
    "discover.ask": "Take them now? [y/N]",
    "discover.left": "Nothing was taken",
    # add
    "bad.no_text": "add needs a TEXT, or what was said on standard input",
    "bad.add_messages": "{what} belongs to a text: each of the --messages has its own",
    "add.long": "standard input is longer than 64 MiB: write it to a file and ingest that",
    "add.not_utf8": "standard input is not UTF-8",
    "add.not_json": "the messages are not JSON: {error}",
    "add.deep": "the messages are nested too deeply",
    "add.done": "Added {count:,} {count:turn|turns} to session {session}",
    "add.nothing_new": "Nothing new: session {session} holds all of it",
    "add.known": "Known already: {count:,}",
    "add.learnt": (
        "Learnt: {entities:,} {entities:entity|entities}, {facts:,} {facts:fact|facts}, "
        "{summaries:,} {summaries:summary|summaries}"
    ),
    "add.next": "Next: alaya distill --session {session}",
    # facts, entities, summaries
    "facts.heading": "Facts",
    "facts.none": "No facts are known",
    "facts.since": "since {day}",
    "facts.until": "from {day} until {end}",
    "entities.heading": "People and things",
    "entities.none": "No entities are known",
    "entities.unknown": "nobody and nothing of this name is known: {name}",
    "entities.facts": "{count:,} {count:fact|facts}",
    "summaries.heading": "Summaries",
    "summaries.none": "There are no summaries",
    "knowledge.from": "from {turns}",
    "knowledge.more": "There are more: --offset {offset}",
    "entity.person": "person",
    "entity.place": "place",
    "entity.thing": "thing",
    "entity.event": "event",
    "entity.emotion": "emotion",
    "entity.activity": "activity",
    "entity.organization": "organization",
    "entity.tool": "tool",
    # distill
    "distill.session": "Distilling {id}",
    "distill.found": "Found {count:,} {count:card|cards}:",
    "distill.card": "Card: {title} [{kind}]",
    "distill.links": "Created {count:,} {count:link|links}:",
    "distill.dropped": (
        "Left out {count:,} weaker {count:passage|passages}; they stay in the archive"
    ),
    "distill.unsupported": (
        "Rejected {count:,} {count:card|cards} of which the turns that they cite say nothing"
    ),
    "distill.complete": (
        "Distillation complete: {sessions:,} {sessions:session|sessions}, "
        "{cards:,} {cards:card|cards}, {links:,} {links:link|links}"
    ),
    "distill.summaries": (
        "Summed up {topic:,} {topic:topic|topics}, {session:,} {session:session|sessions}, "
        "{theme:,} {theme:theme|themes}"
    ),
    "distill.summaries_left": "Summaries that are still to be made: {reason}",
    "distill.none": (
        "Nothing to distil: there is no session yet; begin with alaya ingest PATH or alaya add TEXT"
    ),
    "distill.revised": "New version: {title} (version {version})",
    "distill.revisions": "{count:,} {count:card|cards} got a new version",
    "distill.failed": "{id} was not distilled: {why}",
    "distill.stopped": "Stopped: {why}",
    "distill.incomplete": (
        "Not complete: {sessions:,} {sessions:session|sessions} done, {cards:,} "
        "{cards:card|cards}, {links:,} {links:link|links}; {left:,} {left:session|sessions} "
        "left. `alaya distill` goes on where it ended and pays for nothing twice"
    ),
    "distill.model": "Distilled with {name}",
    "distill.model_tokens": (
        "Distilled with {name}: {tokens_in:,} tokens in, {tokens_out:,} out (alaya usage)"
    ),
    "distill.rules": "Distilled by rules, no model configured",
    "distill.rules_wanted": "Distilled by rules, as was asked; {provider} is configured",
    "distill.configure": (
        "A model can be named with: alaya config set distill.llm_provider openai, and "
        "alaya config set distill.model gpt-4o (it needs: pip install 'alaya-agent-memory[openai]')"
    ),
    "distill.would": "Nothing was written",
    "distill.estimate": (
        "At most {calls:,} {calls:call|calls} ({kept:,} answered before), {tokens_in:,} tokens "
        "in, {tokens_out:,} out"
    ),
    "distill.estimate_stages": "Calls by stage: {stages}; themes across sessions are not foreseen",
    "distill.estimate_cost": "At most {cost} {currency}",
    "distill.over": (
        "That is more than distill.max_tokens_per_day leaves for today (UTC): {left:,}"
    ),
    "distill.left": "distill.max_tokens_per_day leaves {left:,} for today (UTC)",
    "distill.would_rules": "No model would be asked: {name}",
    "distill.would_ask": "Would be asked: {name}",
    "outcome.distilled": "Distilled: {count:,}",
    "outcome.failed": "Not answered usably: {count:,} {count:session|sessions}",
    "outcome.waiting": "To distil: {count:,} {count:session|sessions}",
    "outcome.nothing": "Nothing worth a card in {count:,} {count:session|sessions}",
    "outcome.unchanged": "Distilled before: {count:,} {count:session|sessions}",
    "outcome.too_short": (
        "Too short: {count:,} {count:session|sessions} (below distill.min_session_tokens and "
        "distill.min_tool_calls)"
    ),
    "outcome.not_main": (
        "Sub-agents, scheduled jobs, hooks and documents: {count:,} {count:session|sessions} "
        "left out (--all takes them)"
    ),
    "outcome.claimed": (
        "Left to another process that is distilling them: {count:,} {count:session|sessions}"
    ),
    "outcome.same_content": "Same content as another: {count:,} {count:session|sessions}",
    # the query of a recall
    "query.deep": "the query on standard input is nested too deeply",
    "query.long": "the query on standard input is longer than 1 MiB",
    "query.not_json": "the query on standard input is not JSON: {error}",
    "query.no_object": "the query on standard input must be a JSON object",
    "query.key": "unknown key {name} in the query; allowed are: {allowed}",
    "query.path_key": "{name} says nothing to a path from A to B; allowed are: {allowed}",
    "query.path_end": "a path has two ends: {name} is missing",
    "query.empty": "the query is empty: give a text, concepts or from_nodes",
    "query.time": (
        "{name}: not a time: {value}; use 2026-03-31, 2026-03-31T06:29:00Z, epoch milliseconds, "
        "how long ago, such as 7d or 12h, or a day, such as yesterday"
    ),
    "query.text": "{name} must be a text, not {value}",
    "query.texts": "{name} must be a list of texts, not {value}",
    "query.flag": "{name} must be true or false, not {value}",
    "query.whole": "{name} must be a whole number of at least {low}, not {value}",
    "query.share": "{name} must be a number between 0 and 1, not {value}",
    "query.among": "{name} must be among {allowed}, not {value}",
    # recall
    "recall.heading": "Recalling: {query}",
    "recall.abstained": "Nothing relevant is remembered.",
    "recall.nothing_new": "Nothing new: what is relevant was shown before (--again).",
    "recall.turn": "said",
    "recall.summary": "summary",
    "recall.stale": "(stale: what it came from was corrected)",
    "recall.origin": "[{origin}: a quote, not an instruction]",
    "recall.matched": "matched: {rel} (rel_sim={sim})",
    "recall.facts": "score {score} · said {day}",
    "recall.explorable": "Explorable paths:",
    "recall.path": "{rel} ({count:,} {count:node|nodes}, rel_sim={sim})",
    "recall.average": "Average h_distance: {h} ({verdict})",
    "recall.close": "close to target",
    "recall.explore": "not there yet: explore further",
    "recall.far": "far from the target",
    "recall.note": "Note: {note}",
    "recall.next": "The words it came from: alaya trace {id}",
    "recall.walk": "To go on from here: the same with -i, or --from-nodes with --rel",
    "explain.heading": "How the ranking came about (recipe {recipe}; {settings})",
    "explain.arms": "arms that had something to say: {arms}",
    "explain.score": "score {score}{sum}",
    "part.concept": "concept",
    "part.relation": "relation",
    "part.depth": "depth",
    "part.stale": "stale",
    "part.semantic": "semantic",
    "part.time": "time",
    "part.importance": "importance",
    "part.frequency": "frequency",
    "part.connections": "connections",
    "part.freshness": "freshness",
    "explain.arm": "raw {raw}  vote {vote}  rank {rank}",
    "explain.h": "h_distance {h} (concept, relation, depth: {sum})",
    "explain.repeats": "repeats what stands before or was shown, by {much}: goes behind",
    "explain.via": "reached over {edge}, depth {depth}",
    "explain.time": "time in ms: {total} in all; {stages}",
    # context
    "context.tokens": "{tokens:,} of {budget:,} tokens ({counter}); {left:,} more found",
    "context.nothing_fits": "Nothing fits into {budget:,} tokens ({counter}); found: {left:,}",
    # walking (-i)
    "walk.help": (
        "NUMBER goes to that node, or along that relation · b back · t NUMBER the words it came "
        "from · s TEXT (or just TEXT) search · h help · q quit"
    ),
    "walk.no_number": "there is no number {number}; the highest is {most}",
    "walk.no_node": "there is no node {number} to trace; the highest is {most}",
    "walk.first": "this is where the walk began",
    "walk.trace_what": "trace what? Give the number of a node, such as: t 1",
    "walk.summary": "This sums up what was said ({id}):",
    "walk.turn": "These are the words themselves, as said in {id}:",
    # paths (--from, --to)
    "path.heading": "Path: {source} → {target}",
    "path.unmatched": "Nothing relevant is remembered to begin or end at: {text}",
    "path.same": "One card answers both:",
    "path.none": (
        "No chain of at most {depth} {depth:link|links} leads there ({nodes:,} "
        "{nodes:node|nodes} explored)."
    ),
    "path.closest": "The closest that one came (concept distance {far}):",
    "path.stayed": "No link leads closer than where it begins (concept distance {far}):",
    "path.said": " · said {day}",
    "path.step": "{rel} (weight={weight}, rel_sim={sim}, distance +{distance})",
    "path.reason": "because: {text}",
    "path.fact": "fact: {text}",
    "path.total": (
        "Total distance: {distance} ({links:,} {links:link|links}, {nodes:,} "
        "{nodes:node|nodes} explored)"
    ),
    "path.cut_off": (
        "the graph is too large to have been searched whole: a better chain may exist; "
        "--rel, --depth or a filter narrows it"
    ),
    "path.explain": "How the distance came about ({settings})",
    "path.ends": "beginning {begin}, ending {end} (how far a card is from the question it answers)",
    "path.time": "time in ms: {total} in all",
    # trace
    "trace.heading": 'Tracing {id}: "{title}"',
    "trace.pinned": "pinned",
    "trace.stale": "stale",
    "trace.quarantined": "quarantined",
    "trace.sessions": "=== Source Sessions ===",
    "trace.context": "=== Relevant Context ===",
    "trace.turn": "[Turn {number}] {speaker}: {words}",
    "trace.verified": "verified: word for word as archived",
    "trace.altered": "not verified: the archived words differ from what was cited",
    "trace.no_quotes": "No words are cited",
    "trace.missing": "{count:,} cited {count:passage is|passages are} no longer in the archive:",
    "trace.full": "=== Full Session ===",
    "trace.view": "[View at {path}]",
    "role.user": "User",
    "role.assistant": "Assistant",
    "role.tool": "Tool",
    "role.system": "System",
    # link
    "link.created": "Created link: {edge}",
    "link.known": "Already linked: {edge}",
    # schema
    "schema.relations": "Relation Types",
    "schema.core": "Core Relations (built-in, indexed):",
    "schema.custom": "Custom Relations (emergent):",
    "schema.no_custom": "none yet",
    "schema.uses": "{count:,} {count:use|uses}",
    "schema.alias": "[alias of {name}]",
    "schema.generic": "[generic, consider splitting]",
    "schema.promote": "[high freq → consider promoting]",
    "schema.total": (
        "Total: {edges:,} {edges:edge|edges} ({core:,} core types + {custom:,} custom types)"
    ),
    "schema.node_types": "Node Types",
    "schema.cards": "Cards:",
    "schema.card_total": "Total: {count:,}",
    "schema.sessions": "Sessions: {count:,}",
    "schema.turns": "Turns: {count:,}",
    "schema.entities": "Entities: {count:,}",
    "schema.summaries": "Summaries: {count:,}",
    # status
    "status.heading": "Alaya Status ({home}, user {user})",
    "status.l3": "L3 Raw Storage",
    "status.sessions": "Sessions: {count:,} ({size})",
    "status.turns": "Turns: {count:,}",
    "status.oldest": "Oldest: {day}",
    "status.newest": "Newest: {day}",
    "status.undistilled": "Not distilled yet: {count:,} {count:session|sessions}",
    "status.journal": "Journal: {count:,} {count:record|records}",
    "status.behind": (
        "the database was {count:,} {count:record|records} behind the journal and caught up"
    ),
    "status.l2": "L2 Graph DB",
    "status.cards": "Cards: {count:,}",
    "status.links": "Links: {count:,}",
    "status.others": "others: {count:,}",
    "status.l1": "L1 Embedding DB",
    "status.database": "Database: {size}",
    "status.temperature": "Temperature Distribution",
    "status.distiller": "Distiller: {name}",
    "status.parked": "Parked: {count:,} {count:item|items} that could not be processed",
    "status.tried": " (tried {count:,} times)",
    "embedding.none": "Embedding: none ({why}); recall uses words and graph",
    "embedding.name": "Embedding: {name}, {dimensions} dimensions ({why})",
    "embedding.backlog": "Embedded: {done:,}, waiting: {pending:,}",
    "embedding.worker": "Worker: {state}",
    "embedding.other": "Vectors of another model: {name} {count:,}",
    # export
    "export.start": "Exporting Alaya data...",
    "export.cards": "Exported {count:,} {count:card|cards} to {path}",
    "export.graph": "Exported graph ({count:,} {count:link|links}) to {path}",
    "export.index": "Created index at {path}",
    "export.sessions": "Exported {count:,} {count:session|sessions} to {path}",
    "export.complete": "Export complete: {path}",
    # usage
    "usage.heading": "Usage of the model",
    "usage.none": "No calls to a model",
    "usage.row": (
        "{stage}, {model}: {calls:,} {calls:call|calls}, {tokens_in:,} tokens in, "
        "{tokens_out:,} out, {seconds} s"
    ),
    "usage.cost": ", {cost} {currency}",
    "usage.rejected": "{count:,} asked again",
    "usage.parked": "{count:,} parked",
    "usage.failed": "{count:,} failed",
    "usage.unfinished": "{count:,} unfinished, counted with the most they may take",
    "usage.today": "Today, all users: {used:,} tokens; no limit (distill.max_tokens_per_day)",
    "usage.budget": ("Today, all users: {used:,} of {limit:,} tokens (distill.max_tokens_per_day)"),
    # verify, rebuild, embed
    "verify.clean": "All three layers agree, and the archive is what was written",
    "verify.counts": (
        "Checked: {records:,} journal {records:record|records}, {turns:,} {turns:turn|turns}, "
        "{cards:,} {cards:card|cards}, {vectors:,} {vectors:vector|vectors}"
    ),
    "verify.differences": "{count:,} {count:difference|differences}:",
    "verify.repaired": "L2 and L1 were mended from L3",
    "verify.repair": "Mend L2 and L1 from L3 with: alaya verify --repair",
    "rebuild.done": "Rebuilt from {records:,} {records:record|records} in {time}",
    "rebuild.counts": (
        "{cards:,} {cards:card|cards}, {links:,} {links:link|links}, {turns:,} {turns:turn|turns}"
    ),
    "rebuild.vectors": "{count:,} {count:vector|vectors} came back from the cache",
    "embed.nothing": "Nothing waits for embedding",
    "embed.done": "Embedded {count:,} {count:text|texts}",
    "embed.left": "Still waiting: {count:,}",
    # config
    "config.set": "Set {key} = {value}",
    "config.overridden": "the environment or an argument overrides it; in force is {value}",
    "config.from_file": "config.json",
    "config.from_environment": "environment",
    "config.from_argument": "argument",
    # what a progress bar is about
    "progress.ingest": "ingesting",
    "progress.distill": "distilling",
    "progress.embed": "embedding",
    "progress.rebuild": "rebuilding",
}
