"""The MCP Inspector's command-line mode lists and calls tools over both transports.

It is an npm package: MCP_INSPECTOR is the command that starts it, such as
`node …/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import served

from alaya.server.mcp_tools import table

INSPECTOR = shlex.split(os.environ.get("MCP_INSPECTOR", ""))
ENTITY = [{"name": "李安娜", "entityType": "人物", "observations": ["在杭州工作"]}]
pytestmark = pytest.mark.skipif(not INSPECTOR, reason="MCP_INSPECTOR names no inspector")


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[str]]:
    """What the inspector is to speak to."""
    if request.param == "http":
        with served.http_server(tmp_path / "home") as (url, _):
            yield [url, "--transport", "http"]
        return
    script = tmp_path / "serve.sh"
    command = shlex.join([sys.executable, "-m", "alaya", "mcp", "--home", str(tmp_path / "home")])
    settings = shlex.join(f"{k}={v}" for k, v in (*served.QUIET.items(), *paths()))
    script.write_text(f"#!/bin/sh\nexec env {settings} {command}\n", encoding="utf-8")
    script.chmod(0o700)
    yield [str(script)]


def paths() -> list[tuple[str, str]]:
    """Where this alaya is; the inspector hands no environment on."""
    return [("PYTHONPATH", os.environ["PYTHONPATH"])] if "PYTHONPATH" in os.environ else []


def inspected(target: list[str], *argv: str) -> Any:
    done = subprocess.run(
        [*INSPECTOR, "--cli", *target, *argv], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def test_the_inspector_lists_and_calls(target: list[str]) -> None:
    """Every tool is listed; what one call told, the next one finds."""
    listed = inspected(target, "--method", "tools/list")["tools"]
    assert {tool["name"] for tool in listed} == set(table(read_only=False))
    called = ("--method", "tools/call", "--tool-name")
    told = f"entities={json.dumps(ENTITY)}"
    made = inspected(target, *called, "create_entities", "--tool-arg", told)
    assert made["structuredContent"] == {"entities": ENTITY}
    found = inspected(target, *called, "recall", "--tool-arg", "query=谁在杭州工作")
    assert "在杭州工作" in found["content"][0]["text"]
    assert len(inspected(target, "--method", "prompts/list")["prompts"]) == 2
    assert inspected(target, "--method", "resources/list")["resources"]
