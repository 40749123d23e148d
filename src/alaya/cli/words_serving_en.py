"""What the commands that serve agents say, in English."""

WORDS = {
    "mcp.ready": "alaya: MCP at {url} (Ctrl-C ends it)",
    "install.created": "created    {path}",
    "install.changed": "changed    {path}",
    "install.unchanged": "unchanged  {path}",
    "install.restored": "restored   {path}",
    "install.removed": "removed    {path}",
    "install.left": "left alone {path}",
    "install.by_hand": "{why}; put this in by hand, or take it out:",
    "install.done": "Done. Start {agent} anew.",
    "install.dry": "Nothing was written (--dry-run) for {agent}.",
    "install.nothing": "Nothing is installed there.",
}
