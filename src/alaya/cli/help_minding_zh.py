"""help_minding_en 的中文。"""

from __future__ import annotations

HELP: dict[str, str] = {
    "introspect": "让记忆整理自己：提炼、合并、降温、遗忘",
    "introspect.about": (
        "提炼新内容，合并相同内容，按温度在 HOT、WARM、COLD 之间移动卡片，忘记无人需要的内容。"
        "每一步自成整体：在任何地方中断，下次内省会接着做；再做一次不会有任何改变。"
        "每个数据目录同时只有一次内省。有事未完成时退出状态为 3。"
    ),
    "introspect.only": "只做这些步骤：distill、consolidate、cool、forget",
    "introspect.dry-run": "不作任何改动；只说明每一步现在会做什么",
    "introspect.examples": (
        "alaya introspect\nalaya introspect --dry-run\nalaya introspect --only cool,forget"
    ),
    "cron": "cron、systemd 与 OpenClaw 的定时条目",
    "cron.about": (
        "打印按 introspect.schedule 与 introspect.backup_schedule 定时内省和备份所需的条目："
        "crontab、systemd 单元与 OpenClaw 的 cron.json。不会安装任何东西。"
    ),
    "cron.format": "只打印其中一种，可直接写入文件",
    "cron.examples": (
        "alaya cron\n(crontab -l; alaya cron --format crontab) | crontab -\n"
        "alaya cron --format openclaw > ~/.openclaw/config/cron.json"
    ),
    "watch": "在前台定时内省和备份",
    "watch.about": (
        "不用 cron 而做 alaya cron 所列之事：留在前台，到时把每项任务作为独立进程启动，"
        "按 Ctrl-C 或收到 SIGTERM 时干净地停止。"
    ),
    "watch.ingest": "每次内省之前，先摄入本机各智能体的日志",
    "watch.now": "启动时也全部做一次",
    "watch.examples": "alaya watch\nalaya watch --ingest --now",
}
