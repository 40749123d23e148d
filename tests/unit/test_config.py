"""config.json, environment and arguments to one Config."""

from __future__ import annotations

import dataclasses
import json
import stat
from pathlib import Path

import pytest

from alaya import config as configuration
from alaya.config import Config, find_home, get, keys, load, parse_value, write
from alaya.errors import ConfigError, InvalidInput
from alaya.model.scope import Scope


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_defaults(home) -> None:
    """Without a file every setting has its default, and nothing is written."""
    found = load(home, environ={})
    assert found == Config(home=home)
    assert (found.recall.alpha, found.recall.beta, found.recall.gamma) == (0.5, 0.3, 0.2)
    assert not home.exists()


def test_precedence(home) -> None:
    """Arguments win over the environment, which wins over the file."""
    write(home / "config.json", "recall.alpha", value=0.1)
    write(home / "config.json", "user", value="file")
    assert load(home, environ={}).user == "file"
    environ = {"ALAYA_USER": "environment", "ALAYA_EMBEDDING_BACKGROUND": "false"}
    assert load(home, environ=environ).user == "environment"
    assert load(home, environ=environ).embedding.background is False
    found = load(home, settings={"user": "argument", "recall.alpha": 1}, environ=environ)
    assert (found.user, found.recall.alpha) == ("argument", 1.0)
    assert load(home, environ={"ALAYA_USER": ""}).user == "file"


def test_home() -> None:
    """The argument, else ALAYA_HOME, else ~/.alaya; always absolute."""
    assert find_home("/x", {"ALAYA_HOME": "/y"}) == Path("/x")
    assert find_home(None, {"ALAYA_HOME": "/y"}) == Path("/y")
    assert find_home(None, {}) == Path.home() / ".alaya"
    assert find_home("relative", {}).is_absolute()
    assert find_home("~/x", {}) == Path.home() / "x"
    with pytest.raises(ConfigError, match="nobody-of-this-name"):
        find_home("~nobody-of-this-name/x", {})


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("recall.alpha", 1.5, "between 0 and 1"),
        ("recall.alpha", float("nan"), "between 0 and 1"),
        ("recall.alpha", "x", "float"),
        ("recall.max_results", 0, "at least 1"),
        ("recall.max_results", 2.5, "int"),
        ("recall.max_results", True, "int"),
        ("embedding.provider", "magic", "siliconflow"),
        ("embedding.model", 5, "str or null"),
        ("embedding.background", "yes", "bool"),
        ("recall.depth", 1, "recall.max_depth"),
        ("recall", 1, "recall.alpha"),
        ("home", "/x", "unknown"),
        ("", 1, "unknown"),
        ("recall.alpha.x", 1, "unknown"),
    ],
)
def test_refused(home, key, value, named) -> None:
    """A wrong key or value is named, with what is allowed, and nothing is written."""
    with pytest.raises(ConfigError, match=named):
        write(home / "config.json", key, value=value)
    assert not home.exists()
    with pytest.raises(ConfigError):
        load(home, settings={key: value}, environ={})


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"recall": 5}', '{"nonsense": 1}', '{"recall": {"alpha": NaN}}']
)
def test_damaged_file(home, content) -> None:
    """A file that is no configuration is refused; it is not taken for an empty one."""
    home.mkdir()
    (home / "config.json").write_text(content)
    with pytest.raises(ConfigError):
        load(home, environ={})


def test_not_text(home) -> None:
    """A file that is no UTF-8, or a folder, is refused by name."""
    home.mkdir()
    (home / "config.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(ConfigError, match=r"config\.json"):
        load(home, environ={})
    (home / "config.json").unlink()
    (home / "config.json").mkdir()
    with pytest.raises(ConfigError, match=r"config\.json"):
        load(home, environ={})


def test_write(home) -> None:
    """One key is set, the others stay, and the file is its owner's alone."""
    path = home / "config.json"
    write(path, "recall.alpha", value=0.25)
    write(path, "recall.beta", value=0.75)
    assert json.loads(path.read_text()) == {"recall": {"alpha": 0.25, "beta": 0.75}}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in home.iterdir()] == ["config.json"]
    (home / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot write"):
        configuration.write_whole(home / "file/config.json", {})


def test_keys_and_get(home) -> None:
    """Every key has a value, a section is a mapping, and an unknown key is named."""
    config = load(home, environ={})
    assert len(keys()) > 40
    for key in keys():
        get(config, key)
    assert get(config, "recall")["alpha"] == 0.5
    for wrong in ("home", "recall.x", "x", "recall.alpha.y", "path"):
        with pytest.raises(ConfigError, match="unknown"):
            get(config, wrong)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("user", "5", "5"),
        ("user", "null", "null"),
        ("recall.alpha", "0.5", 0.5),
        ("recall.max_results", "7", 7),
        ("recall.max_results", "seven", "seven"),
        ("embedding.background", "false", False),
        ("embedding.model", "null", None),
        ("embedding.model", "5", "5"),
        ("embedding.model", "bge", "bge"),
        ("embedding.model", '"bge"', "bge"),
    ],
)
def test_typed_values(key, text, value) -> None:
    """What is typed on a command line is what the key takes."""
    assert parse_value(key, text) == value


