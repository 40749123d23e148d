"""The words of a prompt: those of the package, or the copy that a user has edited.

A copy says in its first line which version it was made from. As long as nobody has edited it, it is
replaced when a new version of alaya brings better words; an edited one always wins.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from alaya.errors import ConfigError
from alaya.model.ids import clean, digest

LANGUAGES = ("en", "zh")
_MARK = re.compile(r"#\s*alaya\b[^\n]*\bversion ([0-9a-f]{20})\b[^\n]*")
_SLOT = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_LONGEST = 40_000  # characters: a prompt is sent with every call
_HEAD = {
    "en": "# alaya, version {hash}: edit freely below; delete this file to have the original back",
    "zh": "# alaya, version {hash}：以下可随意修改；删除此文件即恢复原文",
}


@dataclass(frozen=True)
class Prompt:
    """The words of a prompt in one language, slots filled in. `source` is where they stand."""

    text: str
    language: str
    source: str


def file_name(name: str, language: str) -> str:
    """`distill.txt` in English, `distill.zh.txt` in Chinese."""
    return f"{name}.txt" if language == "en" else f"{name}.{language}.txt"


def shipped(name: str, language: str) -> str:
    """The words of the package."""
    found = resources.files("alaya.distill.prompts").joinpath(file_name(name, language))
    return found.read_text(encoding="utf-8")


def prompt(
    name: str,
    language: str,
    *,
    folder: Path,
    template: Path | None = None,
    slots: Mapping[str, str],
) -> Prompt:
    """The prompt as it is in force: `template` or the copy in `folder`, made where there is none.

    Of a `template` of one's own, `X.zh.txt` beside `X.txt` is its Chinese form where it exists.
    Raises ConfigError for a copy that cannot be used, and says why.
    """
    path = folder / file_name(name, language)
    if template is not None and template != folder / file_name(name, "en"):
        other = template.with_name(file_name(template.stem, language))
        path = other if other.exists() else template
    elif not path.exists():
        _write(path, name, language=language)
    words = _read(path)
    marked = _MARK.match(words)
    body = words[marked.end() :].lstrip("\n") if marked else words
    if marked and digest(body) == marked[1] and body != shipped(name, language):
        _write(path, name, language=language)
        body = shipped(name, language)
    return Prompt(_filled(body, path, slots=slots), language, str(path))


def _read(path: Path) -> str:
    try:
        words = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the prompt {path}: {error}; mend or delete it") from error
    if not _MARK.sub("", words, count=1).strip():
        raise ConfigError(f"the prompt {path} is empty; delete it to have the original back")
    if len(words) > _LONGEST:
        raise ConfigError(
            f"the prompt {path} has {len(words)} characters, more than {_LONGEST}; shorten it, or "
            "delete it to have the original back"
        )
    return clean(words.replace("\r\n", "\n"))


def _filled(body: str, path: Path, *, slots: Mapping[str, str]) -> str:
    unknown = sorted({m[1] for m in _SLOT.finditer(body)} - set(slots))
    if unknown:
        known = ", ".join(f"{{{{{name}}}}}" for name in slots)
        raise ConfigError(
            f"the prompt {path} has the unknown slot {{{{{unknown[0]}}}}}; known are: {known}"
        )
    return _SLOT.sub(lambda slot: slots[slot[1]], body)


def _write(path: Path, name: str, *, language: str) -> None:
    """The words of the package as a file to be edited; only its owner reads it."""
    body = shipped(name, language)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{_HEAD[language].format(hash=digest(body))}\n\n{body}")
        temporary.replace(path)
    except OSError as error:
        raise ConfigError(f"cannot write the prompt {path}: {error.strerror}") from error
