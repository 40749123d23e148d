"""What every Archive must do for calls to a model: usage, the budget of a day, kept replies.

Used as `archive_contract.ArchiveContract` is.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

import pytest

from alaya.model.call import KeptReply, Outcome, Reply, Usage
from alaya.ports import Archive
from alaya.testing.archive_contract import MakeArchive
from alaya.testing.invented import START, day

_FAIR, _EACH = 10, 100


def usage(id: str, at: datetime = START, *, tokens: int = 100) -> Usage:
    """A call that begins, and may take so many tokens."""
    return Usage(id, at, "alice", "distill", "m", "h", tokens - 10, 10, estimated=True)


class UsageContract:
    """Needs a fixture `make_archive`."""

    @pytest.fixture
    def archive(self, make_archive: MakeArchive) -> Archive:
        archive = make_archive()
        archive.create()
        return archive

    def test_the_last_word_counts(self, archive: Archive, make_archive: MakeArchive) -> None:
        """Calls are read back as they ended, else as they began, in the order of beginning."""
        assert list(archive.usages()) == []
        for number, name in enumerate("abc"):
            assert archive.begin_usage(usage(name, day(number)), limit=0) is None
        ended = replace(usage("a"), tokens_in=7, cost=0.5, currency="元", outcome=Outcome.ANSWERED)
        archive.end_usage(ended)
        assert list(make_archive().usages()) == [ended, usage("b", day(1)), usage("c", day(2))]
        assert [u.id for u in make_archive().usages(day(1))] == ["b", "c"]

    def test_months(self, archive: Archive) -> None:
        """Calls of several months are read back together; a call ends in the month of its begin."""
        archive.begin_usage(usage("a", day(0)), limit=0)
        archive.begin_usage(usage("b", day(40)), limit=0)
        archive.end_usage(replace(usage("a", day(0)), outcome=Outcome.FAILED))
        assert [(u.id, u.outcome.value) for u in archive.usages()] == [
            ("a", "failed"),
            ("b", "asked"),
        ]

    def test_budget(self, archive: Archive, make_archive: MakeArchive) -> None:
        """What would cross the limit of its day is not written; what ended counts as it ended."""
        assert archive.begin_usage(usage("a"), limit=200) is None
        assert make_archive().begin_usage(usage("b"), limit=200) is None
        assert archive.begin_usage(usage("c", tokens=11), limit=200) == 200
        archive.end_usage(replace(usage("a"), tokens_in=0, tokens_out=0, outcome=Outcome.FAILED))
        assert make_archive().begin_usage(usage("d", tokens=101), limit=200) == 100
        assert archive.begin_usage(usage("e"), limit=200) is None
        assert archive.begin_usage(usage("f", day(1)), limit=200) is None
        assert [u.id for u in archive.usages()] == ["a", "b", "e", "f"]

    def test_budget_of_all_together(self, archive: Archive, make_archive: MakeArchive) -> None:
        """However many begin at the same time, no more begin than the limit allows."""

        def begin(worker: int) -> int:
            mine = make_archive()
            return sum(
                mine.begin_usage(usage(f"{worker}-{n}"), limit=_FAIR * _EACH) is None
                for n in range(_FAIR)
            )

        with ThreadPoolExecutor(4) as threads:
            assert sum(threads.map(begin, range(4))) == _FAIR
        assert sum(u.tokens for u in archive.usages()) == _FAIR * _EACH

    def test_kept(self, archive: Archive, make_archive: MakeArchive) -> None:
        """A reply is read back word for word by its key; the last one that was kept."""
        reply = KeptReply(START, "alice", "distill", "m", "h", ("s1",), Reply("{}\n好", 1, 2))
        assert archive.kept_reply("ab12") is None
        archive.keep_reply("ab12", reply)
        archive.keep_reply("ab13", replace(reply, reply=Reply("[]")))
        assert make_archive().kept_reply("ab12") == reply
        archive.keep_reply("ab12", replace(reply, about=()))
        assert make_archive().kept_reply("ab12") == replace(reply, about=())
