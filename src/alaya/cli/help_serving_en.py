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
}
