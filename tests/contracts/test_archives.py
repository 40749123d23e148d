"""Every archive against the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from alaya.stores.files.archive import FileArchive
from alaya.stores.files.erasing import FileEraser
from alaya.testing.archive_contract import STRANGE, ArchiveContract, MakeArchive
from alaya.testing.erasing_contract import EraserContract, MakeHome
from alaya.testing.invented import ALICE, session
from alaya.testing.usage_contract import UsageContract


class TestEraser(EraserContract):
    @pytest.fixture
    def make_home(self, tmp_path: Path) -> MakeHome:
        return lambda: (FileArchive(tmp_path / "home"), FileEraser(tmp_path / "home"))


class TestFiles(ArchiveContract, UsageContract):
    @pytest.fixture
    def make_archive(self, tmp_path: Path) -> MakeArchive:
        return lambda: FileArchive(tmp_path / "home")

    @pytest.mark.parametrize("name", STRANGE)
    def test_nothing_escapes(self, archive: FileArchive, tmp_path: Path, name: str) -> None:
        """No id, whatever it holds, names a file outside its folder."""
        paths = [archive.session_path(session(name, ALICE), 1), archive.put_context(name, {})]
        for path in paths:
            assert tmp_path / "home" / "raw" in Path(path).resolve().parents
