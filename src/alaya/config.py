"""config.json, the environment and arguments, in rising order of precedence, to one frozen Config.

An unknown key or a value that is not allowed is a ConfigError that names the key and what is.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import types
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from alaya.config_sections import (
    DistillConfig,
    EmbeddingConfig,
    IntrospectConfig,
    LoggingConfig,
    McpConfig,
    RecallConfig,
    SummaryConfig,
    TemperatureConfig,
)
from alaya.config_values import checked_by, language_of, one_of, shown, user_name
from alaya.errors import ConfigError


@dataclass(frozen=True)
class Config:
    """Everything that can be set."""

    home: Path
    version: str = one_of("1.0", "1.0")
    user: str = checked_by("default", user_name)
    language: str = one_of("en", "en", "zh")
    embedding: EmbeddingConfig = EmbeddingConfig()
    temperature: TemperatureConfig = TemperatureConfig()
    distill: DistillConfig = DistillConfig()
    summary: SummaryConfig = SummaryConfig()
    recall: RecallConfig = RecallConfig()
    introspect: IntrospectConfig = IntrospectConfig()
    mcp: McpConfig = McpConfig()
    logging: LoggingConfig = LoggingConfig()

    @property
    def path(self) -> Path:
        """Where config.json stands."""
        return self.home / "config.json"


_ENVIRONMENT = {
    "ALAYA_USER": "user",
    "ALAYA_LANG": "language",
    "ALAYA_EMBEDDING_PROVIDER": "embedding.provider",
    "ALAYA_EMBEDDING_BACKGROUND": "embedding.background",
    "ALAYA_EMBEDDING_CACHE": "embedding.cache",
    "ALAYA_LOG_LEVEL": "logging.level",
}


def find_home(argument: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The data directory: the argument, else ALAYA_HOME, else ~/.alaya."""
    wanted = Path(argument or environ.get("ALAYA_HOME") or "~/.alaya")
    try:
        home = wanted.expanduser().absolute()
    except RuntimeError as error:  # ~somebody
        raise ConfigError(f"no such home: {wanted}: {error}") from error
    try:
        str(home).encode()
    except UnicodeEncodeError as error:  # SQLite has no other names
        raise ConfigError(f"the home {shown(str(home))} is not UTF-8: choose another") from error
    return home


