"""Other names of what a text names, as people give them: pure, English and Chinese.

    aliases("Melanie goes by Mel.")            -> (("Melanie", "Mel"),)
    aliases("K8s is short for Kubernetes")     -> (("K8s", "Kubernetes"),)
    aliases("马超，字孟起。我女儿小名叫豆豆。")    -> (("马超", "孟起"), ("女儿", "豆豆"), ...)
    aliases("Just call me Mel", "Melanie")     -> (("Melanie", "Mel"),)

Chinese does not say where a name begins, so what stands before is taken in more than one length; a
name that nobody uses harms nothing.
"""

from __future__ import annotations

import re

from alaya.model.grammar import is_grammar

_NAME = r"[A-Z][\w'’-]*(?: [A-Z0-9][\w'’-]*){0,3}"
_SAME = (
    r"(?i:also (?:known as|called)|better known as|formerly(?: known as)?|a\.?k\.?a\.?|nicknamed|"
    r"goes by(?: the name(?: of)?)?|(?:is |was |stands )?short for)"
)
_ENGLISH = re.compile(
    rf"(?P<name>{_NAME})[,(]? {{0,1}}\(?(?:(?:who|which) )?(?:is |are |was )?{_SAME} "
    rf"[\"“'‘]?(?P<other>{_NAME})"
)
_CALL_ME = re.compile(
    rf"\b(?i:call me|I go by|my nickname is) [\"“'‘]?(?P<en>{_NAME})"
    r"|(?:叫我|我的?(?:小名|外号|绰号|网名|昵称)(?:叫|是))[“「『]?"
    r"(?P<zh>[\u4e00-\u9fff]{2,4}?)(?=[”」』吧就，。；！,.;!]|$)"
)
_H = r"[\u4e00-\u9fff]"
_END = r"(?=[”」』》）)，。；：！？、,.;:!?也\s]|$)"
# 姓刘，名备，字玄德: family name, name, and the name that others use.
_COURTESY = re.compile(
    rf"姓?(?P<family>{_H})[，,、]?名(?P<given>{_H}{{1,2}}?)[，,、]表?字(?P<other>{_H}{{1,2}}){_END}"
)
_AND_COURTESY = re.compile(rf"(?P<name>{_H}{{2,3}})[，,、]?表?字(?P<other>{_H}{{2}}){_END}")
_CHINESE = re.compile(
    rf"(?P<name>{_H}{{2,4}})[，,（(]?(?:又名|又叫|也叫|亦称|又称|别名|别号|外号|绰号|小名|昵称|网名|"
    rf"笔名|艺名|简称|全称|人称)(?:叫做?|是|为)?[：:]?[“「『《]?(?P<other>{_H}{{2,4}}?){_END}"
)


def aliases(text: str, speaker: str = "") -> tuple[tuple[str, str], ...]:
    """Pairs of names that the text says are of the same one, in order, each once."""
    found: dict[tuple[str, str], None] = {}
    for match in _ENGLISH.finditer(text):
        found[match["name"], match["other"]] = None
    for match in _COURTESY.finditer(text):
        found[match["family"] + match["given"], match["other"]] = None
    for pattern in (_AND_COURTESY, _CHINESE):
        for match in pattern.finditer(text):
            for name in dict.fromkeys((match["name"][-2:], match["name"])):
                if not is_grammar(name):  # 我的网名叫…: whose it is, `speaker` tells
                    found[name, match["other"]] = None
    if speaker:
        for match in _CALL_ME.finditer(text):
            found[speaker, match["en"] or match["zh"]] = None
    return tuple(pair for pair in found if pair[0] != pair[1])
