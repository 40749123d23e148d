"""Terminals, pipes, widths, bars and logs."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from alaya.cli import page as pages
from alaya.cli.helptext import help_text, pad, width_of, wrap
from alaya.cli.language import LANGUAGES, help_texts, sayer
from alaya.cli.log import places
from alaya.cli.page import Page, page_for
from alaya.cli.parser import build, subparsers
from alaya.cli.progress import Bar, bar_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("out", "quiet", "environ", "decor", "colour"),
    [
        (Terminal(), False, {}, True, True),
        (Terminal(), False, {"NO_COLOR": "1"}, True, False),
        (Terminal(), False, {"TERM": "dumb"}, True, False),
        (Terminal(), True, {}, False, False),
        (io.StringIO(), False, {}, False, False),
    ],
)
def test_decoration_is_for_people(
    out: io.StringIO, quiet: bool, environ: dict[str, str], decor: bool, colour: bool
) -> None:
    """Emoji and colour only on a terminal, not with --quiet; NO_COLOR and dumb terminals count."""
    streams = (Terminal(), out, Terminal())
    page = page_for("en", quiet=quiet, streams=streams, environ=environ)
    assert (page.decor, page.colour) == (decor, colour)
    assert page.heading("📊", "x").startswith("📊") is decor
    assert page.hints("x") == [] or decor
    assert ("\x1b" in page.done("x")) is colour


def test_a_closed_stream_is_no_terminal() -> None:
    """Without standard streams, as under a daemon, nothing breaks."""
    closed = io.StringIO()
    closed.close()
    assert not pages.is_terminal(closed)
    assert not pages.is_terminal(None)


def test_the_bar_draws_on_a_terminal_and_clears_up(make_page: Callable[..., Page]) -> None:
    """What, a bar, percent and counts; the line is blank afterwards."""
    stream = Terminal()
    with Bar(make_page("zh", progress=True), "embed", stream=stream, every=0) as progress:
        assert progress is not None
        progress("embed", 10, total=30)
        progress("embed", 30, total=30)
    drawn = stream.getvalue()
    assert "向量化 ████████░" in drawn
    assert "100% 30/30" in drawn
    assert drawn.endswith("\r")
    assert not drawn.rsplit("\r", 2)[1].strip()


def test_no_bar_without_a_terminal(make_page: Callable[..., Page]) -> None:
    """In a pipe nobody is told of progress."""
    stream = io.StringIO()
    with Bar(make_page(), "embed", stream=stream) as progress:
        assert progress is None
    assert stream.getvalue() == ""


def test_a_bar_fits_the_terminal(make_page: Callable[..., Page]) -> None:
    """A long name of a file is cut, so that the line is never wider than 80 columns."""
    stream = Terminal()
    with Bar(make_page(progress=True), "ingest", stream=stream, every=0) as progress:
        assert progress is not None
        progress("会话" * 60, 123_456_789, total=999_999_999)
    line = stream.getvalue().split("\r")[1]
    assert width_of(line) < 80
    assert line.startswith("ingesting 会话会")
    assert "12% 123 MB/1.0 GB" in line


def test_a_bar_of_unknown_length_counts() -> None:
    """Without a total there is a count; beyond the total the bar is full, not longer."""
    assert bar_line("x", 1234, total=None) == "x 1,234"
    assert "100%" in bar_line("x", 5, total=3)


def test_sizes_times_and_days() -> None:
    """Numbers for people."""
    assert [pages.size(n) for n in (0, 999, 1500, 42_000_000_000)] == [
        "0 B",
        "999 B",
        "1.5 kB",
        "42 GB",
    ]
    assert [pages.duration(s) for s in (12.0, 154.4, 7500, 864000)] == [
        "12.0s",
        "2m 34s",
        "2h 05m",
        "10d 0h",
    ]
    assert pages.day(None) == "-"
    assert pages.minute(datetime(2026, 3, 31, 6, 29, tzinfo=UTC)) == "2026-03-31 06:29 UTC"


def test_printable_keeps_words_and_drops_control() -> None:
    """Escapes, NUL and direction overrides go; Chinese, emoji and line ends stay."""
    assert pages.printable("中\x1b[31m文\x00👩‍💻\u202e\nx\x9b") == "中文👩‍💻\nx"
    assert pages.one_line("a\n b\tc", 10) == "a b c"
    assert pages.one_line("长" * 20, 5) == "长长长长…"


def test_wide_characters_take_two_columns() -> None:
    """Chinese is wrapped between characters, never beyond the width, no comma at a line's start."""
    assert width_of("中a") == 3
    assert pad("中", 4) == "中  "
    lines = wrap("没有模型时按规则提炼，支持中文与英文，并如实说明。" * 3, 21)
    assert all(width_of(line) <= 21 for line in lines)
    assert not any(line[0] in "，。" for line in lines)
    assert wrap("one two three", 8) == ["one two", "three"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_complete_and_fits(language: str) -> None:
    """Each command's help has its usage, its options and an example, within 80 columns."""
    parser, say = build(language), sayer(help_texts(language))
    for command in (parser, *subparsers(parser).values()):
        text = help_text(command, say, width=80)
        wide = [line for line in text.splitlines() if width_of(line) > 80]
        assert not [line for line in wide if "alaya" not in line]  # examples are not broken
        for action in command._actions:
            assert action.help or action.dest == "command"
            if action.option_strings:
                assert action.option_strings[-1] in text


def test_a_traceback_without_words() -> None:
    """Places and types of the whole chain; words only of errors that cannot quote a memory."""
    try:
        try:
            raise ValueError("what ann said")
        except ValueError as error:
            raise FileNotFoundError(2, "No such file", str(Path("/x"))) from error
    except FileNotFoundError as error:
        text = places(error)
    assert "ValueError" in text
    assert "what ann said" not in text.replace('raise ValueError("what ann said")', "")
    assert "/x" in text


def test_words_are_kept_whole() -> None:
    """A text is cut between words where its script has spaces, and anywhere where it has none."""
    text = "The folder wasn't found in the archive"
    assert pages.whole_words(text, 15) == "The folder"
    assert pages.whole_words(text, 17) == "The folder wasn't"
    assert pages.whole_words(text, 99) == text
    assert pages.whole_words("重启前检查配置", 4) == "重启前检"
    assert pages.whole_words("x" * 50, 10) == "x" * 10
    assert pages.one_line(text, 15) == "The folder…"
