"""What can be typed, and what is said of what cannot."""

from __future__ import annotations

import pytest

from alaya import config_values
from alaya.cli import commands
from alaya.cli import parser as cli_parser
from alaya.cli.main import command
from alaya.cli.opening import settings_of
from alaya.model.graph import CardKind, Tier
from alaya.model.raw import Origin
from alaya.recall import recipes


@pytest.fixture(params=["en", "zh"])
def parser(request: pytest.FixtureRequest) -> cli_parser.Parser:
    return cli_parser.build(request.param)


def test_global_options_stand_before_or_after_the_command(parser: cli_parser.Parser) -> None:
    """--home, --user, --json and the rest mean the same in both places; the later one wins."""
    before = parser.parse_args(
        [
            "--home",
            "/h",
            "--user",
            "ann",
            "--agent",
            "bot",
            "--json",
            "-q",
            "--lang",
            "zh",
            "status",
        ]
    )
    after = parser.parse_args(
        [
            "status",
            "--home",
            "/h",
            "--user",
            "ann",
            "--agent",
            "bot",
            "--json",
            "-q",
            "--lang",
            "zh",
        ]
    )
    for args in (before, after):
        assert (args.home, args.user, args.agent, args.lang) == ("/h", "ann", "bot", "zh")
        assert args.json
        assert args.quiet
    assert parser.parse_args(["--home", "/a", "status", "--home", "/b"]).home == "/b"


def test_set_adds_up_over_both_places(parser: cli_parser.Parser) -> None:
    """Each --set counts, before and after the command; the last one of a key wins."""
    args = parser.parse_args(
        ["--set", "recall.alpha=0.7", "--set", "user=x", "status", "--set", "recall.alpha=0.2"]
    )
    assert settings_of(args) == {"recall.alpha": 0.2, "user": "x"}


def test_the_arguments_of_recall(parser: cli_parser.Parser) -> None:
    """Words without quotes are one text; lists take commas of either script; any case is taken."""
    args = parser.parse_args(
        [
            "recall",
            "gateway",
            "配置",
            "--kind",
            "Gotcha，pattern",
            "--tier",
            "hot",
            "--origin",
            "OWNER",
            "--depth",
            "0",
        ]
    )
    assert args.text == ["gateway", "配置"]
    assert args.kinds == [["gotcha", "pattern"]]
    assert args.tiers == [["HOT"]]
    assert args.origins == [["owner"]]
    assert args.depth == 0


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("recal x", "recall"),
        ("recall x --depth -1", "--depth"),
        ("recall x --limit 0", "--limit"),
        ("recall x --min-similarity 1.5", "--min-similarity"),
        ("recall x --kind fact", "concept, pattern"),
        ("recall x --nonsense", "--nonsense"),
        ("trace", "ID"),
        ("link card-a", "B"),
        ("link a b --weight heavy", "'heavy'"),
        ("schema --relations --node-types", "--relations"),
        ("status --set alpha", "KEY=VALUE"),
        ("status --lang fr", "en, zh"),
        ("status --home", "--home"),
        ("config frob", "get, set, path, list"),
        ("status --json=yes", "--json"),
    ],
)
def test_bad_usage_names_what_was_wrong(parser: cli_parser.Parser, typed: str, says: str) -> None:
    """Each mistake raises BadUsage whose message names it, with the usage of the command."""
    with pytest.raises(cli_parser.BadUsage) as caught:
        parser.parse_args(typed.split())
    assert says in str(caught.value)
    assert "alaya" in caught.value.usage


def test_bad_usage_is_told_in_chinese() -> None:
    """What argparse complains of in English is said in the language of choice."""
    parser = cli_parser.build("zh")
    for typed in (
        "trace",
        "recall x --nonsense",
        "status --home",
        "schema --relations --node-types",
    ):
        with pytest.raises(cli_parser.BadUsage) as caught:
            parser.parse_args(typed.split())
        assert any("一" <= c <= "鿿" for c in str(caught.value)), typed


def test_the_parser_knows_the_values_of_the_model() -> None:
    """The lists that help names without importing the model are the model's."""
    assert tuple(kind.value for kind in CardKind) == commands.KINDS
    assert tuple(tier.value for tier in Tier) == commands.TIERS
    assert tuple(origin.value for origin in Origin) == commands.ORIGINS
    assert recipes.RECIPES == commands.RECIPES == config_values.RECIPES


def test_every_command_has_a_function() -> None:
    """Each command that the parser takes can be run."""
    for name in commands.COMMANDS:
        assert callable(command(name))


@pytest.mark.parametrize(
    "words",
    [["x" * 9999], ["status", "--" + "x" * 9999], ["recall", "--depth", "x" * 9999]],
)
def test_long_words_are_cut_in_complaints(words) -> None:
    """A complaint echoes only the beginning of what was typed."""
    with pytest.raises(cli_parser.BadUsage) as caught:
        cli_parser.build("en").parse_args(words)
    assert len(str(caught.value)) < 250
