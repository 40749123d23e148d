"""docs/cli.md and docs/cli.zh.md, made from the parsers: `python -m alaya.cli.reference docs`."""

from __future__ import annotations

import sys
from pathlib import Path

from alaya.cli import helptext
from alaya.cli.language import LANGUAGES, Say, help_texts, sayer
from alaya.cli.parser import build, subparsers

_WIDTH = 88


def reference(language: str) -> str:
    """The whole page in one language; each command has examples in both."""
    parser, say = build(language), sayer(help_texts(language))
    other = sayer(help_texts(next(name for name in LANGUAGES if name != language)))
    top = helptext.help_text(parser, say, width=_WIDTH)
    parts = [f"# {say('reference.title')}", say("reference.intro"), _fenced("text", top)]
    for name, command in subparsers(parser).items():
        text = helptext.help_text(command, say, width=_WIDTH)
        text = text[: text.index("\n" + say("title.examples"))]
        parts += [
            f"## alaya {name}",
            say(f"{name}.about"),
            _fenced("text", _options_of(text, say, name=name)),
        ]
        parts += [say("reference.examples"), _fenced("sh", _examples(name, say, other=other))]
    return "\n\n".join([*parts, say("reference.output")]) + "\n"


def file_name(language: str) -> str:
    """Where the page of a language stands in docs/."""
    return "cli.md" if language == "en" else f"cli.{language}.md"


def main(argv: list[str]) -> int:
    """Write both pages into the folder that is given (default docs)."""
    folder = Path(argv[0] if argv else "docs")
    for language in LANGUAGES:
        (folder / file_name(language)).write_text(reference(language), encoding="utf-8")
    return 0


def _options_of(text: str, say: Say, *, name: str) -> str:
    """The help without its description, which stands above it as prose."""
    about = "\n".join(helptext.wrap(say(f"{name}.about"), _WIDTH))
    return text.replace(about + "\n\n", "", 1)


def _examples(name: str, say: Say, *, other: Say) -> str:
    lines = [*helptext.examples(name, say), *helptext.examples(name, other)]
    return "\n".join(dict.fromkeys(lines))


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
