"""One request for embeddings, repeated until it is answered, refused or hopeless.

Not an adapter: what `openai_embeddings` is built of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Protocol, TypeVar, cast

from alaya.errors import ProviderError
from alaya.model.ids import excerpt
from alaya.model.time import utc_now
from alaya.ports import Vector
from alaya.providers.openai_presets import Endpoint

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds; each pause is twice the one before
LONGEST_RETRY_AFTER = 120.0  # a server that wants more is not waited for
_REFUSED = {400, 413, 422}
_AGAIN = {408, 409, 425, 429}
EXCERPT = 200  # characters
Answer = TypeVar("Answer")


class Refused(ProviderError):
    """The server will not have this input, whatever the number of tries."""


class Garbled(Exception):
    """The answer is none, though the status says so; another try may help."""


class Place(Protocol):
    """What a message names of an endpoint."""

    @property
    def shown_url(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def hint(self) -> str: ...


@dataclass(frozen=True)
class Patience:
    """How often and how long to try. `pause` sleeps for seconds; true: stop trying altogether."""

    tries: int
    timeout: float
    pause: Callable[[float], object]
    chance: Callable[[], float]


def open_client(endpoint: Endpoint, key: str | None) -> Any:
    """The official client. Raises ProviderError when it is not installed."""
    try:
        from openai import OpenAI
    except ImportError as error:
        raise ProviderError(
            f"{endpoint.name} needs the openai package: "
            "run `pip install 'alaya-agent-memory[openai]'`"
        ) from error
    return OpenAI(base_url=endpoint.url, api_key=key or "none", max_retries=0)


def ask(
    client: Any, endpoint: Endpoint, *, texts: Sequence[str], patience: Patience
) -> list[Vector]:
    """One unit vector for each text, in order.

    Raises Refused when the input is to blame, else ProviderError, which names the URL, what
    happened and what to do.
    """
    body, _ = repeat(
        lambda: _send(client, endpoint, texts=texts, timeout=patience.timeout),
        endpoint,
        patience=patience,
        key=client.api_key,
        judge=lambda error: _pause_for_status(endpoint, error, key=client.api_key),
    )
    return read_answer(body, endpoint, count=len(texts))


def repeat(
    send: Callable[[], Answer],
    place: Place,
    *,
    patience: Patience,
    key: str,
    judge: Callable[[Any], float | None],
) -> tuple[Answer, int]:
    """What `send` returns, and how often it was called until it did.

    It is called again after a status that `judge` does not raise for (it returns how long the
    server wants us to wait, None if it does not say), a silence, a lost connection, or Garbled.
    Raises ProviderError when that does not help.
    """
    import openai

    for attempt in range(1, patience.tries + 1):
        wait: float | None = None
        try:
            return send(), attempt
        except openai.APIStatusError as error:
            wait = judge(error)
            failure, cause = told(error, key=key), cast(Exception, error)
        except openai.APITimeoutError as error:
            failure, cause = f"no answer within {patience.timeout:g} s", error
        except openai.APIConnectionError as error:
            failure, cause = f"no connection: {error.__cause__ or error}", error
        except openai.OpenAIError as error:
            raise ProviderError(f"{place.shown_url}: {error}; {place.hint}") from error
        except Garbled as error:
            failure, cause = str(error), error
        last = attempt == patience.tries
        if last or patience.pause(_pause(attempt, wait, chance=patience.chance())):
            often = f" {attempt} times; the last time" if attempt > 1 else ""
            raise ProviderError(
                f"{place.shown_url} ({place.model}) failed{often}: {failure}. "
                f"Try later, or {place.hint}"
            ) from cause
    raise ProviderError(f"{place.shown_url} was not asked: tries must be at least 1")


def read_answer(body: bytes, endpoint: Endpoint, *, count: int) -> list[Vector]:
    """The vectors in an answer, in the order of the texts. Raises ProviderError if it is wrong."""
    import numpy as np

    try:
        items = json.loads(body)["data"]
        if {item.get("index") for item in items} == set(range(len(items))):
            items = sorted(items, key=lambda item: int(item["index"]))
        rows: list[Any] = [np.asarray(_numbers(i["embedding"]), dtype=np.float32) for i in items]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        shown = excerpt(body[: 4 * EXCERPT].decode("utf-8", "replace"), EXCERPT)
        raise ProviderError(
            f"{endpoint.shown_url} did not answer with embeddings but with {shown}; "
            "look whether embedding.base_url ends where the API does, often in /v1"
        ) from error
    if len(rows) != count:
        raise ProviderError(f"{endpoint.shown_url} gave {len(rows)} vectors for {count} texts")
    for row in rows:
        if row.ndim != 1 or len(row) != (endpoint.dimensions or len(rows[0])):
            raise ProviderError(
                f"{endpoint.shown_url}: {endpoint.model} gives {row.size} dimensions, not "
                f"{endpoint.dimensions or len(rows[0])}; set embedding.dimensions to what it gives"
            )
    lengths = [float(np.linalg.norm(row)) for row in rows]
    if not all(0 < length < float("inf") for length in lengths):
        raise ProviderError(f"{endpoint.shown_url} gave a vector without a direction")
    return [row / np.float32(length) for row, length in zip(rows, lengths, strict=True)]


def _send(client: Any, endpoint: Endpoint, *, texts: Sequence[str], timeout: float) -> bytes:
    more = {"dimensions": endpoint.dimensions} if endpoint.shorten else {}
    answer = client.embeddings.with_raw_response.create(
        model=endpoint.model,
        input=list(texts),
        encoding_format="float",  # every server has it; base64 not
        timeout=timeout,
        **more,
    )
    body: bytes = answer.content
    return body


def _numbers(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    import base64

    import numpy as np

    return np.frombuffer(base64.b64decode(value), dtype="<f4")


def _pause_for_status(endpoint: Endpoint, error: Any, *, key: str) -> float | None:
    """How long the server wants us to wait, None if it does not say; raises if it is hopeless."""
    status = error.status_code
    said = told(error, key=key)
    if status in _REFUSED:
        raise Refused(
            f"{endpoint.shown_url} refused the input: {said}; "
            f"look whether it has the model {endpoint.model} (embedding.model)"
        ) from error
    if status in (401, 403):
        where = endpoint.api_key_env
        advice = (
            f"look whether {where} holds a valid key; {endpoint.hint}"
            if where
            else "set embedding.api_key_env to the name of the variable that holds the key"
        )
        raise ProviderError(f"{endpoint.shown_url} does not let us in: {said}; {advice}") from error
    if "insufficient_quota" in str(error.body):
        raise ProviderError(
            f"{endpoint.shown_url}: {said}; add credit to the account, or choose another "
            "embedding.provider"
        ) from error
    if status not in _AGAIN and status < 500:
        raise ProviderError(
            f"{endpoint.shown_url}: {said}; look whether embedding.base_url and embedding.model "
            f"({endpoint.model}) are right; {endpoint.hint}"
        ) from error
    return asked_to_wait(endpoint, error, key=key)


def asked_to_wait(place: Place, error: Any, *, key: str) -> float | None:
    """Seconds that the server wants us to wait, None if it does not say.

    Raises ProviderError when they are more than anyone would wait.
    """
    wait = _retry_after(error.response.headers)
    if wait is not None and wait > LONGEST_RETRY_AFTER:
        raise ProviderError(
            f"{place.shown_url}: {told(error, key=key)}; it asks to come back in {wait:.0f} s"
        ) from error
    return wait


def told(error: Any, *, key: str) -> str:
    """The status and the beginning of what the server said, without our key."""
    status = f"Error code: {error.status_code}"  # the client's own, which is said already
    text = str(error.message).removeprefix(status).removeprefix(" - ").strip()
    if not text and isinstance(error.body, str):
        text = error.body
    if key and key != "none":
        text = text.replace(key, "***")
    return f"HTTP {error.status_code} {excerpt(text, EXCERPT)}".rstrip()


def _retry_after(headers: Any) -> float | None:
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (at - utc_now()).total_seconds()) if at.tzinfo else None


def _pause(attempt: int, wait: float | None, *, chance: float) -> float:
    if wait is not None:
        return wait
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (attempt - 1)) * (0.75 + chance / 2)
