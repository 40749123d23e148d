"""What words that speak to an agent look like, in English and Chinese: (cue, weight, pattern).

A cue alone says little, but for those of weight 3: two that stand near each other tell. Patterns
do not cross the end of a sentence, so that a rule here and a thing to ignore there are no cue.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from alaya.model.suspicion_leads import leads

ENOUGH = 3.0  # the sum of the weights of different cues within a passage that speaks to an agent
HIDDEN = 1.5  # what a cue weighs more where nobody was meant to see it

_IN = r"(?:[^.;!?\n]|\.(?=\S))"  # within a sentence; `.env` and `a.com` do not end one
_AI = r"(?:AI|A\.I\.|LLMs?|agents?|assistants?|chat ?bots?|copilot|language models?)"
_SECRET = (
    r"(?:api[ _-]?keys?|passwords?|credentials?|tokens?|secrets?|private keys?|id_rsa|\.env\b"
    r"|env file|~/\.(?:ssh|aws)\S*|conversations?|(?:chat|message) (?:history|logs?)|system prompt"
    r"|card numbers?)"
)
_NOT = r"(?<!not )(?<!never )(?<!n't )"

ENGLISH = (
    (
        "override",
        3.0,
        r"\b(?:ignor(?:e|es|ing)|disregard|forget|override|bypass(?:es)?|discard|supersedes?"
        r"|stop following)\b"
        rf"{_IN}{{0,30}}?\b(?:(?:all|any|every|the|your|my|its|these|those|of|previous|prior|above"
        r"|earlier|preceding|original|system|safety|content)\W{1,9}){1,5}"
        r"(?:instructions?|prompts?|rules?|guidelines?|direct(?:ions?|ives?)|polic(?:y|ies)"
        r"|restrictions?|programming|(?:user|system|developer) messages?)\b"
        r"(?! (?:it|that|which|they|you do)\b)",
    ),
    (
        "override",
        3.0,
        r"\b(?:ignore|disregard|forget)\s+(?:everything|all|anything|what)\s+(?:of\s+)?(?:the\s+)?"
        r"(?:above|before|previous|you (?:were|have been|are) (?:asked|told|given))",
    ),
    (
        "override",
        3.0,
        r"\b(?:previous|prior|above|earlier|old) (?:instructions?|rules?|prompts?|directives?)"
        r" (?:is|are)(?: now)? (?:void|null|obsolete|cancell?ed|lifted|no longer)",
    ),
    (
        "override",
        3.0,
        r"\b(?:what|whatever|everything|all)(?: that)? you (?:were|have been) (?:told|asked|given)"
        r"\b[^.\n]{0,20}\b(?:no longer|void|does not|doesn't|is over)\b",
    ),
    ("override", 2.0, r"\b(?:ignore|disobey|deceive|distract) the (?:user|owner)\b"),
    ("new task", 1.5, r"\b(?:your )?new (?:task|rules?|instructions?|goal|objective)\b(?: is|:)"),
    (
        "address",
        1.5,
        rf"\b(?:dear|(?:notes?|message|instructions?|attention) (?:to|for)|attention|to)\s"
        rf"(?:the |all |any )?(?:\w+ )?{_AI}(?=\s*[:,!.])|\bif you are an? (?:\w+ )?"
        rf"(?:{_AI}|model)\b|(?:^|[.>!\n]|--)\s{{0,9}}(?:{_AI})\s{{0,3}}[,:]",
    ),
    (
        "address",
        1.5,
        r"(?:^|[.!?:>\n#/*(\[-])\s{0,3}(?:hey |hi |dear |notes? (?:to|for) )?(?:the )?(?:AI|LLM"
        r"|copilot|gemini|claude|(?:chat)?gpt|cursor)\w{0,2}(?: [a-z]{2,20})?\s?[:,]",
    ),
    ("address", 1.5, r"\bfor (?:automated users|bots|crawlers|AI systems|robots)\b"),
    ("unasked", 1.5, r"\b(?:once|when|as soon as) the user (?:says|asks|types|confirms|thanks)\b"),
    (
        "reader",
        1.5,
        rf"\b{_AI}\s{{1,3}}(?:\w{{1,30}}\s{{1,3}}){{0,4}}(?:must|should|shall"
        r"|has to|have to|needs? to)",
    ),
    (
        "markup",
        3.0,
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<</?SYS>>",
    ),
    ("markup", 1.5, r"(?:^|\n)\W{0,4}(?:SYSTEM(?: MESSAGE| PROMPT| NOTE)?|System message)\s*:"),
    ("markup", 1.5, r"\[\s?SYSTEM\b[^\]\n]{0,40}\]"),
    ("authority", 1.5, r"\baccess granted\b|\boverride security\b|\bsecurity override\b"),
    (
        "authority",
        1.5,
        r"\b(?:user|owner|admin(?:istrator)?|developer)s? (?:has|have) (?:already )?(?:granted"
        r"|approved|authori[sz]ed|agreed|consented|given)",
    ),
    ("role", 2.0, r"\bfrom now on,? you (?:are|will|must|have)\b|\bdo anything now\b|\bDAN\b"),
    (
        "role",
        1.5,
        r"\byou are (?:now|no longer)\b|\bpretend (?:to be|(?:that )?you(?: a|['’])re)\b",
    ),
    ("role", 2.0, r"\b(?:developer|god|jailbreak|unrestricted) mode\b|\bjailbroken\b"),
    (
        "unbound",
        1.5,
        r"\b(?:no|without(?: any)?) (?:\w+ )?(?:restrictions|filters|limits|rules|content policy"
        r"|limitations|censorship)\b|\bunrestricted\b|\buncensored\b|\bnever refuses?\b",
    ),
    (
        "secrets",
        1.5,
        rf"{_NOT}\b(?:send|upload|post|forward|e-?mail|transmit|include|append|paste|leak|submit"
        rf"|share|read|ask)\b{_IN}{{0,50}}{_SECRET}",
    ),
    (
        "sending",
        1.5,
        rf"\b(?:send|upload|post|forward|e-?mail|transmit|submit|paste)\b{_IN}{{0,80}}"
        r"(?:\bto\b|\bat\b|\bin the next\b)\s+(?:https?://|\S+@\S|the next|this address)",
    ),
    (
        "secrets",
        3.0,
        r"\b(?:reveal|print|output|repeat|show|leak|display|disclose|recite)\b"
        rf"{_IN}{{0,40}}\b(?:your|the|all|full|hidden|entire)\s+(?:system prompt|(?:hidden"
        r"|initial|original|secret|internal|developer) (?:instructions|rules|prompt|message))",
    ),
    ("secrets", 1.5, r"!\[[^\]\n]{0,99}\]\(https?://[^)\n]{0,200}[{$<]"),
    (
        "sending",
        1.5,
        r"!\[[^\]\n]{0,99}\]\(https?://[^)\n]{0,200}\b(?:history|secret|key|token|data|prompt)\b",
    ),
    (
        "sending",
        1.5,
        r"\b(?:must|should|shall) be (?:sent|forwarded|uploaded|copied|e-?mailed) to\s"
        r"(?:https?://|\S{1,60}@\S)",
    ),
    (
        "conceal",
        2.0,
        r"\b(?:do not|don't|never|must not|without)\s+(?:ever\s+)?(?:tell|telling|inform|informing"
        rf"|mention|alert|alerting|notify|notifying)\b{_IN}{{0,30}}\b(?:user|owner|human)\b",
    ),
    (
        "conceal",
        1.5,
        r"\b(?:do not|don't|never|must not)\s+(?:mention|explain why|disclose"
        r"|point (?:it|this) out)\b",
    ),
    ("conceal", 1.5, r"\bneed not (?:hear|know|be told)\b"),
    ("unasked", 1.5, r"\bwithout (?:asking|(?:any )?(?:further )?confirmation|approval|question)"),
    (
        "memory",
        2.0,
        rf"\b(?:remember|store|save|keep|record|write)\b{_IN}{{0,40}}\b(?:memory|all future"
        r"|future (?:conversations|sessions|chats))\b",
    ),
    ("bias", 1.5, r"\balways (?:recommend|prefer|suggest|answer|say|reply)\b"),
    (
        "bias",
        1.5,
        r"\b(?:recommend|rank|rate|choose|present) (?:this|the) (?:\w{1,30} )?(?:candidate|product"
        r"|plan|paper|vendor|model) (?:as|first|highest|above|before)\b",
    ),
    ("override", 1.5, r"\bignore (?:all|any) (?:negative|other|critical|bad)\b"),
    (
        "reply",
        1.5,
        r"\b(?:reply|respond|answer)(?: only)? with (?:only )?the (?:word|phrase|text)\b",
    ),
    ("reply", 1.5, r"\b(?:repeat|recite) (?:the text|everything|all) above\b"),
    (
        "harm",
        1.5,
        r"\brm -rf\b|\bDROP (?:TABLE|DATABASE)\b|\bcurl\b[^\n|]{0,100}\|\s*(?:ba|z)?sh\b|\breverse"
        r" shell\b|\b(?:delete|wipe|erase) (?:the |all )?(?:\w+ )?(?:repository|backups?|database"
        r"|files|branch)\b",
    ),
    ("harm", 1.0, r"\btransfer (?:the |all )?(?:money|funds)\b"),
)

_智 = r"(?:AI|人工智能|智能体|大模型|大?语言模型|(?:智能|代码|AI)?助手|聊天机器人)"
_密 = (
    r"(?:密钥|密码|令牌|口令|凭证|私钥|\.env|对话记录|聊天记录|系统提示词?|记忆|隐私|卡号|API ?key)"
)
_发 = r"(?:发送|上传|发给|发到|发至|转发|传给|传到|提交|外发|寄到)"
_勿 = r"(?<!勿)(?<!不要)(?<!不得)(?<!禁止)(?<!不能)"
_句 = r"[^。；！？;!?\n，,]"  # within a clause

CHINESE = (
    (
        "override",
        3.0,
        r"(?:忽略|无视|忘记|忘掉|抛开|放弃|不(?:要|必|用|需)?理会|绕过|推翻|(?:不用|不需要|不再|无需|不必)遵守)"
        rf"{_句}{{0,10}}(?:之前|以前|先前|前面|以上|上面|上述|此前|原有|所有|全部|一切|任何|你的|系统)"
        rf"{_句}{{0,8}}(?:指令|指示|提示|命令|要求|规则|设定|限制|约束|规定|内容|说明)",
    ),
    ("override", 2.0, rf"(?:忽略|无视|不(?:要|必|用)?理会|欺骗){_句}{{0,2}}(?:用户|主人)"),
    (
        "address",
        1.5,
        rf"{_智}(?:们)?(?:请|必须|应当|应该|务必|注意|须)|请{_智}"
        rf"|(?:给|致){_句}{{0,4}}{_智}{_句}{{0,4}}(?:备注|说明|提示|留言|指令|步骤|要求)"
        rf"|如果你是(?:一个)?{_智}",
    ),
    ("address", 1.5, r"AI ?[\u4e00-\u9fff]{0,4}[:：,，] ?(?:请|你|必须|务必)"),
    ("override", 2.0, r"(?:要求|指令|规则|设定)(?:已?全部|一律|均|都)?(?:已经)?(?:作废|失效|无效)"),
    (
        "reader",
        1.5,
        rf"(?:阅读|看到|读到|处理|浏览)(?:本页|本文|此页|这段|此文|这里){_句}{{0,6}}{_智}",
    ),
    ("markup", 2.0, r"[【\[](?:系统(?:提示|消息|指令|通知)|管理员指令)[】\]]"),
    ("authority", 1.5, r"(?:用户|主人|管理员)(?:已|已经)(?:授权|授予|同意|批准|许可)"),
    (
        "role",
        1.5,
        r"从现在(?:开始|起)[，,]?你|你(?:已经?)?不再是|(?:假装|扮演|假扮)(?:你是|一个|成)",
    ),
    ("role", 1.0, r"你现在是"),
    ("role", 2.0, r"开发者模式|越狱模式|上帝模式"),
    (
        "unbound",
        1.5,
        rf"(?:没有|不受|毫无)(?:任何)?{_句}{{0,4}}(?:限制|约束|审查|过滤|束缚)|从不拒绝"
        r"|必须回答(?:所有|一切|任何)",
    ),
    ("unbound", 1.5, r"(?:不需要|无需|不用|不必)遵守"),
    ("secrets", 2.0, rf"{_勿}(?:把|将){_句}{{0,20}}{_密}{_句}{{0,15}}{_发}"),
    ("secrets", 2.0, rf"{_勿}(?<!防止)(?<!避免)(?:泄露|泄漏|交出|提供)(?:你的|用户的)?{_密}"),
    ("sending", 1.5, rf"{_发}(?:给|到|至)?\s*(?:https?://|[\w.+-]+@[\w-])"),
    (
        "secrets",
        3.0,
        rf"(?:输出|打印|显示|复述|重复|说出|展示|公开|泄露|告诉我){_句}{{0,6}}(?:系统提示词?"
        r"|系统指令|隐藏(?:规则|指令)|初始指令|全部规则|内部规则)",
    ),
    (
        "secrets",
        3.0,
        rf"{_勿}(?:把|将){_句}{{0,12}}(?:系统提示词?|系统指令|初始指令|隐藏指令){_句}{{0,6}}"
        r"(?:复述|输出|说出|打印|告诉|写出)",
    ),
    (
        "conceal",
        2.0,
        rf"(?:不要|不得|别|勿|不能){_句}{{0,3}}(?:告诉|告知|通知|提及|提起|透露|让){_句}{{0,3}}"
        rf"(?:用户|主人)|(?:不要|不得|勿)向(?:用户|主人)|不要在回复中提"
        r"|(?:不用|无需|不必)(?:汇报|告知|报告)",
    ),
    ("conceal", 1.5, r"(?:不要|不得|切勿|请勿)(?:提及|提起|提到)"),
    ("unasked", 1.5, r"(?:无需|不必|不用|不需要)(?:再)?(?:用户|征得)?(?:用户)?(?:确认|同意|询问)"),
    (
        "memory",
        2.0,
        r"(?:记住|写进|写入|存入|存进|保存到|记入)[^。\n]{0,20}(?:长期记忆|记忆库|你的记忆|(?:以后|今后)"
        r"(?:每次|都|一律)|长期偏好)",
    ),
    ("bias", 1.5, r"(?:都|必须|始终|一律|直接)推荐"),
    ("reply", 1.5, r"你必须(?:说|回答|回复|写)"),
    ("reply", 1.5, r"只(?:回复|回答|输出|说)[“\"「]"),
    ("harm", 1.5, rf"(?:删除|清空|销毁){_句}{{0,6}}(?:数据库|备份|仓库|全部文件)"),
)


class Cue(NamedTuple):
    """A pattern, what its match weighs, and texts of which a match holds one."""

    name: str
    weight: float
    pattern: re.Pattern[str]
    leads: frozenset[str]


@cache
def cues() -> tuple[Cue, ...]:
    """All of them. Compiled at the first question: most recalls quote no tool."""
    return tuple(
        Cue(name, weight, re.compile(text, re.IGNORECASE), leads(text))
        for name, weight, text in (*ENGLISH, *CHINESE)
    )


# Words about such texts; what stands in quotation marks beside them is an example.
SPOKEN_OF = re.compile(
    r"\b(?:prompt injection|injection|attack(?:er)?s?|adversar\w+|jailbreaks?|OWASP|researchers?"
    r"|phishing)\b|提示词?注入|攻击|越狱|研究人员|研究者|安全",
    re.IGNORECASE,
)
# Words that name the attack: whoever explains it describes it, too, and more cues are needed.
EXPLAINED = re.compile(r"\bprompt[- ]injection|提示词?注入", re.IGNORECASE)
QUOTED = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,60}”|「[^」\n]{1,60}」|『[^』\n]{1,60}』")
