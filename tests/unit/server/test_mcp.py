"""Starting the MCP server: where it may listen, and what it needs."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from alaya.cli import main as entry
from alaya.errors import ConfigError
from alaya.server import mcp


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("127.0.0.1:8765", ("127.0.0.1", 8765)),
        (":0", ("127.0.0.1", 0)),
        ("8765", ("127.0.0.1", 8765)),
        ("[::1]:9", ("::1", 9)),
    ],
)
def test_addresses(text: str, meant: tuple[str, int]) -> None:
    """A port alone is one of this machine."""
    assert mcp.address(text) == meant


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["--http", "0.0.0.0:1"], "not this machine"),
        (["--http", "example.com:80"], "not this machine"),
        (["--http", "localhost"], "has no port"),
        (["--http", "127.0.0.1:99999"], "has no port"),
    ],
)
def test_only_this_machine(
    argv: list[str], hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without keys, nobody beyond this machine is served: exit status 1, and what to do."""
    assert entry.main(["--home", str(tmp_path), "mcp", *argv]) == 1
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize("found", [None, "1.27.0"])
def test_without_the_sdk(found: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the SDK is missing or too old, it is said how to install it."""

    def version(name: str) -> str:
        if found is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(mcp, "version", version)
    with pytest.raises(ConfigError, match=r"alaya-agent-memory\[mcp\]"):
        mcp.check_installed()
