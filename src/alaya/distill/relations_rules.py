"""What people say of themselves and theirs in so many words: patterns in both languages."""

from __future__ import annotations

import re
from typing import NamedTuple

from alaya.model.graph import EntityKind


class Pattern(NamedTuple):
    """`shape` has a group `object`, and `subject` where it is not who speaks.

    `dated`: a time in the same sentence is when it began.
    """

    shape: re.Pattern[str]
    relation: str
    kind: EntityKind
    dated: bool


_NAME = r"[A-Z][\w’'-]*\w(?: (?:of |the |de )?[A-Z][\w’'-]*\w){0,3}"
_H = r"[\u4e00-\u9fff]"
# Parts that stand in braces below.
_PARTS = {
    "O": rf"(?P<object>{_NAME})",
    "S": rf"(?P<subject>{_NAME})",
    "I": r"\b(?:I|[Ww]e)(?:['’]ve| have)?(?: just| recently| finally| now| currently| actually)?",
    "AM": r"\b(?:I['’]m|I am|[Ww]e['’]re|[Ww]e are)(?: now| currently| originally| actually)?",
    "PET": r"(?:dog|cat|puppy|kitten|kitty|pup|parrot|rabbit|bunny|hamster|turtle|horse|pet)",
    ".": r"(?=[.,!?;:]|$| (?:with|in|at|on|and|together|too|a lot|so|since|because|when|trip)\b)",
    "我": r"我(?:们|家)?(?:现在|目前|一直|最近|刚刚?|已经|就|也)*",
    "某": rf"(?P<object>{_H}{{2,8}}?|[A-Za-z][\w .-]{{1,20}}\w)",
    "名": rf"(?P<object>{_H}{{1,4}}?)",
    "事": rf"(?P<object>{_H}{{2,6}}?)",
    "。": r"(?=[，。！？、；,.!?;\s]|$)",
    "人": r"(?:老婆|妻子|太太|媳妇|老公|丈夫|先生|爱人)",
    "很": r"(?:最|很|特别|非常|也|一直|还|都)?",
}
# relation | kind, `since` where a time tells its beginning | what is said
_TABLE = r"""
lives in | place | {I} (?:live|lived|been living|are living) in {O}
lives in | place | {AM} (?:living|based|staying) in {O}
moved to | place since | {I} (?:moved|relocated)(?: back)? to {O}
comes from | place | {AM} from {O}
works at | organization since | {I} (?:work|got a job|started(?: working)?) (?:at|for) {O}
works at | organization | {AM} working (?:at|for) {O}
studies at | organization | {I} (?:study|go to school|go to college) at {O}
visited | place since | {I} (?:visited|went to|travell?ed to|flew to) {O}
married to | person | \b[Mm]y (?:husband|wife|spouse),? {O}
has pet | thing | \b[Mm]y (?:\w+ )?{PET}(?:['’]s name is|,? named| is named| is called|,)? {O}
has pet | thing | \b(?:a|our|the|new) (?:\w+ )?{PET},? (?:named|called) {O}
lives in | place | {S} (?:lives|is living) in {O}
works at | organization | {S} works (?:at|for) {O}
moved to | place since | {S} moved to {O}
likes | activity | {I} (?:really |just )?(?:love|like|enjoy) (?P<object>[a-z]{3,}ing){.}
住在 | place | {我}(?:住|居住|定居)在了?{某}(?=[，。！？、；,.!?;\s的]|$)
搬到 | place since | {我}[^，。！？]{{0,8}}搬家?(?:到|去|来)了?{某}(?:了|住)?{。}
来自 | place | {我}(?:是从|来自){某}(?:来的|人)?{。}
就职于 | organization | {我}在{某}(?:上班|工作|任职|实习)
就读于 | organization | {我}在{某}(?:上学|读书|念书|读研|读博|读大[一二三四])
去过 | place since | {我}[^，。！？]{{0,8}}(?:去了|去过|游览了|参观了){某}(?:玩|旅游|旅行|出差)?{。}
结婚 | person | 我的?{人}(?:叫|名叫|是){名}{。}
养了 | thing | [我家养][^，。！？]{{0,8}}[猫狗](?:咪|狗)?[，,]?(?:叫做?|名叫|名字[叫是]){名}{。}
喜欢 | thing | 我{很}(?:喜欢|热?爱){事}{。}
"""
_KIN = """sister brother mother father mom mum dad son daughter cousin aunt uncle niece nephew boss
    friend manager colleague coworker roommate neighbor neighbour girlfriend boyfriend partner
    fiance fiancee teacher coach mentor""".split()  # noqa: SIM905
_HAN_KIN = """爸爸 妈妈 父亲 母亲 儿子 女儿 哥哥 弟弟 姐姐 妹妹 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐
    堂妹 爷爷 奶奶 外公 外婆 叔叔 舅舅 姑姑 阿姨 侄子 侄女 同事 上司 老板 领导 导师 老师 下属 室友
    邻居 同学 朋友 闺蜜 男朋友 女朋友""".split()  # noqa: SIM905


def _patterns() -> tuple[Pattern, ...]:
    found = []
    for row in _TABLE.strip().splitlines():
        relation, kind, shape = row.split(" | ", 2)
        shape = re.sub(
            r"\{(\w+|[。.])\}", lambda m: _PARTS.get(m[1], m[0]), shape.replace("{{", "{")
        )
        name, _, since = kind.partition(" ")
        dated = since == "since"
        made = re.compile(shape.replace("}}", "}"))
        found.append(Pattern(made, relation, EntityKind(name), dated))
    for word in _KIN:
        shape = rf"\b[Mm]y (?:\w+ )?{word}(?:['’]s name is|,| is called)? {_PARTS['O']}"
        found.append(Pattern(re.compile(shape), f"has {word}", EntityKind.PERSON, False))
    for word in _HAN_KIN:
        shape = (
            rf"我的?{word}(?:的名字|的姓名)?(?:叫做?|名叫|名字叫|是叫){_PARTS['名']}{_PARTS['。']}"
        )
        found.append(Pattern(re.compile(shape), word, EntityKind.PERSON, False))
    return tuple(found)


PATTERNS = _patterns()
_OWN = rf"\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er) (?:\w+ )?(?:{'|'.join(_KIN)}),? $"
# What the words before a name make of it.
NAME_BEFORE: tuple[tuple[EntityKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(shape))
    for kind, shape in (
        (EntityKind.PERSON, _OWN),
        (EntityKind.PERSON, r"\b(?:[Hh]ey|[Hh]i|[Tt]hanks|[Bb]ye|[Ww]ow|met|told),? $"),
        (EntityKind.ORGANIZATION, r"\b(?:work(?:s|ed|ing)? (?:at|for)|studies at|employed by) $"),
        (
            EntityKind.PLACE,
            r"\b(?:(?:live[sd]?|living|moved|trip|travel\w*|went|visit\w*|flew|back) (?:in|to|from)"
            r"|in|visited|near|around) $",
        ),
    )
)
