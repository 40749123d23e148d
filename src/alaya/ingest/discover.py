"""The logs of agent tools on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from alaya.model.report import Discovered

LOG_SUFFIXES = (".jsonl", ".json", ".sqlite")
_NO_LOG = re.compile(
    r".*\.trajectory\.jsonl|.*\.checkpoint\..*\.jsonl|.*\.reset\..*|.*\.deleted.*|.*\.corrupt-.*"
    r"|.*-clean\.jsonl|.*\.lock|.*\.meta\.json|sessions\.json|session_index\.jsonl|history\.jsonl"
    r"|journal\.jsonl|package(?:-lock)?\.json|tsconfig.*\.json|settings.*\.json|\..*"
)
_NO_FOLDER = {"node_modules", ".git", "tool-results", "workflows", "__pycache__", ".venv"}

Known = Callable[[Path, int], bool]


def discover(environ: Mapping[str, str], home: Path, *, known: Known) -> list[Discovered]:
    """Logs of OpenClaw, Claude Code and Codex, by tool and path.

    OPENCLAW_STATE_DIR, CLAUDE_CONFIG_DIR and CODEX_HOME are honoured. `known(path, size)` says
    whether a log was ingested up to its present size. Folders that cannot be read are empty.
    """
    openclaw = _folder(environ, "OPENCLAW_STATE_DIR", home=home, default=".openclaw")
    claude = _folder(environ, "CLAUDE_CONFIG_DIR", home=home, default=".claude")
    codex = _folder(environ, "CODEX_HOME", home=home, default=".codex")
    return [
        *_described("openclaw-db", _openclaw_databases(openclaw), known=known),
        *_described("openclaw", _openclaw_files(openclaw), known=known),
        *_described("claude-code", _claude_files(claude), known=known),
        *_described("codex", _codex_files(codex), known=known),
    ]


def _described(format: str, paths: list[Path], *, known: Known) -> Iterator[Discovered]:
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue  # it vanished
        if status.st_size:
            modified = datetime.fromtimestamp(status.st_mtime, UTC)
            yield Discovered(
                str(path), format, status.st_size, modified, known(path, status.st_size)
            )


def is_log(path: Path) -> bool:
    """Whether a file in a folder is worth a look: by its name alone."""
    return path.suffix.lower() in LOG_SUFFIXES and not _NO_LOG.fullmatch(path.name)


def logs_in(folder: Path) -> Iterator[Path]:
    """Every log below a folder, in order. A folder that was seen, by whatever link, is left out.

    A folder that cannot be read is yielded itself: whoever reads it finds out why.
    """
    seen: set[tuple[int, int]] = set()
    failed: list[Path] = []
    for root, folders, files in os.walk(
        folder, followlinks=True, onerror=lambda error: failed.append(Path(error.filename))
    ):
        here = Path(root)
        try:
            status = here.stat()
        except OSError:
            failed.append(here)
            continue
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = sorted(name for name in folders if name not in _NO_FOLDER)
        yield from (here / name for name in sorted(files) if is_log(here / name))
    yield from failed


def _folder(environ: Mapping[str, str], variable: str, *, home: Path, default: str) -> Path:
    given = environ.get(variable)
    if not given:
        return home / default
    return home / given[2:] if given.startswith("~/") else Path(given)


def _openclaw_databases(state: Path) -> list[Path]:
    return sorted(state.glob("agents/*/agent/openclaw-agent.sqlite"))


def _openclaw_files(state: Path) -> list[Path]:
    files = [
        *state.glob("agents/*/sessions/*.jsonl"),
        *state.glob("agents/*/session-sqlite-import-archive/**/*.jsonl"),
        *state.glob("agents/*/sessions/session-sqlite-import-archive/**/*.jsonl"),
        *state.glob("session-sqlite-import-archive/**/*.jsonl"),
    ]
    return sorted({path for path in files if is_log(path)})


def _claude_files(config: Path) -> list[Path]:
    files = [
        *config.glob("projects/*/*.jsonl"),
        *config.glob("projects/*/*/subagents/**/agent-*.jsonl"),
    ]
    return sorted({path for path in files if is_log(path)})


def _codex_files(config: Path) -> list[Path]:
    files = [
        *config.glob("sessions/**/rollout-*.jsonl"),
        *config.glob("archived_sessions/rollout-*.jsonl"),
    ]
    return sorted({path for path in files if is_log(path)})
