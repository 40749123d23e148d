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
}
