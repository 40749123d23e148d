"""`--help` 中关于记忆自身过去的中文。键与 help_past_en.py 相同。"""

HELP = {
    "revise": "改写一张卡片；旧版保留",
    "revise.about": (
        "给卡片新的正文、标题、标签或重要度。旧版保留，所写的文字存入档案，作为新版的依据。"
        "不带选项时，从标准输入读取新的正文。"
    ),
    "revise.content": "新的正文（- 表示读取标准输入）",
    "revise.edit": "在 $VISUAL 或 $EDITOR 中编辑正文",
    "revise.title": "新的标题",
    "revise.tag": "新版的标签（可重复；旧标签去除）",
    "revise.importance": "重要度，0 到 1",
    "revise.reason": "原因，记入历史",
    "revise.examples": (
        'alaya revise card-abc123 --content "网关监听 18790 端口" --reason "已迁移"\n'
        "alaya revise card-abc123 --edit"
    ),
    "history": "卡片的所有版本及经历",
    "history.about": (
        "显示卡片、事实、实体、摘要、session:ID、note:路径 或 relation:名称 的所有版本和经历："
        "何时、由日志的哪条记录、由谁、为何，以及是否已撤销。"
    ),
    "history.id": "标识，或实体的名称",
    "history.examples": "alaya history card-abc123\nalaya history 安娜",
    "diff": "两个时间之间的变化",
    "diff.about": (
        "显示记忆在日志的两个时间之间新持有（+）、放弃（-）或改变（~）的内容：卡片、事实、实体、"
        "摘要、会话、笔记。时间可写 ISO 8601、多久以前（7d、12h）、某天（昨天）或记录（#120）。"
    ),
    "diff.from": "从这个时间，或这条记录（#120）之后",
    "diff.to": "到这个时间或记录（默认现在）",
    "diff.examples": "alaya diff --from 7d\nalaya diff --from 2026-03-01 --to '#120'",
    "undo": "撤销最近的改动，或更早的一条",
    "undo.about": (
        "用一条新记录撤销一个命令所做的事；每次撤销再往前一步。由记录 S 撤销的，可用 undo --seq S "
        "恢复。此后又被改动的会被拒绝并列出记录，除非加 --with-later。原话留在档案中；"
        "已抹除的无法恢复。"
    ),
    "undo.count": "撤销几条（默认 1；与 --list 同用时 20）",
    "undo.seq": "要撤销的记录编号",
    "undo.with_later": "连同此后对同一内容的改动一起撤销",
    "undo.list": "列出最近的改动，不撤销",
    "undo.dry_run": "只说将做什么，不改动",
    "undo.examples": "alaya undo --list\nalaya undo\nalaya undo --seq 120",
    "rollback": "让记忆回到某个时间所持有的内容",
    "rollback.about": (
        "用一条新记录让记忆回到日志某个时间所持有的内容：不改写日志，也可以撤销。"
        "此后已抹除的仍然抹除。先说明将做什么并询问；没有终端时需要 --yes。"
    ),
    "rollback.to": "时间（ISO 8601、7d、昨天）或记录（#120）",
    "rollback.yes": "不询问，直接执行",
    "rollback.examples": "alaya rollback --to '#120' --dry-run\nalaya rollback --to 昨天 --yes",
}
