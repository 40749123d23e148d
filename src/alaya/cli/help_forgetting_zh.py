"""help_forgetting_en 的中文。"""

HELP = {
    "forgetting.cards": "卡片的 id，recall 会显示",
    "pin": "固定卡片，使其不被遗忘",
    "pin.about": "固定的卡片不会被内省遗忘，无论策略如何；在取消固定之前也不能按名称遗忘。",
    "pin.off": "取消固定",
    "pin.examples": "alaya pin card-abc123\nalaya pin card-abc123 card-def456 --off",
    "forget": "让卡片不再被召回",
    "forget.about": (
        "让卡片不再被召回：按 id 给出，或者由查询找到。在被清除之前都可以恢复。"
        "依赖它们的卡片会列出。固定的卡片保留。"
    ),
    "forget.query": "遗忘由此找到的卡片；固定的会跳过",
    "forget.limit": "--query 找到的最多 N 张（默认 recall.max_results）",
    "forget.reason": "原因；alaya forgotten 会显示",
    "forget.dry-run": "只显示将会遗忘什么",
    "forget.examples": (
        'alaya forget card-abc123 --reason "已经搬走"\n'
        'alaya forget --query "旧的测试数据库" --limit 3 --dry-run'
    ),
    "forgotten": "列出已遗忘的卡片",
    "forgotten.about": (
        "列出已遗忘的卡片（手动或内省），最近的在前，并说明原因。alaya restore 可以恢复。"
    ),
    "forgotten.examples": "alaya forgotten\nalaya forgotten --limit 10 --offset 10 --json",
    "restore": "恢复已遗忘的卡片，或用备份恢复整个数据目录",
    "restore.about": (
        "让已遗忘的卡片重新可以召回，关系和历史都在。"
        "在 introspect.forget_days 天内，内省不会再次遗忘它们。"
        "给出 --backup 时，备份会替换数据目录：先在旁边解开，比对校验和，打开并核验，"
        "原有内容以另一名称保留。"
    ),
    "restore.examples": (
        "alaya restore card-abc123\n"
        "alaya restore --backup ~/.alaya/backup/alaya-20260301T090000Z.tar.gz"
    ),
    "relations": "整理关系的名称",
    "relations.about": (
        "列出使用中的关系，以及可以做的整理：同义的名称（alias）、值得提升为一级关系的高频关系"
        "（promote）、含义模糊的关系（split）。不经要求什么都不改；每次整理是一条可以撤销的变更。"
        "别名会把所有链接移到另一个名称，现在和以后每次内省都是如此。"
    ),
    "relations.action": "list（默认）、promote NAME、alias NAME INTO、split NAME INTO",
    "relations.name": "关系",
    "relations.into": "另一个名称",
    "relations.definition": "被提升的关系的含义，一句话",
    "relations.reason": "split：只拆分说明中含有此文字的链接",
    "relations.links": "split：此链接，按 id（可重复）",
    "relations.examples": (
        "alaya relations\nalaya relations alias INFLUENCED_BY INSPIRED_BY\n"
        'alaya relations promote INSPIRED_BY --definition "想法由此而来"\n'
        'alaya relations split RELATES_TO DEPENDS_ON --reason "需要"'
    ),
}
