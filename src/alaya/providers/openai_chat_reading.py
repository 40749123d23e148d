"""From the body of an answer to a Reply, whatever the server made of it. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from alaya.model.call import Problem, Reply
from alaya.model.ids import excerpt
from alaya.providers.openai_requests import EXCERPT, Garbled


def read_body(body: bytes, *, cut: bool = False) -> Reply:
    """What the model wrote. `cut`: the body was too large and is not whole.

    Raises Garbled when this is no answer of a model: a web page, an error, half a body.
    """
    text = body.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if cut:
        return Reply(text, problem=Problem.TOO_LARGE, detail=f"only {len(body)} bytes were read")
    if text.startswith(("data:", "event:", ": ")):
        return _stream(text)
    data = _json(text)
    if not isinstance(data, Mapping):
        page = text[:20].lower().startswith(("<!doctype", "<html"))
        what = "a web page" if page else excerpt(text, EXCERPT) or "nothing"
        raise Garbled(
            f"it answered with {what}; look whether distill.base_url ends where the API does, "
            "often in /v1"
        )
    return _reply(data)


def _reply(data: Mapping[str, Any]) -> Reply:
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        if data.get("error"):
            raise Garbled(f"it answered with an error: {excerpt(str(data['error']), EXCERPT)}")
        if choices is None:
            raise Garbled(f"it answered without choices: {excerpt(json.dumps(data), EXCERPT)}")
        return _counted("", data, problem=Problem.EMPTY, detail="there are no choices in it")
    choice = _mapping(choices[0])
    message = _mapping(choice.get("message"))
    finish = str(choice.get("finish_reason") or "")
    text = _words(message.get("content")) or _arguments(message) or _words(choice.get("text"))
    refusal = _words(message.get("refusal"))
    if refusal or (finish == "content_filter" and not text):
        return _counted(
            text, data, problem=Problem.REFUSED, detail=refusal or "its filter holds it back"
        )
    if not text:
        thoughts = message.get("reasoning_content") or message.get("reasoning")
        detail = f"{'it only thought' if thoughts else 'no words'}, {finish or 'no reason given'}"
        return _counted("", data, problem=Problem.EMPTY, detail=detail, finish=finish)
    return _counted(text, data, finish=finish)


def _counted(
    text: str,
    data: Mapping[str, Any],
    *,
    problem: Problem | None = None,
    detail: str = "",
    finish: str = "",
) -> Reply:
    usage = _mapping(data.get("usage"))
    tokens_in, tokens_out = (_count(usage, n) for n in ("prompt_tokens", "completion_tokens"))
    return Reply(text, tokens_in, tokens_out, finish, problem, detail)


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _words(content: Any) -> str:
    """Content as text: some servers send it in parts."""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _arguments(message: Any) -> str:
    """What a model put into the call of a tool that it was not offered."""
    calls = message.get("tool_calls")
    first = calls[0] if isinstance(calls, list) and calls else message
    function = (
        first.get("function", first.get("function_call")) if isinstance(first, Mapping) else 0
    )
    return _words(function.get("arguments")) if isinstance(function, Mapping) else ""


def _stream(text: str) -> Reply:
    """An answer that was streamed though nobody asked for it, put together."""
    words: list[str] = []
    finish = ""
    last: dict[str, Any] = {}
    for line in text.splitlines():
        data = _json(line.removeprefix("data:").strip()) if line.startswith("data:") else None
        if not isinstance(data, Mapping):
            continue
        if data.get("error"):
            raise Garbled(f"it answered with an error: {excerpt(str(data['error']), EXCERPT)}")
        last = {**last, **{k: v for k, v in data.items() if v is not None}}
        choices = data.get("choices")
        choice = _mapping(choices[0] if isinstance(choices, list) and choices else None)
        words.append(_words(_mapping(choice.get("delta") or choice.get("message")).get("content")))
        finish = str(choice.get("finish_reason") or finish)
    if not last:
        raise Garbled(f"it answered with an empty stream: {excerpt(text, EXCERPT)}")
    message = {"content": "".join(words)}
    return _reply({**last, "choices": [{"message": message, "finish_reason": finish}]})


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
