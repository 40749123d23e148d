"""The language of choice, and the catalogue of everything the command line says in it.

`Say` looks a message up and fills it in. Numbers may choose their noun: "{n:,} {n:card|cards}".
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

LANGUAGES = ("en", "zh")
# The catalogues of words and of help: words_en.py, help_en.py, and one pair for each group here,
# such as words_past_en.py and help_past_en.py, with the commands of one chapter of `Memory`.
GROUPS: tuple[str, ...] = (
    "retrieve",
    "provenance",
    "past",
    "minding",
    "forgetting",
    "erasing",
    "serving",
)
Say = Callable[..., str]


class Count(int):
    """A whole number whose format `one|many` is a noun; any other format is a number's own."""

    def __format__(self, spec: str) -> str:
        one, bar, many = spec.partition("|")
        if not bar:
            return int(self).__format__(spec)
        return one if self == 1 else many


def messages(language: str) -> Mapping[str, str]:
    """What commands say when they run."""
    return _joined("words", "WORDS", language=language)


def help_texts(language: str) -> Mapping[str, str]:
    """What `--help` says, and what is said of bad usage."""
    return _joined("help", "HELP", language=language)


def sayer(catalogue: Mapping[str, str]) -> Say:
    """The function that looks messages up in `catalogue` and fills them in."""

    def say(key: str, /, **values: object) -> str:
        text = catalogue[key]
        return text.format(**{name: _counted(v) for name, v in values.items()}) if values else text

    return say


def translated(text: str, language: str) -> str:
    """A sentence that was made in English below: of a report, or what was wrong with what was
    asked. Unknown ones stay as they are."""
    if language == "en":
        return text
    below: Sequence[tuple[str, str]] = (
        *import_module(f"alaya.cli.reasons_{language}").REASONS,
        *import_module(f"alaya.cli.mistakes_{language}").MISTAKES,
    )
    for pattern, local in below:
        if found := re.fullmatch(pattern, text, re.DOTALL):
            # What is named in it may be a sentence itself: why there is no embedder.
            return local.format(*(translated(part, language) for part in found.groups()))
    return text


def choose(argv: Sequence[str], environ: Mapping[str, str] = os.environ) -> str:
    """`--lang`, else ALAYA_LANG, else `language` in config.json, else English.

    Reads as little as it can: help must be quick. What is not a language is complained of later,
    by the parser or by the configuration.
    """
    spoken = _language(environ.get("ALAYA_LANG"))
    asked = _option(argv, "--lang") or spoken or _configured(argv, environ)
    return asked if asked in LANGUAGES else "en"


def _joined(what: str, name: str, *, language: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for module in (what, *(f"{what}_{group}" for group in GROUPS)):
        found |= getattr(import_module(f"alaya.cli.{module}_{language}"), name)
    return found


def _language(text: str | None) -> str | None:
    """`zh` for ZH, zh_CN.UTF-8 and zh-Hans, as config reads ALAYA_LANG; others as they are."""
    short = re.split(r"[-_.@]", text.strip().lower(), maxsplit=1)[0] if text else None
    return short if short in LANGUAGES else text


def _counted(value: object) -> object:
    return Count(value) if type(value) is int else value


def _option(argv: Sequence[str], name: str) -> str | None:
    found = None
    for position, word in enumerate(argv):
        if word == "--":
            break
        if word == name and position + 1 < len(argv):
            found = argv[position + 1]
        elif word.startswith(name + "="):
            found = word[len(name) + 1 :]
    return found


def _configured(argv: Sequence[str], environ: Mapping[str, str]) -> object:
    home = _option(argv, "--home") or environ.get("ALAYA_HOME") or "~/.alaya"
    try:
        data = json.loads((Path(home).expanduser() / "config.json").read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RuntimeError):  # RecursionError is a RuntimeError
        return None
    return data.get("language") if isinstance(data, dict) else None