def load(
    home: str | Path | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """The configuration of a home. `settings` are dotted keys, such as {"recall.alpha": 0.7}."""
    where = find_home(home, environ)
    given = read_file(where / "config.json")
    if "home" in given:
        raise _unknown("home")
    for variable, key in _ENVIRONMENT.items():
        if environ.get(variable):
            text = environ[variable]
            value = language_of(text) if key == "language" else parse_value(key, text)
            _put(given, key, value=value)
    for key, value in (settings or {}).items():
        _put(given, key, value=value)
    _same_folder(given.pop("data_dir", None), where)
    config: Config = _build(Config, {**given, "home": where}, prefix="")
    return config


def _same_folder(data_dir: Any, home: Path) -> None:
    """The Alaya design's `data_dir` may repeat where the home is, not move it."""
    if data_dir is not None and find_home(str(data_dir)) != home:
        raise ConfigError(
            f"config data_dir is {shown(data_dir)}, but this config.json stands in {home}: "
            "use --home or ALAYA_HOME to choose a home, and delete data_dir"
        )


def read_file(path: Path) -> dict[str, Any]:
    """What config.json holds, unchecked; empty where there is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{path} is nested too deeply; mend it or delete it") from error
    except ValueError as error:
        raise ConfigError(f"{path} is not JSON: {error}; mend it or delete it") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{path} must hold a JSON object, such as {{}}")
    return data


def keys() -> list[str]:
    """Every key that can be set, dotted."""
    return _keys(Config, "")


def get(config: Config, key: str) -> Any:
    """The value of a dotted key, or a whole section as a dict."""
    value: Any = config
    for part in key.split("."):
        if not dataclasses.is_dataclass(value) or part not in {f.name for f in _fields(value)}:
            raise _unknown(key)
        value = getattr(value, part)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return value


def parse_value(key: str, text: str) -> Any:
    """A value typed on a command line: JSON where the key is not a text, else the text."""
    hint = _hint(key)
    if hint is str or text == "":
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if str in get_args(hint) and not isinstance(value, str | None) else value


def write(path: Path, key: str, *, value: Any) -> None:
    """Set one dotted key in config.json after checking the whole of it."""
    data = read_file(path)
    _put(data, key, value=value)
    _build(
        Config,
        {**{k: v for k, v in data.items() if k != "data_dir"}, "home": path.parent},
        prefix="",
    )
    write_whole(path, data)


def write_whole(path: Path, values: Mapping[str, Any]) -> None:
    """Replace config.json at once, readable by its owner only."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(json.dumps(values, ensure_ascii=False, indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error


def _fields(cls: Any) -> tuple[dataclasses.Field[Any], ...]:
    return tuple(f for f in dataclasses.fields(cls) if f.name != "home")


def _keys(cls: Any, prefix: str) -> list[str]:
    found: list[str] = []
    hints = get_type_hints(cls)
    for item in _fields(cls):
        hint = hints[item.name]
        if dataclasses.is_dataclass(hint):
            found += _keys(hint, f"{prefix}{item.name}.")
        else:
            found.append(prefix + item.name)
    return found


def _unknown(key: str) -> ConfigError:
    return ConfigError(f"unknown setting {shown(key)}; known are: {', '.join(keys())}")


def _hint(key: str) -> Any:
    cls: Any = Config
    for part in key.split("."):
        hints = get_type_hints(cls) if dataclasses.is_dataclass(cls) else {}
        if part not in hints or part == "home":
            raise _unknown(key)
        cls = hints[part]
    if dataclasses.is_dataclass(cls):
        raise ConfigError(
            f"{key} is a section; set one of its keys: {', '.join(_keys(cls, key + '.'))}"
        )
    return cls


def _put(data: dict[str, Any], key: str, *, value: Any) -> None:
    *sections, last = key.split(".")
    _hint(key)
    for part in sections:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"config section {part!r} must be a JSON object")
        data = inner
    data[last] = value


def _build(cls: Any, data: Mapping[str, Any], *, prefix: str) -> Any:
    hints = get_type_hints(cls)
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name not in hints:
            raise _unknown(prefix + name)
        hint = hints[name]
        if dataclasses.is_dataclass(hint):
            if not isinstance(value, Mapping):
                raise ConfigError(f"config section {prefix + name!r} must be a JSON object")
            values[name] = _build(hint, value, prefix=f"{prefix}{name}.")
        else:
            item = next(f for f in dataclasses.fields(cls) if f.name == name)
            values[name] = _checked(prefix + name, value, hint=hint, rules=item.metadata)
    return cls(**values)


def _checked(key: str, value: Any, *, hint: Any, rules: Mapping[str, Any]) -> Any:
    kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    if float in kinds and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not any(isinstance(value, k) for k in kinds) or (
        isinstance(value, bool) and bool not in kinds
    ):
        wanted = " or ".join("null" if k is type(None) else k.__name__ for k in kinds)
        raise ConfigError(f"config {key} must be {wanted}, not {shown(value)}")
    if "allowed" in rules and value not in rules["allowed"]:
        allowed = ", ".join(rules["allowed"])
        raise ConfigError(f"config {key} must be one of {allowed}, not {shown(value)}")
    if "check" in rules and value is not None and (must := rules["check"](value)):
        raise ConfigError(f"config {key} must be {must}, not {shown(value)}")
    low, high = rules.get("low"), rules.get("high")
    # Turned round, so that NaN, which is neither, does not pass.
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        bounds = f"between {low} and {high}" if high is not None else f"at least {low}"
        raise ConfigError(f"config {key} must be {bounds}, not {shown(value)}")
    return value
