"""Installing into the configuration of an agent, and taking all of it out again.

What a file was before is kept beside the memory, in `state/installed/`: who uninstalls gets his
files back byte for byte where nobody changed them since, else without our entries.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alaya.errors import ConfigError, InvalidInput
from alaya.integrations.edits import Edit

_NEW = ".alaya-new"


@dataclass(frozen=True)
class Touched:
    """What becomes of a file: created, changed, unchanged, restored, removed, or left alone.

    `why` it was left alone, and then what a person would put in by hand.
    """

    path: str
    what: str
    why: str = ""
    entry: str = ""


def install(edits: Sequence[Edit], *, record: Path, dry_run: bool = False) -> list[Touched]:
    """Put the entries in. Doing it twice changes nothing. Raises ConfigError."""
    kept = _record(record)
    found: list[Touched] = []
    for edit in edits:
        now, path = _read(edit.path), str(edit.path)
        try:
            before = _before(edit, now, kept=kept)
            after = edit.put(before).encode()
        except (InvalidInput, UnicodeDecodeError) as error:
            found.append(Touched(path, "left", str(error), edit.entry))
            continue
        if after == now and path in kept:
            found.append(Touched(path, "unchanged"))
            continue
        found.append(Touched(path, "created" if now is None else "changed"))
        if dry_run:
            continue
        made = kept.get(path, {}).get("made", []) or _missing(edit.path.parent)
        kept[path] = {"before": before, "after": _hash(after), "made": made}
        _write(record, json.dumps(kept, ensure_ascii=False, indent=2).encode(), mode=0o600)
        _write(edit.path, after)
    return found


def uninstall(edits: Sequence[Edit], *, record: Path, dry_run: bool = False) -> list[Touched]:
    """Take them out. Files that are as install left them become what they were before."""
    kept = _record(record)
    found = [_taken(edit, kept=kept, dry_run=dry_run) for edit in edits]
    if not dry_run:
        made = {folder for known in kept.values() for folder in known["made"]}
        for folder in sorted(made, key=len, reverse=True):
            with contextlib.suppress(OSError):  # somebody put something there
                Path(folder).rmdir()
        with contextlib.suppress(FileNotFoundError):
            record.unlink()
    return [one for one in found if one.what != "absent"]


def _taken(edit: Edit, *, kept: dict[str, Any], dry_run: bool) -> Touched:
    now, path = _read(edit.path), str(edit.path)
    if now is None:
        return Touched(path, "absent")
    try:
        before = _before(edit, now, kept=kept)
    except (InvalidInput, UnicodeDecodeError) as error:
        return Touched(path, "left", str(error), edit.entry)
    if before is not None and before.encode() == now:
        return Touched(path, "unchanged" if path in kept else "absent")
    if not dry_run and before is None:
        edit.path.unlink()
    elif not dry_run and before is not None:
        _write(edit.path, before.encode())
    return Touched(path, "removed" if before is None else "restored")


def _before(edit: Edit, now: bytes | None, *, kept: dict[str, Any]) -> str | None:
    """The text without our entry: as it was, where nobody else changed it since."""
    known = kept.get(str(edit.path))
    if now is None:
        return None
    if known is not None and known["after"] == _hash(now):
        before: str | None = known["before"]
        return before
    return edit.take(now.decode("utf-8"))


def _record(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path}: {error}; mend or delete it") from error
    return found if isinstance(found, dict) else {}


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error


def _missing(folder: Path) -> list[str]:
    """The folders that are made for a file, the innermost first."""
    return [str(one) for one in _up(folder) if not one.exists()]


def _up(folder: Path) -> Iterator[Path]:
    while folder != folder.parent:
        yield folder
        folder = folder.parent


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Replace a file at once, with the rights that it had; a link stays one."""
    target = path.resolve()
    temporary = target.with_name(target.name + _NEW)
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if target.exists():
            mode = target.stat().st_mode & 0o777
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
