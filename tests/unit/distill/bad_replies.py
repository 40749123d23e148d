"""What servers and models really send when they should send cards, and what must become of it.

`then_good`: what becomes of a call whose first answer is this and whose next one is right.
`always`: what becomes of it when every answer is this.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from typing import Any

from alaya.testing.http_server import Answer, completion, says

ANSWERED, AGAIN, RETRIED, PARKED, MISTAKE = "answered", "again", "retried", "parked", "mistake"
NO_ANSWER = "no answer"

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "cards": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "minLength": 1},
                    "content": {"type": "string"},
                    "type": {"enum": ["concept", "pattern", "gotcha", "decision"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "importance": {"type": "number", "minimum": 0, "maximum": 1},
                    "turns": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
                },
                "required": ["title", "content", "type", "turns"],
                "additionalProperties": False,
            },
        },
        "links": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "from": {"type": "integer"},
                    "to": {"type": "integer"},
                    "relation": {"type": "string"},
                },
                "required": ["from", "to", "relation"],
            },
        },
    },
    "required": ["cards", "links"],
}
ONE = {
    "title": "重启网关之前先发通知",
    "content": "重启 Gateway 之前要先在 Telegram 里通知，否则正在进行的任务会丢失。",
    "type": "pattern",
    "tags": ["网关", "通知"],
    "importance": 0.8,
    "turns": [1, 3],
}
TWO = {
    "title": "plugins.allow 不能漏",
    "content": "配置里漏掉 plugins.allow 时，插件不会加载，也没有任何报错。",
    "type": "gotcha",
    "tags": [],
    "importance": 0.9,
    "turns": [4],
}
GOOD = {"cards": [ONE, TWO], "links": [{"from": 1, "to": 0, "relation": "CAUSED_BY"}]}
TEXT = json.dumps(GOOD, ensure_ascii=False)
ENGLISH = {
    **ONE,
    "title": "Notify before the gateway restarts",
    "content": "Send a message before restarting the gateway, or running tasks are lost.",
}
PROSE = "I have read the conversation. There is a lot in it about gateways and plugins."


@dataclass(frozen=True)
class Bad:
    """`words` stand in the reason, `mended` in what was done, `cards` is how many come of it."""

    name: str
    answer: Answer
    then_good: str = AGAIN
    always: str = PARKED
    words: str = ""
    mended: str = ""
    cards: int = 2


def usable(name: str, text: Any, mended: str = "", *, cards: int = 2, **more: Any) -> Bad:
    """Not as it should be, but all there: used at once."""
    return Bad(name, says(text, **more), ANSWERED, ANSWERED, mended=mended, cards=cards)


def unusable(name: str, text: Any, words: str, **more: Any) -> Bad:
    """Of no use: asked again, then parked."""
    return Bad(name, says(text, **more), words=words)


def salvaged(name: str, text: Any, *, cards: int, **more: Any) -> Bad:
    """Asked again; when that is no better, what is whole in it is used, and it is parked too."""
    return Bad(name, says(text, **more), AGAIN, ANSWERED, cards=cards)


def failing(name: str, answer: Answer, words: str) -> Bad:
    """The server's fault: the same request once more, in the end no answer."""
    return Bad(name, answer, RETRIED, NO_ANSWER, words)


def mistake(name: str, answer: Answer, words: str) -> Bad:
    """The user's mistake."""
    return Bad(name, answer, MISTAKE, MISTAKE, words)


def error(status: int, message: str = "", **headers: str) -> Answer:
    """An error as OpenAI writes them."""
    body = json.dumps({"error": {"message": message, "type": "x", "code": None}}).encode()
    return Answer(status, body, headers={k.replace("_", "-"): v for k, v in headers.items()})


def raw(body: bytes | str, content_type: str = "application/json") -> Answer:
    """A body as it is."""
    data = body.encode() if isinstance(body, str) else body
    return Answer(body=data, headers={"Content-Type": content_type})


def stream(*parts: str, end: str = "data: [DONE]\n\n") -> Answer:
    """What a server sends that streams though nobody asked for it."""
    lines = [{"choices": [{"index": 0, "delta": {"content": part}}]} for part in parts]
    lines.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    body = "".join(f"data: {json.dumps(line)}\n\n" for line in lines) + end
    return raw(body, "text/event-stream")


