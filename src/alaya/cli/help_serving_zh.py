"""`--help` 对为智能体提供服务的命令的说明。键与 help_serving_en.py 相同。"""

HELP = {
    "mcp": "通过 MCP 为智能体提供此记忆",
    "mcp.about": (
        "在标准输入与标准输出上使用 Model Context Protocol（由智能体启动），或用 --http 为本机任"
        "意数量的客户端提供服务。工具：recall、context、explore、trace、facts、remember、link、"
        "status，以及参考记忆服务器的工具（create_entities、search_nodes 等）。这是谁的记忆，由此"
        "处的 --user 与 --agent 决定，客户端无法选择。需要附加组件 mcp。"
    ),
    "mcp.http": "在本机此地址提供 streamable HTTP，例如 127.0.0.1:8765",
    "mcp.read_only": "不提供会写入的工具",
    "mcp.examples": (
        "claude mcp add --scope user alaya -- alaya mcp\nalaya mcp --http 127.0.0.1:8765 "
        "--read-only"
    ),
    "install": "把 alaya 装入智能体的配置",
    "install.about": (
        "把 MCP 条目、技能和钩子写入 Claude Code、Codex 或 OpenClaw（后者没有钩子）的配置，并保留"
        "每个文件原来的内容。重复执行不会改变任何内容。使用 --uninstall 时，文件恢复原样；若之后"
        "没有人改动过，则逐字节相同。--home、--user 与 --agent 决定智能体使用谁的记忆。"
    ),
    "install.name": "claude-code、codex 或 openclaw",
    "install.uninstall": "全部移除",
    "install.dry_run": "只说明会做什么",
    "install.no_hooks": "只要 MCP 条目和技能",
    "install.examples": (
        "alaya install claude-code --dry-run\nalaya install codex --user shop-team\nalaya "
        "install claude-code --uninstall"
    ),
    "hook": "回应智能体会话中的事件",
    "hook.about": (
        "由 `alaya install` 安排智能体执行。从标准输入读取 JSON 事件。session-start 与 prompt 输"
        "出仅按词语找到的记忆，来不及则什么也不输出；compact 与 session-end 在后台开始读取会话记"
        "录。"
    ),
    "hook.event": "session-start、prompt、compact 或 session-end",
    "hook.examples": 'echo \'{"prompt": "gateway"}\' | alaya hook prompt',
}
