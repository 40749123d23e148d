"""`alaya retrieve` 的输出，中文。键与 words_retrieve_en.py 相同。"""

WORDS = {
    "retrieve.nothing": "没有相关的记忆",
    "retrieve.episodes": "说过的话",
    "retrieve.entities": "谈到的人与事物",
    "retrieve.edges": "已知的事实",
    "retrieve.summaries": "摘要",
    "retrieve.cards": "卡片",
    "retrieve.topic": "话题：{topic}",
}
