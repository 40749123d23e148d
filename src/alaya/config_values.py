"""What a value of the configuration may be, and how one that may not is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any

_SHOWN = 80  # characters
RECIPES = ("default", "alaya", "alice", "eywa")  # a test keeps them equal to recall's
LLM_PROVIDERS = (
    "none", "openai", "siliconflow", "deepseek", "ollama", "vllm", "llama.cpp",
)  # fmt: skip
VOCABULARIES = (
    "o200k_base", "cl100k_base", "deepseek_v3", "qwen3", "glm4", "kimi_k2", "llama3", "gemma3",
    "mistral_v3",
)  # fmt: skip


def one_of(default: str, *allowed: str) -> str:
    """A text field that takes only these values."""
    value: str = field(default=default, metadata={"allowed": allowed})
    return value


def within(default: float, low: float, *, high: float) -> float:
    """A number field between two bounds, inclusive."""
    value: float = field(default=default, metadata={"low": low, "high": high})
    return value


def at_least(default: int, low: int) -> int:
    """A whole number field with a lower bound."""
    value: int = field(default=default, metadata={"low": low})
    return value


def checked_by(default: Any, check: Callable[[str], str | None]) -> Any:
    """A text field; `check` says what a value must be, or None where all is well."""
    return field(default=default, metadata={"check": check})


def user_name(text: str) -> str | None:
    """What the name of a user must be."""
    if not text.strip():
        return "a name that is not blank"
    controls = any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in text)
    return "a name without control characters" if controls else None


def cron_table(text: str) -> str | None:
    """Five fields of a cron table: minute, hour, day, month, weekday."""
    fields = text.split()
    bounds = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
    if len(fields) == 5 and all(map(_cron_field, fields, bounds)):
        return None
    return "five fields of numbers, such as '0 */4 * * *' (minute, hour, day, month, weekday)"


def _cron_field(text: str, bounds: tuple[int, int]) -> bool:
    for part in text.split(","):
        found = re.fullmatch(r"(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:/(\d{1,2}))?", part, re.ASCII)
        if not found or (found[3] and int(found[3]) == 0):
            return False
        ends = [int(end) for end in found.group(1, 2) if end]
        if ends != sorted(ends) or any(not bounds[0] <= end <= bounds[1] for end in ends):
            return False
    return True


def prices_of(text: str) -> dict[str, tuple[float, float]]:
    """Prices for a million tokens (in, out) by model, from `model in out; model in out`.

    Raises ValueError.
    """
    found = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, tokens_in, tokens_out = part.rsplit(maxsplit=2)
        found[name] = (float(tokens_in), float(tokens_out))
    if not all(0 <= price < float("inf") for pair in found.values() for price in pair):
        raise ValueError("a price is negative or no number")
    return found


def price_list(text: str) -> str | None:
    """What a list of prices must be."""
    try:
        prices_of(text)
    except ValueError:
        return "prices for a million tokens in and out, such as 'gpt-4o 2.5 10; qwen3 0 0'"
    return None


def log_file(text: str) -> str | None:
    """Where a log may be written: no folders are made for it."""
    if not text.strip() or "\0" in text:
        return "the path of a file"
    try:
        folder = Path(text).expanduser().absolute().parent
        return None if folder.is_dir() else f"a file in a folder that exists; {folder} does not"
    except (OSError, RuntimeError):
        return "the path of a file in a folder that exists"


def shown(value: Any) -> str:
    """A value as it is echoed in a complaint: short, whatever it is."""
    try:
        text = repr(value)
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def language_of(text: str) -> str:
    """`zh` for ZH, zh_CN.UTF-8 and zh-Hans; what is no language stays and is complained of."""
    short = re.split(r"[-_.@]", text.strip().lower(), maxsplit=1)[0]
    return short if short in ("en", "zh") else text