THOUGHTS = [
    usable("thoughts first", f"<think>卡片应该有两张 {{}}</think>\n{TEXT}", "thoughts"),
    usable("thoughts without a beginning", f"也许两张。\n</think>\n\n{TEXT}", "thoughts"),
    usable("thoughts in capitals", f"<THINK>a</THINK>{TEXT}", "thoughts"),
    usable("thoughts behind", f"{TEXT}\n<think>was that right?", "thoughts"),
    usable("thoughts that hold JSON", f'<think>{{"cards": []}}</think>{TEXT}', "thoughts"),
    unusable("thoughts alone", f"<think>{PROSE}</think>", "nothing but thoughts"),
    unusable("thoughts without an end", f"<think>{PROSE} {TEXT}", "nothing but thoughts"),
    unusable("thoughts beside", None, "only thought", reasoning_content="Hm.", finish="length"),
]
PACKING = [
    usable("fence", f"```json\n{TEXT}\n```", "fence"),
    usable("fence in prose", f"Here you are:\n\n```\n{TEXT}\n```\n\nAnything else?", "fence"),
    usable("fence without an end", f"```json\n{TEXT}", "fence"),
    usable(
        "two fences, the second right", f"```json\n{{}}\n```\nor\n```json\n{TEXT}\n```", "fence"
    ),
    usable("prose before", f"好的，以下是卡片：\n{TEXT}", "prose"),
    usable("prose around", f"Sure! {TEXT} Let me know if you need more.", "prose"),
    usable("prose with brackets", f"Of {{this}} and [that] I made: {TEXT}", "prose"),
    usable("byte order mark", f"\ufeff{TEXT}"),
    usable("JSON in a text", json.dumps(TEXT)),
    usable("content in parts", [{"type": "text", "text": TEXT[:50]}, {"text": TEXT[50:]}]),
    usable(
        "put into a tool", None, tool_calls=[{"function": {"name": "reply", "arguments": TEXT}}]
    ),
    usable("indented with tabs", json.dumps(GOOD, indent="\t")),
    usable("escaped", json.dumps(GOOD)),
]
BROKEN = [
    usable("comma too much", TEXT.replace("}]", "},]"), "repaired"),
    usable("single quotes", str(GOOD), "repaired"),
    usable("line break in a text", TEXT.replace("Telegram 里", "Telegram\n里")),
    usable("comment", TEXT.replace('"links"', '// the links\n"links"'), "repaired"),
    usable("last brace missing", TEXT[:-1], "repaired"),
    usable("names without quotes", TEXT.replace('"cards"', "cards"), "repaired"),
    usable("quote inside", TEXT.replace("通知，", '"通知"，'), "repaired"),
    usable("True of Python", TEXT[:-1] + ', "ok": True}', "repaired"),
    unusable("brackets of nothing", "{[}", "no JSON"),
    unusable("deep", "[" * 100_000, ""),
]
SHAPES = [
    usable("a list of cards", json.dumps([ONE, TWO])),
    usable("one card", json.dumps(ONE), cards=1),
    usable("a list with the object", json.dumps([GOOD])),
    usable("envelope", json.dumps({"result": GOOD})),
    usable("envelope of a list", json.dumps({"output": [ONE, TWO]})),
    usable("other capitals", TEXT.replace('"cards"', '"Cards"').replace('"title"', '"Title"')),
    usable("numbers as text", TEXT.replace("0.8", '"0.8"').replace("[1, 3]", '["[1]", "turn 3"]')),
    usable("one number for a list", TEXT.replace("[4]", "4")),
    usable("null for a list", TEXT.replace('"tags": []', '"tags": null')),
    usable("type in capitals", TEXT.replace('"gotcha"', '"Gotcha"')),
    usable("more than was asked", TEXT.replace('"title"', '"id": 7, "title"')),
    usable("no links", json.dumps({"cards": [ONE, TWO]})),
    usable("nothing found", "{}", cards=0),
    usable("nothing found, as a list", "[]", cards=0),
    usable("nothing found, in a fence", "```json\n[]\n```", "fence", cards=0),
    unusable("an error of the model", '{"error": "context too big"}', "none of the fields"),
    unusable("the schema itself", json.dumps(SCHEMA), "none of the fields"),
    unusable("a number", "42", "no"),
    unusable("null", "null", "no JSON"),
    unusable("words for cards", '{"cards": "none"}', "cards"),
    unusable("empty brackets in prose", "I found {} of interest, see [1] and [].", ""),
    salvaged("one card without evidence", json.dumps([ONE, {**TWO, "turns": []}]), cards=1),
    salvaged("one card of no known type", json.dumps([{**ONE, "type": "joke"}, TWO]), cards=1),
    salvaged("importance of ten", json.dumps([ONE, {**TWO, "importance": 8}]), cards=1),
    salvaged("importance without end", TEXT.replace("0.9", "NaN"), cards=1),
    unusable("only a card of no known type", json.dumps([{**ONE, "type": "joke"}]), "type"),
]
WORDS = [
    unusable("empty", "", "empty"),
    unusable("blank", " \n\t ", "empty"),
    unusable("no content", None, "empty"),
    unusable("prose", PROSE, "no JSON"),
    unusable("prose in Chinese", "我已经读完了对话。", "no JSON"),
    unusable("Markdown", f"## Cards\n\n* **Gateway**: {PROSE}", "no JSON"),
    unusable("XML", "<cards><card>Gateway</card></cards>", "no JSON"),
    unusable("cut off in prose", PROSE, "no JSON", finish="length"),
    Bad("other language", says(json.dumps([ENGLISH, ENGLISH])), always=ANSWERED),
    usable("lone surrogate", TEXT.replace("Telegram", "\\ud83d Telegram")),
    usable("NUL", TEXT.replace("Telegram", "\\u0000Telegram")),
    Bad(
        "refusal",
        says(None, refusal="I can't help with that."),
        PARKED,
        PARKED,
        "can't help",
    ),
    Bad("filter", says(None, finish="content_filter"), PARKED, PARKED, "filter"),
]
BODIES = [
    failing("no body", raw(b""), "answered with"),
    failing("web page", raw("<!DOCTYPE html><html>Sign in</html>", "text/html"), "base_url"),
    failing("half a body", Answer(body=completion(TEXT), cut=60), "no connection"),
    failing("half a JSON", raw(completion(TEXT)[:90]), "answered with"),
    failing("error with status 200", raw('{"error": {"message": "overloaded"}}'), "overloaded"),
    failing("a list", raw("[]"), "answered with"),
    failing("another API", raw('{"response": "hi", "done": true}'), "choices"),
    failing("empty stream", raw("data: [DONE]\n\n", "text/event-stream"), "empty stream"),
    failing("error in a stream", raw('data: {"error": "busy"}\n\n', "text/event-stream"), "busy"),
    Bad("no choices", raw('{"choices": []}'), words="no choices"),
    Bad("choice without message", raw('{"choices": [{}]}'), words="empty"),
    Bad("choice of another kind", raw('{"choices": [7]}'), words="empty"),
    Bad("legacy choice", raw(json.dumps({"choices": [{"text": TEXT}]})), ANSWERED, ANSWERED),
    Bad("stream", stream(TEXT[:40], TEXT[40:]), ANSWERED, ANSWERED),
    Bad("stream without an end", stream(TEXT[:9], TEXT[9:], end=""), ANSWERED, ANSWERED),
    Bad("other type of content", raw(completion(TEXT), "text/plain"), ANSWERED, ANSWERED),
    Bad(
        "not UTF-8",
        raw(completion("好" + TEXT).replace(b"Telegram", b"\xff\xfe")),
        ANSWERED,
        ANSWERED,
    ),
    Bad("ten megabytes of one word", says("ha" * 5_000_000), words=""),
    Bad("ten megabytes of cards", says(json.dumps({"cards": [ONE] * 20_000})), words=""),
    Bad(
        "packed a thousandfold",
        Answer(
            body=gzip.compress(b" " * 90_000_000),
            headers={"Content-Encoding": "gzip"},
        ),
        words="",
    ),
]
STATUSES = [
    failing("429", error(429, "slow down"), "slow down"),
    failing("429 with a pause", error(429, "slow down", Retry_After="1"), "429"),
    failing("500", error(500, "oops"), "500"),
    failing("502 with a page", Answer(502, b"<html>Bad Gateway</html>"), "502"),
    failing("503", error(503, "loading model"), "loading model"),
    failing("504", Answer(504, b""), "504"),
    failing("408", error(408), "408"),
    failing("nobody answers", Answer(silent=True), "no answer within"),
    failing("a byte now and then", Answer(drip=0.05), "no answer within"),
    mistake("401", error(401, "Incorrect API key provided"), "THE_KEY"),
    mistake("403", error(403, "forbidden"), "THE_KEY"),
    mistake("400 for the key", error(400, "API key not valid."), "THE_KEY"),
    mistake("404", error(404, "model 'm' not found"), "distill.model"),
    mistake("404 page", Answer(404, b"<html>nginx</html>"), "distill.base_url"),
    mistake("405", error(405), "distill.base_url"),
    mistake("400 for the model", error(400, "Model Not Exist"), "distill.model"),
    mistake("429 for the account", error(429, "You exceeded: insufficient_quota"), "credit"),
    mistake("402", error(402, "Insufficient Balance"), "credit"),
    mistake("moved", Answer(301, b"", headers={"Location": "https://x.test/v1"}), "https://x.test"),
    mistake("moved for now", Answer(307, b"", headers={"Location": "/v2"}), "points to /v2"),
    Bad("400", error(400, "bad request"), ANSWERED, PARKED, "bad request"),
    Bad(
        "400 for the length",
        error(400, "This model's maximum context length is 2048 tokens."),
        ANSWERED,
        PARKED,
        "maximum context",
    ),
    Bad("422", error(422, "value is not a valid enumeration"), ANSWERED, PARKED, "enumeration"),
    Bad("413", Answer(413, b"too large"), ANSWERED, PARKED, "413"),
    Bad("500 for the schema", error(500, "failed to parse grammar"), ANSWERED, PARKED, "grammar"),
    Bad("long pause", error(429, Retry_After="9999"), NO_ANSWER, NO_ANSWER, "come back in"),
]
CASES = [*THOUGHTS, *PACKING, *BROKEN, *SHAPES, *WORDS, *BODIES, *STATUSES]
