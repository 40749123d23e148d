"""What `--help` says of the commands of provenance, in Chinese: the keys of the English ones."""

HELP = {
    "recall.include_quarantined": "也包括像是在对智能体下指令、因而被隔离的内容",
    "remember": "记下所见、所想、所做或所得",
    "remember.about": (
        "把一段文字存为卡片，并记下它来自哪个事件、由哪些卡片推出。原话与其他内容一样进入归档，可以追溯和核对。"
        "卡片的可信度取其来源中最低的一级；来自工具、像是在对智能体下指令的文字会被隔离。"
        "再次记下同样的话算作又说了一次，不会产生第二张卡片。"
    ),
    "remember.text": "要记住的内容（否则读标准输入）",
    "remember.kind": "observation（默认）、reasoning、action、result，或其他卡片类型",
    "remember.event": (
        "它来自哪个事件或哪次回忆：event-…、event:会话#轮次，或 `alaya recall --json` 给出的 id"
    ),
    "remember.derived_from": "它由哪些卡片推出，用逗号分隔",
    "remember.importance": "0 到 1（默认 0.5）",
    "remember.origin": "这是谁的话：owner、agent（默认）、tool 或 untrusted",
    "remember.examples": (
        'alaya remember "3 号账户余额为 100 元" --kind result --lang zh\n'
        'alaya remember "3 号账户可以付款" --kind reasoning --derived-from card-abc123'
    ),
    "event": "写下一个事件，供记下的内容引用",
    "event.about": (
        "逐字保存智能体一次行动的输入与输出，并打印其 id。"
        "在程序中：with memory.event(kind, input=…) as event。"
    ),
    "event.kind": (
        "user_message、tool_call、reasoning、final_answer、retrieval、reflection、"
        "correction 或 import"
    ),
    "event.input": "输入，例如对工具的调用",
    "event.output": "输出，例如工具的结果",
    "event.examples": 'alaya event tool_call --input "df -h" --output "/dev/sda1 93%" --lang zh',
    "events": "列出一个会话中发生的事",
    "events.about": (
        "列出会话中用户的消息、工具调用及其结果、思考和最后的回答，并给出 id，"
        "可供引用、追溯和更正。它们直接读自各轮原话，不重复存储。"
    ),
    "events.session": "会话的 id",
    "events.examples": "alaya events session-20260331-062900 --lang zh",
    "trace": "从卡片回到原话，也看由它推出了什么",
    "trace.about": (
        "显示卡片来自哪些会话、引用了哪些原话及其轮次，以及归档中的文字是否与引用完全一致。"
        "加上 --chain，或给出事件、轮次时，画出两棵树："
        "向下经事件和卡片直到原话，向上直到由它推出的一切。"
    ),
    "trace.card": "卡片、事件（event-…、event:…、recall-…）或轮次（会话#轮次）",
    "trace.chain": "画出上下两棵树",
    "trace.examples": "alaya trace card-abc123 --lang zh\nalaya trace card-abc123 --chain",
    "why": "说明一张卡片为何这样说",
    "why.about": (
        "谁说的、何时、在哪个事件中、原话是什么；说过或确认过几次；由哪些卡片推出；取代了什么、与什么矛盾；"
        "是否已过时（因哪次更正）、被隔离或被遗忘。"
    ),
    "why.card": "卡片的 id",
    "why.examples": "alaya why card-abc123 --lang zh",
    "correct": "说明正确的是什么",
    "correct.about": (
        "更正本身也是一个事件。更正卡片会产生新版本；更正事件或轮次会产生一张新卡片，取代由其得出的卡片。"
        "由被更正之处推出的一切沿整条链标为过时：排名靠后并注明，直到重新推出或确认。仅由该来源支撑的事实不再采信。"
    ),
    "correct.what": "卡片、事件（event-…、event:…）或轮次（会话#轮次）",
    "correct.text": "正确的内容（否则读标准输入）",
    "correct.reason": "理由",
    "correct.examples": (
        'alaya correct card-abc123 "余额是 80 元" --reason "录入有误" --lang zh\n'
        'alaya correct "ops#14" "端口是 5434"'
    ),
    "confirm": "确认一张卡片成立：不再过时",
    "confirm.about": "算作又说了一次。过时的卡片恢复原状。",
    "confirm.card": "卡片的 id",
    "confirm.reason": "理由",
    "confirm.examples": "alaya confirm card-abc123 --lang zh",
    "quarantine": "列出像是在对智能体下指令的内容，并作处置",
    "quarantine.about": (
        "来自工具、网页和陌生人、不是写给读者而是在对智能体说话的文字（忽略你的指令、发送密钥、不要告诉用户；"
        "或藏在注释、base64、不可见字符、文件名中）会被保留，但不会被回忆。"
        "release 让卡片恢复，hold 手动隔离。"
    ),
    "quarantine.action": "list（默认）、release 或 hold",
    "quarantine.cards": "要放出或隔离的卡片",
    "quarantine.reason": "理由",
    "quarantine.examples": "alaya quarantine --lang zh\nalaya quarantine release card-abc123",
}
