"""From the text that a model wrote to a value of the schema that was asked for. Pure.

Thoughts, code fences and prose are taken off, JSON is found and, where it is broken, repaired. What
cannot be used gets a complaint that the model can be shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from alaya.distill import shapes
from alaya.model.call import Call, Problem, Reply
from alaya.model.ids import clean, excerpt

_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"```[^\n`]*\n(.*?)(?:\n\s*```|```|\Z)", re.DOTALL)
_OPEN = re.compile(r"[{\[]")
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)|[{}\[\]]', re.DOTALL)
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_LATIN = re.compile("[A-Za-z]")
_REPAIRABLE = 200_000  # characters; beyond, repairing takes minutes
_MOST_REGIONS = 50
_LETTERS = 40  # a Han character counts for two; fewer say nothing about a language
_ANY_HAN, _MUCH_HAN = 0.08, 0.4
_EXCERPT = 80


@dataclass(frozen=True)
class Reading:
    """`value` matches the schema, or `problem` and `complaint` say why there is none.

    `mended`: what was done to the text. `lost`: parts that were left out, each with the reason.
    """

    value: dict[str, Any] | None
    problem: Problem | None = None
    complaint: str = ""
    mended: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Found:
    """JSON in a text. `open`: its last bracket is missing; `torn`: more than that is."""

    value: Any
    open: bool = False
    torn: bool = False
    repaired: bool = False


def read(reply: Reply, call: Call, *, last: bool = False) -> Reading:
    """What a reply says to a call. `last`: take what can be used, as nobody will be asked again."""
    if reply.problem in (Problem.REFUSED, Problem.TOO_LONG):
        return Reading(None, reply.problem, reply.detail or "the model refused")
    if reply.problem is Problem.TOO_LARGE:
        return Reading(None, reply.problem, f"it is far too large: {reply.detail}")
    text, mended = _bare(clean(reply.text))
    if not text:
        why = "it holds nothing but thoughts" if reply.text.strip() else "it is empty"
        why += f" ({reply.detail})" if reply.detail else ""
        return Reading(None, Problem.EMPTY, why, mended)
    cut = reply.finish == "length"
    problem, complaint = Problem.NOT_JSON, f"it holds no JSON but: {excerpt(text, _EXCERPT)}"
    best: Reading | None = None
    for inside, how in _places(text):
        for found in _values(inside, cut=cut):
            done = (*mended, *how, *(("repaired",) if found.repaired else ()))
            one = _judged(found, call, last=last, mended=done)
            if one.problem is not None:
                if best is None and one.problem is not Problem.NOT_JSON:
                    problem, complaint = one.problem, one.complaint
            elif best is None or not shapes.empty(one.value or {}):
                best = one
        if best is not None:
            break
    if best is None:
        problem = Problem.TRUNCATED if cut and problem is Problem.NOT_JSON else problem
        return Reading(None, problem, complaint, mended)
    return _in_language(best, call.language, last=last)


def _bare(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without thoughts, whose beginning or end may be missing."""
    if isinstance(_strict(text), dict | list):  # else what talks about such marks would be torn
        return text.strip(), ()
    said, depth, at = [""], 0, 0
    for mark in _THOUGHT.finditer(text):
        if depth == 0:
            said.append(text[at : mark.start()])
        if not mark[1]:
            depth += 1
        elif depth == 0:  # some templates swallow the opening mark
            said.clear()
        else:
            depth -= 1
        at = mark.end()
    if depth == 0:
        said.append(text[at:])
    bare = "".join(said)
    bare = bare.strip().lstrip("\ufeff").strip()
    return bare, (("thoughts",) if len(bare) < len(text.strip()) else ())


def _places(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Where JSON may stand: the text as it is, its code fences, else anywhere in its prose."""
    fences = [m[1] for m in _FENCE.finditer(text)] if "```" in text else []
    if text[0] in "{[" or not fences:
        yield text, () if text[0] in '{["' else ("prose",)
    for inside in reversed(fences):
        if inside.strip():
            yield inside.strip(), ("fence",)
    if fences and text[0] not in "{[":
        yield text, ("prose",)


def _values(text: str, *, cut: bool) -> list[_Found]:
    """Every JSON value in a text, one behind the other; broken ones as they can be repaired."""
    whole = _strict(text)
    if whole is not None:
        return [_Found(whole)]
    found: list[_Found] = []
    at = 0
    while len(found) < _MOST_REGIONS and (start := _OPEN.search(text, at)):
        end, depth = _end(text, start.start())
        region = text[start.start() : end]
        at = end or len(text)
        value = _strict(region) if end else None
        if value is not None:
            if value or _alone(text, start.start(), end=at):
                found.append(_Found(value))
        elif ":" in region or '"' in region:
            value = _repaired(region)
            if value is not None:
                torn = depth > 1 or (depth == 1 and (cut or region.rstrip()[-1] not in "}]"))
                found.append(_Found(value, depth == 1, torn, repaired=True))
    return found


def _strict(text: str) -> Any:
    """The value of a JSON text; None where it is none, or `null`."""
    try:
        return json.loads(text, strict=False)  # line breaks inside of texts are harmless
    except (ValueError, RecursionError):
        return None


def _end(text: str, start: int) -> tuple[int | None, int]:
    """The place behind the bracket that closes the one at `start`; else how many stay open."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token[0][0] == '"':
            continue
        depth += 1 if token[0] in "{[" else -1
        if depth == 0:
            return token.end(), 0
    return None, depth


def _alone(text: str, start: int, *, end: int) -> bool:
    """Whether what stands there has its lines for itself."""
    before, after = text[:start].rpartition("\n")[2], text[end:].partition("\n")[0]
    return not before.strip() and not after.strip()


def _repaired(text: str) -> Any:
    if len(text) > _REPAIRABLE:
        return None
    from json_repair import repair_json

    try:
        value: Any = repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) and value else None


def _judged(found: _Found, call: Call, *, last: bool, mended: tuple[str, ...]) -> Reading:
    value = found.value
    lost: tuple[str, ...] = ()
    torn = found.torn or (found.open and not shapes.complete(value, call.schema))
    if torn:
        if not last:
            why = "it ends before its end: be shorter, so that it can be complete"
            return Reading(None, Problem.TRUNCATED, why, mended)
        value = shapes.without_last(value, call.schema)
        lost = ("the reply was cut off: its last item",)
    fitted = shapes.fit(value, call.schema, salvage=last)
    if fitted.value is None:
        problem = Problem.TRUNCATED if torn else Problem.WRONG_SHAPE
        return Reading(None, problem, fitted.complaint, mended)
    if lost and shapes.empty(fitted.value):
        return Reading(None, Problem.TRUNCATED, "it was cut off before its first item", mended)
    return Reading(fitted.value, mended=mended, lost=(*lost, *fitted.lost))


def _in_language(reading: Reading, language: str, *, last: bool) -> Reading:
    """A reply in another language is complained of once, then taken: it still is knowledge."""
    words = " ".join(_texts(reading.value))
    han, latin = len(_HAN.findall(words)), len(_LATIN.findall(words))
    if not language or 2 * han + latin < _LETTERS:
        return reading
    share = han / (han + latin)
    if share >= _ANY_HAN if language == "zh" else share <= _MUCH_HAN:
        return reading
    if last:
        return Reading(reading.value, mended=(*reading.mended, "other language"), lost=reading.lost)
    wanted = "中文" if language == "zh" else "English"
    why = f"it is not written in the language of the conversation: write in {wanted}"
    return Reading(None, Problem.WRONG_LANGUAGE, why, reading.mended)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
