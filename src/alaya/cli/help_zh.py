"""What `--help` and complaints about usage say, in Chinese. help_en.py has the same keys."""

HELP = {
    "alaya": (
        "AI 智能体的长期记忆。说过的话逐字保存；卡片、链接与向量由此生长，也可随时重新生长。"
        "离线可用，无需 API key。"
    ),
    "epilog": (
        "查看某个命令的帮助：alaya COMMAND --help。结果写到标准输出，错误写到标准错误"
        "（使用 --json 时为一个 JSON 对象）。退出状态：0 完成，1 请求有误，2 用法错误，"
        "3 alaya 自身故障，130 已中断。"
    ),
    "title.usage": "用法：",
    "title.arguments": "参数：",
    "title.options": "选项：",
    "title.global": "每个命令都有的选项，可写在命令之前或之后：",
    "title.everywhere": "每个命令都有的选项（见 alaya --help）：",
    "title.commands": "命令：",
    "title.examples": "示例：",
    "help": "显示本帮助",
    "version": "显示版本",
    "home": "数据目录（否则用 ALAYA_HOME，再否则 ~/.alaya）",
    "user": "谁的记忆：用户之间互不可见（否则用 ALAYA_USER，再否则 default）",
    "agent": "仅限属于该智能体的内容",
    "json": "输出一个 JSON 文档；只影响输出形式",
    "quiet": "不显示标题、提示与确认信息",
    "set": "仅本次运行覆盖某项设置，例如 recall.alpha=0.7（可重复）",
    "lang": "en 或 zh（否则用 ALAYA_LANG，再否则用设置 language）",
    # commands
    "init": "创建数据目录",
    "init.about": "创建数据目录及其配置与数据库。重复执行无害；其他命令需要时也会自动创建。",
    "init.examples": "alaya init\nalaya init --home ~/记忆",
    "ingest": "把会话日志收入归档",
    "ingest.about": (
        "把会话日志逐字收入归档。每个来源从上次结束处继续读取：重复执行不会改变任何内容，"
        "追加的文件会接着读。密钥会被占位符替换。无法读取的内容连同原因一起搁置，其余继续；"
        "若什么都读不出来，退出状态为 1。开启 distill.auto_distill 时，随后自动提炼。"
    ),
    "ingest.paths": "文件、目录、带引号的通配符，或 - 表示标准输入",
    "ingest.format": "来源的格式（否则自动识别）",
    "ingest.discover": "查找本机各工具的日志；列出它们，加 --yes 则导入",
    "ingest.yes": "不询问，直接导入 --discover 找到的内容",
    "ingest.no_distill": "即使开启了 distill.auto_distill，也不在随后提炼",
    "ingest.examples": "alaya ingest 会话.json\nalaya ingest --discover --yes --lang zh",
    "add": "保存一段话或一组消息",
    "add.about": (
        "把一段话或一组消息追加到会话，一次提交：要么全部写入，要么（其中有不合格的消息时）什么都不写。"
        "会话中已有的不再写入，因此可以重复给出整段对话。"
        "消息按其 id 识别；没有 id 时按内容、说话人与时间识别。"
        "密钥会换成占位符。没有给出 TEXT 时读取标准输入。"
        "开启 distill.auto_distill 时，随后提炼该会话。"
    ),
    "add.text": "所说的内容（否则读取标准输入）",
    "add.session": "追加到哪个会话（默认是当天、该智能体的会话）",
    "add.role": "谁说的：user（默认）、assistant、tool 或 system",
    "add.name": "说话人的名字",
    "add.at": "何时说的（默认现在）：ISO 8601，或多久以前：7d、12h",
    "add.messages": "输入是 JSON：{role, content} 的列表、含这些消息的对象，或每行一条",
    "add.distill": "随后提炼该会话，无论多短",
    "add.no_distill": "随后不提炼，即使开启了 distill.auto_distill",
    "add.examples": (
        'alaya add "预发布数据库改用 5433 端口" --session 运维 --distill --lang zh\n'
        "alaya add --messages --session s1 < messages.json"
    ),
    "distill": "把说过的话提炼成卡片",
    "distill.about": (
        "把尚未提炼的会话变成卡片与链接，每一项都带有出处原话：使用已配置的模型，没有模型时按规则"
        "（支持中文与英文），并如实说明；再为已结束的话题、会话与主题写出摘要。模型未能回答的内容不算完成："
        "退出状态为 3（达到 distill.max_tokens_per_day 时为 1），下次从该处继续。"
        "给模型的提示词在主目录的 prompts/ 中，可以修改。"
    ),
    "distill.session": "仅此会话",
    "distill.all": "也包括子代理、定时任务、钩子与文档集",
    "distill.redistill": "重新提炼此前已提炼的内容；说同一件事的卡片成为新版本",
    "distill.close": "每个会话的最后一个话题也视为结束，立即写出摘要",
    "distill.rules": "即使配置了模型，也按规则提炼",
    "distill.dry-run": "不写入任何内容；只说明需要多少次调用、多少 token、多少费用",
    "distill.examples": (
        "alaya distill --lang zh\nalaya distill --dry-run --lang zh\n"
        "alaya distill --session 会话-20260331"
    ),
    "recall": "寻找记忆，以及可以继续走的路",
    "recall.about": (
        "按含义、词语与链接寻找记忆；不调用模型。查询可以是一段文字、若干概念，或作为起点的卡片。"
        "参数中没有查询时，从标准输入读取 JSON 查询，键为 text（或 query）、concepts、relations、"
        "from_nodes、depth、limit（或 max_results）、min_similarity、graph_expand、"
        "include_cards、include_sessions、include_summaries、include_notes、recipe、already_shown、show_again、"
        "include_stale、include_forgotten、"
        "include_quarantined、include_ended、agent、session、kinds、tags、since、until、tiers、origins、min_confidence、as_of、"
        "believed_at、asked_at，或 from 与 to（路径）；参数优先。"
        "时间可用 ISO 8601、毫秒时间戳，或多久以前：7d、12h。"
        "没有相关记忆时，结果为空并明确说明。"
    ),
    "recall.text": "要找什么，任意措辞",
    "recall.concepts": "要找的概念，用逗号分隔",
    "recall.relations": "只沿此关系走（可用逗号分隔或重复）；默认全部",
    "recall.depth": "沿链接走几步（默认 recall.graph_expand_depth）",
    "recall.from_nodes": "从这些卡片、轮次、会话或实体继续，用逗号分隔",
    "recall.interactive": (
        "从找到的内容按编号继续走：节点、关系、返回、重新搜索、追溯；"
        "从管道读入时，每行是一步，读完即结束"
    ),
    "recall.source": "寻找最佳的链接路径：从这张卡片、这个轮次或这个问题……",
    "recall.target": "……到这一个，最多 --depth 条链接（默认 6）；过滤条件对沿途同样有效",
    "recall.limit": "最多返回多少条（默认 recall.max_results）",
    "recall.min_similarity": "0 到 1，校准后的相似度（默认 recall.min_similarity）",
    "recall.include_sessions": "除卡片外，也返回原话",
    "recall.no_sessions": "不要原话，只要卡片：context 若无此项便会引用原话",
    "recall.include_summaries": "也返回对话的摘要",
    "recall.no_summaries": "不要摘要：context 若无此项便会包含摘要",
    "recall.include_cards": "要卡片（当 recall.include_cards 为 false 时）",
    "recall.no_cards": "不要卡片：与 --include-sessions 合用时只返回原话",
    "recall.include_notes": "也要笔记（当 recall.include_notes 为 false 时）",
    "recall.no_notes": "不要 success、failure、insight、principle、skill 这几类卡片",
    "recall.recipe": (
        "如何排序：按 h 距离（default、alaya），兼顾时间、重要性与使用频率（alice），"
        "或兼顾连接数、重要性与新鲜度（eywa）；默认 recall.recipe"
    ),
    "recall.again": "即使在 --already-shown 中，也照样返回",
    "recall.session": "仅限此会话中说的，以及由此得来的",
    "recall.kinds": "仅限这些类型的卡片：concept、pattern、gotcha、decision……",
    "recall.tags": "仅限带此标签的卡片（重复时须全部具备）",
    "recall.since": "仅限此时及之后说的",
    "recall.until": "仅限此时之前说的",
    "recall.tiers": "仅限 HOT、WARM 或 COLD 卡片",
    "recall.origins": "仅限来自 owner、agent、tool、untrusted 或 system",
    "recall.min_confidence": "仅限置信度不低于此值的卡片，0 到 1",
    "recall.already_shown": "排除这些 id：调用方已经看过（逗号分隔，或重复）",
    "recall.as_of": "仅限到此时为止已说过或有效的内容",
    "recall.believed_at": "记忆在此时所持有的内容",
    "recall.no_graph": "不沿链接扩展",
    "recall.explain": "同时说明排序的由来",
    "recall.examples": (
        'alaya recall "Gateway 配置"\n'
        'alaya recall --concepts "Gateway重启,Telegram消息" --rel CAUSED_BY --depth 2\n'
        'alaya recall -i "Gateway重启" --lang zh\n'
        'alaya recall --from "Gateway重启" --to "Telegram消息" --lang zh\n'
        'echo \'{"concepts": ["Gateway重启"], "depth": 2}\' | alaya recall --json'
    ),
    "context": "放进提示词的内容，按预算裁剪，附出处",
    "context.about": (
        "为一个问题回忆卡片与原话，输出一段可放进提示词的文字：事实、卡片、摘要与原话，"
        "每条都附出处，例如 [card-…] 或 [session …#turn]。被矛盾、被撤回或已过时的内容会注明；"
        "来自工具或网页的内容加围栏并标为资料。整段绝不超出预算；含有它的日志被摄取时会被认出，"
        "不会再次学入。token 由 recall.tokenizer（附加组件 tokens）计数，否则用偏谨慎的估计，"
        "段首注明是哪一种。没有给出问题时，与 recall 一样从标准输入读取 JSON 查询。"
        "没有相关记忆时会明说；连这也放不下时，什么都不输出。"
    ),
    "context.text": "问题，或者要配上下文的提示词",
    "context.budget": "最多多少个 token（默认 recall.context_tokens）",
    "context.format": "写成 Markdown、纯文本还是 JSON（默认 md）",
    "context.limit": "最多回忆多少条卡片与原话（默认由预算决定）",
    "context.examples": (
        'alaya context "网关重启之后为什么收不到通知?"\n'
        'alaya context "之前哪个端口被占用了?" --budget 800 --format text\n'
        'echo \'{"text": "哪个端口?", "kinds": ["gotcha"]}\' | alaya context --format json'
    ),
    "facts": "已知成立的事实，及自何时起",
    "facts.about": (
        "列出现在成立的事实，最新的在前：事实的句子、所连接的实体、自何时起成立，以及说到它的轮次。"
        "给出实体的名称、别名或 id 时，列出它的事实；给出其他文字时，列出其中提到的实体的事实，"
        "没有提到时则列出说这些话时谈到的实体的事实。"
    ),
    "facts.text": "实体，或事实所关于的内容（否则列出全部）",
    "facts.as_of": "此时成立的：ISO 8601，或多久以前：7d、12h",
    "facts.all": "也列出不再成立或尚未成立的",
    "facts.examples": "alaya facts 阿信\nalaya facts 阿信 --as-of 2026-03-01 --lang zh",
    "list.session": "只看出自此会话的",
    "list.limit": "最多多少条（默认 50）",
    "list.offset": "略过开头的多少条",
    "entities": "已知的人与事物",
    "entities.about": (
        "列出谈到过的人、地点、事物、组织、工具、事件、活动与情感，附别名与事实数量，谈得最多的在前。"
        "给出 NAME（或别名、id）时，列出关于它的一切，包括不再成立的。"
    ),
    "entities.name": "名称、别名或 id",
    "entities.examples": "alaya entities\nalaya entities 阿信 --lang zh",
    "summaries": "谈过什么，按主题",
    "summaries.about": (
        "列出所说内容的摘要，每条对应同一主题的连续轮次：最新的在前；一个会话的按其先后。"
    ),
    "summaries.examples": "alaya summaries --since 7d --lang zh",
    "link": "手动连接两张卡片",
    "link.about": (
        "创建从卡片 A 到卡片 B 的链接。SIMILAR_TO 与 CONTRADICTS 双向成立；CAUSES 与 CAUSED_BY "
        "是同一条链接的两种读法；其他名称即为自定义关系。"
    ),
    "link.source": "起点卡片",
    "link.target": "终点卡片",
    "link.rel": "关系（默认 RELATES_TO）",
    "link.reason": "原因",
    "link.weight": "强度，0 到 1（默认 1）",
    "link.examples": 'alaya link card-abc123 card-def456 --rel 受启发于 --reason "方案相同"',
    "schema": "关系与节点类型，以及使用次数",
    "schema.about": "列出关系、节点类型，或两者，以及各自的使用次数。",
    "schema.relations": "仅列出关系",
    "schema.node_types": "仅列出节点类型",
    "schema.examples": "alaya schema --relations --lang zh\nalaya schema --node-types --lang zh",
    "status": "各层统计",
    "status.about": (
        "显示归档、图谱与索引中有什么，使用哪个向量模型及其原因，向量化的进度，"
        "等待提炼的会话，以及被搁置的内容。"
    ),
    "status.examples": "alaya status --lang zh",
    "usage": "调用模型的用量",
    "usage.about": (
        "按日（UTC）、阶段和模型显示对模型的调用：次数、输入与输出 token、耗时；"
        "distill.prices 中有该模型时也显示费用。回答无法使用而重新询问的、搁置的、失败的调用"
        "分别计数。最后一行是当天至今所有用户的用量，与 distill.max_tokens_per_day 对照。"
    ),
    "usage.since": "只看此时间及之后的调用：ISO 8601，或多久以前：7d、12h",
    "usage.examples": "alaya usage --since 7d --lang zh",
    "export": "把卡片、图谱与索引写成文件",
    "export.about": (
        "把卡片按类型写成 Markdown，把图谱写成 GraphML（Gephi 与 NetworkX 可打开），"
        "并生成 index.md。此前导出、现已不存在的内容会从目录中删除；其他文件保持不变。"
    ),
    "export.output": "写入的目录（默认为数据目录下的 export/；其他用户为 export/用户名）",
    "export.sessions": "也导出会话，格式为 JSON",
    "export.examples": "alaya export --lang zh\nalaya export --output ./记忆 --sessions",
    "verify": "检查三层是否一致",
    "verify.about": (
        "用哈希链检查归档，再用归档检查图谱与索引，并指出每一处不一致。"
        "若有问题且未修复，退出状态为 3。"
    ),
    "verify.repair": "由归档修复图谱与索引",
    "verify.examples": "alaya verify --lang zh\nalaya verify --repair --lang zh",
    "rebuild": "由归档重新生长图谱与索引",
    "rebuild.about": "重放日志，重新生长图谱与索引；不调用模型。向量取自缓存。",
    "rebuild.examples": "alaya rebuild --lang zh",
    "rebuild-l1": "由图谱重新生长索引",
    "rebuild-l1.about": "由图谱重新生长词语与向量索引。",
    "rebuild-l1.examples": "alaya rebuild-l1 --lang zh",
    "embed": "处理等待向量化的内容",
    "embed.about": (
        "为尚无向量的内容生成向量，新的在先。可随时中断：已完成的会保留。其他命令都不等待它。"
    ),
    "embed.limit": "最多处理多少段文字",
    "embed.worker": "作为由 ingest 启动的后台进程运行；每个数据目录只有一个",
    "embed.examples": "alaya embed --lang zh\nalaya embed --limit 500 --lang zh",
    "config": "读写设置",
    "config.about": (
        "get KEY 显示当前生效的设置或整节设置；set KEY VALUE 写入 config.json；"
        "path 显示该文件的位置；list 显示全部设置及其来源。"
    ),
    "config.action": "要做什么",
    "config.key": "设置项，例如 recall.max_results",
    "config.value": "新的值；null 表示清除",
    "config.examples": "alaya config set language zh\nalaya config get embedding.provider",
    # complaints
    "bad.unknown": "无法识别：{what}",
    "bad.required": "缺少：{what}",
    "bad.value_missing": "{name} 需要一个值",
    "bad.no_value": "{name} 不接受值：{what}",
    "bad.together": "{name} 不能与 {what} 同时使用",
    "bad.choice": "没有这个命令：{what}",
    "bad.similar": "没有这个命令：{what}；是否想用 {near}？",
    "bad.argument": "{name}：{what}",
    "bad.setting": "需要 KEY=VALUE，而不是 {value}",
    "bad.among": "必须是 {allowed} 之一，而不是 {value}",
    "bad.whole": "必须是不小于 {low} 的整数，而不是 {value}",
    "bad.share": "必须是 0 到 1 之间的数，而不是 {value}",
    # docs/cli.zh.md
    "reference.title": "命令行",
    "reference.intro": (
        "`alaya` 保存说过的话，并能重新找到它。本页由 `python -m alaya.cli.reference` "
        "根据帮助文字生成，并有测试保证一致。"
    ),
    "reference.examples": "中文示例，随后是英文示例：",
    "reference.output": (
        "## 输出\n\n"
        "在终端上有 emoji 标题、颜色（设置 `NO_COLOR` 时没有）、提示与进度条；在管道中只有结果的"
        "纯文本行。`--quiet` 在终端上也省去标题、提示与确认信息。`--json` 输出一个 JSON 文档："
        "管道中为一行，终端上带缩进。无论区域设置如何，输出均为 UTF-8；"
        "使用其他编码的终端对无法显示的字符显示 `?`。\n\n"
        "错误以 `alaya: 消息` 写到标准错误；使用 `--json` 时为 "
        '`{"error": {"type": …, "message": …}}`，此时标准输出为空。\n\n'
        "## 退出状态\n\n"
        "| 状态 | 含义 |\n|---|---|\n"
        "| 0 | 完成；没有相关记忆时也是 |\n"
        "| 1 | 请求有误：没有这张卡片、设置值不允许、什么都读不出来 |\n"
        "| 2 | 用法错误：未知选项、缺少参数 |\n"
        "| 3 | alaya 或其环境的故障；`verify` 发现不一致 |\n"
        "| 130 | 已中断；已确认的内容不会丢失 |\n\n"
        "意外错误写入 `logging.file`（数据目录下的 `logs/alaya.log`），不含任何记忆内容。"
    ),
}
