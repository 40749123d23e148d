"""A model behind an OpenAI-compatible endpoint: how it is asked, and who is to blame when not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from alaya.cli.language import translated
from alaya.errors import ConfigError, ProviderError
from alaya.model.call import Call, Problem, Rejected
from alaya.providers import openai_chat
from alaya.providers.openai_chat import OpenAIChat
from alaya.providers.openai_chat_presets import CHAT_PRESETS, chat_endpoint
from alaya.testing.http_server import Answer, Script, Server, completion, says, serving

SCHEMA = {"type": "object", "properties": {"cards": {"type": "array"}}, "required": ["cards"]}


def call(**more: Any) -> Call:
    return Call(
        **{"stage": "distill", "system": "提炼。", "user": "你好", "schema": SCHEMA, **more}
    )


@contextmanager
def chatting(
    script: Script, *, url: str = "{}", tries: int = 3, at_once: int = 2, **more: Any
) -> Iterator[tuple[OpenAIChat, Server, list[float]]]:
    """A model at a server that follows the script, and the pauses that it made."""
    pauses: list[float] = []
    with serving(script, right=lambda _: completion('{"cards": []}')) as server:
        limits = (at_once, tries, 5.0)
        endpoint = chat_endpoint(
            "openai", model="m", base_url=url.format(server.url), limits=limits, **more
        )
        llm = OpenAIChat(endpoint, environ={}, pause=pauses.append, chance=lambda: 0.5)
        yield llm, server, pauses
        llm.close()


def error(status: int, message: str, **headers: str) -> Answer:
    return Answer(status, b'{"error": {"message": "%s"}}' % message.encode(), headers=headers)


def test_what_is_sent() -> None:
    """Model, messages with the schema in them, a limit, and the schema as the format."""
    with chatting(lambda *_: Answer()) as (llm, server, _):
        reply = llm.complete(call(max_tokens=77))
        assert llm.name == "openai/m"  # the same wherever it runs
    (sent,) = server.requests
    assert server.paths == ["/v1/chat/completions"]
    assert (sent["model"], sent["max_tokens"], sent["temperature"]) == ("m", 77, 0)
    system, user = sent["messages"]
    assert system["content"].startswith("提炼。")
    assert '"cards"' in system["content"]
    assert "JSON" in system["content"]
    assert user == {"role": "user", "content": "你好"}
    assert sent["response_format"]["json_schema"] == {"name": "distill", "schema": SCHEMA}
    assert (reply.text, reply.finish) == ('{"cards": []}', "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.tries) == (100, 10, 1)


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_without_schemas(status: int) -> None:
    """A format that is refused is replaced by a plainer one, and not asked for again."""

    def script(_: int, body: dict[str, Any]) -> Answer:
        kind = body.get("response_format", {}).get("type")
        return error(status, f"response_format {kind} is not supported") if kind else Answer()

    with chatting(script) as (llm, server, _):
        assert llm.complete(call()).problem is None
        assert llm.complete(call()).problem is None
    kinds = [body.get("response_format", {}).get("type") for body in server.requests]
    assert kinds == ["json_schema", "json_object", None, None]


def test_a_server_that_ignores_schemas() -> None:
    """Who wrote no JSON is asked again in a plainer way; the next call begins as the first did."""
    rejected = Rejected("Sure!", "it holds no JSON", Problem.NOT_JSON)
    with chatting(lambda *_: Answer()) as (llm, server, _):
        for one in (call(), call(rejected=rejected), call()):
            llm.complete(one)
    kinds = [body["response_format"]["type"] for body in server.requests]
    assert kinds == ["json_schema", "json_object", "json_schema"]


@pytest.mark.parametrize(
    ("complaint", "gone", "instead"),
    [
        ("Unsupported parameter: 'max_tokens'", "max_tokens", "max_completion_tokens"),
        ("Unsupported value: 'temperature' does not support 0", "temperature", "max_tokens"),
    ],
)
def test_parameters_that_are_refused(complaint: str, gone: str, instead: str) -> None:
    """A parameter that a server does not know is renamed or left out from then on."""

    def script(_: int, body: dict[str, Any]) -> Answer:
        return error(400, complaint) if gone in body else Answer()

    with chatting(script) as (llm, server, _):
        llm.complete(call())
        llm.complete(call())
    assert [gone in body for body in server.requests] == [True, False, False]
    assert instead in server.requests[-1]


def test_too_much_room() -> None:
    """A reply may be shorter than asked for where the model has no room; the next has it again."""

    def script(_: int, body: dict[str, Any]) -> Answer:
        many = body["max_tokens"] > 1100
        return error(400, "maximum context length is 2048, too large") if many else Answer()

    with chatting(script) as (llm, server, _):
        assert llm.complete(call(max_tokens=4096)).problem is None
        assert llm.complete(call(max_tokens=1000)).problem is None
    assert [body["max_tokens"] for body in server.requests] == [4096, 2048, 1024, 1000]


def test_retries_wait_as_they_are_told() -> None:
    """Pauses grow; Retry-After, in seconds or as a date, is kept."""
    answers = [
        error(500, "x"),
        error(503, "x"),
        error(429, "x", **{"Retry-After": "7"}),
        error(429, "x", **{"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}),
    ]
    with chatting(lambda n, _: [*answers, Answer()][n - 1], tries=5) as (llm, _, pauses):
        assert llm.complete(call()).tries == 5
    assert pauses == [0.5, 1.0, 7.0, 0.0]


def test_at_most_so_many_at_once() -> None:
    """Twelve threads that ask put no more than two requests on the server."""
    slow = chatting(lambda *_: Answer(wait=0.02), at_once=2)
    with slow as (llm, server, _), ThreadPoolExecutor(12) as threads:
        list(threads.map(lambda _: llm.complete(call()), range(12)))
    assert len(server.requests) == 12
    assert server.most_at_once == 2


def test_nobody_is_there() -> None:
    """A port where nobody listens is a ProviderError that names the URL, after every try."""
    pauses: list[float] = []
    endpoint = chat_endpoint("ollama", model="qwen3", base_url="http://127.0.0.1:9/v1")
    llm = OpenAIChat(endpoint, pause=pauses.append)
    with pytest.raises(ProviderError, match=r"http://127\.0\.0\.1:9/v1.*failed 4 times"):
        llm.complete(call())
    assert len(pauses) == 3
    llm.close()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (error(500, "kaputt 坏了"), r"failed: HTTP 500 .*kaputt 坏了\. Try later"),
        (Answer(500, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9), r"\(no text, \d+ characters\)"),
        (Answer(body=bytes(range(256)) * 9), r"answered with \(no text, \d+ characters\)"),
        (Answer(500, b"oh \x1b[31mred\x07 no, that is a failure"), r"oh \\x1b\[31mred\\x07 no"),
        (Answer(body="不是 JSON".encode()), "answered with 不是 JSON; look"),
    ],
)
def test_what_is_no_text_is_not_printed(answer: Answer, told: str) -> None:
    """Once tried says no number of times; what a server sends is shown as far as it is text."""
    with chatting(lambda *_: answer, tries=1) as (llm, _, _), pytest.raises(ProviderError) as error:
        llm.complete(call())
    assert re.search(told, str(error.value)), str(error.value)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 500


def test_without_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is missed when something is asked, and how to get it is said, in Chinese, too."""
    monkeypatch.setattr(openai_chat, "find_spec", lambda name: None)
    llm = OpenAIChat(chat_endpoint("openai"), environ={})
    with pytest.raises(ConfigError, match=r"pip install 'alaya-agent-memory\[openai\]'") as error:
        llm.complete(call())
    assert "需要 openai 客户端：pip install" in translated(str(error.value), "zh")


