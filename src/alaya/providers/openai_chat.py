"""A model behind any OpenAI-compatible endpoint: OpenAI, SiliconFlow, DeepSeek, Ollama, vLLM …

JSON is asked for by schema; a server that will not have that is asked more plainly, and what it
refused is remembered. Reading the reply, and judging it, is not done here.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from alaya.errors import ConfigError
from alaya.model.call import Call, Reply
from alaya.providers.openai_chat_manners import Manners
from alaya.providers.openai_chat_presets import ChatEndpoint
from alaya.providers.openai_chat_requests import converse, open_chat_client
from alaya.providers.openai_requests import Patience


class OpenAIChat:
    """An LLM over an endpoint (see `openai_chat_presets.chat_endpoint`).

    Nothing is sent, and the client is not loaded, before first use. At most `max_concurrency`
    requests are under way at once. `pause` replaces waiting between tries. `close` ends
    connections.
    """

    def __init__(
        self,
        endpoint: ChatEndpoint,
        *,
        environ: Mapping[str, str] = os.environ,
        pause: Callable[[float], object] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.name = endpoint.name
        self._endpoint = endpoint
        self._environ = environ
        self._patience = Patience(endpoint.tries, endpoint.timeout, pause, chance)
        self._places = threading.BoundedSemaphore(endpoint.max_concurrency)
        self._manners = Manners(new_names=endpoint.new_names)
        self._client: Any = None
        self._lock = threading.Lock()

    def complete(self, call: Call) -> Reply:
        """One reply, as it came. Raises ConfigError and ProviderError, as the port says."""
        with self._places:
            client = self._connected()
            manners = self._manners.for_call(call)
            reply, kept = converse(
                client, self._endpoint, call=call, manners=manners, patience=self._patience
            )
            if call.rejected is None and reply.problem is None:
                self._manners = kept
            return reply

    def close(self) -> None:
        """End open connections; the next use opens new ones."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _connected(self) -> Any:
        with self._lock:
            if self._client is None:
                if find_spec("openai") is None:  # told when it asks: an estimate needs no client
                    raise ConfigError(
                        f"{self.name} (distill.llm_provider) needs the openai client: "
                        "pip install 'alaya-agent-memory[openai]'"
                    )
                self._client = open_chat_client(self._endpoint, self._key())
            return self._client

    def _key(self) -> str | None:
        variable = self._endpoint.api_key_env
        if variable is None:
            return None
        key = self._environ.get(variable, "").strip()
        if not key:
            raise ConfigError(
                f"{self.name} needs an API key: set the environment variable {variable} "
                f"({self._endpoint.hint}), or set distill.llm_provider to none to distil by rules"
            )
        if not key.isascii() or not key.isprintable():
            raise ConfigError(
                f"the environment variable {variable} does not hold an API key: it has characters "
                "that no key has; copy it once more"
            )
        return key
