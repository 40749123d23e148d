"""words_minding_en 的中文：introspect、cron、watch、pin、restore、relations。"""

from __future__ import annotations

WORDS = {
    "introspect.start": "🧘 开始内省……",
    "introspect.distill": "提炼",
    "introspect.consolidate": "合并",
    "introspect.cool": "降温",
    "introspect.forget": "遗忘",
}
