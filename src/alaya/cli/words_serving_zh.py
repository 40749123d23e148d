"""What the commands that serve agents say, in Chinese."""

WORDS = {
    "mcp.ready": "alaya：MCP 地址 {url}（按 Ctrl-C 结束）",
    "install.created": "已创建  {path}",
    "install.changed": "已修改  {path}",
    "install.unchanged": "未变    {path}",
    "install.restored": "已还原  {path}",
    "install.removed": "已移除  {path}",
    "install.left": "未改动  {path}",
    "install.by_hand": "{why}；请手动加入或移除：",
    "install.done": "完成。请重新启动 {agent}。",
    "install.dry": "没有写入任何内容（--dry-run）：{agent}。",
    "install.nothing": "那里没有安装任何内容。",
}
