"""The endpoints that speak OpenAI's embeddings protocol, in one table, and what their models are.

Not an adapter: values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import urlsplit, urlunsplit

from alaya.errors import ProviderError


@dataclass(frozen=True)
class Preset:
    """An endpoint: where it is, what it runs unless told otherwise, and where its key comes from.

    `api_key_env` None: it takes no key. `hint` is what a person must do once to use it.
    """

    base_url: str
    model: str
    api_key_env: str | None
    hint: str


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "siliconflow": Preset(
            "https://api.siliconflow.cn/v1",
            "BAAI/bge-large-zh-v1.5",
            "SILICONFLOW_API_KEY",
            "get a key at https://cloud.siliconflow.cn and set SILICONFLOW_API_KEY",
        ),
        "openai": Preset(
            "https://api.openai.com/v1",
            "text-embedding-3-small",
            "OPENAI_API_KEY",
            "get a key at https://platform.openai.com/api-keys and set OPENAI_API_KEY",
        ),
        "ollama": Preset(
            "http://localhost:11434/v1",
            "bge-m3",
            None,
            "start `ollama serve` and run `ollama pull` with the model's name",
        ),
    }
)

# What a model gives where `embedding.dimensions` is not set.
DIMENSIONS: Mapping[str, int] = MappingProxyType(
    {
        "BAAI/bge-large-zh-v1.5": 1024,
        "BAAI/bge-large-en-v1.5": 1024,
        "BAAI/bge-m3": 1024,
        "Pro/BAAI/bge-m3": 1024,
        "bge-m3": 1024,
        "text-embedding-3-small": 1536,
        "text-embedding-3-large": 3072,
        "text-embedding-ada-002": 1536,
        "nomic-embed-text": 768,
        "mxbai-embed-large": 1024,
    }
)


@dataclass(frozen=True)
class Endpoint:
    """One model at one URL and how it is asked.

    `dimensions` 0: learned from the first answer; `shorten`: the server is asked for that many.
    `prefix` stands before a question and before a passage. A passage may be asked for `tries`
    times, a question, for which someone waits, twice. Times are in seconds.
    """

    name: str
    url: str
    model: str
    api_key_env: str | None
    hint: str
    dimensions: int = 0
    shorten: bool = False
    prefix: tuple[str, str] = ("", "")
    batch_size: int = 100
    max_concurrency: int = 5
    tries: int = 6
    timeout: float = 60.0
    question_timeout: float = 15.0

    @property
    def shown_url(self) -> str:
        """The URL without a password in it, for messages."""
        return without_password(self.url)


def without_password(url: str) -> str:
    """A URL as it may be shown."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def endpoint(
    provider: str,
    *,
    model: str | None = None,
    dimensions: int | None = None,
    base_url: str | None = None,
    api_key_env: str | None = None,
    batch_size: int = 100,
    max_concurrency: int = 5,
) -> Endpoint:
    """The endpoint for a row of PRESETS; what is given beside its name wins over the row.

    A key goes only where it belongs: with a `base_url` of its own, an endpoint gets one only if
    `api_key_env` says which. Raises ProviderError for an unknown provider.
    """
    preset = PRESETS.get(provider)
    if preset is None:
        raise ProviderError(f"unknown provider {provider!r}; known are: {', '.join(PRESETS)}")
    url = (base_url or preset.base_url).rstrip("/")
    own = url == preset.base_url
    model = model or preset.model
    usual = DIMENSIONS.get(model, 0)
    shorten = dimensions is not None and dimensions != usual and _takes_dimensions(model)
    where = provider if own or provider == "ollama" else urlsplit(url).netloc.rpartition("@")[2]
    return Endpoint(
        name=f"{where}/{model}" + (f"@{dimensions}" if shorten else ""),
        url=url,
        model=model,
        api_key_env=api_key_env or (preset.api_key_env if own else None),
        hint=preset.hint if own else "look whether embedding.base_url is right",
        dimensions=dimensions or usual,
        shorten=shorten,
        prefix=_prefixes(model),
        batch_size=batch_size,
        max_concurrency=max_concurrency,
    )


def _takes_dimensions(model: str) -> bool:
    """Whether the model can be asked for shorter vectors; others reject the parameter."""
    name = model.lower()
    return "text-embedding-3" in name or "qwen3-embedding" in name


def _prefixes(model: str) -> tuple[str, str]:
    """The e5 and nomic families were trained with a word before questions and passages."""
    name = model.lower().rsplit("/", 1)[-1]
    if "e5" in name.replace("_", "-").split("-"):
        return "query: ", "passage: "
    if name.startswith("nomic-embed-text"):
        return "search_query: ", "search_document: "
    return "", ""
