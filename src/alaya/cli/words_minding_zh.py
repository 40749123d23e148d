"""words_minding_en 的中文：introspect、cron、watch、pin、restore、relations。"""

from __future__ import annotations

WORDS = {
    "introspect.start": "开始内省……",
    "introspect.trying": "现在内省会做的事",
    "introspect.done": "内省完成（耗时 {took}）",
    "introspect.tried": "未作任何改动（耗时 {took}）",
    "introspect.left": "内省结束，仍有未完成的事（耗时 {took}）",
    "introspect.distill": "提炼",
    "introspect.distill.sessions": "处理了 {sessions:,} 个新会话",
    "introspect.distill.waiting": "有 {sessions:,} 个会话待处理",
    "introspect.distill.made": "新建 {cards:,} 张卡片、{links:,} 条链接",
    "introspect.consolidate": "合并",
    "introspect.cool": "降温",
    "introspect.cool.hot": "HOT：{hot:,} 张卡片（升温 {upgraded:,}，降温 {downgraded:,}）",
    "introspect.cool.warm": "WARM：{warm:,} 张卡片",
    "introspect.cool.cold": "COLD：{cold:,} 张卡片（新归档 {archived:,}，取回 {returned:,}）",
    "introspect.cool.promoted": "{promoted:,} 张卡片转为长期记忆",
    "introspect.cool.faded": "{faded:,} 张短期卡片已淡出",
    "introspect.forget": "遗忘",
    "progress.introspect": "内省中",
    "cron.crontab": "以 crontab -e 加入",
    "cron.systemd": "放入 ~/.config/systemd/user/，再执行 systemctl --user enable --now NAME.timer",
    "cron.openclaw": "写入 ~/.openclaw/config/cron.json",
    "watch.next": "{name}：下次于 {at}",
    "watch.ran": "{at} {name}：完成",
    "watch.failed": "{at} {name}：以状态 {status} 结束",
    "watch.stopped": "已停止",
    "status.tier_hot": "HOT：{count:,}（内存 {memory}，磁盘 {disk}）",
    "status.tier_warm": "WARM：{count:,}（磁盘 {disk}）",
    "status.tier_cold": "COLD：{count:,}（已归档，无向量）",
    "status.flags": (
        "置顶 {pinned:,}，存疑 {stale:,}，隔离 {quarantined:,}，已遗忘 {forgotten:,}，"
        "长期记忆 {long:,}"
    ),
}
