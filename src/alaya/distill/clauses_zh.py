"""Chinese sentences as claims: who, and what is told of them, clause by clause.

    claims("我女儿叫豆豆，对花生过敏")   女儿 豆豆; of her: 过敏 花生
    claims("王志宏是我的上司，其身高是159cm")   上司 王志宏; of him: 身高 159cm

A clause begins with its subject, behind nothing but a time or a word that joins; where it has none,
it goes on about the one before. What is negated, asked or wished for does not match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from alaya.distill import relations_zh as words
from alaya.distill.claims import ME, Claim, Whose
from alaya.distill.names_zh import NO_NAMES, SURNAMES
from alaya.model.graph import EntityKind

_H = r"[\u4e00-\u9fff]"
_END = (
    r"(?=(?:呢|啊|呀|哦|啦|哈|来着|的|了|那边|那块儿?|这边)*"
    r"(?:[，。！？、；：,.!?;:~…（）()\s\0]|$|——))"
)
_MEANT = rf"(?:{_H}|[A-Za-z0-9·.+#-])"
_PLACE = rf"(?:{'|'.join(words.PLACES)})"
_TIME = (
    r"(?:[今明昨前去后]年(?:[春夏秋冬]天|年?[初底中])?|[今明昨前后]天|大前天|(?:上|这|下)个?(?:月|周|星期|礼拜)"
    r"[一二三四五六日天末初底]?|\d{2,4}年(?:\d{1,2}月)?(?:\d{1,2}[日号])?|\d{1,2}月(?:\d{1,2}[日号])?"
    r"|[一二三四五六七八九十]{1,2}月份?|周[一二三四五六日末]|[半几一两三]年前|几[天周]前|[春夏秋冬]天|国庆|春节|元旦"
    r"|五一|暑假|寒假|刚才|最近|早上|上午|中午|下午|晚上|夜里|小时候)"
)
_OPENS = re.compile(
    rf"(?:但是?|可是|不过|而且|因为|由于|所以|其实|然后|那么?|哦|嗯|嗨|对了|另外|还有|后来|顺便说一下|记住|请记住|你好"
    rf"|补充一下|说一下|告诉你|跟你说|{_TIME}|的时候|的?[，,]|：|:| )*"
)
_PARTS = {
    "某": rf"(?P<object>(?:{_H}{{2,10}}?|[A-Za-z][\w .&+-]{{1,20}}?\w(?:{_H}{{0,4}}?)))",
    "地": rf"(?P<object>{_PLACE}(?:省|市)?(?:{_PLACE}|{_H}{{1,4}}?[市区县镇州])?)",
    "处": rf"(?P<object>{_H}{{1,8}}?(?:公园|乐园|广场|商场|古城|中心"
    r"|[园馆山湖寺庙塔城镇村岛院店街路桥海江河区县市省国州宫校楼厅站滩峡谷]))",
    "事": rf"(?P<object>{_MEANT}{{1,12}}?|《[^》]{{1,20}}》|[A-Za-z][\w .+-]{{1,25}}?)"
    rf"(?:这[款部个]{_H}{{1,3}})?",
    "物": rf"(?P<object>{_MEANT}{{2,14}}?|[A-Za-z][\w .+-]{{1,25}}?)",
    "值": r"(?P<object>[^，。！？；,!?;\s]{2,24}?)",
    "人": rf"(?P<object>{_H}{{2,4}}?|[A-Z][a-z]+(?: [A-Z][a-z]+)?)",
    "品": rf" ?(?P<object>(?:{_H}{{1,6}}?的? ?)?[A-Za-z][\w.+#/-]*(?: [A-Z\d][\w.+#-]*){{0,3}})"
    rf"(?:手机|电脑|数据库)?(?![\w])",
    "敏": rf"(?P<object>(?:(?!不){_H}|、){{1,12}}?)",
    "忌": rf"(?P<object>{_H}{{1,5}}?)",
    "业": rf"(?:{_H}{{0,8}}?的)?(?P<object>(?:(?![做当是在]){_H}){{0,6}}?"
    rf"(?:{'|'.join(words.TRADES)}))",
    "日": r"(?P<object>(?:\d{2,4}[年.-])?(?:农历|阴历)?\d{1,2}[月.-]\d{1,2}[日号]?|(?:农历|阴历)?"
    r"[一二三四五六七八九十]{1,2}月初?[一二三四五六七八九十]{1,3}[日号]?)",
    "只": r"(?:[一两二三四五几\d]{0,2}[只条匹个])",
    "宠": rf"(?P<object>{'|'.join(words.PETS)})",
    "技": f"(?:{'|'.join(words.SKILLS)})",
    "量": r"[一两二三\d](?:[个只台辆部双件套本条张把块款支盒])",
    "时": _TIME,
    "H": _H,
    "。": _END,
}
_KINS = "|".join(sorted(words.KIN, key=len, reverse=True))
_NAMES = rf"[{SURNAMES}]{_H}{{1,2}}?"
_SUBJECT = re.compile(
    rf"(?:(?:我们?|咱们?)家?的?(?P<kin>{_KINS})(?:[他她]们?)?(?!们)"
    rf"|(?P<me>我们|我(?!们)|咱们|本人)家?(?![的家])"
    rf"|(?P<own>我)的|(?P<ours>{'|'.join(words.OURS)})|(?P<she>他|她|其)(?!们|实|他|中|余)"
    rf"|(?P<name>{_NAMES})(?=是|的|在|住|叫|喜欢|特|最|今年|今|搬|对|也|家|就|毕业))"
)
_ADVERB = re.compile(
    rf"(?:{_TIME}|现在|目前|一直|最近|刚刚?|已经|就|也|都|还|其实|从小|平时|经常|通常|主要|终于|又|正"
    r"|个人|本人|自己)*"
)
_BEFORE = re.compile(r"(?:以前|曾经?|之前|过去|原来|从前|早年)(?:一直)?")
_OVER = {one: f"曾{one}" for one in ("住在", "就职于", "就读于")}
_CLAUSE = re.compile(r"[^，。！？；、,!?;\0]+")
_UNREAL = re.compile(
    r"如果|要是|假如|假设|希望|梦见|梦到|据说|听说|好像|可能|也许|似乎|大概是|要不是|本来想|想象|吗|是不是"
    r"|万一|除非|幻想|的话"
)
_CALLED = re.compile(
    rf"(?:我们?|咱们?)家?的?(?P<kin>{_KINS})(?:的名字|的姓名|名字)?(?:叫做?|名叫|是叫)"
    rf"(?P<object>{_H}{{1,4}}?|[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
    rf"(?=[，。！？、；,.!?;\s]|$)"
)
_IS_KIN = re.compile(
    rf"(?P<object>{_NAMES}|[A-Z][a-z]+)(?:就是|是)我们?(?:家)?的?(?P<kin>{_KINS}){_END}"
)
# What begins with these names nothing that can be found again.
_VAGUE = re.compile(
    r"(?:我|你|他|她|它|这|那|哪|什么|怎么|一起|一个|一下|自己|大家|有点|家里|别人|这里|那里|的|了|是|被|把|给|和|跟|该"
    r"|公司$|单位$|学校$|家$|外面|外地|楼上|楼下|附近|很多|所有|各种|东西|事情|国外$|老家$|时候|地方)"
    r"|[吃喝玩看听说哭笑走来去]$|就|也|都|再|才|.*(?:什么|怎么|哪里|我|你)"
)
_LISTED = frozenset({"过敏", "喜欢", "不喜欢", "忌口"})
_PIECE = re.compile(r"[^和、跟与]+")


class _Row(NamedTuple):
    relation: str
    kind: EntityKind
    shape: re.Pattern[str]
    dated: bool


def _shape(text: str) -> str:
    for _ in range(2):
        text = re.sub(r"\{([^\d{},]+)\}", lambda m: _PARTS.get(m[1], m[0]), text)
    return text


def _rows(table: Sequence[str]) -> tuple[_Row, ...]:
    found = []
    for line in table:
        relation, kind, *shape = line.split(" | ")
        whole = shape[0] if len(shape) == 1 else _owned(shape[0], shape[1])
        found.append(
            _Row(
                relation.rstrip("+"),
                EntityKind(kind),
                re.compile(_shape(whole)),
                relation.endswith("+"),
            )
        )
    return tuple(found)


def _owned(what: str, value: str) -> str:
    """身高是172厘米; what has no shape of its own stands behind 是 or 在 only."""
    loose = any(part in value for part in ("{值}", "{事}", "{人}"))
    return rf"的?(?:{what})(?:就?是在|就?是|在|叫|为|：|:){'' if loose else '?'}{value}"


_OWN = _rows(words.OWN)
_TOLD = _rows(words.TOLD)
_OF_THINGS = _rows(words.THINGS)
_OF_EVENTS = _rows(words.EVENTS)
_THING = re.compile(
    rf"(?:我们?的?|咱们?的?|这个|线上的?|生产)*"
    rf"(?P<thing>(?:[A-Za-z][\w.-]* ?|{_H}{{1,6}}?)?(?:{'|'.join(words.WORKS)})"
    rf"|[A-Za-z][\w.-]+)(?:现在|目前|默认|就)* ?"
)
_EVENT = re.compile(
    rf"(?P<thing>(?:{_MEANT}|《|》){{4,24}}?)的(?=地点|时间|规模|持续|举办|活动|开始|负责)"
)


def claims(text: str) -> Iterator[Claim]:
    """What a sentence (see `claims.plain`) claims, in the order of its clauses."""
    last: Whose | None = None
    for clause in _CLAUSE.finditer(text):
        if _UNREAL.search(text, 0, clause.end()):
            return
        named = _named(text, clause)
        if named is not None:
            yield named[0]
            last = named[1]
            continue
        start = _OPENS.match(text, clause.start(), clause.end()).end()  # type: ignore[union-attr]
        found = _SUBJECT.match(text, start)
        if found is not None:
            last = _whose(found, last)
            at = found.end()
        elif thing := next(_of_things(text, start), None):
            yield thing
            last = thing.whose
            continue
        else:
            at = start
        if last is None or last.thing:
            continue
        yield from _told(text, last, at=at)


def _named(text: str, clause: re.Match[str]) -> tuple[Claim, Whose] | None:
    """Kin with a name, and of whom the sentence goes on."""
    start = _OPENS.match(text, clause.start(), clause.end()).end()  # type: ignore[union-attr]
    found = _CALLED.match(text, start) or _IS_KIN.match(text, start)
    if found is None or _VAGUE.match(found["object"]) or found["object"] in NO_NAMES:
        return None
    kin = words.KIN[found["kin"]]
    relation = "结婚" if kin in ("老婆", "老公") else kin
    name, at = found["object"], found.start("object")
    return Claim(ME, relation, name, EntityKind.PERSON, at, at + len(name), kin=kin), Whose(name)


def _whose(found: re.Match[str], last: Whose | None) -> Whose:
    if found["kin"] or found["ours"]:
        kin = words.KIN[found["kin"] or found["ours"]]
        return Whose(kin=kin, relation="结婚" if kin in ("老婆", "老公") else kin)
    if found["name"]:
        return Whose(found["name"], doubtful=found["name"] in NO_NAMES)
    if found["she"]:
        return last if last is not None and last is not ME else Whose(found["she"])
    return ME


def _told(text: str, whose: Whose, *, at: int) -> Iterator[Claim]:
    """What a clause tells of somebody, whom it names before `at` or not at all."""
    rest = _ADVERB.match(text, at).end()  # type: ignore[union-attr]
    past = _BEFORE.match(text, rest)
    rest = past.end() if past else rest
    rest = _ADVERB.match(text, rest).end() if past else rest  # type: ignore[union-attr]
    for row in (*_OWN, *_TOLD):
        found = row.shape.match(text, rest)
        if found is None:
            continue
        relation = _OVER.get(row.relation, "") if past else row.relation
        claim = _claim(found, whose, row=row) if relation else None
        if claim is None:
            continue
        for what, start in _apart(claim) if relation in _LISTED else [(claim.object, claim.start)]:
            yield replace(claim, relation=relation, object=what, start=start, end=start + len(what))
        return


def _of_things(text: str, at: int) -> Iterator[Claim]:
    for subject, rows in ((_EVENT, _OF_EVENTS), (_THING, _OF_THINGS)):
        if (thing := subject.match(text, at)) is None:
            continue
        for row in rows:
            if found := row.shape.match(text, thing.end()):
                whose = Whose(thing["thing"].strip(), thing=True)
                if claim := _claim(found, whose, row=row):
                    yield claim


def _apart(claim: Claim) -> list[tuple[str, int]]:
    """花生和海鲜 as two, each with its place."""
    return [(one[0], claim.start + one.start()) for one in _PIECE.finditer(claim.object)]


def _claim(found: re.Match[str], whose: Whose, *, row: _Row) -> Claim | None:
    groups = found.groupdict()
    group = next((one for one in ("name", "called") if groups.get(one)), "object")
    what = found[group].strip()
    if not what or _VAGUE.match(what):
        return None
    start = found.start(group)
    return Claim(whose, row.relation, what, row.kind, start, start + len(what), row.dated)
