"""What is wrong with what was asked, as the verbs say it in English, in Chinese.

As in `reasons_zh`: a pattern and what it becomes. Tried in order; a test makes each mistake.
"""

_SEEN = "在此用户及筛选范围内，且未被遗忘"

MISTAKES = (
    (
        r"another process \((.+)\) introspects this memory; try again when it is done",
        "另一个进程（{0}）正在内省此记忆；请待其完成后再试",
    ),
    (r"no step (.+): known are (.+)", "没有步骤 {0}：可用的有 {1}"),
    (
        r"name one thing to erase: a card, a session, an entity, a query, or all of a user",
        "请给出一项要抹除的内容：卡片、会话、实体、查询，或某用户的一切",
    ),
    (r"nothing to look for: give words", "没有要查找的内容：请给出词语"),
    (r"nothing is known of (.+); see `alaya entities`", "没有关于 {0} 的记录；见 `alaya entities`"),
    (r"(.+) is the name of (.+): name one of (.+)", "{0} 是 {1} 个实体的名称：请指明其一：{2}"),
    (r"nothing of user (.+) holds all of (.+)", "用户 {0} 没有任何内容含有 {1} 的全部词语"),
    (
        r"the reason holds words that are to be erased; give another",
        "原因里含有要抹除的词语；请换一个",
    ),
    (r"no backup (.+)", "没有备份 {0}"),
    (
        r"(.+) exists already; a backup never replaces a file",
        "{0} 已存在；备份从不覆盖文件",
    ),
    (
        r"another process erases, backs up or restores; try again when it is done",
        "另一个进程正在抹除、备份或恢复；请待其完成后重试",
    ),
    (
        r"nothing to recall: give a question, --concepts or --from-nodes",
        "没有要回忆的内容：请给出问题、--concepts 或 --from-nodes",
    ),
    (
        r"depth (.+) is not between 0 and (.+) \(recall\.max_depth\)",
        "depth {0} 不在 0 到 {1} 之间（recall.max_depth）",
    ),
    (r"limit (.+) is not between (.+) and (.+)", "limit {0} 不在 {1} 到 {2} 之间"),
    (r"no recipe (.+): known are (.+)", "没有名为 {0} 的配方：可用的有 {1}"),
    (
        r"recipe (.+) weighs nothing: every (.+) weight is 0",
        "配方 {0} 没有任何权重：所有 {1} 权重都是 0",
    ),
    (r"a path of at most (.+) links: give 1 to (.+)", "路径最多 {0} 条链接：请给出 1 到 {1}"),
    (
        r"a path needs two ends: nodes or questions, neither of them empty",
        "路径需要两端：节点或问题，都不能为空",
    ),
    (
        r"a path from (.+) to itself: give two different ends",
        "路径从 {0} 到它自身：请给出不同的两端",
    ),
    (
        r"no (?:card )?(.+) to go on from \(for this user, .+\); nodes are .+",
        f"没有可以继续的节点 {{0}}（{_SEEN}）；可用卡片、session:ID、轮次（SESSION#TURN）或实体",
    ),
    (
        r"no (.+) \(for this user, within the filter, and not forgotten\)",
        f"没有 {{0}}（{_SEEN}）",
    ),
    (
        r"no card (.+) \(for user (.+)\); see `alaya recall`",
        "没有卡片 {0}（用户 {1}）；见 `alaya recall`",
    ),
    (r"no card (.+) \(for user (.+)\)", "没有卡片 {0}（用户 {1}）"),
    (
        r"no session (.+); `alaya status` shows how many there are",
        "没有会话 {0}；`alaya status` 显示共有多少会话",
    ),
    (r"(.+) cannot be linked to itself", "{0} 不能与自身建立链接"),
    (
        r"(.+) is pinned; unpin it first: alaya pin (.+) --off",
        "{0} 已固定；请先取消固定：alaya pin {1} --off",
    ),
    (r"no relation (.+); did you mean (.+)\?", "没有关系 {0}；是否指 {1}？"),
    (r"no relation (.+); alaya relations lists those in use", "没有关系 {0}；见 alaya relations"),
    (
        r"(.+) is built in: it cannot become an alias of another relation",
        "{0} 是内置关系：不能成为其他关系的别名",
    ),
    (r"(.+) cannot be an alias of itself", "{0} 不能是自身的别名"),
    (r"(.+) is an alias of (.+); promote that", "{0} 是 {1} 的别名；请提升后者"),
    (r"(.+) cannot be split into itself", "{0} 不能拆分为自身"),
    (r"no link (.+) of the relation (.+)", "关系 {1} 没有链接 {0}"),
    (
        r"not a relation name: (.+); use letters in any language, .+, at most (.+) characters",
        "不是关系名：{0}；可用任何文字的字母，例如 DEPENDS_ON 或 受启发于，最多 {1} 个字符",
    ),
    (r"nothing can be embedded: (.+)", "无法生成向量：{0}"),
    (
        r"(.+) \(distill\.llm_provider\) needs the openai client: (.+)",
        "{0}（distill.llm_provider）需要 openai 客户端：{1}",
    ),
    (
        r"distill\.llm_provider is (.+): say which model, as in (.+)",
        "distill.llm_provider 设为 {0}：请指定模型，例如 {1}",
    ),
    (
        r"distill\.base_url must begin with http:// or https://, not (.+)",
        "distill.base_url 必须以 http:// 或 https:// 开头，而不是 {0}",
    ),
    (
        r"(.+) needs an API key: set the environment variable (.+) \((.+)\), or set "
        r"distill\.llm_provider to none to distil by rules",
        "{0} 需要 API 密钥：请设置环境变量 {1}（{2}），"
        "或把 distill.llm_provider 设为 none，按规则提炼",
    ),
    (
        r"the environment variable (.+) does not hold an API key: .+",
        "环境变量 {0} 中的不是 API 密钥：含有密钥不会有的字符；请重新复制",
    ),
    (
        r"(.+) does not let us in: (.+); look whether (.+) holds a valid key; (.+)",
        "{0} 拒绝访问：{1}；请检查 {2} 中的密钥是否有效；{3}",
    ),
    (
        r"(.+) does not let us in: (.+); set distill\.api_key_env to the name of .+",
        "{0} 拒绝访问：{1}；请把 distill.api_key_env 设为保存密钥的环境变量名",
    ),
    (
        r"(.+): (.+); look whether distill\.base_url is right .+ the model (.+) "
        r"\(distill\.model\); (.+)",
        "{0}：{1}；请检查 distill.base_url 是否正确（通常以 /v1 结尾），以及该服务器是否有模型 {2}"
        "（distill.model）；{3}",
    ),
    (
        r"(.+) points to (.+): set distill\.base_url to where the API is; .+",
        "{0} 指向 {1}：请把 distill.base_url 设为 API 的实际地址；"
        "alaya 不跟随重定向，因为发送的内容是私密的",
    ),
    (
        r"(.+): (.+); add credit to the account, or choose another distill\.llm_provider",
        "{0}：{1}；请为账户充值，或更换 distill.llm_provider",
    ),
    (
        r"nothing to add: give a text or a list of \{role, content\}",
        "没有要添加的内容：请给出一段文字，或 {{role, content}} 的列表",
    ),
    (r"nothing to add: every message is empty", "没有要添加的内容：每条消息都是空的"),
    (
        r"messages must be a text or a list of \{role, content\}, not (.+)",
        "消息必须是一段文字或 {{role, content}} 的列表，而不是 {0}",
    ),
    (
        r"message (.+) is (.+), not an object with role and content",
        "第 {0} 条消息是 {1}，而不是含 role 与 content 的对象",
    ),
    (r"message (.+) is not JSON: (.+)", "第 {0} 条消息不是 JSON：{1}"),
    (
        r"message (.+) is longer than (.+) MiB: add it in parts, or as a file",
        "第 {0} 条消息超过 {1} MiB：请分段添加，或作为文件读取",
    ),
    (
        r"message (.+): role must be .+, not (.+)",
        "第 {0} 条消息：role 必须是 user、assistant、tool 或 system，而不是 {1}",
    ),
    (
        r"message (.+): (.+) must be a text or a list of parts(.*), not (.+)",
        "第 {0} 条消息：{1} 必须是文字或各部分的列表{2}，而不是 {3}",
    ),
    (
        r"message (.+): (.+) must be a list of objects, not (.+)",
        "第 {0} 条消息：{1} 必须是对象的列表，而不是 {2}",
    ),
    (
        r"message (.+): (.+) must be a text or a whole number, not (.+)",
        "第 {0} 条消息：{1} 必须是文字或整数，而不是 {2}",
    ),
    (
        r"message (.+): (.+) must be a text, not (.+)",
        "第 {0} 条消息：{1} 必须是文字，而不是 {2}",
    ),
    (
        r"message (.+): (.+) must be an object, not (.+)",
        "第 {0} 条消息：{1} 必须是对象，而不是 {2}",
    ),
    (
        r"message (.+): (.+) (\S+) is still to come \(it is (.+)\): give the time .+",
        "第 {0} 条消息：{1} {2} 在未来（现在是 {3}）：请给出说这句话的时间，或不给",
    ),
    (
        r"messages (.+) and (.+) have the same id, (.+), but are not the same: .+",
        "第 {0} 条与第 {1} 条消息的 id 相同（{2}），内容却不同：请各用各的 id，或不给 id",
    ),
    (r"message (.+) has no content", "第 {0} 条消息没有 content"),
    (
        r"message (.+): (.+) is not a time: (.+) \(use ISO 8601\)",
        "第 {0} 条消息：{1} 不是时间：{2}（请用 ISO 8601）",
    ),
    (
        r"session (.+) follows (.+): its turns are those of that source; .+",
        "会话 {0} 来自 {1}：它的轮次以该来源为准；请添加到另一个会话",
    ),
    (
        r"session (.+) belongs to agent (.+), not to (.+)",
        "会话 {0} 属于智能体 {1}，不属于 {2}",
    ),
    (r"max_hops (.+) is not between 0 and (.+)", "max_hops {0} 不在 0 到 {1} 之间"),
    (r"nothing to retrieve: give a question", "没有要检索的内容：请给出问题"),
    (
        r"(.+) (.+) is not a whole number of at least (.+)",
        "{0} {1} 不是至少为 {2} 的整数",
    ),
    (
        r"no such file or folder, or nothing in it to read: (.+)",
        "没有这样的文件或文件夹，或其中没有可读的内容：{0}",
    ),
    (
        r"the name of a source is empty; `\.` is the working folder",
        "来源的名称为空；`.` 是当前文件夹",
    ),
    (r"unknown format (.+); formats are: (.+)", "未知格式 {0}；可用格式：{1}"),
    (
        r"cannot export to (.+): (.+) holds the memory itself",
        "无法导出到 {0}：{1} 是记忆本身所在之处",
    ),
    (r"unknown setting (.+); known are: (.+)", "未知设置 {0}；可用的有：{1}"),
    (r"(.+) is a section; set one of its keys: (.+)", "{0} 是一个分组；请设置其中的一项：{1}"),
    (
        r"config (.+) must be between (.+) and (.+), not (.+)",
        "设置 {0} 必须在 {1} 到 {2} 之间，而不是 {3}",
    ),
    (r"config (.+) must be at least (.+), not (.+)", "设置 {0} 至少为 {1}，而不是 {2}"),
    (r"config (.+) must be one of (.+), not (.+)", "设置 {0} 必须是以下之一：{1}，而不是 {2}"),
    (r"config section (.+) must be a JSON object", "设置分组 {0} 必须是 JSON 对象"),
    (
        r"config (.+) must be a name that is not blank, not (.+)",
        "设置 {0} 必须是非空的名称，而不是 {1}",
    ),
    (
        r"no card, event or turn (.+) \(for user (.+)\): give card-…, .+",
        "没有卡片、事件或轮次 {0}（用户 {1}）：请给出 card-…、event-…、event:会话#轮次、recall-… "
        "或 会话#轮次",
    ),
    (r"no event (.+) \(for user (.+)\)", "没有事件 {0}（用户 {1}）"),
    (r"(.+) says nothing: give some words", "没有内容：请为 {0} 写些文字"),
    (r"(.+) must be a text, not (.+)", "{0} 必须是文字，而不是 {1}"),
    (
        r"(.+) is longer than (.+) characters: add it as a file",
        "{0} 超过 {1} 个字符：请作为文件加入",
    ),
    (
        r"nothing is left to keep: it is only what alaya itself had said",
        "没有可保存的内容：这些都是 alaya 自己说过的话",
    ),
    (r"(.+) is not in 0\.\.1", "{0} 不在 0 到 1 之间"),
    (r"no card is named: give card-…", "没有指明卡片：请给出 card-…"),
    (r"(.+) must be a name that is not blank, not (.+)", "名称不能为空：{0} 为 {1}"),
    (r"config (.+) must be (.+), not (.+)", "设置 {0} 必须是 {1}，而不是 {2}"),
    (
        r"cannot read the prompt (.+?): (.+); mend or delete it",
        "无法读取提示词 {0}：{1}；请修正或删除它",
    ),
    (
        r"the prompt (.+) is empty; delete it to have the original back",
        "提示词 {0} 是空的；删除它即恢复原文",
    ),
    (
        r"the prompt (.+) has (.+) characters, more than (.+); shorten it, or delete it .+",
        "提示词 {0} 有 {1} 个字符，超过 {2}；请缩短它，或删除它以恢复原文",
    ),
    (
        r"the prompt (.+) has the unknown slot (.+); known are: (.+)",
        "提示词 {0} 中有未知的占位 {1}；可用的有：{2}",
    ),
    (r"cannot write the prompt (.+): (.+)", "无法写入提示词 {0}：{1}"),
    (r"(.+) is not JSON: (.+); mend it or delete it", "{0} 不是 JSON：{1}；请修正或删除它"),
    (
        r"process (.+) is embedding already; see `alaya status`",
        "进程 {0} 正在生成向量；见 `alaya status`",
    ),
    (
        r"(.+) was made by a newer alaya \(schema (.+), this one knows (.+)\); upgrade alaya",
        "{0} 由更新版本的 alaya 创建（结构 {1}，当前版本只支持 {2}）；请升级 alaya",
    ),
    (r"there is nothing to undo", "没有可撤销的改动"),
    (r"there is no record #(.+); nothing was written yet", "没有记录 #{0}；尚未写入任何内容"),
    (
        r"there is no record #(.+); the journal has #1 to #(.+)",
        "没有记录 #{0}；日志中有 #1 到 #{1}",
    ),
    (r"there is no record #(.+)", "没有记录 #{0}"),
    (r"record #(.+) is not one of user (.+)", "记录 #{0} 不属于用户 {1}"),
    (
        r"record #(.+) was undone by #(.+) already; undo #(.+) to have it again",
        "记录 #{0} 已被 #{1} 撤销；要恢复它，请撤销 #{2}",
    ),
    (
        r"record #(.+) cannot be undone: what was erased is gone for good",
        "记录 #{0} 无法撤销：已抹除的内容无法恢复",
    ),
    (
        r"record #(.+) cannot be undone: what it said was erased",
        "记录 #{0} 无法撤销：它所记的内容已被抹除",
    ),
    (
        r"record #(.+) cannot be undone: it holds changes of another user",
        "记录 #{0} 无法撤销：其中有其他用户的改动",
    ),
    (
        r"record #(.+) cannot be undone: what it changed has become something else since",
        "记录 #{0} 无法撤销：它改动的内容后来已变成别的",
    ),
    (
        r"record #(.+) cannot be undone alone: what it changed was changed again by (.+); "
        r"undo these first, or all together with --with-later",
        "记录 #{0} 无法单独撤销：它改动的内容后来又被 {1} 改动；"
        "请先撤销这些，或加 --with-later 一并撤销",
    ),
    (r"nothing is known of (.+) \(for user (.+)\)", "没有关于 {0} 的记录（用户 {1}）"),
    (
        r"(.+) is no id: it begins with card-, link-, entity-, summary-, "
        r"session:, note: or relation:",
        "{0} 不是编号：编号以 card-、link-、entity-、summary-、session:、note: 或 relation: 开头",
    ),
    (r"several are called (.+): say which: (.+)", "有多个名为 {0}：请指明其一：{1}"),
    (
        r"the first time \(#(.+)\) is after the second \(#(.+)\)",
        "第一个时间（#{0}）晚于第二个（#{1}）",
    ),
    (
        r"(.+) is empty; to take a card back, forget or erase it",
        "{0} 是空的；要收回一张卡片，请遗忘或抹除它",
    ),
    (
        r"other processes kept writing while words were to be erased; try again",
        "抹除期间其他进程一直在写入；请重试",
    ),
)
