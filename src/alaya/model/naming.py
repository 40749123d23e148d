"""Names as they are compared: what is the same name, and what may be another form of it. Pure.

name_key("Dr. Anna  SMITH") == name_key("anna smith")
may_be("Anna", "Anna Smith"), may_be("老王", "王强"), may_be("晓明", "李晓明")
"""

from __future__ import annotations

import re

from alaya.model.words import normal

_TITLE = re.compile(r"(?:(?:mr|mrs|ms|miss|dr|prof|professor|sir|madam)\b\.?|the|my)\s+")
_HAN_TITLE = re.compile(
    r"(?<=[\u4e00-\u9fff]{2})(?:先生|女士|小姐|太太|老师|医生|大夫|教授|经理|老板|同学|师傅)$"
)
_SURNAMED = re.compile(
    r"(?:[老小大阿](?P<after>[\u4e00-\u9fff])|(?P<before>[\u4e00-\u9fff])(?:先生|女士|小姐|太太|老师|"
    r"医生|大夫|教授|经理|老板|同学|师傅|总|哥|姐|叔|阿姨))$"
)
_HAN_NAME = re.compile(r"[\u4e00-\u9fff]{2,4}$")
_IGNORED = re.compile(r"[^\w+#]|_")
# The person whose memory it is, where no name is told.
_USER = frozenset("user theuser 用户 i me myself 我 本人 自己".split())  # noqa: SIM905


def name_key(name: str) -> str:
    """The same for one name, however it is written: width, case, spaces, signs and titles."""
    text = " ".join(normal(name).casefold().split())
    bare = _HAN_TITLE.sub("", _TITLE.sub("", text))
    key = _IGNORED.sub("", bare or text) or text
    return "user" if key in _USER else key


def may_be(short: str, full: str) -> bool:
    """Whether one name of a person can be a form of another, fuller one."""
    one, other = (" ".join(normal(name).casefold().split()) for name in (short, full))
    if (found := _SURNAMED.match(one)) and _HAN_NAME.match(other) and not _SURNAMED.match(other):
        char = found["after"] or found["before"]
        return other.startswith(char) or (one[0] in "小阿" and other.endswith(char))
    if _HAN_NAME.match(one) and _HAN_NAME.match(other):
        return len(other) == len(one) + 1 and len(one) >= 2 and other.endswith(one)
    parts, whole = _TITLE.sub("", one).split(), _TITLE.sub("", other).split()
    if not parts or len(parts) >= len(whole):
        return False
    return parts == whole[: len(parts)] or (len(parts) == 1 and parts[0] == whole[-1])


def forms_of(name: str) -> tuple[str, ...]:
    """Under which names an entity may be stored that this one means: to be looked up."""
    text = " ".join(normal(name).split())
    bare = _HAN_TITLE.sub("", _TITLE.sub("", text.casefold()))
    found = [name, text, bare]
    words = bare.split()
    if len(words) > 1:
        found += [words[0], "".join(words)]
    if _HAN_NAME.fullmatch(bare) and len(bare) == 3:
        found.append(bare[1:])
    if name_key(name) == "user":
        found += ["user", "用户"]
    return tuple(dict.fromkeys(found))
