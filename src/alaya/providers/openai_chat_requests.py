"""One request to a model, repeated until it is answered, refused or hopeless.

Not an adapter: what `openai_chat` is built of.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any

from alaya.errors import ConfigError, ProviderError
from alaya.model.call import Call, Problem, Reply
from alaya.providers.openai_chat_manners import Manners, too_many
from alaya.providers.openai_chat_presets import ChatEndpoint
from alaya.providers.openai_chat_reading import read_body
from alaya.providers.openai_requests import Patience, Refused, asked_to_wait, repeat, told

LARGEST = 4_000_000  # bytes of an answer that are read
_PACKED = 50  # times smaller may be what is sent packed, though we ask for it not to be
_CUT = "alaya.cut"
_REFUSED = (400, 413, 422)
_AGAIN = (408, 409, 425, 429)
_NO_KEY = re.compile(r"api[ _-]?key|unauthori[sz]ed|authentication|invalid token", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model.{0,80}(not (exist|found|available)|does not exist|unknown|invalid)"
    r"|(no such|unknown|invalid) model|模型.{0,20}不存在",
    re.IGNORECASE | re.DOTALL,
)
_NO_CREDIT = re.compile(r"insufficient.{0,3}(quota|balance|funds)|余额不足", re.IGNORECASE)
_FORM = re.compile(r"response_format|json_schema|grammar", re.IGNORECASE)


def open_chat_client(endpoint: ChatEndpoint, key: str | None) -> Any:
    """The official client, which reads no answer further than LARGEST nor longer than `timeout`.

    It follows no redirection: what is sent is private, and goes where the configuration says.
    """
    import openai

    http = openai.DefaultHttpxClient(
        follow_redirects=False,
        event_hooks={"response": [lambda response: _bound(response, endpoint.timeout)]},
    )
    return openai.OpenAI(
        base_url=endpoint.url,
        api_key=key or "none",
        max_retries=0,
        http_client=http,
        # Between two replies lie seconds: a connection kept open for so long may be dead.
        default_headers={"Accept-Encoding": "identity", "Connection": "close"},
    )


def converse(
    client: Any, endpoint: ChatEndpoint, *, call: Call, manners: Manners, patience: Patience
) -> tuple[Reply, Manners]:
    """The reply, and how the server wanted to be asked.

    Raises ConfigError when key, URL or model are to blame, ProviderError when no answer came.
    """
    while True:
        try:
            reply, tries = repeat(
                partial(_send, client, endpoint, call=call, fields=manners.fields(call)),
                endpoint,
                patience=patience,
                key=client.api_key,
                judge=lambda error: _judge(endpoint, error, key=client.api_key),
            )
        except Refused as refused:
            yielding = manners.yielding(call, str(refused))
            if yielding is None:
                why = Problem.TOO_LONG if too_many(str(refused)) else Problem.REFUSED
                return Reply("", problem=why, detail=str(refused)), manners.lasting()
            manners = yielding
        else:
            return reply.after(tries), manners.lasting()


def _send(client: Any, endpoint: ChatEndpoint, *, call: Call, fields: dict[str, Any]) -> Reply:
    answer = client.chat.completions.with_raw_response.create(
        model=endpoint.model,
        messages=[{"role": role, "content": words} for role, words in call.messages],
        timeout=endpoint.timeout,
        **fields,
    )
    return read_body(answer.content, cut=_CUT in answer.http_response.extensions)


def _judge(endpoint: ChatEndpoint, error: Any, *, key: str) -> float | None:
    """How long the server wants us to wait, None if it does not say; raises if it is hopeless."""
    status, said = error.status_code, told(error, key=key)
    body = f"{error.message} {error.body}"
    where = endpoint.shown_url
    if _NO_CREDIT.search(body) or status == 402:
        raise ConfigError(
            f"{where}: {said}; add credit to the account, or choose another distill.llm_provider"
        ) from error
    if status in (401, 403) or (status in _REFUSED and _NO_KEY.search(body)):
        raise ConfigError(f"{where} does not let us in: {said}; {_about_key(endpoint)}") from error
    if status < 400:
        target = error.response.headers.get("location", "elsewhere")
        raise ConfigError(
            f"{where} points to {target}: set distill.base_url to where the API is; alaya follows "
            "no redirection, because what it sends is private"
        ) from error
    if status in (404, 405) or (status in _REFUSED and _NO_MODEL.search(body)):
        raise ConfigError(
            f"{where}: {said}; look whether distill.base_url is right (it often ends in /v1) and "
            f"whether that server has the model {endpoint.model} (distill.model); {endpoint.hint}"
        ) from error
    if status in _REFUSED or (status >= 500 and _FORM.search(body)):
        raise Refused(f"{where} refused the request: {said}") from error
    if status not in _AGAIN and status < 500:
        raise ProviderError(f"{where}: {said}; {endpoint.hint}") from error
    return asked_to_wait(endpoint, error, key=key)


def _about_key(endpoint: ChatEndpoint) -> str:
    if endpoint.api_key_env:
        return f"look whether {endpoint.api_key_env} holds a valid key; {endpoint.hint}"
    return "set distill.api_key_env to the name of the variable that holds the key"


def _bound(response: Any, timeout: float) -> None:
    """Let no answer be read further than LARGEST or longer than the timeout, whatever it is."""
    packed = response.headers.get("content-encoding", "identity") != "identity"
    limit = LARGEST // _PACKED if packed else LARGEST
    made = _bounded(type(response).__module__.partition(".")[0])
    response.stream = made(response, limit, timeout=timeout)


@cache
def _bounded(library: str) -> Any:
    """The class of a bounded stream, for the HTTP library of the client (`httpx` or `httpx2`)."""
    http = import_module(library)

    class Bounded(http.SyncByteStream):  # type: ignore[misc, name-defined, unused-ignore]
        def __init__(self, response: Any, limit: int, *, timeout: float) -> None:
            self._response, self._inner = response, response.stream
            self._limit, self._timeout = limit, timeout

        def __iter__(self) -> Iterator[bytes]:
            left, until = self._limit, time.monotonic() + self._timeout
            for chunk in self._inner:
                if len(chunk) > left:
                    self._response.extensions[_CUT] = True
                    yield chunk[:left]
                    return
                left -= len(chunk)
                yield chunk
                if time.monotonic() > until:
                    raise http.ReadTimeout(f"still not complete after {self._timeout:g} s")

        def close(self) -> None:
            self._inner.close()

    return Bounded