def test_keys() -> None:
    """A key goes to its own server or where the configuration says; a missing one is named."""
    assert chat_endpoint("deepseek").api_key_env == "DEEPSEEK_API_KEY"
    assert chat_endpoint("deepseek", base_url="http://127.0.0.1:9").api_key_env is None
    for environ in ({}, {"DEEPSEEK_API_KEY": " "}):
        with pytest.raises(ConfigError, match="DEEPSEEK_API_KEY") as caught:
            OpenAIChat(chat_endpoint("deepseek"), environ=environ).complete(call())
        assert "环境变量 DEEPSEEK_API_KEY" in translated(str(caught.value), "zh")
    with pytest.raises(ConfigError, match="copy it once more"):
        OpenAIChat(chat_endpoint("openai"), environ={"OPENAI_API_KEY": "密钥"}).complete(call())
    with pytest.raises(ConfigError, match="copy it once more"):
        OpenAIChat(chat_endpoint("openai"), environ={"OPENAI_API_KEY": "a\nb"}).complete(call())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (error(401, "no"), "distill.api_key_env"),
        (error(404, "no"), "distill.base_url"),
        (error(402, "no"), "充值"),
        (Answer(308, b"", headers={"Location": "https://x.test"}), "https://x.test"),
    ],
)
def test_mistakes_are_told_in_chinese(answer: Answer, told: str) -> None:
    """What only the user can mend says so in Chinese, too, once, and shows no password."""
    wrong = pytest.raises(ConfigError)
    with chatting(lambda *_: answer) as (llm, server, pauses), wrong as caught:
        llm.complete(call())
    local = translated(str(caught.value), "zh")
    assert told in local
    assert local != str(caught.value)
    assert (len(server.requests), pauses) == (1, [])


def test_presets() -> None:
    """Each provider is an address; one whose models change must be told which."""
    for name, preset in CHAT_PRESETS.items():
        if preset.model:
            assert chat_endpoint(name).name == f"{name}/{preset.model}"
        else:
            with pytest.raises(ConfigError, match=r"distill\.model"):
                chat_endpoint(name)
        assert chat_endpoint(name, model="m").url == preset.base_url
    with pytest.raises(ConfigError, match=r"distill\.base_url"):
        chat_endpoint("vllm", model="m", base_url="localhost:8000")
    endpoint = chat_endpoint("vllm", model="m", base_url="http://me:secret@host:1/v1/")
    assert (endpoint.name, endpoint.shown_url) == ("vllm/m", "http://host:1/v1")


def test_threads_share_what_was_learnt() -> None:
    """Threads that meet a refusal at the same time all get their reply."""

    def script(number: int, body: dict[str, Any]) -> Answer:
        if number <= 2 and "response_format" in body:
            return error(400, "json_schema is unavailable")
        return says('{"cards": [1]}')

    with chatting(script) as (llm, _, _), ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda _: llm.complete(call()).text, range(2)))
    assert found == ['{"cards": [1]}'] * 2
