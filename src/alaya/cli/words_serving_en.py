"""What the commands that serve agents say, in English."""

WORDS = {
    "mcp.ready": "alaya: MCP at {url} (Ctrl-C ends it)",
}
