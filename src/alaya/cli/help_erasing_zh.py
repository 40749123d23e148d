"""`--help` 对 erase、backup、restore 的说明，中文。"""

HELP = {
    "erase": "永久抹除词句",
    "erase.about": (
        "从数据目录保存它们的每一处抹除词句：档案、日记、草稿、日志、笔记、导出、数据库及其空闲页、"
        "缓存的向量、备份。只依据这些词句的内容一并消失；另有证据的只去掉这些词句。先显示将会消失的"
        "内容并询问；之后搜索每个文件，并保留凭据。无法恢复。被导入过的日志原件不会改动，但抹除的内容"
        "不会再从中导入。"
    ),
    "erase.card": "一张卡片，连同它引用的词句",
    "erase.session": "一个会话，连同其中所有话语",
    "erase.entity": "一个实体（id 或名称）：关于它的话，以及各处它的名称",
    "erase.query": "含有所有这些词的每一轮话语和每张卡片",
    "erase.all": "该用户的一切（见 --user）",
    "erase.reason": "原因，记入日记和凭据",
    "erase.dry_run": "只显示将会消失的内容",
    "erase.yes": "不询问",
    "erase.check": "不抹除：在数据目录的每个文件中查找这些词",
    "erase.examples": (
        "alaya erase --card card-1f0c --dry-run\n"
        "alaya erase --query '林黛玉' --reason '本人要求'\n"
        "alaya erase --user ada --all --yes\n"
        "alaya erase --check 林黛玉"
    ),
    "backup": "把数据目录复制成一个文件",
    "backup.about": (
        "把整个数据目录（所有用户）写入一个带校验和的文件，其他进程可继续写入。不含数据库：它可由其余"
        "内容重新长出。"
    ),
    "backup.output": "文件夹，或以 .tar.gz 结尾的新文件（否则为数据目录中的 backup/）",
    "backup.keep": "文件夹中保留多少份备份（7）",
    "backup.examples": "alaya backup\nalaya backup --output /mnt/safe --keep 30",
    "restore.backup": "备份文件",
}
