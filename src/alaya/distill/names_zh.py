"""Chinese names of people, which no capital marks: a surname, and words around that speak of one.

    found(["我和王强去了", "王强说好", "老李也来"])  -> 王强, 老李

A full name has to be met twice, since 高兴 and 方便 begin with surnames too; 老李, 张老师, and who
名叫 so, once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎"
    "余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
_BEFORE = r"(?:^|(?<=[和跟与同叫找问给请让陪见约了到过，。！？、；：,.!?:“\s是对]))"
_AFTER = r"(?=[说在去来和跟与也是叫告问给要的，。！？、；：,.!?:”\s今昨明上下]|$)"
_FULL = re.compile(rf"{_BEFORE}(?P<name>[{SURNAMES}][\u4e00-\u9fff]{{1,2}}?){_AFTER}")
_CALLED = re.compile(
    rf"(?P<name>(?<![\u4e00-\u9fff])[老小][{SURNAMES}]|{_BEFORE}[老小][{SURNAMES}]{_AFTER}"
    rf"|{_BEFORE}[{SURNAMES}](?:老师|医生|大夫|教授|经理|总|哥|姐|阿姨|叔叔|师傅))"
)
_TOLD = re.compile(
    rf"(?:叫做?|名叫|[字名]是)(?P<name>[{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)(?=[，。！？、,.!?的\s]|$)"
)
# What begins with a surname and is no name.
NO_NAMES = frozenset(
    """程序员 苏州 周边 万象城 小熊 高兴 方便 方面 方式 方案 方法 方向 任何 任务 白天 周末 周日
    周一 周二 周三 周四 周五 周六 周围 马上 金额 文件 文章 文字 常常 常用 易懂 程序 程度 高铁
    高中 高考 何时 于是 万一 马路 雷雨 石头 江边 夏天 白酒 钱包 史上 孔子 龙虾 汤面 毛病 许多
    曾经 张开 时间 常见 温度 安全 老方 小方 小文 小高 小龙 小马 小江 老马""".split()  # noqa: SIM905
)


def found(texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """(which text, where in it, the name), in order."""
    sure: dict[tuple[int, int], tuple[str, bool]] = {}
    for number, text in enumerate(texts):
        for shape in (_FULL, _TOLD, _CALLED):
            for match in shape.finditer(text):
                if match["name"] not in NO_NAMES:
                    sure[number, match.start("name")] = match["name"], shape is not _FULL
    times = Counter(name for name, _ in sure.values())
    for (number, at), (name, called) in sorted(sure.items()):
        if called or times[name] > 1:
            yield number, at, name
