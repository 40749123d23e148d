"""`alaya retrieve --help` 的内容，中文。键与 help_retrieve_en.py 相同。"""

HELP = {
    "retrieve": "与问题有关的轮次、实体、事实与摘要",
    "retrieve.about": (
        "关于一个问题所记得的一切，分类列出：原话及其话题、问题提到或原话谈到的实体、它们周围成立"
        "的事实、摘要、卡片。加 --json 时还给出可放入提示词的整块文字。见 docs/ac"
        "tion.md。"
    ),
    "retrieve.text": "问题，或若干词语",
    "retrieve.no_episodes": "不要轮次",
    "retrieve.no_entities": "不要实体",
    "retrieve.no_edges": "不要事实",
    "retrieve.no_summaries": "不要摘要",
    "retrieve.no_cards": "不要卡片",
    "retrieve.limit": "每类最多多少项（否则用 recall.max_results）",
    "retrieve.max_hops": "距提到或谈到的实体最多几条事实（否则 2）",
    "retrieve.budget": "整块文字最多多少 token（否则用 recall.context_tokens）",
    "retrieve.examples": "alaya retrieve 阿信点了什么\nalaya retrieve 阿信 --max-hops 1 --json",
}
