"""The endpoints that speak OpenAI's chat protocol, in one table.

Not an adapter: values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import urlsplit

from alaya.errors import ConfigError
from alaya.providers.openai_presets import Preset, without_password

# `model` empty: there is none that everybody has, `distill.model` must say it.
CHAT_PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "openai": Preset(
            "https://api.openai.com/v1",
            "gpt-4o",
            "OPENAI_API_KEY",
            "get a key at https://platform.openai.com/api-keys and set OPENAI_API_KEY",
        ),
        "siliconflow": Preset(
            "https://api.siliconflow.cn/v1",
            "",
            "SILICONFLOW_API_KEY",
            "get a key at https://cloud.siliconflow.cn and set SILICONFLOW_API_KEY",
        ),
        "deepseek": Preset(
            "https://api.deepseek.com",
            "deepseek-flash",
            "DEEPSEEK_API_KEY",
            "get a key at https://platform.deepseek.com and set DEEPSEEK_API_KEY",
        ),
        "ollama": Preset(
            "http://localhost:11434/v1",
            "",
            None,
            "start `ollama serve` and run `ollama pull` with the model's name",
        ),
        "vllm": Preset(
            "http://localhost:8000/v1", "", None, "start `vllm serve` with the model's name"
        ),
        "llama.cpp": Preset(
            "http://localhost:8080/v1", "default", None, "start `llama-server -m model.gguf`"
        ),
    }
)


@dataclass(frozen=True)
class ChatEndpoint:
    """One model at one URL and how it is asked. `timeout` is in seconds, for a whole reply.

    `new_names`: it calls the limit of a reply `max_completion_tokens`, as OpenAI does now.
    """

    name: str
    url: str
    model: str
    api_key_env: str | None
    hint: str
    max_concurrency: int = 2
    tries: int = 4
    timeout: float = 120.0
    new_names: bool = False

    @property
    def shown_url(self) -> str:
        """The URL without a password in it, for messages."""
        return without_password(self.url)


def chat_endpoint(
    provider: str,
    *,
    model: str | None = None,
    base_url: str | None = None,
    api_key_env: str | None = None,
    limits: tuple[int, int, float] = (2, 4, 120.0),
) -> ChatEndpoint:
    """The endpoint for a row of CHAT_PRESETS; what is given beside its name wins over the row.

    `limits`: requests at once, tries, seconds for a reply. A key goes only where it belongs: with
    a `base_url` of its own, an endpoint gets one only if `api_key_env` says which. Raises
    ConfigError for an unknown provider, an address that is none, and a model that must be named.
    """
    preset = CHAT_PRESETS.get(provider)
    if preset is None:
        raise ConfigError(f"unknown provider {provider!r}; known are: {', '.join(CHAT_PRESETS)}")
    url = (base_url or preset.base_url).rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(
            f"distill.base_url must begin with http:// or https://, not {without_password(url)!r}"
        )
    own = url == preset.base_url
    chosen = model or preset.model
    if not chosen:
        raise ConfigError(
            f"distill.llm_provider is {provider}: say which model, as in "
            "`alaya config set distill.model NAME`"
        )
    concurrency, tries, timeout = limits
    return ChatEndpoint(
        name=f"{provider}/{chosen}",
        url=url,
        model=chosen,
        api_key_env=api_key_env or (preset.api_key_env if own else None),
        hint=preset.hint if own else "look whether distill.base_url is right",
        max_concurrency=concurrency,
        tries=tries,
        timeout=timeout,
        new_names=parts.hostname == "api.openai.com",
    )
