"""What the commands that serve agents say, in Chinese."""

WORDS = {
    "mcp.ready": "alaya：MCP 地址 {url}（按 Ctrl-C 结束）",
}