def test_written_defaults_are_the_defaults(home) -> None:
    """A file that spells out every default changes nothing."""
    values = dataclasses.asdict(Config(home=home))
    values.pop("home")
    configuration.write_whole(home / "config.json", values)
    assert load(home, environ={}) == Config(home=home)


def test_home_in_the_file(home) -> None:
    """The file may repeat where it stands; it cannot move the home."""
    configuration.write_whole(home / "config.json", {"data_dir": str(home)})
    assert load(home, environ={}) == Config(home=home)
    for wrong in ({"data_dir": "~/.alaya"}, {"home": "/x"}, {"home": str(home)}):
        configuration.write_whole(home / "config.json", wrong)
        with pytest.raises(ConfigError):
            load(home, environ={})


@pytest.mark.parametrize("text", ["ZH", "zh", "zh_CN.UTF-8", "zh-Hans", "zh_TW"])
def test_language_of_a_locale(home, text) -> None:
    """ALAYA_LANG may be a locale's name, in either case; what is no language names those."""
    assert load(home, environ={"ALAYA_LANG": text}).language == "zh"
    assert load(home, environ={"ALAYA_LANG": "en_US.UTF-8"}).language == "en"
    for other in ("fr_FR.UTF-8", "zhx", "C"):
        with pytest.raises(ConfigError, match=r"en, zh"):
            load(home, environ={"ALAYA_LANG": other})


@pytest.mark.parametrize("name", ["", " ", "\t\n", "a\nb", "\x1b[31m", "\x7f", "\x9b"])
def test_no_user(home, name) -> None:
    """A user that nobody could tell from another is none."""
    with pytest.raises(ConfigError, match="config user must be"):
        load(home, settings={"user": name}, environ={})
    with pytest.raises(InvalidInput, match="user must be"):
        Scope(name)


@pytest.mark.parametrize("name", ["alice", "李雷", "a b", "👩‍👩‍👧", "x@y.z"])
def test_any_user(home, name) -> None:
    """Any name that can be seen is a user's."""
    assert load(home, settings={"user": name}, environ={}).user == Scope(name).user == name


def test_schedule(home) -> None:
    """A schedule is a line of a cron table."""
    for good in ("0 */4 * * *", "5 4 1,15 1-6 0-7/2", "* * * * *"):
        assert load(home, settings={"introspect.schedule": good}, environ={})
    bad = (
        "",
        "bad",
        "* * * *",
        "60 * * * *",
        "* * 0 * *",
        "5-1 * * * *",
        "*/0 * * * *",
        "x * * * *",
    )
    for text in bad:
        with pytest.raises(ConfigError, match=r"introspect\.schedule must be five fields"):
            load(home, settings={"introspect.schedule": text}, environ={})


def test_version(home) -> None:
    """A configuration of another version is not read as if it were this one."""
    with pytest.raises(ConfigError, match=r"version must be one of 1\.0"):
        load(home, settings={"version": "9.0"}, environ={})


def test_log_file_in_no_folder(home, tmp_path) -> None:
    """A log goes to a folder that is there: a slip makes no folders."""
    assert load(home, settings={"logging.file": str(tmp_path / "a.log")}, environ={})
    for bad in (str(tmp_path / "no/a.log"), "~nobody-of-this-name/a.log", "", "a\0b"):
        with pytest.raises(ConfigError, match=r"logging\.file must be"):
            load(home, settings={"logging.file": bad}, environ={})
    assert not (tmp_path / "no").exists()


def test_long_values_are_cut(home) -> None:
    """A complaint echoes only the beginning of a value."""
    for key, value in (("language", "x" * 9999), ("recall.alpha", "y" * 9999), ("z" * 9999, 1)):
        with pytest.raises(ConfigError) as caught:
            load(home, settings={key: value}, environ={})
        assert len(str(caught.value)) < 3000
        assert value == 1 or len(str(caught.value)) < 300


def test_odd_files(home) -> None:
    """A byte order mark is read over; what is nested too deeply is no fault of alaya."""
    home.mkdir()
    path = home / "config.json"
    path.write_bytes(b'\xef\xbb\xbf{"user": "alice"}')
    assert load(home, environ={}).user == "alice"
    for text in ("[" * 100_000, '{"user":' * 100_000, '{"user": ' + "[" * 900 + "]" * 900 + "}"):
        path.write_text(text)
        with pytest.raises(ConfigError):
            load(home, environ={})
