"""What `--help` says of the commands that serve agents. help_serving_zh.py has the same keys."""

HELP = {
    "mcp": "serve this memory to agents over MCP",
    "mcp.about": (
        "Speaks the Model Context Protocol on standard input and output, as agents start it, or "
        "with --http for any number of clients on this machine. Tools: recall, context, explore, "
        "trace, facts, remember, link, status, and those of the reference memory server "
        "(create_entities, search_nodes …). Whose memory it is, is said here by --user and "
        "--agent; no client can choose it. Needs the extra mcp."
    ),
    "mcp.http": "serve streamable HTTP at this address of this machine, such as 127.0.0.1:8765",
    "mcp.read_only": "leave out the tools that write",
    "mcp.examples": (
        "claude mcp add --scope user alaya -- alaya mcp\nalaya mcp --http 127.0.0.1:8765 "
        "--read-only"
    ),
    "install": "put alaya into the configuration of an agent",
    "install.about": (
        "Writes the MCP entry, the skill and the hooks into the configuration of Claude Code, "
        "Codex or OpenClaw (there without hooks), and keeps what each file was before. Doing it "
        "twice changes nothing. With --uninstall the files become what they were, byte for byte "
        "where nobody changed them since. --home, --user and --agent say whose memory the agent "
        "is to use."
    ),
    "install.name": "claude-code, codex or openclaw",
    "install.uninstall": "take everything out again",
    "install.dry_run": "only say what would be done",
    "install.no_hooks": "the MCP entry and the skill alone",
    "install.examples": (
        "alaya install claude-code --dry-run\nalaya install codex --user shop-team\nalaya "
        "install claude-code --uninstall"
    ),
    "hook": "answer an event of an agent's session",
    "hook.about": (
        "What `alaya install` has agents run. Reads the event as JSON from standard input. "
        "session-start and prompt print what is remembered, found by words alone, or nothing "
        "where that would be late; compact and session-end start to ingest the transcript in the "
        "background."
    ),
    "hook.event": "session-start, prompt, compact or session-end",
    "hook.examples": 'echo \'{"prompt": "gateway"}\' | alaya hook prompt',
}
