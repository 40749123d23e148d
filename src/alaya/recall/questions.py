"""The questions in what was asked: people ask two things at once, and chat before they ask.

questions("I was at the fair today. Who won? And where is it?") -> ("Who won?", "And where is it?")
questions("今天天气真好。会议是几点？在哪儿？")                    -> ("会议是几点？", "在哪儿？")
"""

from __future__ import annotations

import re

from alaya.model.words import pieces

# A full stop ends a sentence behind a word, a number or another one: not
# in `e.g. apples`, `Dr. Bo`.
_TITLE = "".join(rf"(?<!\b{title}\.)" for title in ("Dr", "Mr", "Ms", "St", "Mrs", "Prof"))
_STOP = rf"{_TITLE}(?:(?<=[a-z]{{2}}\.)|(?<=[\d.]\.))\s+"
_END = re.compile(rf"(?<=[。！？!?；;\n])|{_STOP}")
_MOST = 6  # that are told apart


def questions(text: str) -> tuple[str, ...]:
    """The sentences that end with a question mark; without any, the last one."""
    sentences = [one.strip() for one in _END.split(text) if next(pieces(one), None)]
    asking = [one for one in sentences if one.endswith(("?", "？"))]
    return tuple((asking or sentences[-1:])[:_MOST])
